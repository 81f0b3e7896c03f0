"""Times in words and as cron expressions, over changes of the clock."""

from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from gemini.automations.schedules.catch_up import MOST, CatchUp, decide
from gemini.automations.schedules.rules import Rule, rule_of
from gemini.automations.schedules.words import UNDERSTOOD
from gemini.errors import InvalidArguments, ScheduleUnclear

BERLIN = "Europe/Berlin"
# A Thursday.
NOW = "2026-11-26 14:30:00"
DAY_S = 86_400


def seconds(local: str, zone: str = BERLIN, fold: int = 0) -> float:
    return datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp()


def local(at: float | None, zone: str = BERLIN) -> str:
    return "" if at is None else datetime.fromtimestamp(at, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("when", "cron"),
    [
        ("every 15 minutes", "*/15 * * * *"),
        ("every minute", "* * * * *"),
        ("every hour", "0 * * * *"),
        ("Every 2 hours", "0 */2 * * *"),
        ("every day at 9", "0 9 * * *"),
        ("daily at 9:30 pm", "30 21 * * *"),
        ("every  weekday at 9:05", "5 9 * * 1-5"),
        ("every weekend at noon", "0 12 * * 0,6"),
        ("every sunday at midnight", "0 0 * * 0"),
        ("every friday, monday and sunday at 12am", "0 0 * * 1,5,0"),
        ("every month on the 31st at 8", "0 8 31 * *"),
        ("every month on the last day at 17:00", "0 17 L * *"),
        ("@daily", "0 0 * * *"),
        ("30 9 * * MON-FRI", "30 9 * * mon-fri"),
    ],
)
def test_recurring_times_become_cron_expressions(when: str, cron: str) -> None:
    assert rule_of(when, BERLIN, seconds(NOW)) == Rule(cron, None, BERLIN)


@pytest.mark.parametrize(
    ("when", "at"),
    [
        ("in 20 minutes", "2026-11-26 14:50"),
        ("in an hour", "2026-11-26 15:30"),
        ("in 2 days", "2026-11-28 14:30"),
        ("at 18:00", "2026-11-26 18:00"),
        ("at 9am", "2026-11-27 09:00"),
        ("today at 15:00", "2026-11-26 15:00"),
        ("Tomorrow at 8:30", "2026-11-27 08:30"),
        ("on thursday at 14", "2026-12-03 14:00"),
        ("thursday at 15", "2026-11-26 15:00"),
        ("next monday at 7pm", "2026-11-30 19:00"),
        ("2027-01-31 at 14:00", "2027-01-31 14:00"),
        ("2027-01-31 14:00", "2027-01-31 14:00"),
        # In spring, 02:30 doesn't exist; in autumn, it comes twice.
        ("2027-03-28 at 2:30", "2027-03-28 03:00"),
        ("2027-10-31 at 2:30", "2027-10-31 02:30"),
    ],
)
def test_single_times_are_due_once(when: str, at: str) -> None:
    rule = rule_of(when, BERLIN, seconds(NOW))
    assert (rule.cron, local(rule.at)) == (None, at)
    assert rule.next_after(seconds(NOW)) == rule.at
    assert rule.next_after(rule.at or 0) is None


def test_the_first_of_two_equal_times_counts() -> None:
    assert rule_of("2027-10-31 at 2:30", BERLIN, seconds(NOW)).at == seconds("2027-10-31 02:30", fold=0)


@pytest.mark.parametrize(
    ("when", "reason"),
    [
        ("when I am back", "isn't understood"),
        ("every blue moon at 9", "isn't understood"),
        ("every day", "isn't understood"),
        ("", "isn't understood"),
        ("every 7 minutes", "doesn't divide 60"),
        ("every 25 hours", "doesn't divide 24"),
        ("every day at 25", "no time"),
        ("at 9:75", "no time"),
        ("at 13pm", "no time"),
        ("in 0 minutes", "within a year"),
        ("in 900 days", "within a year"),
        ("today at 9", "has passed"),
        ("2026-02-30 at 9", "no day"),
        ("every month on the 32nd at 9", "no day"),
        ("61 * * * *", "no cron expression"),
        ("0 0 30 2 *", "no cron expression"),
        ("0 0 * 2 1#6", "no cron expression"),
        # Seconds would start a run each second.
        ("* * * * * *", "isn't understood"),
    ],
)
def test_other_times_are_refused_with_a_list_of_what_is_understood(when: str, reason: str) -> None:
    with pytest.raises(ScheduleUnclear, match=reason) as refused:
        rule_of(when, BERLIN, seconds(NOW))
    assert all(each in (refused.value.hint or "") for each in UNDERSTOOD)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../secrets", "Europe", ""])
