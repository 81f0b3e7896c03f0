"""The user's browser acts in the press of a button: the clipboard, the place, a draft."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.conftest import Start
from tests.web.person import Person

CALL = "await gemini.registry.call({tool!r}, {arguments!r}, caller='agent:helper')"


def ask(start: Start, person: Person, tool: str, arguments: dict[str, str], decision: str) -> tuple[str, str]:
    """Call a tool, answer the question, and return it with the answer of the call."""
    call = start("python_run", code=CALL.format(tool=tool, arguments=arguments))
    [question] = person.answer_questions(call, decision)
    return question, str(call.result())


def test_the_page_asks_and_acts_in_the_press(surface: Surface, person: Person, start: Start) -> None:
    question, answer = ask(start, person, "personal_copy", {"text": "Green tea"}, "once")
    assert "clipboard" in question and "Green tea" in question
    assert "'success': True" in answer
    person.click("#omnibar-input")
    person.press("v", holding=Keys.CONTROL)
    surface.wait_for("document.activeElement.value === 'Green tea'")

    origin = surface.javascript("return location.origin")
    # Chromium itself asks for both.
    permissions = ["geolocation", "clipboardReadWrite"]
    surface.driver.execute_cdp_cmd("Browser.grantPermissions", {"origin": origin, "permissions": permissions})
    question, answer = ask(start, person, "personal_paste", {}, "once")
    assert "whatever you copied last" in question and "Green tea" in answer
    _, answer = ask(start, person, "personal_paste", {}, "refuse")
    assert "Refused" in answer and "Green tea" not in answer
    surface.driver.execute_cdp_cmd(
        "Emulation.setGeolocationOverride", {"latitude": 52.5, "longitude": 13.4, "accuracy": 20}
    )
    question, answer = ask(start, person, "personal_locate", {}, "once")
    assert "where you are" in question and "52.5" in answer
    _, answer = ask(start, person, "personal_locate", {}, "refuse")
    assert "Refused" in answer and "52.5" not in answer


def test_the_question_names_the_action_that_is_taken(surface: Surface, person: Person, start: Start) -> None:
    # Python in the page may send anything to the owner.
    code = (
        "from gemini.server.kernel import kernel\n"
        "given = {'action': 'copy', 'text': 'Green tea'}\n"
        "await kernel.browser.ask_owner('personal', {'action': 'locate', 'given': given})"
    )
    call = start("python_run", code=code)
    [question] = person.answer_questions(call, "refuse")
    assert "where you are" in question and "clipboard" not in question


@pytest.mark.extended
def test_calendars_and_contacts_load_their_packages(surface: Surface, folder: str) -> None:
    calendar, contacts = f"{folder}/calendar.ics", f"{folder}/contacts.vcf"
    added = surface.python(
        "from gemini.personal import calendars, contacts\n"
        f"await calendars.add_event('Tea', '2026-10-24T16:00', repeats='FREQ=DAILY;COUNT=2', path={calendar!r})\n"
        f"await contacts.add_contact('Ann Lee', emails=['ann@example.org'], path={contacts!r})\n"
        f"days = await calendars.events('2026-10-01', '2026-11-01', {calendar!r})\n"
        f"[day['start'] for day in days], [row['emails'] for row in await contacts.contacts('ann', {contacts!r})]"
    )
    assert added == [["2026-10-24T16:00:00", "2026-10-25T16:00:00"], [["ann@example.org"]]]
    assert "BEGIN:VEVENT" in surface.call("file_read", path=calendar)["content"]
