"""Files of Google, Apple and Outlook, in their documented forms: read, and written back without loss."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gemini.personal.calendars import add_event, change_event, events, find_events, remove
from tests.unit.personal.origins import CALENDARS, CARDS, round_trip, round_trip_of_cards

BERLIN = """BEGIN:VTIMEZONE
TZID:{tzid}
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
"""
GOOGLE = f"""BEGIN:VCALENDAR
PRODID:-//Google Inc//Google Calendar 70.9054//EN
VERSION:2.0
CALSCALE:GREGORIAN
METHOD:PUBLISH
X-WR-CALNAME:Ann
X-WR-TIMEZONE:Europe/Berlin
{BERLIN.format(tzid="Europe/Berlin")}BEGIN:VEVENT
DTSTART;TZID=Europe/Berlin:20261012T090000
DTEND;TZID=Europe/Berlin:20261012T093000
RRULE:FREQ=WEEKLY;WKST=MO;COUNT=6;BYDAY=MO
EXDATE;TZID=Europe/Berlin:20261019T090000
DTSTAMP:20261128T120000Z
ORGANIZER;CN=Ann:mailto:ann@example.org
UID:standup@google.com
ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;CN=Bob Lee
 ;X-NUM-GUESTS=0:mailto:bob@example.org
X-GOOGLE-CONFERENCE:https://meet.example/abc
SEQUENCE:2
STATUS:CONFIRMED
SUMMARY:Stand-up
TRANSP:OPAQUE
END:VEVENT
BEGIN:VEVENT
DTSTART;TZID=Europe/Berlin:20261026T110000
DTEND;TZID=Europe/Berlin:20261026T113000
UID:standup@google.com
RECURRENCE-ID;TZID=Europe/Berlin:20261026T090000
SUMMARY:Stand-up\\, later
END:VEVENT
END:VCALENDAR
"""
APPLE = """BEGIN:VCALENDAR
CALSCALE:GREGORIAN
PRODID:-//Apple Inc.//macOS 26.0//EN
VERSION:2.0
X-APPLE-CALENDAR-COLOR:#FF2968
BEGIN:VEVENT
CREATED:20261101T080000Z
UID:5A3F0A9E-0000
DTSTART;VALUE=DATE:20261224
DTEND;VALUE=DATE:20261227
SUMMARY;LANGUAGE=de:Weihnachten
X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="Main Street 1\\nBerlin";X-APPLE-RA
 DIUS=70;X-TITLE="Home: sweet":geo:52.5,13.4
