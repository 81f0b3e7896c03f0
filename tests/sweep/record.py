"""Records what Debian's programs answer to the lines of the sweep, and compares ours with them.

`python -m tests.sweep.record` writes `recorded/` and `options.json`; without `--fresh` only of new lines and commands.
With `--compare` it prints for each command how many lines are equal, refused (an error of ours, without output) and
wrong; words after it name commands.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from itertools import starmap
from pathlib import Path

from tests.unit.computer.shell.engine import Engine

from .run import ENVIRONMENT, HERE, Answer, Line, ours, system

RECORDED = HERE / "recorded"
OPTIONS = HERE / "options.json"
TOPICS = sorted(path.stem for path in (HERE / "lines").glob("*.txt"))
# An option of a help text: few columns from the left, its names before two blanks or a tab.
_LISTED = re.compile(r"^[ \t]{0,10}-")
_OPTION = re.compile(r"(?<![\w/.-])(?:--[A-Za-z0-9][\w-]*|-[A-Za-z0-9](?![\w>]))")
# How a program lists its options, where it isn't by `--help`.
HELP = {
    "curl": ["--help", "all"],
    "lsof": ["-h"],
    "ps": ["--help", "all"],
    "unzip": ["-hh"],
    "xxd": ["-h"],
    "zip": ["-h2"],
}
UNSAFE = "! "
# Other names of a program whose options are in the table.
GREP = {"egrep", "fgrep"}
# They stand in a help text for the end of a range, and for a place in the stack of directories.
NO_OPTIONS = {"-M", "--GTYPE-group-format", "--LTYPE-line-format"}
NUMBERS = {command: {"-N"} for command in ("dirs", "popd", "pushd")}
# A refusal, also within a line that continues.
_REASON = re.compile(r"\b(?:isn't|aren't) supported: |\bcan't be \w+: ")
# A refusal that names nothing to use instead.
_BARE = re.compile(r"(?:invalid|unrecognized) option|command not found$")


def lines(topic: str) -> dict[str, list[str]]:
    """Return a topic's lines as text, by command."""
    found: dict[str, list[str]] = {}
    command: list[str] = []
    for line in (HERE / f"lines/{topic}.txt").read_text().splitlines():
        if line.startswith("### "):
            command = found.setdefault(line.removeprefix("### "), [])
        else:
            command.append(line)
    return found


def table() -> list[tuple[str, Line]]:
    """Return all lines, with the command that each is about."""
    return [
        (command, Line(text, topic))
        for topic in TOPICS
        for command, texts in lines(topic).items()
        for text in texts
    ]


def recorded(topic: str) -> dict[str, dict[str, Answer | None]]:
    """Return what Debian answers to the lines of a topic, by command; None for a line that would change the machine."""
    text = _path(topic).read_text()
    return {
        command: {line: None if answer is None else _answer(*answer) for line, answer in answers.items()}
        for command, answers in json.loads(text).items()
    }


def _answer(
    stdout: str = "", exit_code: int = 0, error: str = "", files: dict[str, str] | None = None
) -> Answer:
    return Answer(stdout, exit_code, error, files or {})


def _path(topic: str) -> Path:
    return RECORDED / f"{topic}.json"


def options() -> dict[str, list[str]]:
    """Return the options in the help text of each of Debian's commands."""
    return json.loads(OPTIONS.read_text())


def _options_of(command: str) -> list[str]:
    """Return the options that Debian's help of a command lists."""
    if command in GREP:
        return []
    if command in lines("builtins"):
        asked = ["bash", "-c", 'help "$0"', command]
    else:
        asked = ["env", command, *HELP.get(command, ["--help"])]
    done = subprocess.run(asked, capture_output=True, env=ENVIRONMENT, stdin=subprocess.DEVNULL, check=False)
    text = (done.stdout + done.stderr).decode("utf-8", "replace")
    entries = [
        re.split(r"(?<=\S)(?: {2,}|\t)(?!-)", line)[0] for line in text.splitlines() if _LISTED.match(line)
    ]
    named = [set(_OPTION.findall(entry)) for entry in entries]
    # What help and versions print is ours.
    found = set[str]().union(*(names for names in named if not names & {"--help", "--version"}))
    return sorted(found - NO_OPTIONS - NUMBERS.get(command, set()))


