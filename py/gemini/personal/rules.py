"""Recurrence rules (RFC 5545, 3.3.10), by dateutil, which counts from the start. Long ones are entered late.

All times here are local times of the series' zone, without a zone. Needs `load_calendars` first.
"""

import re
from calendar import isleap
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Any

from gemini.errors import InvalidArguments

# Times that one rule may step over to find those in a window: a second or so of Python.
MOST_STEPS = 300_000
PERIODS = {
    "SECONDLY": timedelta(seconds=1),
    "MINUTELY": timedelta(minutes=1),
    "HOURLY": timedelta(hours=1),
    "DAILY": timedelta(days=1),
    "WEEKLY": timedelta(weeks=1),
    "MONTHLY": timedelta(days=28),
    "YEARLY": timedelta(days=365),
}
# UNTIL is applied by the caller. Others are fields of other programs.
KNOWN = {"FREQ", "INTERVAL", "COUNT", "WKST", "BYSETPOS", "BYSECOND", "BYMINUTE", "BYHOUR"} | {
    *("BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYEASTER")
}
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_PART = re.compile(r"[A-Z-]+=[^=;]+")


def rule_parts(text: str) -> dict[str, str]:
    """Return the parts of a rule by name.

    Raises:
        InvalidArguments: It is no rule.
    """
    text = text.strip().upper().removeprefix("RRULE:").rstrip(";")
    parts = dict(part.split("=", 1) for part in text.split(";") if _PART.fullmatch(part))
    if len(parts) != len(text.split(";")) or parts.get("FREQ") not in PERIODS:
        raise _unreadable(text, "it needs FREQ and parts such as COUNT=10")
    if {"COUNT", "UNTIL"} <= parts.keys():
        raise _unreadable(text, "COUNT and UNTIL exclude each other")
    for name in ("COUNT", "INTERVAL"):
        if name in parts and (not parts[name].isdecimal() or int(parts[name]) < 1):
            raise _unreadable(text, f"{name} is a number from 1")
    return parts


def rule_text(parts: dict[str, str]) -> str:
    """Return the text of a rule."""
    return ";".join(f"{name}={value}" for name, value in parts.items())


def checked(text: str, start: datetime) -> dict[str, str]:
    """Return the parts of a rule of a caller. Raises InvalidArguments if it can't be used."""
    parts = rule_parts(text)
    _rule(rule_text(parts), start)
    return parts


def until_of(parts: dict[str, str], zone: tzinfo | None) -> datetime | None:
    """Return the last moment of a rule in the local time of its zone; None without one."""
    text = parts.get("UNTIL", "")
    if not text:
        return None
    if len(text) == len("20261130"):
        # Some programs write a date along with times, and mean the full day.
        return datetime.strptime(text, "%Y%m%d") + timedelta(days=1, seconds=-1)
    moment = datetime.strptime(text.rstrip("Z"), "%Y%m%dT%H%M%S")
    if text.endswith("Z") and zone is not None:
        return moment.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None)
    return moment


def times_of_rule(
    text: str, start: datetime, zone: tzinfo | None, begin: datetime, end: datetime
) -> Iterator[datetime]:
    """Return the times of a rule from `begin` until before `end`, in order.

    Args:
        text: The rule.
        start: The first time of the series.
        zone: Its zone, for UNTIL.
        begin: The begin of the window, inclusive.
        end: Its end, exclusive.

    Raises:
        InvalidArguments: The rule can't be read, or has too many times before or in the window.
    """
    parts = rule_parts(text)
    until = until_of(parts, zone)
    if until is not None:
        end = min(end, until + timedelta(seconds=1))
    if end <= begin or end <= start:
        return
    if "COUNT" in parts and any(name.startswith("BY") for name in parts):
        yield from (each for each in _count(rule_text(parts), start) if begin <= each < end)
        return
    if not any(name.startswith("BY") for name in parts) and parts["FREQ"] != "MONTHLY":
        yield from _plain_times(parts, start, begin, end)
        return
    yield from _entered_times(parts, start, begin, end)


