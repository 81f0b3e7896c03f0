"""A demo run that needs no model: a script plays the model, and the tools are real.

It writes a page with a bug, finds the bug by trying the page, and fixes it. It goes at the pace of a reader, and
answers its own question if the user only watches. The other examples of the start page are in `demo_examples`.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import TYPE_CHECKING

from gemini.agents import demo_examples
from gemini.agents.demo_examples import call
from gemini.agents.feed import DEMO
from gemini.agents.loop.controls import ASK, DONE
from gemini.agents.loop.plan import BLOCKED, PLAN, VERDICT
from gemini.models.interface.messages import Message, ToolMessage, UserMessage
from gemini.models.interface.model import CallDelta, ModelEvent, Request
from gemini.models.interface.scripted import ScriptedModel, Turn
from gemini.models.interface.usage import Usage

if TYPE_CHECKING:
    from gemini.agents.runs.events import RunEvent
    from gemini.agents.runs.handle import Run

PACE_S = 1.0
"""The seconds that each step is shown before it is done; tests use none."""
ANSWER_AFTER_S = 8.0
"""The seconds after which the demo answers its own question."""

TASK = "Make a page with a button that counts, open it, and see whether it works"
TOOLS = ("files", "terminals", "dom")
FILE = "/project/demo/counter.html"
QUESTION = "Which color should the button have? Without an answer, I soon take seagreen."
COLOR = re.compile(r"[a-z]{3,20}")
DEFAULT_COLOR = "seagreen"
# More than any run takes, including steps repeated after a restart.
MAX_TURNS = 200
WRITE, LIST, OPEN = "Write the page", "Check that the file exists", "Open the page in a tab"
CLICK, CHECK = "Click the button", "Check that it counted"
ASK_CONSOLE, FIX, RELOAD = "Read the page's console", "Fix the misspelled name", "Reload the page"
COUNT, CLICK_AGAIN = "Count with the tool that the page offers", "Click the button again"
CHECK_AGAIN = "Check again that it counted"
COUNTED = "Counted: 1"
MISTAKE, RIGHT = "onclick = cuont", "onclick = count"
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>A page that counts</title>
<style>
  body { font: 1.2rem system-ui; display: grid; place-content: start center; gap: 1rem; }
  button { font: inherit; padding: 0.6rem 1.2rem; border: 0; border-radius: 8px; color: white; background: COLOR; }
</style>
<p id="count-text" role="status">Counted: 0</p>
<button id="count">Count</button>
<script>
  let counted = 0;
  function count() {
    counted += 1;
    document.querySelector("#count-text").textContent = `Counted: ${counted}`;
  }
  document.querySelector("#count").onclick = cuont;
  document.modelContext?.registerTool({ name: "count", description: "Count one further", execute: count });
</script>
</html>
"""


class DemoModel(ScriptedModel):
    """The scripted model. It reacts to its messages, so a run can resume after its page was closed."""

    def __init__(self) -> None:
        super().__init__([_answer] * MAX_TURNS, name=DEMO)

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """Stream the next turn: the thought, half of the pace later the call, and half of the pace later its end."""
        async for event in super().stream(request):
            if isinstance(event, Usage) or (isinstance(event, CallDelta) and event.name):
                await asyncio.sleep(PACE_S / 2)
            yield event


def answer_later(run: "Run") -> None:
    """Answer the run's question after a while, unless the user does, or has paused the run."""
    loop = asyncio.get_running_loop()

    def answer() -> None:
        if run.question == QUESTION and not run.held:
            run.answer(DEFAULT_COLOR)

    def on_event(event: "RunEvent") -> None:
        if isinstance(event, StatusChanged) and event.question == QUESTION and not run.held:
            loop.call_later(ANSWER_AFTER_S, answer)

    from gemini.agents.runs.events import StatusChanged

    run.on_event(on_event)


def _answer(request: Request) -> Turn:
    tools = {row.name for row in request.tools}
    if VERDICT in tools:
        return call(
            VERDICT,
            thought="Is everything done? The page counted when I clicked.",
            done=True,
            missing="",
        )
    messages = _since_task(request.messages)
    task = _task(request.messages)
    if task in demo_examples.PLAYS:
        return demo_examples.play(task, messages)
    if PLAN in tools:
        return _plan(request.messages, messages)
    instruction = next((found.text for found in reversed(messages) if isinstance(found, UserMessage)), "")
    for what, play in STEPS.items():
        if f"\n{what} (" in instruction or f"\n{what}\n" in instruction:
            return play(messages)
    return call(
        BLOCKED, thought="This step isn't in my script.", reason="The demo's script doesn't have this step."
    )


