"""Times keep their zone, and recurring events take place when other programs say."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gemini.errors import InvalidArguments
from gemini.personal.calendars import When, add_event, alarms, events
from gemini.personal.zones import definition


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "calendar.ics")


def event(*properties: str) -> str:
    return "\r\n".join(["BEGIN:VEVENT", "UID:a", "SUMMARY:Tea", *properties, "END:VEVENT", ""])


def write(path: str, *parts: str) -> None:
    text = "".join(["BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", *parts, "END:VCALENDAR\r\n"])
    Path(path).write_text(text, newline="")


async def starts(path: str, begin: When, end: When, zone: str = "") -> list[str]:
    return [row["start"] for row in await events(begin, end, path, zone=zone)]


@pytest.mark.parametrize(
    ("start", "line", "back"),
    [
        ("2026-11-30T16:00+01:00", "DTSTART:20261130T150000Z", "2026-11-30T15:00:00+00:00"),
        ("2026-11-30T16:00+05:30", "DTSTART:20261130T103000Z", "2026-11-30T10:30:00+00:00"),
        ("2026-11-30T16:00Z", "DTSTART:20261130T160000Z", "2026-11-30T16:00:00+00:00"),
        ("2026-11-30T16:00", "DTSTART:20261130T160000", "2026-11-30T16:00:00"),
        ("2026-11-30", "DTSTART;VALUE=DATE:20261130", "2026-11-30"),
        (
            "2026-11-30T16:00[Europe/Berlin]",
            "DTSTART;TZID=Europe/Berlin:20261130T160000",
            "2026-11-30T16:00:00+01:00",
        ),
        # The clock goes from 2:00 to 3:00; and from 3:00 back to 2:00, where the first time is meant.
        (
            "2026-03-29T02:30[Europe/Berlin]",
            "DTSTART;TZID=Europe/Berlin:20260329T033000",
            "2026-03-29T03:30:00+02:00",
        ),
        (
            "2026-10-25T02:30[Europe/Berlin]",
            "DTSTART;TZID=Europe/Berlin:20261025T023000",
            "2026-10-25T02:30:00+02:00",
        ),
    ],
)
async def test_a_time_is_written_as_all_programs_read_it(path: str, start: str, line: str, back: str) -> None:
    await add_event("Tea", start, path=path)
    text = Path(path).read_text()
    assert line in text.splitlines()
    assert text.count("BEGIN:VTIMEZONE") == (1 if "TZID=" in line else 0)
    assert await starts(path, "2026-01-01", "2027-01-01") == [back]


async def test_a_rule_counts_the_days_of_a_fixed_offset(path: str) -> None:
    await add_event("Early", "2026-11-30T00:30+01:00", repeats="FREQ=WEEKLY;BYDAY=MO;COUNT=2", path=path)
    text = Path(path).read_text()
    assert "DTSTART;TZID=UTC+0100:20261130T003000" in text and "TZOFFSETTO:+0100" in text
    assert await starts(path, "2026-11-01", "2027-01-01") == [
        "2026-11-30T00:30:00+01:00",
        "2026-12-07T00:30:00+01:00",
    ]


@pytest.mark.parametrize(
    ("key", "rules"),
    [
        (
            "Europe/Berlin",
            [
                "19700329T020000|FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
                "19701025T030000|FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
            ],
        ),
        (
            "America/New_York",
            [
                "19700308T020000|FREQ=YEARLY;BYMONTH=3;BYDAY=2SU",
                "19701101T020000|FREQ=YEARLY;BYMONTH=11;BYDAY=1SU",
            ],
        ),
        (
            "America/Nuuk",
            [
                "19700328T230000|FREQ=YEARLY;BYMONTH=3;BYDAY=SA;BYMONTHDAY=24,25,26,27,28,29,30",
                "19701025T000000|FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
            ],
        ),
        ("Asia/Tokyo", []),
        ("Asia/Kolkata", []),
    ],
)
def test_a_zone_is_defined_by_its_rules(key: str, rules: list[str]) -> None:
    lines = definition(ZoneInfo(key)).splitlines()
    found = [line.removeprefix("DTSTART:") for line in lines if line.startswith("DTSTART:")]
    counted = [line.removeprefix("RRULE:") for line in lines if line.startswith("RRULE:")]
    assert [f"{at}|{rule}" for at, rule in zip(found, counted, strict=False)] == rules


@pytest.mark.parametrize(
    ("tzid", "offset"),
    [
        ("W. Europe Standard Time", "+01:00"),
        ('"(UTC+01:00) Amsterdam, Berlin, Bern"', "+01:00"),
        ('"UTC+01:00"', "+01:00"),
        ("/freeassociation.sourceforge.net/Europe/Berlin", "+01:00"),
        ("/softwarestudio.org/Tzfile/America/Argentina/Ushuaia", "-03:00"),
        ("Nowhere", ""),
    ],
)
async def test_zones_of_other_programs_are_understood(path: str, tzid: str, offset: str) -> None:
    write(path, event(f"DTSTART;TZID={tzid}:20261130T160000"))
    [row] = await events("2026-11-30", "2026-12-01", path)
    assert (row["start"], row["zone"]) == (f"2026-11-30T16:00:00{offset}", tzid.strip('"'))


async def test_a_zone_of_the_answer_moves_the_window_and_the_times(path: str) -> None:
    await add_event("Late", "2026-11-30T23:30Z", path=path)
    await add_event("Day", "2026-12-01", path=path)
    await add_event("Floating", "2026-12-01T08:00", path=path)
    assert await starts(path, "2026-12-01", "2026-12-02", "Europe/Berlin") == [
        "2026-12-01",
        "2026-12-01T00:30:00+01:00",
        "2026-12-01T08:00:00",
    ]
    assert await starts(path, "2026-12-01", "2026-12-02") == [
        "2026-11-30T23:30:00+00:00",
        "2026-12-01",
        "2026-12-01T08:00:00",
    ]
    with pytest.raises(InvalidArguments, match="no time zone 'Nowhere'"):
        await events("2026-12-01", "2026-12-02", path, zone="Nowhere")


@pytest.mark.parametrize(
    ("start", "rule", "begin", "end", "expected"),
    [
        ("20240229", "FREQ=YEARLY", "2025-01-01", "2033-01-01", ["2028-02-29", "2032-02-29"]),
        ("20240229", "FREQ=YEARLY;COUNT=3", "2025-01-01", "2040-01-01", ["2028-02-29", "2032-02-29"]),
        (
            "20260131",
            "FREQ=MONTHLY;COUNT=4",
            "2026-02-01",
            "2026-12-31",
            ["2026-03-31", "2026-05-31", "2026-07-31"],
        ),
        (
            "20260130",
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            "2026-05-01",
            "2026-07-01",
            ["2026-05-29", "2026-06-30"],
        ),
        (
            "20200101",
            "FREQ=DAILY;COUNT=100000",
            "2293-10-13",
            "2293-12-01",
            ["2293-10-13", "2293-10-14", "2293-10-15"],
        ),
        ("20200101", "FREQ=DAILY;INTERVAL=3", "2026-11-27", "2026-12-02", ["2026-11-28", "2026-12-01"]),
        ("20200102", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH", "2026-11-20", "2026-12-10", ["2026-11-26"]),
        ("20260101", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO", "2026-01-02", "2027-12-31", ["2026-12-28"]),
        (
            "20260102",
            "FREQ=DAILY;UNTIL=20260104",
            "2026-01-01",
            "2027-01-01",
            ["2026-01-02", "2026-01-03", "2026-01-04"],
        ),
    ],
)
async def test_rules_have_their_times(
    path: str, start: str, rule: str, begin: str, end: str, expected: list[str]
) -> None:
    write(path, event(f"DTSTART;VALUE=DATE:{start}", f"RRULE:{rule}"))
    assert await starts(path, begin, end) == expected


async def test_rules_of_minutes_are_bounded(path: str) -> None:
    write(path, event("DTSTART:20000101T000000Z", "RRULE:FREQ=MINUTELY"))
    assert await starts(path, "2026-11-30T00:00", "2026-11-30T00:02") == [
        "2026-11-30T00:00:00+00:00",
        "2026-11-30T00:01:00+00:00",
    ]
    with pytest.raises(InvalidArguments, match="more than 1000 events"):
        await events("2026-11-30", "2026-12-07", path)
    write(path, event("DTSTART:20000101T000000Z", "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"))
    with pytest.raises(InvalidArguments):
        await add_event("Never", "2026-11-30", repeats="FREQ=DAILY;INTERVAL=0", path=path)


async def test_times_are_left_out_added_and_moved(path: str) -> None:
    write(
        path,
        event(
            "DTSTART;TZID=Europe/Berlin:20261023T100000",
            "DURATION:PT1H30M",
            "RRULE:FREQ=DAILY;COUNT=5",
            "EXDATE:20261025T090000Z",
            "EXDATE;VALUE=DATE:20261026",
            "RDATE;TZID=Europe/Berlin:20261030T120000",
        ),
        event(
            "RECURRENCE-ID:20261027T090000Z", "DTSTART;TZID=America/New_York:20261101T100000", "DURATION:PT1H"
        ),
    )
    rows = await events("2026-10-01", "2026-12-01", path)
    assert [(row["start"], row["end"][11:16], row["occurrence"]) for row in rows] == [
        ("2026-10-23T10:00:00+02:00", "11:30", "2026-10-23T10:00:00+02:00"),
        ("2026-10-24T10:00:00+02:00", "11:30", "2026-10-24T10:00:00+02:00"),
        ("2026-10-30T12:00:00+01:00", "13:30", "2026-10-30T12:00:00+01:00"),
        ("2026-11-01T10:00:00-05:00", "11:00", "2026-10-27T10:00:00+01:00"),
    ]


async def test_alarms_go_off_before_each_time(path: str) -> None:
    await add_event(
        "Tea",
        "2026-11-30T16:00[Europe/Berlin]",
        repeats="FREQ=DAILY;COUNT=2",
        alarms=[10, 24 * 60],
        path=path,
    )
    found = await alarms("2026-11-30", "2026-12-02", path, zone="Europe/Berlin")
    assert [row["at"] for row in found] == [
        "2026-11-30T15:50:00+01:00",
        "2026-11-30T16:00:00+01:00",
        "2026-12-01T15:50:00+01:00",
    ]


async def test_a_broken_event_is_named(path: str) -> None:
    from gemini.errors import PersonalFileProblem

    write(path, event("DTSTART:20261330T160000Z"))
    with pytest.raises(PersonalFileProblem, match=r"'Tea' \(a\)"):
        await events("2026-01-01", "2027-12-01", path)


async def test_any_window_can_be_asked_for(path: str) -> None:
    await add_event("Tea", "2026-11-30", repeats="FREQ=YEARLY", path=path)
    assert len(await starts(path, "0001-01-01", "2100-01-01")) == 74
    assert (await starts(path, "9980-01-01", "9999-12-31"))[-1] == "9989-11-30"
    with pytest.raises(InvalidArguments, match="the end is before the start"):
        await events("2026-12-01", "2026-11-30", path)


async def test_a_rule_that_cannot_be_read_names_its_event(path: str) -> None:
    write(path, event("DTSTART:20261130T160000Z", "RRULE:FREQ=NEVER"))
    with pytest.raises(InvalidArguments, match="the event 'Tea': 'FREQ=NEVER' isn't a rule"):
        await events("2026-11-01", "2026-12-01", path)


async def test_times_without_a_zone_and_whole_days_stay_over_a_change_of_the_clock(path: str) -> None:
    write(
        path,
        event("DTSTART:20260328T023000", "DTEND:20260328T033000", "RRULE:FREQ=DAILY;COUNT=3"),
        event("DTSTART;VALUE=DATE:20260328", "RRULE:FREQ=DAILY;COUNT=3").replace("UID:a", "UID:b"),
    )
    for zone in ("", "Europe/Berlin", "America/New_York"):
        rows = await events("2026-03-28", "2026-03-31", path, zone=zone)
        times = [(row["start"], row["end"]) for row in rows if "T" in row["start"]]
        days = [(row["start"], row["end"]) for row in rows if "T" not in row["start"]]
        # The clock of Berlin has no 2:30 on the 29th; a time without a zone doesn't ask it.
        assert times == [(f"2026-03-{day}T02:30:00", f"2026-03-{day}T03:30:00") for day in (28, 29, 30)]
        assert days == [(f"2026-03-{day}", f"2026-03-{day + 1}") for day in (28, 29, 30)]


async def test_times_that_move_onto_each_other_end(path: str) -> None:
    moved = [
        event(f"RECURRENCE-ID:2026110{one}T100000Z", f"DTSTART:2026110{other}T100000Z").replace("Tea", name)
        for one, other, name in ((2, 3, "Second"), (3, 4, "Third"), (4, 2, "Fourth"))
    ]
    daily = event(
        "DTSTART:20261101T100000Z", "RRULE:FREQ=DAILY;COUNT=4", "RDATE:20261102T100000Z", "RELATED-TO:a"
    )
    write(path, daily, *moved)
    found = await events("2026-11-01", "2026-12-01", path)
    assert [(row["start"][8:10], row["title"]) for row in found] == [
        ("01", "Tea"),
        ("02", "Fourth"),
        ("03", "Second"),
        ("04", "Third"),
    ]


async def test_exceptions_of_no_event_and_rules_that_end_before_they_begin_are_no_loops(path: str) -> None:
    write(
        path,
        event("RECURRENCE-ID:20261103T100000Z", "DTSTART:20261103T110000Z"),
        event("DTSTART:20261101T100000Z", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30").replace(
            "UID:a", "UID:b"
        ),
        event("DTSTART:20261101T100000Z", "RRULE:FREQ=DAILY;UNTIL=20200101T000000Z").replace(
            "UID:a", "UID:c"
        ),
    )
    found = await events("2026-11-01", "2026-12-01", path)
    assert [(row["start"], row["uid"]) for row in found] == [
        ("2026-11-01T10:00:00+00:00", "b"),
        ("2026-11-03T11:00:00+00:00", "a"),
    ]
