"""Changing and removing one time of an event, that and all that follow, or all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gemini.errors import InvalidArguments
from gemini.personal.calendars import (
    add_event,
    add_reminder,
    change_event,
    change_reminder,
    event,
    events,
    reminders,
    remove,
)

DAYS = ("2026-10-23", "2026-10-24", "2026-10-25", "2026-10-26")


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "calendar.ics")


@pytest.fixture
async def daily(path: str) -> str:
    """An event of four days, over a change of the clock."""
    return await add_event("Tea", "2026-10-23T10:00[Europe/Berlin]", repeats="FREQ=DAILY;COUNT=4", path=path)


async def shown(path: str) -> list[tuple[str, str]]:
    rows = await events("2026-10-01", "2026-12-01", path, zone="Europe/Berlin")
    return [(row["start"][:16], row["title"]) for row in rows]


def at(day: int) -> str:
    return f"{DAYS[day]}T10:00{'+02:00' if day < 2 else '+01:00'}"


async def test_one_time_is_changed_and_changed_again(path: str, daily: str) -> None:
    await change_event(
        daily, occurrence=at(1), scope="this", title="Coffee", start="2026-10-24T11:00", path=path
    )
    [moved] = [row for row in await events("2026-10-24", "2026-10-25", path) if row["title"] == "Coffee"]
    assert (moved["start"], moved["end"]) == ("2026-10-24T11:00:00+02:00", "2026-10-24T12:00:00+02:00")
    await change_event(daily, occurrence=moved["occurrence"], scope="this", end="2026-10-24T11:30", path=path)
    assert await shown(path) == [
        ("2026-10-23T10:00", "Tea"),
        ("2026-10-24T11:00", "Coffee"),
        ("2026-10-25T10:00", "Tea"),
        ("2026-10-26T10:00", "Tea"),
    ]
    assert Path(path).read_text().count("RECURRENCE-ID;TZID=Europe/Berlin:20261024T100000") == 1


async def test_one_time_is_removed_also_a_changed_one(path: str, daily: str) -> None:
    await change_event(daily, occurrence=at(1), scope="this", title="Coffee", path=path)
    await remove(daily, path, occurrence=at(1), scope="this")
    await remove(daily, path, occurrence=at(2), scope="this")
    assert await shown(path) == [("2026-10-23T10:00", "Tea"), ("2026-10-26T10:00", "Tea")]


async def test_the_rest_becomes_an_event_of_its_own(path: str, daily: str) -> None:
    await change_event(daily, occurrence=at(3), scope="this", title="Coffee", path=path)
    await remove(daily, path, occurrence=at(1), scope="this")
    rest = await change_event(
        daily, occurrence=at(2), scope="following", start="2026-10-25T12:00", notes="Late", path=path
    )
    assert rest != daily
    assert await shown(path) == [
        ("2026-10-23T10:00", "Tea"),
        ("2026-10-25T12:00", "Tea"),
        ("2026-10-26T10:00", "Coffee"),
    ]
    assert (await event(rest, path))["repeats"] == "FREQ=DAILY;COUNT=2"
    assert (await event(daily, path))["repeats"] == "FREQ=DAILY;UNTIL=20261025T085959Z"
    await remove(rest, path)
    assert await shown(path) == [("2026-10-23T10:00", "Tea")]


async def test_the_rest_is_removed(path: str, daily: str) -> None:
    await change_event(daily, occurrence=at(3), scope="this", title="Coffee", path=path)
    await remove(daily, path, occurrence=at(2), scope="following")
    assert await shown(path) == [("2026-10-23T10:00", "Tea"), ("2026-10-24T10:00", "Tea")]
    await remove(daily, path, occurrence=at(0), scope="following")
    assert "BEGIN:VEVENT" not in Path(path).read_text()


async def test_all_times_move_with_their_exceptions(path: str, daily: str) -> None:
    await remove(daily, path, occurrence=at(1), scope="this")
    await change_event(daily, occurrence=at(2), scope="this", title="Coffee", path=path)
    await change_event(daily, occurrence=at(3), start="2026-10-26T15:00", alarms=[5], path=path)
    assert await shown(path) == [
        ("2026-10-23T15:00", "Tea"),
        ("2026-10-25T10:00", "Coffee"),
        ("2026-10-26T15:00", "Tea"),
    ]
    assert "EXDATE;TZID=Europe/Berlin:20261024T150000" in Path(path).read_text()
    assert (await event(daily, path))["alarms"] == [5]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scope": "this", "title": "x"}, "this needs an occurrence"),
        ({"scope": "this", "occurrence": "2026-10-23T11:00+02:00"}, "doesn't take place at"),
        ({"scope": "this", "occurrence": at(1), "repeats": "FREQ=DAILY"}, "one time has no rule"),
        ({"end": "2026-10-23T09:00"}, "the end isn't after the start"),
        ({"end": "2026-10-24"}, "the end isn't after the start"),
        ({"repeats": "FREQ=DAILY;COUNT=x"}, "COUNT is a number"),
        ({"status": "maybe"}, "no status"),
    ],
)
async def test_what_does_not_fit_changes_nothing(
    path: str, daily: str, change: dict[str, Any], message: str
) -> None:
    before = Path(path).read_bytes()
    with pytest.raises(InvalidArguments, match=message):
        await change_event(daily, **change, path=path)
    assert Path(path).read_bytes() == before


async def test_a_rule_that_names_days_needs_another_one_for_another_day(path: str) -> None:
    uid = await add_event("Tea", "2026-11-30T10:00Z", repeats="FREQ=WEEKLY;BYDAY=MO;COUNT=2", path=path)
    with pytest.raises(InvalidArguments, match="the rule names days"):
        await change_event(uid, start="2026-12-01T10:00Z", path=path)
    await change_event(uid, start="2026-12-01T10:00Z", repeats="FREQ=WEEKLY;BYDAY=TU;COUNT=2", path=path)
    assert [row["start"][:10] for row in await events("2026-11-01", "2027-01-01", path)] == [
        "2026-12-01",
        "2026-12-08",
    ]


async def test_an_event_changes_between_whole_days_and_times(path: str) -> None:
    uid = await add_event("Trip", "2026-12-01", "2026-12-04", path=path)
    await change_event(uid, start="2026-12-01T09:00[Asia/Tokyo]", path=path)
    assert (await event(uid, path))["end"] == "2026-12-01T10:00:00+09:00"
    assert "TZID:Asia/Tokyo" in Path(path).read_text()
    await change_event(uid, start="2026-12-02", place="Kyoto 京都", path=path)
    row = await event(uid, path)
    assert (row["start"], row["end"], row["place"]) == ("2026-12-02", "2026-12-03", "Kyoto 京都")
    await change_event(uid, place="", path=path)
    assert "LOCATION" not in Path(path).read_text()


async def test_a_reminder_is_changed(path: str) -> None:
    uid = await add_reminder("Call", "2026-12-01T09:00Z", alarms=[15], path=path)
    await change_reminder(uid, title="Call Ann", due="2026-12-02", notes="+49", alarms=[], path=path)
    assert await reminders(path) == [
        {"uid": uid, "title": "Call Ann", "due": "2026-12-02", "notes": "+49", "done": False, "alarms": []}
    ]
    await change_reminder(uid, done=True, path=path)
    await change_reminder(uid, done=False, path=path)
    assert "COMPLETED" not in Path(path).read_text()


async def test_a_time_in_the_gap_of_the_clock_is_named_as_it_is_shown(path: str) -> None:
    uid = await add_event("Night", "2026-03-28T02:30[Europe/Berlin]", repeats="FREQ=DAILY;COUNT=3", path=path)
    rows = await events("2026-03-01", "2026-04-01", path)
    assert [row["start"] for row in rows] == [
        "2026-03-28T02:30:00+01:00",
        "2026-03-29T03:30:00+02:00",
        "2026-03-30T02:30:00+02:00",
    ]
    await remove(uid, path, occurrence=rows[1]["occurrence"], scope="this")
    assert [row["start"][:10] for row in await events("2026-03-01", "2026-04-01", path)] == [
        "2026-03-28",
        "2026-03-30",
    ]
