"""The start page: the task, the examples, the demo, the first steps, and recent work; and the tour beside them."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.person import Person
from tests.web.test_agent_panel import script

DONE = 'gemini.agents.current().model = ScriptedModel([call("done", result="It is done")])'


CHART = "Count the lines of app.log by level, and draw a bar chart of them in chart.svg"
PAGE = "Make a page with a button that counts, open it, and see whether it works"


def example(name: str, task: str) -> str:
    return f'#start button "{name} {task}"'


@pytest.fixture
def first(surface: Surface) -> Person:
    """Return a user who sees the start page of a page without data."""
    surface.reload(fresh=True)
    return Person(surface)


def test_it_is_accessible(first: Person) -> None:
    first.sees("#start", "Open a folder")
    assert violations(first.surface, "html") == []


def test_the_demo_starts_at_one_press(first: Person) -> None:
    first.click('#start button "Watch the demo"')
    first.sees("#agent", "Which colo")


def test_an_example_without_a_model_says_what_is_missing(first: Person) -> None:
    first.click(example("Draw a chart", CHART))
    first.sees("#start", "This task needs a language model.")
    assert "app.log" in (first.find("#start-task").get_attribute("value") or "")
    first.click('#start button "Connect a model"')
    first.sees("#model-dialog")
    first.press(Keys.ESCAPE)


def test_the_example_of_the_demo_runs_it(first: Person) -> None:
    first.click(example("Build a page", PAGE))
    first.sees("#agent", "button that counts")


def test_a_task_with_a_model_starts_at_enter(first: Person) -> None:
    script(first.surface, DONE, folder="/project")
    first.sees('#start button "Start"')
    first.click("#start-task")
    first.type("Do it")
    first.press(Keys.ENTER)
    first.sees("#agent", "It is done")
    # It is listed as recent work, which opens it.
    first.open_panel("chat")
    first.click('#start button "Do it"')
    first.sees("#agent", "It is done")


def test_the_first_steps_are_commands_of_the_palette(first: Person) -> None:
    first.click('#start button "Connect Claude or another MCP client Cursor and VS Code, too"')
    first.sees("#connect")
    first.press(Keys.ESCAPE)


def test_the_first_step_of_the_tour_starts_the_demo(stranger: Person) -> None:
    stranger.sees("#tour", "Watch an agent work")
    covered = """
    const [tour, field] = ['tour', 'start-task'].map((id) => document.getElementById(id).getBoundingClientRect());
    return tour.top < field.bottom && tour.bottom > field.top && tour.left < field.right && tour.right > field.left;
    """
    assert not stranger.surface.javascript(covered)
    stranger.click('#tour button "Watch the demo"')
    stranger.sees("#agent", "Which colo")
    stranger.no_longer_sees("#tour")
    # It is shown once.
    stranger.surface.reload()
    stranger.sees("#status-text", "Ready")
    stranger.no_longer_sees("#tour")
