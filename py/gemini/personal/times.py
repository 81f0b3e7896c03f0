"""Times of calendars: dates for whole days, and times with a zone, or floating ones without (RFC 5545, 3.3.5).

Needs `load_calendars` first.
"""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import NamedTuple

from gemini.errors import InvalidArguments
from gemini.personal.content_lines import Line, line
from gemini.personal.zones import tzid_of, zone_named, zone_of

When = str | date | datetime
HINT = "Pass ISO 8601, such as 2026-11-30, 2026-11-30T09:00+01:00 or 2026-11-30T09:00[Europe/Berlin]."
_DATE = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z)?)?$")
_DURATION = re.compile(r"([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$")


class Form(NamedTuple):
    """The form of a time in a file: its parameters as they stand there, and the zone that they mean.

    `zone` is None for dates and floating times.
    """

    parameters: str
    zone: tzinfo | None


def given_time(given: When, zone: str = "") -> date | datetime:
    """Return a caller's time: a date, or a time with or without a zone.

    Args:
        given: A date, a time, or its text in ISO 8601, also with a zone in brackets (RFC 9557).
        zone: The name of the zone of a time without one.

    Raises:
        InvalidArguments: It can't be read, or the zone is unknown.
    """
    time = _parse(given) if isinstance(given, str) else given
    if isinstance(time, datetime) and time.tzinfo is None and zone:
        time = time.replace(tzinfo=zone_named(zone))
    return existing(time)


def _parse(given: str) -> date | datetime:
    text, bracket, name = given.strip().partition("[")
    try:
        time = date.fromisoformat(text) if len(text) <= len("2026-01-31") else datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidArguments(f"{given[:60]!r} isn't a time", hint=HINT) from error
    if not bracket or not isinstance(time, datetime):
        return time
    zone = zone_named(name.rstrip("]").lstrip("!"))
    return time.replace(tzinfo=zone) if time.tzinfo is None else time.astimezone(zone)


def existing(time: date | datetime) -> date | datetime:
    """Return a time that the clock of its zone shows: one in the gap of a change is moved by the gap."""
    if isinstance(time, datetime) and time.tzinfo is not None:
        shown = time.astimezone(UTC).astimezone(time.tzinfo)
        return time if shown.replace(tzinfo=None) == time.replace(tzinfo=None) else shown
    return time


def read_form(value: Line, definitions: Sequence[str]) -> Form:
    """Return the form of a property's times."""
    tzid = value.parameter("TZID")
    if tzid:
        return Form(value.parameters, zone_of(tzid, tuple(definitions)))
    return Form(value.parameters, UTC if value.value.rstrip().endswith("Z") else None)


def read_times(value: Line, definitions: Sequence[str]) -> list[date | datetime]:
    """Return the times of a property; of periods, their beginnings.

    Raises:
        ValueError: One can't be read.
    """
    form = read_form(value, definitions)
    return [
        _time(text.partition("/")[0].strip(), form.zone) for text in value.value.split(",") if text.strip()
    ]


def _time(text: str, zone: tzinfo | None) -> date | datetime:
    parts = _DATE.fullmatch(text)
    if parts is None:
        raise ValueError(f"{text[:40]!r} isn't a time")
    day = date(int(parts[1]), int(parts[2]), int(parts[3]))
    if parts[4] is None:
        return day
    # The 60th second of a leap second is none for Python.
    second = min(int(parts[6] or 0), 59)
    return datetime(
        day.year, day.month, day.day, int(parts[4]), int(parts[5]), second, tzinfo=UTC if parts[7] else zone
    )


def read_duration(value: str) -> timedelta:
    """Return a duration such as `-PT15M`. Raises ValueError if it can't be read."""
    parts = _DURATION.fullmatch(value.strip().upper())
    if parts is None or value.strip().upper().endswith(("P", "T")):
        raise ValueError(f"{value[:40]!r} isn't a duration")
    weeks, days, hours, minutes, seconds = (int(each or 0) for each in parts.groups()[1:])
    length = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return -length if parts[1] == "-" else length


def duration(length: timedelta) -> str:
    """Return a duration as its text."""
    sign, total = ("-", -length) if length < timedelta() else ("", length)
    minutes, seconds = divmod(total.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    time = "".join(
        f"{number}{unit}" for number, unit in ((hours, "H"), (minutes, "M"), (seconds, "S")) if number
    )
    day = f"{total.days}D" if total.days else ""
    return f"{sign}P{day}T{time}" if time else f"{sign}P{day or 'T0S'}"


def form_of(time: date | datetime, *, repeats: bool = False) -> Form:
    """Return the form that readers of all programs understand.

    A fixed offset is written as UTC. A rule needs the days of its offset: there the offset becomes a zone.

    Args:
        time: The time.
        repeats: Whether a rule counts from it.
    """
    if not isinstance(time, datetime):
        return Form(";VALUE=DATE", None)
    if time.tzinfo is None:
        return Form("", None)
    tzid = tzid_of(time.tzinfo)
    if tzid and (repeats or not tzid.startswith("UTC")):
        return Form(f";TZID={tzid}", time.tzinfo)
    return Form("", UTC)


def in_form(time: date | datetime, form: Form) -> date | datetime:
    """Return a time in the zone of a form; dates and floating times as they are."""
    if isinstance(time, datetime) and form.zone is not None:
        return time.replace(tzinfo=form.zone) if time.tzinfo is None else time.astimezone(form.zone)
    return time


def written(name: str, time: date | datetime, form: Form, end: str) -> Line:
    """Return the property of a time."""
    return line(name, value_of(in_form(time, form)), form.parameters, end)


def value_of(time: date | datetime) -> str:
    """Return the value of a time in its zone's clock."""
    if not isinstance(time, datetime):
        return f"{time:%Y%m%d}".zfill(8)
    text = f"{time.year:04}{time:%m%dT%H%M%S}"
    return text + ("Z" if time.tzinfo is UTC else "")


def local(time: date | datetime) -> datetime:
    """Return the local time and date, without a zone; midnight for dates."""
    if isinstance(time, datetime):
        return time.replace(tzinfo=None)
    return datetime(time.year, time.month, time.day)


def instant(time: date | datetime, zone: tzinfo = UTC) -> datetime:
    """Return the moment of a time in UTC, to compare and to sort.

    Args:
        time: The time.
        zone: The zone of dates and floating times.
    """
    moment = (
        time if isinstance(time, datetime) and time.tzinfo is not None else local(time).replace(tzinfo=zone)
    )
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return moment.replace(tzinfo=UTC)
