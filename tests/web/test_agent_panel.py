"""The Agent panel: how a user sees and controls runs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.person import Person, erase
from tests.web.test_kernel_death import end_kernel

KILLED = "import asyncio, js; js.close(); await asyncio.sleep(60)"
# A script counts its turns, but the page also asks the model whether a task continues the last run, while the task is
# typed: once for each pause.
IMPORTS = """
import asyncio
import gemini
from gemini.agents import ScriptedModel as Script, Turn, call, say
from gemini.models.interface.messages import ToolMessage
from gemini.models.interface.model import Request, TextDelta

class ScriptedModel(Script):
    asked = 0

    async def stream(self, request):
        if "Answer with one word: continue or new." in request.messages[0].text:
            type(self).asked += 1
            yield TextDelta("new")
            return
        async for event in super().stream(request):
            yield event
"""
ASKS = """
gemini.agents.current().model = ScriptedModel([
    call("ask", question="Which name?"),
    call("file_write", path="{folder}/a.txt", content="a"),
    call("file_write", path="{folder}/b.txt", content="b"),
    call("done", result="Both are there"),
])
"""
# A model that replies by its conversation, and stops before the answer with a given number.
TEN = """
class Ten(ScriptedModel):
    def __init__(self, silent_at):
        super().__init__([self.next] * 30)
        self.silent_at = silent_at

    def next(self, request):
        made = sum(isinstance(message, ToolMessage) for message in request.messages)
        if made < 9:
            return call("file_write", path="{folder}/log.txt", content=f"{{made}}\\n", append=True)
        return call("done", result="All ten")

    async def stream(self, request):
        made = sum(isinstance(message, ToolMessage) for message in request.messages)
        if made == self.silent_at:
            await asyncio.Event().wait()
        async for event in super().stream(request):
            yield event

