"""The Memory panel: what a run remembered waits, is approved, found by the next run, and forgotten."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.person import Person
from tests.web.test_agent_panel import script, start_task

pytestmark = pytest.mark.fortnightly

FACT = "The weekly figures go to Ann."
REMEMBERS = """
gemini.agents.current().model = ScriptedModel([
    call("file_read", path="{folder}/notes.txt"),
    call("memory_write", text="{fact}"),
    call("done", result="Remembered"),
    call("memory_read", query="figures"),
    call("done", result="Recalled"),
])
"""
LAST_RESULT = """
import gemini
run = [*gemini.agents.current()][-1]
str((await run).result), run.steps[0].calls[0].result
"""
ADDED = 'region "Memory" section[data-agent=agent]'
WAITING = 'region "Waiting for you"'
FIRST = f"{WAITING} .memory-list li"


def test_a_memory_waits_for_the_user_and_is_found_and_forgotten(
    surface: Surface, person: Person, folder: str
) -> None:
    surface.call("file_write", path=f"{folder}/notes.txt", content="Figures go to Ann.")
    script(surface, REMEMBERS, folder=folder, fact=FACT)
    person.open_panel("memory")
    person.sees('region "Memory" .empty', "Agents remember nothing yet")
    start_task(person, "Note who gets the figures")
    person.open_panel("memory")
    assert ", after " in person.sees(FIRST, FACT)
    person.click(f"{FIRST} [data-action=approve_memory]")
    person.sees(f"{ADDED} li", FACT)
    person.no_longer_sees(WAITING)

    start_task(person, "Who gets the figures?")
    surface.wait_for("document.querySelector('.agent-run')?.dataset.status === 'done'")
    result, recalled = surface.python(LAST_RESULT)
    assert result == "Recalled" and FACT in recalled

    person.open_panel("memory")
    person.click(f"{ADDED} textarea")
    person.type("Be brief.")
    person.click(f"{ADDED} [data-action=pin_memory]")
    person.sees('region "Memory" [role=status]', "Pinned.")
    person.click('region "Memory" textbox "Fact"')
    person.type("The port is 8080.")
    person.press(Keys.TAB, times=2)
    person.press(Keys.ENTER)
    person.sees(f"{ADDED} li", "The port is 8080.")
    assert violations(surface, 'region "Memory"') == []
    for text in (FACT, "The port is 8080."):
        person.click(f"{ADDED} [aria-label='Forget: {text}']")
        surface.wait_for("!document.querySelector('#memory').innerText.includes(arguments[0])", text)
    person.sees(f"{ADDED} textarea")