def _record(topic: str, *, fresh: bool) -> None:
    RECORDED.mkdir(exist_ok=True)
    known = {} if fresh or not _path(topic).exists() else recorded(topic)
    answers: dict[str, dict[str, Answer | None]] = {}
    for command, texts in lines(topic).items():
        before = known.get(command, {})
        answers[command] = {
            text: None if text.startswith(UNSAFE) else before.get(text) or system(Line(text, topic))
            for text in texts
        }
    _path(topic).write_text(_as_json(answers))


def _as_json(answers: dict[str, dict[str, Answer | None]]) -> str:
    """Return answers as JSON with a row each, without empty values at the end."""

    def row(text: str, answer: Answer | None) -> str:
        values = list(vars(answer).values()) if answer else None
        while values and not values[-1]:
            values.pop()
        return f"{json.dumps(text)}: {json.dumps(values)}"

    commands = (
        f"{json.dumps(command)}: {{\n" + ",\n".join(starmap(row, given.items())) + "\n}"
        for command, given in answers.items()
    )
    return "{\n" + ",\n".join(commands) + "\n}\n"


def kind(theirs: Answer | None, answer: Answer) -> str:
    """Return whether an answer of ours is `equal`, `refused`, refused `without a reason`, or `wrong`."""
    # zip prints its errors on standard output.
    said = answer.error or (answer.stdout if answer.stdout.startswith("\nzip error") else "")
    if _REASON.search(said) and not (theirs and theirs.error):
        return "refused"
    if theirs is not None and _facts(answer) == _facts(theirs):
        return "equal"
    if _REASON.search(said):
        return "refused"
    refuses = (
        answer.exit_code != 0 and said in (answer.error, answer.stdout) and said != "" and not answer.files
    )
    refuses &= answer.stdout in ("", said)
    if refuses and theirs and theirs.exit_code == answer.exit_code and not theirs.files:
        # Only that the other one prints its help, too.
        return "refused"
    if not refuses or "Traceback" in answer.error:
        return "wrong"
    return "without a reason" if _BARE.search(answer.error) else "refused"


def _facts(answer: Answer) -> tuple[object, ...]:
    return answer.stdout, answer.exit_code, bool(answer.error), answer.files


def _compare(topic: str, chosen: list[str], engine: Engine) -> Counter[str]:
    total: Counter[str] = Counter()
    known = {name: given for name, given in recorded(topic).items() if not chosen or name in chosen}
    if not known:
        return total
    asked = [Line(text.removeprefix(UNSAFE), topic) for given in known.values() for text in given]
    answers = iter(ours(engine, asked))
    for command, given in known.items():
        counts: Counter[str] = Counter()
        for line, theirs in given.items():
            answer = next(answers)
            found = kind(theirs, answer)
            counts[found] += 1
            differs = found == "equal" and theirs is not None and answer.error != theirs.error
            counts["another message"] += differs
            if found != "equal" or differs:
                print(f"  {'message' if differs else found}: {line}")
                print(f"    theirs: {_short(theirs)}\n    ours:   {_short(answer)}")
        print(f"{command}: {dict(counts)}")
        total += counts
    return total


def _short(answer: Answer | None) -> str:
    if answer is None:
        return ""
    changed = f" {answer.files}" if answer.files else ""
    return f"{answer.exit_code} {answer.stdout[:600]!r} {answer.error[:200]}{changed}"


def main() -> None:
    """Record or compare."""
    chosen = [word for word in sys.argv[1:] if not word.startswith("--")]
    if "--compare" in sys.argv:
        total: Counter[str] = Counter()
        with tempfile.TemporaryDirectory() as directory:
            engine = Engine(Path(directory))
            for topic in TOPICS:
                total += _compare(topic, chosen, engine)
        print(dict(total))
        return
    for topic in TOPICS:
        _record(topic, fresh="--fresh" in sys.argv)
    commands = [command for topic in TOPICS for command in lines(topic)]
    known = {} if "--fresh" in sys.argv else options()
    found = {command: known[command] if command in known else _options_of(command) for command in commands}
    rows = (f"{json.dumps(command)}: {json.dumps(listed)}" for command, listed in found.items())
    OPTIONS.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