gemini.agents.current().model = Ten({silent_at})
"""


def script(surface: Surface, text: str, /, **values: Any) -> None:
    surface.python(IMPORTS + text.format(**values))


def open_panel(person: Person) -> None:
    """Open the panel and show its list."""
    person.open_panel("agent")
    person.surface.wait_for("document.querySelector('#agent-back, #agent-task')")
    if person.surface.javascript("return document.querySelector('#agent-back') !== null"):
        person.click('region "Agent" button "← All runs"')
    person.find('region "Agent" textbox "Task"')


def start_task(person: Person, task: str) -> None:
    open_panel(person)
    person.click('region "Agent" textbox "Task"')
    person.type(task)
    person.press(Keys.ENTER, holding=Keys.CONTROL)
    person.sees('region "Agent" article > h3', task)


def answer(person: Person, text: str) -> None:
    person.click('form "The agent asks" [name=text]')
    person.type(text)
    person.press(Keys.ENTER)


def wait_until(surface: Surface, status: str, steps: int | None = None) -> None:
    surface.wait_for(
        "((run) => run?.dataset.status === arguments[0] && (arguments[1] === null ||"
        " run.querySelectorAll('.agent-step').length === arguments[1]))(document.querySelector('.agent-run'))",
        status,
        steps,
    )


def plan(surface: Surface) -> list[list[str]]:
    return surface.javascript(
        "return [...document.querySelectorAll('.agent-plan li')]"
        ".map((row) => [row.dataset.status, row.childNodes[1].textContent.trim() || row.innerText])"
    )


@pytest.fixture
def model(surface: Surface, folder: str) -> str:
    """Set a model that asks, writes two files and ends. Return the folder of the files."""
    script(surface, ASKS, folder=folder)
    return folder


@pytest.mark.extended
def test_the_demo_shows_a_whole_run(surface: Surface, person: Person) -> None:
    surface.python("import gemini; gemini.agents.current().model = None")
    open_panel(person)
    person.sees(".agent-note", "No language model is connected")
    person.click('region "Agent" button "Watch the demo"')
    person.sees('region "Agent"', "A script plays the model")
    person.sees(".agent-question", "Which color")
    answer(person, "tomato")
    wait_until(surface, "done", 14)
    surface.wait_for("document.querySelectorAll('.agent-plan li[data-status=done]').length === 9")
    person.sees(".agent-plan li[data-status=failed]", "Check that it counted")
    assert "misspelled" in person.sees('region "Outcome"')
    assert "tokens" in person.sees(".agent-run > .agent-facts")
    # Its results exist and are shown in their panels.
    assert "tomato" in surface.call("file_read", path="/project/demo/counter.html")["content"]
    person.click('region "Agent" button "Show the agent’s tab"')
    person.sees('tablist "Open pages" [aria-selected=true]', "A page that counts")
    # Its command ran in its own terminal, not in the user's.
    assert "ls -l" not in person.screen
    person.click(".agent-step[data-step='12'] summary")
    person.sees(".agent-step[data-step='12']", "Used the page’s tool count")
    widths = surface.wait_for(
        "((images) => images.length === 2 && images.every((image) => image.naturalWidth > 0) &&"
        " images.map((image) => [image.naturalWidth, image.alt]))"
        "([...document.querySelectorAll('[data-step=\"12\"] img')])"
    )
    assert [name for _, name in widths] == ["The page before the step", "The page after the step"]
    assert all(width <= 640 for width, _ in widths)
    assert violations(surface, 'region "Agent"') == []


SHOWS = """
gemini.agents.current().model = ScriptedModel([
    call("ask", question="Which name?"),
    call("file_write", path="{folder}/page.html", content="<title>Shown</title><button autofocus>Press</button>"),
    call("terminal_execute", command="echo shown"),
    call("browser_navigate", url="{folder}/page.html"),
    call("done", result="Shown"),
])
"""


@pytest.mark.extended
def test_an_agent_does_not_take_the_focus_from_the_user(
    surface: Surface, person: Person, folder: str
) -> None:
    script(surface, SHOWS, folder=folder)
    start_task(person, "Show me")
    answer(person, "Any")
    person.by_script('combobox "Search and commands"', "focus()")
    wait_until(surface, "done", 5)
    assert person.focus == "omnibar-input"


@pytest.mark.extended
def test_a_run_that_can_not_start_says_why(surface: Surface, person: Person) -> None:
    surface.python("import gemini; gemini.agents.current().model = None")
    open_panel(person)
    person.click('region "Agent" textbox "Task"')
    person.type("Do something")
    person.press(Keys.ENTER, holding=Keys.CONTROL)
    person.sees('region "Agent" [role=alert]', "no language model is set up")
    assert person.find('region "Agent" textbox "Task"').get_property("value") == "Do something"
    erase(person.find('region "Agent" textbox "Task"'))
    person.sees(".agent-note", "No language model is connected")
    surface.python("gemini.agents.current().model = gemini.agents.ScriptedModel([])")
    person.no_longer_sees(".agent-note")


@pytest.mark.extended
def test_a_user_pauses_steps_and_resumes_by_keyboard(surface: Surface, person: Person, model: str) -> None:
    start_task(person, "Write two files")
    person.find('form "The agent asks" [name=text]')
    person.sees('region "Agent" [role=status]', "Which name?")
    person.by_script('region "Agent" button "Pause"', "focus()")
    person.press(Keys.ENTER)
    person.sees('region "Agent"', "waiting for you, then pauses")
    person.sees('region "Agent" button "Resume"', "Resume")
    answer(person, "Any")
    wait_until(surface, "paused", 1)
    person.by_script('region "Agent" button "Step"', "focus()")
    person.find('region "Agent" button "Step"')
    person.press(Keys.ENTER)
    wait_until(surface, "paused", 2)
    person.find('region "Agent" button "Step"')
    assert person.focus == "agent-step"
    assert [row["name"] for row in surface.call("file_list", path=model)] == ["a.txt"]
    person.press(Keys.TAB, holding=Keys.SHIFT)
    assert person.focus == "agent-pause"
    person.press(Keys.ENTER)
    wait_until(surface, "done", 4)
    person.sees('region "Outcome"', "Both are there")


def test_a_user_cancels_a_run(surface: Surface, person: Person, model: str) -> None:
    start_task(person, "Write two files")
    person.find('form "The agent asks" [name=text]')
    person.click('region "Agent" button "Cancel"')
    wait_until(surface, "cancelled")
    person.sees(".agent-outcome", "the run was cancelled")
    # The focus isn't lost with the buttons.
    assert person.focus == "agent-run-title"
    person.click('region "Agent" button "Delete this run"')
    person.find('region "Agent" textbox "Task"')
    assert surface.call("file_list", path=model) == []


@pytest.mark.fortnightly
def test_a_user_takes_over_and_returns_control(surface: Surface, person: Person, model: str) -> None:
    start_task(person, "Write two files")
    person.find('form "The agent asks" [name=text]')
    person.click('region "Agent" button "Take over"')
    person.sees(".agent-note", "You have taken over")
    answer(person, "Any")
    wait_until(surface, "paused", 1)
    person.enter_terminal()
    person.type(f"touch {model}/mine.txt\n")
    surface.wait_for("document.querySelector('#agent-take').textContent === 'Give back control'")
    person.reads_line(f"/project $ touch {model}/mine.txt")
    person.click('region "Agent" button "Give back control"')
    wait_until(surface, "done", 4)
    person.click(".agent-step[data-step='2'] summary")
    assert f"touch {model}/mine.txt" in person.sees(".agent-step[data-step='2'] .agent-message")


@pytest.mark.extended
def test_a_user_follows_up_on_a_run(surface: Surface, person: Person) -> None:
    script(surface, "gemini.agents.current().model = ScriptedModel([say('**Paris**'), say('Two million')])")
    start_task(person, "What is the capital of France?")
    person.sees('region "Outcome" strong', "Paris")
    person.click('region "Agent" textbox "Follow-up task"')
    person.type("And how many live there?")
    person.press(Keys.ENTER)
    person.sees('region "Outcome"', "Two million")
    person.click('region "Agent" button "Previous run"')
    person.sees('region "Agent" article > h3', "What is the capital of France?")


PLANS = """
def plans(request):
    names = [row.name for row in request.tools]
    results = [message for message in request.messages if isinstance(message, ToolMessage)]
    if "verdict" in names:
        return call("verdict", done=True, missing="")
    if "plan" in names:
        steps = [dict(what="Ask", tool="ask"), dict(what="List the files"), dict(what="List them again")]
        return call("plan", steps=steps) if not results else call("done", result="Planned")
    return call("ask", question="Is that plan good?") if len(results) == 1 else call("file_list", path="/project")

