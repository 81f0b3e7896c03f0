"""The start page's examples without a model: a script plays it, and its words follow from the tools' answers."""

import html
import re
from collections.abc import Callable, Sequence

from gemini.agents.events import DemoExample
from gemini.agents.loop.controls import DONE
from gemini.agents.watching.words import counted
from gemini.models.interface.messages import Message, ToolMessage
from gemini.models.interface.scripted import Turn

LOG, CHART = "/project/app.log", "/project/chart.svg"
REPORTED = re.compile(r"error at ([^\s\\]+): ([^\\\n\"]+)")
COUNTED = re.compile(r"(\d+) ([A-Z]{3,12})\b")
# The causes of the two errors that the log has at first, by words in them.
MEANINGS = {
    "closed the connection": "the database ended a connection while an order was read. The next line says that it is "
    "connected again, so trying once more would have helped",
    "quantity is missing": "an order came without its quantity. It should be refused with 400, not fail with 500",
}
BAR, ROW, WIDEST, MARGIN = 24, 36, 320, 90


def call(tool: str, /, thought: str, **arguments: object) -> Turn:
    """Return an answer with a thought and one call."""
    return Turn(thought=thought, calls=[(tool, arguments)])


def _done(thought: str, result: str) -> Turn:
    return call(DONE, thought, result=result)


def _find_errors(answers: Sequence[str]) -> Turn:
    if not answers:
        return call(
            "terminal_execute", "I run it and see what it prints.", command="cd /project && python report.py"
        )
    found = REPORTED.findall(answers[0])
    if not found:
        return _done(
            "It reports no errors.",
            "report.py reports no error, or isn't there. The terminal shows its output.",
        )
    if len(answers) == 1:
        return call(
            "terminal_execute",
            "The lines before and after an error say more.",
            command=f"grep -n -B1 -A1 ERROR {LOG}",
        )
    rows = [f"- **{message.strip()}** ({when}): {_meaning(message)}." for when, message in found]
    return _done(
        "Now I know enough.",
        "\n".join([f"app.log has {counted(len(found), 'error')}:", "", *rows]),
    )


def _meaning(message: str) -> str:
    known = [meaning for words, meaning in MEANINGS.items() if words in message]
    return known[0] if known else "my script doesn't know this one; a model would read the code for it"


def _draw_chart(answers: Sequence[str]) -> Turn:
    if not answers:
        command = f"cut -d' ' -f2 {LOG} | sort | uniq -c | sort -rn"
        return call("terminal_execute", "First I count the lines by level.", command=command)
    counts = [(level, int(count)) for count, level in COUNTED.findall(answers[0])]
    if not counts:
        return _done("There is nothing to draw.", f"{LOG} has no lines with a level, or isn't there.")
    if len(answers) == 1:
        return call("file_write", "Now I draw a bar for each.", path=CHART, content=_chart(counts))
    if len(answers) == 2:
        return call("browser_navigate", "I open it to see whether it looks right.", url=CHART)
    (level, most), lines = counts[0], sum(count for _, count in counts)
    return _done(
        "It looks right.",
        f"{CHART} has a bar for each level. Most of the {lines} lines are {level} ({most}).",
    )


def _chart(counts: Sequence[tuple[str, int]]) -> str:
    """Return an SVG 1.1 picture with a bar for each level, its length in proportion to the number of lines."""
    most = max(count for _, count in counts)
    rows: list[str] = []
    for place, (level, count) in enumerate(counts):
        y, width = 20 + place * ROW, round(WIDEST * count / most)
        rows.append(
            f'  <text x="{MARGIN - 10}" y="{y + 17}" text-anchor="end">{html.escape(level)}</text>\n'
            f'  <rect x="{MARGIN}" y="{y}" width="{width}" height="{BAR}" rx="3" fill="seagreen"/>\n'
            f'  <text x="{MARGIN + width + 8}" y="{y + 17}">{count}</text>'
        )
    width, height = MARGIN + WIDEST + 50, 20 + len(counts) * ROW
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            ' font-family="system-ui, sans-serif" font-size="14">',
            "  <title>Lines of app.log by level</title>",
            *rows,
            "</svg>\n",
        ]
    )


TASKS: dict[DemoExample, str] = {
    "errors": "Run report.py and explain the errors that it finds in app.log",
    "chart": "Count the lines of app.log by level, and draw a bar chart of them in chart.svg",
}
PLAYS: dict[str, Callable[[Sequence[str]], Turn]] = {
    TASKS["errors"]: _find_errors,
    TASKS["chart"]: _draw_chart,
}


def play(task: str, messages: Sequence[Message]) -> Turn:
    """Return the next turn of an example.

    Args:
        task: One of `TASKS`.
        messages: Those since the task.
    """
    return PLAYS[task]([found.text for found in messages if isinstance(found, ToolMessage)])
