"""The user's browser acts in the press of a button: the clipboard, the place, a draft."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from gemini_testing.browser import launch
from tests.web.conftest import Start, end_refusals
from tests.web.devtools import devtools
from tests.web.person import QUESTION, Background, Person

pytestmark = pytest.mark.fortnightly

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
    person.click('combobox "Search and commands"')
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
        "from gemini.kernel.kernel import kernel\n"
        "given = {'action': 'copy', 'text': 'Green tea'}\n"
        "await kernel.browser.ask_owner('personal', {'action': 'locate', 'given': given})"
    )
    call = start("python_run", code=code)
    [question] = person.answer_questions(call, "refuse")
    assert "where you are" in question and "clipboard" not in question


@pytest.mark.extended
@pytest.mark.parametrize(
    ("draft", "address"),
    [
        (
            {"to": "ann@example.org", "subject": "Tea & cake", "text": "At 4?\nYours"},
            "mailto:ann@example.org?subject=Tea%20%26%20cake&body=At%204%3F%0AYours",
        ),
        ({"kind": "message", "to": "+4912345", "text": "At 4?"}, "sms:+4912345?body=At%204%3F"),
    ],
    ids=["mail", "message"],
)
def test_a_draft_goes_to_another_program_and_the_page_stays(
    surface: Surface, draft: dict[str, str], address: str
) -> None:
    # The browser asks in its own window whether to open the program, and takes no further presses.
    driver = launch()
    try:
        own = Surface(driver, surface.url)
        own.load()
        loaded = own.javascript("return performance.timeOrigin")
        person = Person(own)

        def start(tool: str, **arguments: Any) -> Background:
            return Background(own, tool, arguments)

        with devtools(driver) as tools:
            tools.call("Page.enable")
            _, answer = ask(start, person, "personal_draft", draft, "refuse")
            assert "Refused" in answer
            end_refusals(own)
            question, answer = ask(start, person, "personal_draft", draft, "once")
            assert draft["to"] in question and draft["text"] in question
            assert "'success': True" in answer
            # The refusal sent the browser nowhere.
            assert tools.event("Page.frameRequestedNavigation")["url"] == address
        assert own.javascript("return performance.timeOrigin") == loaded
        assert own.python("1 + 1") == 2
    finally:
        driver.quit()


@pytest.mark.extended
def test_the_user_chooses_pictures(surface: Surface, person: Person, start: Start, tmp_path: Path) -> None:
    pictures = [tmp_path / name for name in ("Tea.png", "Cake.png")]
    for picture in pictures:
        picture.write_bytes(picture.name.encode())
    with devtools(surface.driver) as tools:
        tools.call("Page.enable")
        tools.call("Page.setInterceptFileChooserDialog", enabled=True)
        call = start("python_run", code=CALL.format(tool="personal_photos", arguments={}))
        agree(surface, person)
        chooser = tools.event("Page.fileChooserOpened")
        assert chooser["mode"] == "selectMultiple"
        files = [str(picture) for picture in pictures]
        tools.call("DOM.setFileInputFiles", files=files, backendNodeId=chooser["backendNodeId"])
        assert "/project/photos/Tea.png" in str(call.result())
        # The same again, but the user closes the sheet.
        tools.call("Page.setInterceptFileChooserDialog", enabled=True, cancel=True)
        _, answer = ask(start, person, "personal_photos", {}, "once")
        assert "Refused" in answer and "no picture was chosen" in answer
        tools.call("Page.setInterceptFileChooserDialog", enabled=False)
    for picture in pictures:
        assert surface.call("file_read", path=f"/project/photos/{picture.name}")["content"] == picture.name


def agree(surface: Surface, person: Person) -> None:
    """Agree to the question that comes next."""
    number = surface.wait_for(QUESTION)
    person.answer_until(f"{QUESTION} !== arguments[0]", number)


@pytest.mark.extended
def test_a_browser_without_a_sheet_says_so(surface: Surface, person: Person, start: Start) -> None:
    if surface.javascript("return 'share' in navigator"):
        pytest.skip("the system's sheet would open, and nobody is there to close it")
    question, answer = ask(start, person, "personal_share", {"text": "Green tea"}, "once")
    assert "Green tea" in question
    assert "Unsupported" in answer and "no sheet to share with" in answer


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