gemini.agents.current().model = ScriptedModel([plans] * 20)
"""


@pytest.mark.extended
def test_a_plan_is_edited_during_the_run(surface: Surface, person: Person) -> None:
    script(surface, "{code}", code=PLANS)
    open_panel(person)
    person.click('region "Agent" textbox "Task"')
    person.type("Plan something")
    person.press(Keys.TAB)
    person.type("Plan")
    person.press(Keys.ENTER, holding=Keys.CONTROL)
    person.sees(".agent-question", "Is that plan good?")
    person.click('region "Agent" button "Edit remaining steps"')
    assert person.focus == "agent-plan-text"
    assert (
        person.find('region "Agent" textbox "Remaining steps, one per line"').get_property("value")
        == "List the files\nList them again"
    )
    person.press(Keys.END, holding=Keys.CONTROL)
    person.type("\nLook once more")
    person.press(Keys.TAB)
    person.press(Keys.ENTER)
    person.sees(".agent-plan li", "Look once more")
    assert person.focus == "agent-plan-edit"
    answer(person, "Now it is")
    wait_until(surface, "done")
    person.sees('region "Outcome"', "Planned")
    assert (
        surface.javascript(
            "return [...document.querySelectorAll('.agent-plan li')].map((row) => row.dataset.status)"
        )
        == ["done"] * 4
    )


STEPS = """
gemini.agents.current().model = ScriptedModel([
    call("file_write", path="{folder}/main.py", content="import sys\\nsys.exit(1)\\n"),
    call("terminal_execute", command="cd {folder} && python main.py"),
    call("file_edit", path="{folder}/main.py", old="exit(1)", new="exit(0)"),
    call("file_edit", path="{folder}/main.py", old="absent", new="x"),
    say("**Done** at last"),
])
"""
BRIEFS = "return [...document.querySelectorAll('.agent-brief')].map((each) => each.innerText.replaceAll(/\\s+/g, ' '))"


def test_steps_are_sentences(surface: Surface, person: Person, folder: str) -> None:
    script(surface, STEPS, folder=folder)
    start_task(person, "Write a script and run it")
    wait_until(surface, "done", 5)
    short = folder.removeprefix("/project/")
    briefs = surface.javascript(BRIEFS)
    assert briefs[:3] == [
        f"Wrote {short}/main.py, new, 2 lines",
        f"Ran cd {folder} && python main.py, exit 1",
        f"Edited {short}/main.py, +1 −1",
    ]
    assert briefs[3].startswith(f"Couldn’t edit {short}/main.py, the text to replace is not in")
    assert briefs[4] == "Answered"
    # The answer is there once, with its format.
    assert person.sees('region "Outcome" strong', "Done") == "Done"
    assert person.sees(".agent-run").count("at last") == 1
    person.click(".agent-step[data-step='3'] summary")
    person.sees(".agent-step[data-step='3'] [data-line=removed]", "sys.exit(1)")
    person.sees(".agent-step[data-step='3'] [data-line=added]", "sys.exit(0)")
    raw = ".agent-step[data-step='3'] .agent-raw"
    assert not surface.javascript("return document.querySelector(arguments[0]).open", raw)
    person.click(f"{raw} summary")
    person.sees(f"{raw} pre", '"old": "exit(1)"')
    # Its terminal is its own, and one press away.
    assert surface.call("terminal_list")[0]["working_dir"] == "/project"
    person.click(".agent-step[data-step='2'] summary")
    person.click(".agent-step[data-step='2'] [data-action=focus_terminal]")
    assert "python main.py" in person.reads("main.py")
    assert violations(surface, 'region "Agent"') == []


def test_untrusted_text_is_shown_as_text(surface: Surface, person: Person, folder: str) -> None:
    bad = "<img src=x onerror=\"globalThis.hit = true\"><b id='hit'>bold</b>"
    surface.call("file_write", path=f"{folder}/bad.html", content=bad)
    code = f"""
