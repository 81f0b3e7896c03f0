"""Calendars and reminders are iCalendar files that other programs can write, too."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gemini.errors import InvalidArguments, PersonalFileProblem
from gemini.personal.calendars import add_event, add_reminder, complete, events, reminders, remove

# As another program writes it: an event of each Monday with one moved and one left out, and its own field.
FOREIGN = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Another//Calendar//EN
X-COLOR:blue
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:STANDARD
DTSTART:19701025T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
UID:meeting
DTSTAMP:20261001T000000Z
SUMMARY:Meeting
LOCATION:Room 4
DTSTART;TZID=Europe/Berlin:20261012T090000
DTEND;TZID=Europe/Berlin:20261012T093000
RRULE:FREQ=WEEKLY;COUNT=5
EXDATE;TZID=Europe/Berlin:20261019T090000
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Soon
TRIGGER:-PT10M
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:meeting
DTSTAMP:20261001T000000Z
RECURRENCE-ID;TZID=Europe/Berlin:20261026T090000
SUMMARY:Meeting, later
DTSTART;TZID=Europe/Berlin:20261026T110000
DTEND;TZID=Europe/Berlin:20261026T113000
END:VEVENT
END:VCALENDAR
""".replace("\n", "\r\n")


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "folder" / "calendar.ics")


@pytest.fixture
def foreign(path: str) -> str:
    Path(path).parent.mkdir()
    Path(path).write_bytes(FOREIGN.encode())
    return path


async def test_recurring_events_have_their_times_over_a_change_of_the_clock(foreign: str) -> None:
    found = await events("2026-10-01", "2026-12-01", foreign)
    assert [(row["start"], row["title"]) for row in found] == [
        ("2026-10-12T09:00:00+02:00", "Meeting"),
        ("2026-10-26T11:00:00+01:00", "Meeting, later"),
        ("2026-11-02T09:00:00+01:00", "Meeting"),
        ("2026-11-09T09:00:00+01:00", "Meeting"),
    ]
    assert (found[0]["place"], found[0]["repeats"]) == ("Room 4", "FREQ=WEEKLY;COUNT=5")


async def test_an_event_is_added_beside_what_others_wrote(foreign: str) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    uid = await add_event(
        "Tea, with Ann",
        datetime(2026, 10, 27, 16, tzinfo=berlin),
        place="Home",
        notes="Green;\nor black",
        path=foreign,
    )
    [row] = await events("2026-10-27", "2026-10-28", foreign)
    assert row == {
        "uid": uid,
        "occurrence": "",
        "title": "Tea, with Ann",
        "start": "2026-10-27T16:00:00+01:00",
        "end": "2026-10-27T17:00:00+01:00",
        "zone": "Europe/Berlin",
        "place": "Home",
        "notes": "Green;\nor black",
        "repeats": "",
        "alarms": [],
        "status": "",
    }
    text = Path(foreign).read_text()
    assert "X-COLOR:blue" in text and "BEGIN:VALARM" in text and "BEGIN:VTIMEZONE" in text
    await remove(uid, foreign)
    assert await events("2026-10-27", "2026-10-28", foreign) == []
    assert len(await events("2026-10-01", "2026-12-01", foreign)) == 4


async def test_whole_days_repeat(path: str) -> None:
    await add_event("Holiday", "2026-12-24", repeats="RRULE:FREQ=YEARLY", path=path)
    found = await events("2026-12-01", "2029-01-01", path)
    assert [row["start"] for row in found] == ["2026-12-24", "2027-12-24", "2028-12-24"]
    assert found[0]["end"] == "2026-12-25"


async def test_reminders_are_due_and_done(path: str) -> None:
    assert await reminders(path) == []
    later = await add_reminder("Pay", "2026-12-01", path=path)
    await add_reminder("Some day", path=path)
    first = await add_reminder("Call Ann", datetime(2026, 11, 30, 9, tzinfo=UTC), notes="+49 30", path=path)
    assert [row["title"] for row in await reminders(path)] == ["Call Ann", "Pay", "Some day"]
    await complete(first, path)
    assert [row["title"] for row in await reminders(path)] == ["Pay", "Some day"]
    assert [row["done"] for row in await reminders(path, done=True) if row["uid"] == first] == [True]
    await remove(later, path)
    assert [row["title"] for row in await reminders(path)] == ["Some day"]


async def test_bad_input_changes_nothing(foreign: str) -> None:
    before = Path(foreign).read_bytes()
    for start, end, repeats in (
        ("soon", None, ""),
        ("2026-10-02", "2026-10-01", ""),
        ("2026-10-02", "2026-10-02T09:00", ""),
        ("2026-10-02", None, "FREQ=NEVER"),
    ):
        with pytest.raises(InvalidArguments):
            await add_event("Tea", start, end, repeats=repeats, path=foreign)
    with pytest.raises(InvalidArguments, match="no reminder"):
        await complete("meeting", foreign)
    with pytest.raises(InvalidArguments, match="nothing with the UID"):
        await remove("nobody", foreign)
    assert Path(foreign).read_bytes() == before


async def test_a_file_that_is_no_calendar_says_so_and_stays(path: str) -> None:
    Path(path).parent.mkdir()
    Path(path).write_text("Dear diary")
    for call in (
        events("2026-01-01", "2027-01-01", path),
        reminders(path),
        add_event("Tea", "2026-10-02", path=path),
    ):
        with pytest.raises(PersonalFileProblem, match="isn't an iCalendar file"):
            await call
    assert Path(path).read_text() == "Dear diary"
