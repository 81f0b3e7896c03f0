"""A run to look at, without a model: a script that plays one, and tools that really work.

It writes a page with a mistake in it, finds that by trying, and mends it.
"""

import re
from collections.abc import Callable, Sequence

from gemini.agents.controls import ASK, DONE
from gemini.agents.feed import DEMO
from gemini.agents.messages import Message, ToolMessage, UserMessage
from gemini.agents.model import Request
from gemini.agents.plan import BLOCKED, PLAN, VERDICT
from gemini.agents.scripted import ScriptedModel, Turn

TASK = "Make a page with a button that counts, open it, and see whether it works"
TOOLS = ("files", "terminals", "dom")
FILE = "/project/demo/counter.html"
QUESTION = "Which colour should the button have? (Any name of CSS, such as seagreen)"
COLOUR = re.compile(r"[a-z]{3,20}")
USUAL_COLOUR = "seagreen"
# More than any run takes, with its steps done again after a kill.
MAX_TURNS = 200
WRITE, LIST, OPEN = "Write the page", "See that the file is there", "Open the page in a tab"
CLICK, CHECK = "Click the button", "Check that it has counted"
ASK_CONSOLE, MEND, LOAD = "See what the page complains of", "Mend the misspelt name", "Load the page again"
CLICK_AGAIN, CHECK_AGAIN = "Click the button again", "Check again that it has counted"
COUNTED = "Counted: 1"
MISTAKE, RIGHT = "onclick = cuont", "onclick = count"
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>A page that counts</title>
<style>
  body { font: 1.2rem system-ui; display: grid; place-content: center; gap: 1rem; min-height: 90vh; }
  button { font: inherit; padding: 0.6rem 1.2rem; border: 0; border-radius: 8px; color: white; background: COLOUR; }
</style>
<p id="told" role="status">Counted: 0</p>
<button id="count">Count</button>
<script>
  let counted = 0;
  function count() {
    counted += 1;
    document.querySelector("#told").textContent = `Counted: ${counted}`;
  }
  document.querySelector("#count").onclick = cuont;
</script>
</html>
"""


def demo_model() -> ScriptedModel:
    """The script. It goes by what it is shown, so that a run continues after its page was closed."""
    return ScriptedModel([_answer] * MAX_TURNS, name=DEMO)


def _answer(request: Request) -> Turn:
    tools = {row.name for row in request.tools}
    if VERDICT in tools:
        return _call(
            VERDICT,
            thought="Was all of it done? The page counted when it was clicked.",
            done=True,
            missing="",
        )
    messages = _since_task(request.messages)
    if PLAN in tools:
        return _plan(request.messages, messages)
    asked = next((found.text for found in reversed(messages) if isinstance(found, UserMessage)), "")
    for what, act in STEPS.items():
        if f"\n{what} (" in asked or f"\n{what}\n" in asked:
            return act(messages)
    return _call(
        BLOCKED, thought="This step isn't in my script.", reason="The demo's script doesn't have this step."
    )


MAKING = (
    (WRITE, "file_write"),
    (LIST, "terminal_execute"),
    (OPEN, "browser_navigate"),
    (CLICK, "browser_click"),
    (CHECK, "browser_get_text"),
)
MENDING = (
    (ASK_CONSOLE, "browser_console"),
    (MEND, "file_edit"),
    (LOAD, "browser_navigate"),
    (CLICK_AGAIN, "browser_click"),
    (CHECK_AGAIN, "browser_get_text"),
)


def _plan(whole: Sequence[Message], messages: list[Message]) -> Turn:
    tasks = [found.text for found in whole if isinstance(found, UserMessage) and found.purpose == "task"]
    if not tasks or tasks[-1] != TASK:
        return _call(
            DONE,
            thought="This isn't the task that my script is for.",
            result="This is a demo that follows a script: it can do no other task. "
            "With a model that is set up, agents work at whatever you ask.",
        )
    done = {found.tool: found for found in messages if isinstance(found, ToolMessage) and not found.failed}
    if ASK not in done:
        return _call(ASK, thought="What I can't know, I ask.", question=QUESTION)
    if _counted(messages):
        return _call(
            DONE,
            thought="It counts now.",
            result=f"{FILE} has a page with a button that counts. At first it did nothing: a name in its script was "
            "misspelt. The page's console said so, and it is mended.",
        )
    if "browser_get_text" in done:
        thought = (
            "The button was clicked and nothing was counted. Something in the page's script must be wrong."
        )
        return _planned(thought, *MENDING)
    thought = "First the file, then a look at it as a person has it: in a tab, with a click."
    return _planned(thought, *MAKING)


def _planned(thought: str, *steps: tuple[str, str]) -> Turn:
    expected = {CHECK: COUNTED, CHECK_AGAIN: COUNTED}
    rows = [
        {"what": what, "tool": tool, **({"expects": expected[what]} if what in expected else {})}
        for what, tool in steps
    ]
    return _call(PLAN, thought=thought, steps=rows)


def _counted(messages: list[Message]) -> bool:
    reads = [
        found.text
        for found in messages
        if isinstance(found, ToolMessage) and found.tool == "browser_get_text"
    ]
    return bool(reads) and COUNTED in reads[-1]


def _since_task(messages: Sequence[Message]) -> list[Message]:
    tasks = [
        place
        for place, found in enumerate(messages)
        if isinstance(found, UserMessage) and found.purpose == "task"
    ]
    return list(messages[tasks[-1] + 1 :]) if tasks else list(messages)


def _colour(messages: list[Message]) -> str:
    answers = [found.text for found in messages if isinstance(found, ToolMessage) and found.tool == ASK]
    found = COLOUR.search(answers[-1].partition(":")[2].lower()) if answers else None
    return found[0] if found else USUAL_COLOUR


def _call(tool: str, /, *, thought: str, **arguments: object) -> Turn:
    return Turn(thought=thought, calls=[(tool, arguments)])


STEPS: dict[str, Callable[[list[Message]], Turn]] = {
    WRITE: lambda messages: _call(
        "file_write",
        thought="A button, a line that tells the number, and a script that counts.",
        path=FILE,
        content=PAGE.replace("COLOUR", _colour(messages)),
    ),
    LIST: lambda _: _call("terminal_execute", thought="Is it there?", command=f"ls -l {FILE}"),
    OPEN: lambda _: _call("browser_navigate", thought="Now as a person sees it.", url=FILE),
    CLICK: lambda _: _call("browser_click", thought="It should count.", selector="#count"),
    CHECK: lambda _: _call("browser_get_text", thought="Does it say so?"),
    ASK_CONSOLE: lambda _: _call("browser_console", thought="The page may have said what is wrong."),
    MEND: lambda _: _call(
        "file_edit", thought="It says cuont where it means count.", path=FILE, old=MISTAKE, new=RIGHT
    ),
    LOAD: lambda _: _call("browser_navigate", thought="The tab has the old page.", url=FILE),
    CLICK_AGAIN: lambda _: _call("browser_click", thought="Once more.", selector="#count"),
    CHECK_AGAIN: lambda _: _call("browser_get_text", thought="Now it should have counted."),
}
