"""The boxes in which tasks are given show whether a task continues the last run, before it is sent."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.person import Person, erase
from tests.web.test_agent_panel import open_panel, script, start_task

pytestmark = pytest.mark.fortnightly

MODEL = "gemini.agents.current().model = ScriptedModel([say('Tea')] * 4)"
# Notes when each character comes, and counts the pauses after which a model may be asked.
NOTES = """
globalThis.typedAt = [];
document.querySelector("#omnibar-input").addEventListener("input", () => typedAt.push(performance.now()));
"""
PAUSES = "return typedAt.filter((at, n) => n > 0 && at - typedAt[n - 1] > 1_000).length"


def test_a_task_continues_the_last_run_as_the_form_says_and_one_press_changes_it(
    surface: Surface, person: Person
) -> None:
    script(surface, MODEL)
    start_task(person, "Summarize notes.txt")
    person.sees("#agent-result", "Tea")
    open_panel(person)
    person.click("#agent-task")
    person.type("Translate it into German")
    person.sees("#agent-follows[data-continues=true]", "Continues “Summarize notes.txt”")
    person.click("#agent-follows-change")
    person.sees("#agent-follows[data-continues=false]", "Starts a new run.")
    person.click("#agent-follows-change")
    person.click(".agent-form > button[type=submit]")
    person.sees("#agent-run-title", "Translate it into German")
    person.sees("#agent-result", "Tea")
    person.click(".agent-run > .agent-buttons button:nth-child(2)")
    person.sees("#agent-run-title", "Summarize notes.txt")
    open_panel(person)
    person.click("#agent-task")
    person.type("Create a shopping list for pancakes")
    person.sees("#agent-follows[data-continues=false]", "It is a task by itself.")
    erase(person.find("#agent-task"))
    person.press("k", holding=Keys.CONTROL)
    person.press("a", holding=Keys.CONTROL)
    person.type("!Find a recipe for apple pie")
    person.sees("#omnibar-list [aria-selected=true]", "Step by step")
    person.sees("#omnibar-list", "Continue “Translate it into German”")
    person.press("a", holding=Keys.CONTROL)
    person.type("And with sugar")
    person.sees("#omnibar-list [aria-selected=true]", "Continue “Translate it into German”")
    person.press(Keys.ENTER)
    person.sees("#agent-run-title", "And with sugar")
    person.sees("#agent-result", "Tea")
    person.click(".agent-run > .agent-buttons button:nth-child(2)")
    person.sees("#agent-run-title", "Translate it into German")


def test_a_model_is_asked_once_the_person_has_stopped_typing(surface: Surface, person: Person) -> None:
    script(surface, MODEL)
    start_task(person, "Summarize notes.txt")
    person.sees("#agent-result", "Tea")
    person.press("k", holding=Keys.CONTROL)
    person.press("a", holding=Keys.CONTROL)
    person.type("!The")
    surface.javascript(NOTES)
    surface.wait_for("(await gemini.python('ScriptedModel.asked')) > 0")
    before = surface.python("ScriptedModel.asked")
    for character in " house by the sea":
        person.type(character)
        # Python answers in turn, the listing included.
        surface.python("0")
    surface.wait_for("(await gemini.python('ScriptedModel.asked')) > arguments[0]", before)
    asked = surface.python("ScriptedModel.asked") - before
    assert asked <= 1 + surface.javascript(PAUSES)
