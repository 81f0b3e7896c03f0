"""The Calendar panel: events are added, seen in the week and the list, and removed; contacts are found."""

from __future__ import annotations

import inspect
from collections.abc import Generator

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.unit.personal.origins import CALENDARS, CARDS, round_trip, round_trip_of_cards
from tests.web.axe import violations
from tests.web.person import Person

pytestmark = pytest.mark.fortnightly

TODAY = ".calendar-week section[data-today]"
ADD = """
from gemini.personal import calendars, contacts
await calendars.add_event("Stand-up", "{day}T09:00", repeats="FREQ=DAILY;COUNT=3")
await calendars.add_reminder("Call Ann", "{day}")
await contacts.add_contact("Ann Lee", emails=["ann@example.org"])
"""
CLEAR = """
from pathlib import Path
for name in ("calendar.ics", "contacts.vcf"):
    Path("/home/user", name).unlink(missing_ok=True)
"""


@pytest.fixture(autouse=True)
def own_files(surface: Surface) -> Generator[None]:
    surface.python(CLEAR)
    yield
    surface.python(CLEAR)


def test_a_week_a_list_and_contacts(surface: Surface, person: Person) -> None:
    person.open_panel("calendar")
    person.sees('region "Calendar"', "Add an event")
    person.click('region "Calendar" textbox "Title"')
    person.type("Tea")
    person.press(Keys.ENTER)
    # The form offers today.
    person.sees(f"{TODAY} li", "Tea")
    day = surface.javascript(f"return document.querySelector('{TODAY}').dataset.day")
    # What an agent's code adds is there, too.
    surface.call("python_run", code=ADD.format(day=day))
    person.sees(f"{TODAY} li:nth-child(2)", "09:00–10:00 Stand-up")
    assert violations(surface, 'region "Calendar"') == []
    person.click(f"{TODAY} li:nth-child(2) button")
    person.click(f"{TODAY} li:nth-child(2) button:first-child")
    person.sees('region "Calendar" [role=status]', "Removed.")
    surface.wait_for("document.querySelectorAll(`${arguments[0]} li`).length === 1", TODAY)
    person.click("[data-reminder] button")
    person.no_longer_sees('region "Reminders"')

    person.click("[data-view=list]")
    person.click('region "Calendar" searchbox "Search events"')
    person.type("stand")
    person.press(Keys.ENTER)
    surface.wait_for("document.querySelectorAll('#calendar-body [data-event]').length === 1")
    person.click("[data-view=contacts]")
    person.sees('region "Calendar" [data-contact]', "ann@example.org")
    assert violations(surface, 'region "Calendar"') == []


def test_files_of_each_origin_go_there_and_back_in_the_page(surface: Surface) -> None:
    surface.python(
        f"from typing import Any\n{inspect.getsource(round_trip)}\n{inspect.getsource(round_trip_of_cards)}"
    )
    for content in CALENDARS.values():
        done = surface.python(f"await round_trip('/tmp/calendar.ics', {content!r})")
        assert (
            done["same"]
            and done["times"]
            and set(done["changed"]) <= {"DTSTAMP", "LAST-MODIFIED", "SEQUENCE"}
        )
    for content in CARDS.values():
        done = surface.python(f"await round_trip_of_cards('/tmp/contacts.vcf', {content!r})")
        assert done["same"] and done["texts"] and set(done["changed"]) <= {"NOTE"}
