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
    person.sees('region "Outcome"', "Tea")
    open_panel(person)
    person.click('region "Agent" textbox "Task"')
    person.type("Translate it into German")
    person.sees('region "Agent" [data-continues=true]', "Continues “Summarize notes.txt”")
    person.click('region "Agent" button "Start a new run"')
    person.sees('region "Agent" [data-continues=false]', "Starts a new run.")
    person.click('region "Agent" button "Continue “Summarize notes.txt”"')
    person.click(".agent-form > button[type=submit]")
    person.sees('region "Agent" article > h3', "Translate it into German")
    person.sees('region "Outcome"', "Tea")
    person.click('region "Agent" button "Previous run"')
    person.sees('region "Agent" article > h3', "Summarize notes.txt")
    open_panel(person)
    person.click('region "Agent" textbox "Task"')
    person.type("Create a shopping list for pancakes")
    person.sees('region "Agent" [data-continues=false]', "It is a complete task.")
    erase(person.find('region "Agent" textbox "Task"'))
    person.press("k", holding=Keys.CONTROL)
    person.press("a", holding=Keys.CONTROL)
    person.type("!Find a recipe for apple pie")
    person.sees('listbox "Suggestions" [aria-selected=true]', "Step by step")
    person.sees('listbox "Suggestions"', "Continue “Translate it into German”")
    person.press("a", holding=Keys.CONTROL)
    person.type("And with sugar")
    person.sees('listbox "Suggestions" [aria-selected=true]', "Continue “Translate it into German”")
    person.press(Keys.ENTER)
    person.sees('region "Agent" article > h3', "And with sugar")
    person.sees('region "Outcome"', "Tea")
    person.click('region "Agent" button "Previous run"')
    person.sees('region "Agent" article > h3', "Translate it into German")


def test_a_model_is_asked_once_the_person_has_stopped_typing(surface: Surface, person: Person) -> None:
    script(surface, MODEL)
    start_task(person, "Summarize notes.txt")
    person.sees('region "Outcome"', "Tea")
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