def _entered_times(
    parts: dict[str, str], start: datetime, begin: datetime, end: datetime
) -> Iterator[datetime]:
    """Return the times of a rule in a window by dateutil, from the last period before it."""
    entry, left = _enter(parts, start, begin)
    if left == 0:
        return
    shifted = {**parts, **_defaults(parts, start)}
    if left is not None:
        shifted["COUNT"] = str(left)
    for step, each in enumerate(_rule(rule_text(shifted), entry)):
        if each >= end:
            return
        if step >= MOST_STEPS:
            raise _too_many(rule_text(parts))
        if each >= max(begin, start):
            yield each


def _plain_times(
    parts: dict[str, str], start: datetime, begin: datetime, end: datetime
) -> Iterator[datetime]:
    """Return the times of a rule that only has a period, which needs no counting."""
    interval, count = int(parts.get("INTERVAL", "1")), int(parts.get("COUNT", MOST_STEPS * 1_000_000))
    if parts["FREQ"] == "YEARLY":
        for year in range(start.year, min(end.year, 9999) + 1, interval):
            # 29 February.
            if (start.month, start.day) == (2, 29) and not isleap(year):
                continue
            each = start.replace(year=year)
            if count <= 0 or each >= end:
                return
            count -= 1
            if each >= begin:
                yield each
        return
    period = PERIODS[parts["FREQ"]] * interval
    skipped = max(0, -((start - begin) // period))
    for number in range(skipped, count):
        each = start + number * period
        if each >= end:
            return
        if number - skipped >= MOST_STEPS:
            raise _too_many(rule_text(parts))
        if each >= begin:
            yield each


@lru_cache(maxsize=32)
def _count(text: str, start: datetime) -> tuple[datetime, ...]:
    """Return all times of a rule with a COUNT: where days are chosen, only counting finds the last."""
    times: list[datetime] = []
    for each in _rule(text, start):
        times.append(each)
        if len(times) >= MOST_STEPS:
            break
    return tuple(times)


def _enter(parts: dict[str, str], start: datetime, begin: datetime) -> tuple[datetime, int | None]:
    """Return where to enter a rule, at the begin of one of its periods, and how many times COUNT leaves from there."""
    interval = max(1, int(parts.get("INTERVAL", "1")))
    count = int(parts["COUNT"]) if "COUNT" in parts else None
    frequency = parts["FREQ"]
    if frequency in ("MONTHLY", "YEARLY"):
        if count is not None:
            # The 31st and 29 February skip periods, so the times before can't be calculated.
            return start, count
        months = interval * (12 if frequency == "YEARLY" else 1)
        passed = (begin.year - start.year) * 12 + begin.month - start.month
        skipped = max(0, passed // months - 1) * months
        year, month = divmod(start.year * 12 + start.month - 1 + skipped, 12)
        return start.replace(year=year, month=1 if frequency == "YEARLY" else month + 1, day=1), None
    period = PERIODS[frequency] * interval
    skipped = max(0, (begin - start) // period - 1)
    return start + skipped * period, None if count is None else max(0, count - skipped)


def _defaults(parts: dict[str, str], start: datetime) -> dict[str, str]:
    """Return the days that a rule takes from the start, which are lost when it is entered later."""
    if {"BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYEASTER"} & parts.keys():
        return {}
    if parts["FREQ"] == "WEEKLY":
        return {"BYDAY": DAYS[start.weekday()]}
    if parts["FREQ"] == "MONTHLY" and "COUNT" not in parts:
        return {"BYMONTHDAY": str(start.day)}
    if parts["FREQ"] == "YEARLY" and "COUNT" not in parts:
        return {"BYMONTHDAY": str(start.day)} | ({} if "BYMONTH" in parts else {"BYMONTH": str(start.month)})
    return {}


def _rule(text: str, start: datetime) -> Any:
    """Return the times of a rule without its UNTIL, which the caller applies."""
    from dateutil.rrule import rrulestr

    known = {name: value for name, value in rule_parts(text).items() if name in KNOWN}
    try:
        return rrulestr(rule_text(known), dtstart=start)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _unreadable(text, str(error)) from error


def _too_many(text: str) -> InvalidArguments:
    return InvalidArguments(f"the rule {text[:80]!r} has too many times", hint="Ask for a shorter time.")


def _unreadable(text: str, why: str) -> InvalidArguments:
    return InvalidArguments(
        f"{text[:80]!r} isn't a rule: {why}", hint="Pass an RRULE, such as FREQ=WEEKLY;BYDAY=MO;COUNT=10."
    )