def test_unknown_zones_are_refused(zone: str) -> None:
    with pytest.raises(InvalidArguments, match="time zone"):
        rule_of("every hour", zone, seconds(NOW))


def slots(cron: str, after: str, until: str, zone: str = BERLIN) -> list[str]:
    found = Rule(cron, None, zone).newest(seconds(after, zone), seconds(until, zone), 100)
    return [local(slot, zone) for slot in found]


def test_a_time_that_is_skipped_in_spring_is_due_at_the_end_of_the_gap() -> None:
    found = slots("30 2 * * *", "2027-03-27 12:00", "2027-03-29 12:00")
    assert found == ["2027-03-28 03:00", "2027-03-29 02:30"]


def test_a_time_that_comes_twice_in_autumn_is_due_once() -> None:
    rule = Rule("30 2 * * *", None, BERLIN)
    first = seconds("2027-10-31 02:30", fold=0)
    assert rule.newest(seconds("2027-10-30 12:00"), seconds("2027-10-31 12:00"), 10) == [first]
    # From between the two times on, the next day is next.
    assert local(rule.next_after(seconds("2027-10-31 02:10", fold=1))) == "2027-11-01 02:30"
    assert local(rule.next_after(first)) == "2027-11-01 02:30"


def test_frequent_times_follow_the_real_time() -> None:
    spring = Rule("*/30 * * * *", None, BERLIN).newest(
        seconds("2027-03-28 01:00"), seconds("2027-03-28 04:00"), 100
    )
    assert [local(slot)[-5:] for slot in spring] == ["01:30", "03:00", "03:30", "04:00"]
    autumn = Rule("*/30 * * * *", None, BERLIN).newest(
        seconds("2027-10-31 02:00"), seconds("2027-10-31 03:00"), 100
    )
    assert [local(slot)[-5:] for slot in autumn] == ["02:30", "02:00", "02:30", "03:00"]
    assert {after - before for before, after in pairwise(spring)} == {1800.0}


@settings(max_examples=20, deadline=None)
@given(
    cron=some.sampled_from(
        ["*/7 * * * *", "30 2 * * *", "0 */3 * * *", "15 1,2,3 * * 0,6", "0 0 1 * *", "0 12 L * *"]
    ),
    start=some.integers(1_700_000_000, 1_900_000_000),
    lengths=some.lists(some.integers(1, 20 * DAY_S), min_size=1, max_size=6),
    zone=some.sampled_from(["UTC", BERLIN, "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]),
)
def test_the_slots_of_a_time_are_those_of_its_parts(
    cron: str, start: int, lengths: list[int], zone: str
) -> None:
    rule = Rule(cron, None, zone)
    ends = [start + sum(lengths[: number + 1]) for number in range(len(lengths))]
    parts = [rule.newest(after, until, 100_000) for after, until in pairwise([start, *ends])]
    whole = rule.newest(start, ends[-1], 100_000)
    assert [slot for part in parts for slot in part] == whole
    assert whole == sorted(set(whole))
    assert rule.newest(start, ends[-1], 5) == whole[-5:]


HOURLY = Rule("0 * * * *", None, "UTC")
NOON = seconds("2027-01-10 12:00", "UTC")


@pytest.mark.parametrize(
    ("catch_up", "oldest_h", "late_s", "fates"),
    [
        ("once", 100, 0, "skipped skipped skipped running"),
        ("once", 100, 600, "skipped skipped skipped running"),
        ("once", 0, 600, "missed missed missed missed"),
        ("once", 0, 30, "missed missed missed running"),
        ("all", 100, 600, "running running running running"),
        ("all", 1.5, 600, "missed missed running running"),
        ("skip", 100, 600, "missed missed missed missed"),
        ("skip", 100, 30, "missed missed missed running"),
    ],
)
def test_missed_slots_follow_the_rule(catch_up: CatchUp, oldest_h: float, late_s: float, fates: str) -> None:
    found = decide(HOURLY, catch_up, oldest_h * 3600, NOON - 4 * 3600, NOON + late_s)
    assert [each.slot for each in found] == [NOON - 3 * 3600, NOON - 2 * 3600, NOON - 3600, NOON]
    assert [each.fate for each in found] == fates.split()


def test_a_year_of_missed_minutes_costs_as_much_as_a_day() -> None:
    found = decide(Rule("* * * * *", None, "UTC"), "all", 366 * DAY_S, NOON - 366 * DAY_S, NOON)
    assert [each.slot for each in found] == [NOON - 60 * back for back in reversed(range(MOST))]
    assert decide(HOURLY, "all", DAY_S, NOON, NOON + 60) == []
