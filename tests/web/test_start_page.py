"""The start page: the task, the examples, the demo, the first steps, and recent work; and the tour next to them."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.conftest import Resize
from tests.web.names import CONNECT, CONNECT_MODEL, TOUR
from tests.web.person import Person
from tests.web.test_agent_panel import script

DONE = 'gemini.agents.current().model = ScriptedModel([call("done", result="It is done")])'


WORKS = """
gemini.agents.current().model = ScriptedModel([
    call("file_write", path="{folder}/made.txt", content="made"),
    call("done", result="It is made"),
])
"""
IN_PANEL = """
((shown, view) => shown?.height > 0 && shown.top >= view.top && shown.bottom <= view.bottom)(
  document.querySelector(arguments[0])?.getBoundingClientRect(),
  document.querySelector("#agent-body").getBoundingClientRect())
"""
ERRORS = "Run report.py and explain the errors that it finds in app.log"
CHART = "Count the lines of app.log by level, and draw a bar chart of them in chart.svg"
PAGE = "Make a page with a button that counts, open it, and see whether it works"


# The tour is over the start page's column.
COVERED = """
const [tour, column] = [".tour", ".start"].map((each) => document.querySelector(each).getBoundingClientRect());
return tour.left < column.right && tour.right > column.left;
"""


def example(name: str, task: str) -> str:
    return f'region "Start" button "{name} {task}"'


@pytest.fixture
def first(surface: Surface) -> Person:
    """Return a user who sees the start page of a page without data."""
    surface.reload(fresh=True)
    return Person(surface)


@pytest.mark.extended
def test_it_is_accessible(first: Person) -> None:
    first.sees('region "Start"', "Open a folder")
    assert violations(first.surface, "html") == []


def test_the_demo_starts_at_one_press(first: Person) -> None:
    first.click('region "Start" button "Watch the demo"')
    first.sees('region "Agent"', "Which color")


def test_a_task_without_a_model_says_what_is_missing(first: Person) -> None:
    first.click('region "Start" textbox "Describe a task"')
    first.type("Count the words")
    first.press(Keys.ENTER)
    first.sees(CONNECT_MODEL)
    first.press(Keys.ESCAPE)
    first.sees('region "Start"', "This task needs a language model.")
    assert first.find('region "Start" textbox "Describe a task"').get_attribute("value") == "Count the words"
    first.sees('region "Start" button "Connect a model"')


def play(first: Person, name: str, task: str) -> None:
    first.surface.python("from gemini.agents import demo; demo.PACE_S = 0")
    first.click(example(name, task))
    first.surface.wait_for("document.querySelector('.agent-run')?.dataset.status === 'done'")


@pytest.mark.extended
def test_without_a_model_an_example_explains_what_it_found(first: Person) -> None:
    line = "2026-11-21T09:00:00Z ERROR the disk is full"
    log = first.surface.call("file_read", path="/project/app.log")["content"]
    first.surface.call("file_write", path="/project/app.log", content=f"{log}{line}\n")
    play(first, "Find the errors", ERRORS)
    first.sees('region "Outcome"', "app.log has 3 errors")
    # The answer is drawn once what draws Markdown is loaded.
    first.sees('region "Outcome" li', "an order came without its quantity")
    first.sees('region "Outcome" li', "the disk is full (2026-11-21T09:00:00Z)")


@pytest.mark.extended
def test_without_a_model_an_example_draws_its_chart(first: Person) -> None:
    play(first, "Draw a chart", CHART)
    first.sees('region "Outcome"', "Most of the 9 lines are INFO (6)")
    picture = first.surface.call("file_read", path="/project/chart.svg")["content"]
    assert picture.count("<rect") == 3 and ">WARNING</text>" in picture
    first.surface.wait_for("document.querySelector('.tab-frame.front')?.checkVisibility()")


@pytest.mark.extended
def test_enter_in_the_empty_field_starts_the_demo(first: Person) -> None:
    first.click('region "Start" textbox "Describe a task"')
    first.press(Keys.ENTER)
    first.sees('region "Agent"', "Which color")


@pytest.mark.extended
def test_the_example_of_the_demo_runs_it(first: Person) -> None:
    first.click(example("Build a page", PAGE))
    first.sees('region "Agent"', "button that counts")


@pytest.mark.extended
def test_the_field_has_the_focus_and_enter_waits_for_python(surface: Surface) -> None:
    surface.reload(fresh=True, wait=False)
    surface.wait_for("document.activeElement?.id === 'start-task'")
    first = Person(surface)
    # Usually Python hasn't started yet.
    first.press(Keys.ENTER)
    first.sees('region "Agent"', "Which color")


@pytest.mark.extended
def test_what_a_run_changed_is_shown_when_it_ends(first: Person) -> None:
    script(first.surface, WORKS, folder="/project")
    first.sees('region "Start" button "Start"')
    first.click('region "Start" textbox "Describe a task"')
    first.type("Do it\n")
    first.sees('region "Agent" .changes', "made.txt")
    # The answer is still in view, above the files.
    for shown in ("#agent-result", "#agent-changes .changes-file"):
        first.surface.wait_for(IN_PANEL, shown)
    first.press("u", holding=Keys.CONTROL + Keys.ALT)
    first.surface.wait_for("document.activeElement.ariaLabel === 'Revert /project/made.txt'")


@pytest.mark.extended
def test_a_run_without_changes_shows_none(first: Person) -> None:
    script(first.surface, DONE, folder="/project")
    first.sees('region "Start" button "Start"')
    first.click('region "Start" textbox "Describe a task"')
    first.type("Do it\n")
    first.sees('region "Outcome"', "It is done")
    first.surface.wait_for("document.querySelector('#agent-changes')?.open === false")


@pytest.mark.extended
def test_a_task_with_a_model_starts_at_enter(first: Person) -> None:
    script(first.surface, DONE, folder="/project")
    first.sees('region "Start" button "Start"')
    first.click('region "Start" textbox "Describe a task"')
    first.type("Do it")
    first.press(Keys.ENTER)
    first.sees('region "Agent"', "It is done")
    # It is listed as recent work, which opens it.
    first.open_panel("chat")
    first.click('region "Start" button "Do it"')
    first.sees('region "Agent"', "It is done")


@pytest.mark.extended
def test_the_first_steps_are_commands_of_the_palette(first: Person) -> None:
    first.click('region "Start" button "Connect Claude or another MCP client Cursor and VS Code, too"')
    first.sees(CONNECT)
    first.press(Keys.ESCAPE)


@pytest.mark.extended
def test_the_tour_makes_way_to_what_the_user_does(stranger: Person) -> None:
    stranger.sees(TOUR, "Watch an agent work")
    assert not stranger.surface.javascript(COVERED)
    # Not the tour's own button: the page's.
    stranger.click('region "Start" button "Watch the demo"')
    stranger.sees('region "Agent"', "Which color")
    stranger.no_longer_sees(TOUR)


@pytest.mark.extended
def test_the_tour_of_a_phone_is_below_the_page(stranger: Person, resize: Resize) -> None:
    surface = stranger.surface
    resize(390, 844)
    surface.reload(fresh=True)
    stranger.sees(TOUR, "Watch an agent work")
    above = (
        "document.querySelector(arguments[0]).getBoundingClientRect().bottom"
        " <= document.querySelector('[role=dialog].tour').getBoundingClientRect().top"
    )
    surface.wait_for(above, ".start-examples li:nth-child(2)")
    surface.javascript(
        "for (let each = document.querySelector('.start'); each; each = each.parentElement) each.scrollTop = 1e6"
    )
    surface.wait_for(above, ".start > :last-child")
    stranger.click(f'{TOUR} button "Skip"')
    stranger.no_longer_sees(TOUR)
    assert surface.javascript("return document.querySelector('#start').style.length") == 0


@pytest.mark.extended
def test_the_first_step_of_the_tour_starts_the_demo(stranger: Person) -> None:
    stranger.sees(TOUR, "Watch an agent work")
    covered = """
    const [tour, field] = ['tour', 'start-task'].map((id) => document.getElementById(id).getBoundingClientRect());
    return tour.top < field.bottom && tour.bottom > field.top && tour.left < field.right && tour.right > field.left;
    """
    assert not stranger.surface.javascript(covered)
    stranger.click(f'{TOUR} button "Watch the demo"')
    stranger.sees('region "Agent"', "Which color")
    stranger.no_longer_sees(TOUR)
    # It is shown once.
    stranger.surface.reload()
    stranger.sees('contentinfo "Status" [role=status]', "Ready")
    stranger.no_longer_sees(TOUR)