gemini.agents.current().model = ScriptedModel([
    Turn(thought={bad!r}, text={bad!r}, calls=[("file_read", {{"path": "{folder}/bad.html"}})]), say({bad!r})])
"""
    script(surface, "{code}", code=code)
    start_task(person, "Read a file")
    person.sees('region "Outcome"', "<b id='hit'>")
    person.click(".agent-step[data-step='1'] summary")
    person.sees(".agent-step[data-step='1'] pre", "onerror")
    assert surface.javascript(
        "return globalThis.hit === undefined && document.querySelector('#agent #hit') === null"
    )

    # A page to share has it as text, too.
    surface.javascript("""
        globalThis.saved = new Promise((resolve) => {
          const click = HTMLAnchorElement.prototype.click;
          HTMLAnchorElement.prototype.click = async function () {
            HTMLAnchorElement.prototype.click = click;
            resolve([this.download, await (await fetch(this.href)).text()]);
          };
        });
    """)
    person.click('region "Agent" button "Page"')
    name, page = surface.javascript("return await saved")
    assert name == "Read a file.html" and "onerror" in page
    hit = (
        "new DOMParser().parseFromString(arguments[0], 'text/html').querySelector('#hit, [onerror], script')"
    )
    assert surface.javascript(f"return {hit} === null", page)


def test_the_omnibar_starts_a_run(surface: Surface, person: Person) -> None:
    script(surface, "gemini.agents.current().model = ScriptedModel([say('Tea')] * 3)")
    person.press("k", holding=Keys.CONTROL)
    person.press("a", holding=Keys.CONTROL)
    person.type("!What do you like?")
    person.sees('listbox "Suggestions" [aria-selected=true]', "Step by step")
    person.press(Keys.ENTER)
    person.sees('region "Agent" article > h3', "What do you like?")
    person.sees('region "Outcome"', "Tea")


@pytest.mark.extended
def test_a_killed_kernel_loses_nothing_of_a_run(surface: Surface, person: Person, model: str) -> None:
    start_task(person, "Write two files")
    person.find('form "The agent asks" [name=text]')
    assert end_kernel(surface, KILLED).type == "KernelDied"
    surface.wait_until_ready()
    person.sees(".agent-note", "was interrupted when its page was closed")
    script(
        surface,
        "gemini.agents.current().model = ScriptedModel(["
        'call("file_write", path="{folder}/c.txt", content="c"), say("After all")])',
        folder=model,
    )
    person.click('region "Agent" button "Continue"')
    # The question wasn't answered, so the agent asks again.
    person.sees(".agent-question", "Which name?")
    answer(person, "Any")
    person.sees('region "Outcome"', "After all")
    assert [row["name"] for row in surface.call("file_list", path=model)] == ["c.txt"]


@pytest.mark.extended
def test_a_run_ends_the_same_whenever_its_tab_is_killed(
    surface: Surface, person: Person, folder: str
) -> None:
    kills = (0, 1, 5, 9)
    script(surface, TEN, folder=folder, silent_at=kills[0])
    start_task(person, "Write nine lines")
    for killed, following in pairwise((*kills, 10)):
        wait_until(surface, "running", killed)
        assert end_kernel(surface, KILLED).type == "KernelDied"
        surface.wait_until_ready()
        person.find('region "Agent" button "Continue"')
        script(surface, TEN, folder=folder, silent_at=following)
        person.click('region "Agent" button "Continue"')
    wait_until(surface, "done", 10)
    person.sees('region "Outcome"', "All ten")
    assert surface.call("file_read", path=f"{folder}/log.txt")["content"].split() == [
        str(n) for n in range(9)
    ]


@pytest.mark.extended
def test_runs_survive_a_reload(surface: Surface, person: Person, model: str) -> None:
    start_task(person, "Write two files, later")
    person.find('form "The agent asks" [name=text]')
    surface.reload()
    person.sees('region "Agent" article > h3', "Write two files, later")
    person.click('region "Agent" button "Discard run"')
    wait_until(surface, "cancelled")
    open_panel(person)
    person.sees(".agent-row[data-status=cancelled]", "Write two files, later")