X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC
BEGIN:VALARM
UID:alarm
ACTION:DISPLAY
DESCRIPTION:Reminder
TRIGGER:-PT15H
X-APPLE-DEFAULT-ALARM:TRUE
END:VALARM
END:VEVENT
END:VCALENDAR
"""
OUTLOOK = f"""BEGIN:VCALENDAR
PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN
VERSION:2.0
METHOD:PUBLISH
X-MS-OLK-FORCEINSPECTOROPEN:TRUE
{BERLIN.format(tzid="W. Europe Standard Time")}BEGIN:VEVENT
CLASS:PUBLIC
DTSTART;TZID="W. Europe Standard Time":20261130T100000
DTEND;TZID="W. Europe Standard Time":20261130T110000
UID:040000008200E00074C5
SUMMARY;LANGUAGE=en-us:Review
X-ALT-DESC;FMTTYPE=text/html:<html><body>Review</body></html>
X-MICROSOFT-CDO-BUSYSTATUS:BUSY
END:VEVENT
END:VCALENDAR
"""
ODD_ZONE = OUTLOOK.replace("W. Europe Standard Time", "Customized Time Zone 1")
FILES = {"google": GOOGLE, "apple": APPLE, "outlook": OUTLOOK, "odd": ODD_ZONE}


@pytest.fixture
def path(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    file = tmp_path / "calendar.ics"
    file.write_bytes(FILES[request.param].replace("\n", "\r\n").encode())
    return str(file)


def lines(path: str) -> list[str]:
    return Path(path).read_bytes().decode().replace("\r\n ", "").split("\r\n")


@pytest.mark.parametrize("path", FILES, indirect=True)
async def test_adding_and_removing_leaves_every_byte_of_others(path: str) -> None:
    before = Path(path).read_bytes()
    uid = await add_event("Tea, with Ann", "2026-11-30T16:00+01:00", path=path)
    assert Path(path).read_bytes().replace(b"\r\n", b"").find(b"Tea\\, with Ann") > 0
    await remove(uid, path)
    assert Path(path).read_bytes() == before


@pytest.mark.parametrize(
    ("path", "start", "end"),
    [
        ("google", "2026-10-12T09:00:00+02:00", "2026-10-12T09:30:00+02:00"),
        ("apple", "2026-12-24", "2026-12-27"),
        ("outlook", "2026-11-30T10:00:00+01:00", "2026-11-30T11:00:00+01:00"),
        ("odd", "2026-11-30T10:00:00+01:00", "2026-11-30T11:00:00+01:00"),
    ],
    indirect=["path"],
)
async def test_changing_an_event_replaces_its_lines_alone(path: str, start: str, end: str) -> None:
    [first, *_] = await events("2026-10-01", "2027-01-01", path)
    assert (first["start"], first["end"]) == (start, end)
    before = lines(path)
    await change_event(first["uid"], title="Grün; 茶", path=path)
    after = lines(path)
    gone = [line for line in before if line not in after]
    new = [line for line in after if line not in before]
    assert [line.partition(":")[0].partition(";")[0] for line in gone] in (
        ["SUMMARY"],
        ["DTSTAMP", "SEQUENCE", "SUMMARY"],
    )
    assert {line.partition(":")[0].partition(";")[0] for line in new} == {"DTSTAMP", "SEQUENCE", "SUMMARY"}
    assert [line for line in after if line in before] == [line for line in before if line in after]
    [row] = await find_events("grun 茶", path)
    assert (row["title"], row["start"]) == ("Grün; 茶", start)


@pytest.mark.parametrize("path", ["google"], indirect=True)
async def test_people_and_folded_lines_are_searched(path: str) -> None:
    assert [row["title"] for row in await find_events("bob LEE", path)] == ["Stand-up"]
    assert await find_events("example nobody", path) == []


@pytest.mark.parametrize("path", ["apple"], indirect=True)
async def test_alarms_are_minutes_before_the_start(path: str) -> None:
    [row] = await events("2026-12-24", "2026-12-25", path)
    assert row["alarms"] == [15 * 60]


# What a change of an event writes. RFC 5545, 3.8.7.2 to 3.8.7.4
WRITTEN = {"DTSTAMP", "LAST-MODIFIED", "SEQUENCE"}


@pytest.mark.parametrize(("origin", "count"), [("Google", (4, 64)), ("Apple", (3, 60)), ("Outlook", (3, 55))])
async def test_files_of_each_origin_go_there_and_back(
    tmp_path: Path, origin: str, count: tuple[int, int]
) -> None:
    done = await round_trip(str(tmp_path / "calendar.ics"), CALENDARS[origin])
    assert (done["events"], done["properties"]) == count
    assert done["same"] and done["times"] and set(done["changed"]) <= WRITTEN


@pytest.mark.parametrize(
    ("origin", "count", "changed"),
    # Notes of version 2.1 are written in UTF-8.
    [("Google", (2, 21), []), ("Apple", (2, 23), []), ("Outlook", (1, 17), ["NOTE"])],
)
async def test_cards_of_each_origin_go_there_and_back(
    tmp_path: Path, origin: str, count: tuple[int, int], changed: list[str]
) -> None:
    done = await round_trip_of_cards(str(tmp_path / "contacts.vcf"), CARDS[origin])
    assert (done["contacts"], done["properties"]) == count
    assert done["same"] and done["texts"] and done["changed"] == changed


async def test_text_that_is_no_utf_8_and_a_mark_of_it_survive(tmp_path: Path) -> None:
    file = tmp_path / "old.ics"
    event = "BEGIN:VEVENT\nUID:a\nDTSTART:20261130T100000Z\nSUMMARY:Caf\xe9\nEND:VEVENT\n"
    content = f"BEGIN:VCALENDAR\nVERSION:2.0\n{event}END:VCALENDAR\n".encode("latin-1")
    for mark in (b"", b"\xef\xbb\xbf"):
        file.write_bytes(mark + content)
        uid = await add_event("Tea", "2026-12-01", path=str(file))
        await remove(uid, str(file))
        assert file.read_bytes() == mark + content


async def test_lines_that_look_like_edges_are_text(tmp_path: Path) -> None:
    file = tmp_path / "calendar.ics"
    uid = await add_event(
        "Tea", "2026-12-01", notes="x\nEND:VEVENT\nBEGIN:VEVENT " + "é" * 90, path=str(file)
    )
    [row] = await events("2026-12-01", "2026-12-02", str(file))
    assert (row["uid"], row["notes"]) == (uid, "x\nEND:VEVENT\nBEGIN:VEVENT " + "é" * 90)
    assert max(map(len, file.read_bytes().split(b"\r\n"))) <= 75


@pytest.mark.fortnightly
async def test_fifty_thousand_events_are_read_and_searched(tmp_path: Path) -> None:
    # No limit of time: the test would hang if the work weren't bounded by the requested dates.
    begin, choose = datetime(2016, 1, 1, tzinfo=UTC), random.Random(1)
    rows = [
        f"BEGIN:VEVENT\r\nUID:u{n}\r\nDTSTART:{begin + timedelta(hours=2 * n):%Y%m%dT%H%M%SZ}\r\n"
        f"SUMMARY:Event {n} {choose.choice(('tea', 'milk'))}\r\nEND:VEVENT\r\n"
        for n in range(50_000)
    ]
    file = tmp_path / "large.ics"
    file.write_text("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + "".join(rows) + "END:VCALENDAR\r\n", newline="")
    week = await events("2026-11-23", "2026-11-30", str(file))
    assert (len(week), week[0]["start"]) == (84, "2026-11-23T00:00:00+00:00")
    assert [row["uid"] for row in await find_events("event 49999", str(file))] == ["u49999"]
    await change_event("u49999", title="Last", path=str(file))
    assert file.read_text().count("BEGIN:VEVENT") == 50_000