BUILDING = (
    (WRITE, "file_write"),
    (LIST, "terminal_execute"),
    (OPEN, "browser_navigate"),
    (CLICK, "browser_click"),
    (CHECK, "browser_get_text"),
)
FIXING = (
    (ASK_CONSOLE, "browser_console"),
    (FIX, "file_edit"),
    (RELOAD, "browser_navigate"),
    (COUNT, "page_tool"),
    (CHECK_AGAIN, "browser_get_text"),
)
# On hosts whose pages can't offer tools.
CLICKING = ((CLICK_AGAIN, "browser_click"), (CHECK_AGAIN, "browser_get_text"))


def _plan(whole: Sequence[Message], messages: list[Message]) -> Turn:
    if _task(whole) != TASK:
        return call(
            DONE,
            thought="This isn't the task that my script is for.",
            result="This demo follows a script and can't do any other task. "
            "Set up a model, and agents work on any task.",
        )
    done = {found.tool: found for found in messages if isinstance(found, ToolMessage) and not found.failed}
    if ASK not in done:
        return call(ASK, thought="I can't know the color, so I ask.", question=QUESTION)
    if _counted(messages):
        return call(
            DONE,
            thought="It counts now.",
            result=f"{FILE} has a page with a button that counts. At first it did nothing: a name in its script was "
            "misspelled. The page's console showed the error, and I fixed it.",
        )
    if any(
        found.tool == "page_tool" and found.failed for found in messages if isinstance(found, ToolMessage)
    ):
        return _planned("The page can't offer its tool here, so I click.", *CLICKING)
    if "browser_get_text" in done:
        thought = (
            "I clicked the button and nothing was counted. Something in the page's script must be wrong."
        )
        return _planned(thought, *FIXING)
    thought = "First I write the file, then I try it as a user would: in a tab, with a click."
    return _planned(thought, *BUILDING)


def _task(messages: Sequence[Message]) -> str:
    tasks = [found.text for found in messages if isinstance(found, UserMessage) and found.purpose == "task"]
    return tasks[-1] if tasks else ""


def _planned(thought: str, *steps: tuple[str, str]) -> Turn:
    expected = {CHECK: COUNTED, CHECK_AGAIN: COUNTED}
    rows = [
        {"what": what, "tool": tool, **({"expects": expected[what]} if what in expected else {})}
        for what, tool in steps
    ]
    return call(PLAN, thought=thought, steps=rows)


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


def _color(messages: list[Message]) -> str:
    answers = [found.text for found in messages if isinstance(found, ToolMessage) and found.tool == ASK]
    found = COLOR.search(answers[-1].partition(":")[2].lower()) if answers else None
    return found[0] if found else DEFAULT_COLOR


STEPS: dict[str, Callable[[list[Message]], Turn]] = {
    WRITE: lambda messages: call(
        "file_write",
        thought="A button, a line that shows the number, and a script that counts.",
        path=FILE,
        content=PAGE.replace("COLOR", _color(messages)),
    ),
    LIST: lambda _: call("terminal_execute", thought="Is it there?", command=f"ls -l {FILE}"),
    OPEN: lambda _: call("browser_navigate", thought="Now as a user sees it.", url=FILE),
    CLICK: lambda _: call("browser_click", thought="It should count.", selector="#count"),
    CHECK: lambda _: call("browser_get_text", thought="Does it say 1?"),
    ASK_CONSOLE: lambda _: call("browser_console", thought="The console may show an error."),
    FIX: lambda _: call(
        "file_edit", thought="The script says cuont instead of count.", path=FILE, old=MISTAKE, new=RIGHT
    ),
    RELOAD: lambda _: call("browser_navigate", thought="The tab still shows the old page.", url=FILE),
    COUNT: lambda _: call("page_tool", thought="The page offers a tool for it now.", name="count"),
    CLICK_AGAIN: lambda _: call("browser_click", thought="I click again.", selector="#count"),
    CHECK_AGAIN: lambda _: call("browser_get_text", thought="Now it should have counted."),
}
