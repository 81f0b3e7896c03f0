"""Time zones of calendars: the zone that a TZID means, and the VTIMEZONE of a zone (RFC 5545, 3.6.5).

Needs `load_calendars` first.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gemini.errors import InvalidArguments

_OFFSET = re.compile(r"(?:UTC|GMT|Z)?\s*([+-])(\d{1,2}):?(\d{2})?$")
# The last line of a file of the zone's data: https://datatracker.ietf.org/doc/html/rfc8536#section-3.3
_RULES = re.compile(
    r"(?P<standard><[^>]+>|[A-Za-z]+)(?P<offset>[-+]?[\d:]+)"
    r"(?:(?P<summer><[^>]+>|[A-Za-z]+)(?P<summer_offset>[-+]?[\d:]+)?,(?P<begin>M[^,]+),(?P<end>M.+))?"
)
_CHANGE = re.compile(r"M(\d+)\.(\d)\.(\d)(?:/([-+]?[\d:]+))?")
DAYS = ("SU", "MO", "TU", "WE", "TH", "FR", "SA")
_MONTH_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def zone_named(name: str) -> ZoneInfo:
    """Return the zone of an IANA name.

    Raises:
        InvalidArguments: There is none.
    """
    found = _find(name)
    if found is None:
        raise InvalidArguments(f"there is no time zone {name[:60]!r}", hint="Pass one such as Europe/Berlin.")
    return found


@lru_cache(maxsize=256)
def zone_of(tzid: str, definitions: Sequence[str] = ()) -> tzinfo | None:
    """Return the zone that a TZID means; None if it is unknown.

    IANA names come first, then Windows names, then the file's definitions, then offsets in the name.

    Args:
        tzid: The parameter's value.
        definitions: The text of the file's VTIMEZONE components.
    """
    from icalendar import Timezone
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

    words = tzid.strip("/").split("/")
    names = [tzid, *("/".join(words[at:]) for at in range(1, len(words))), WINDOWS_TO_OLSON.get(tzid, "")]
    for name in names:
        if found := _find(name):
            return found
    for text in definitions:
        if re.search(rf"^TZID(;[^:]*)?:{re.escape(tzid)}\s*$", text, re.MULTILINE):
            try:
                zone: Any = Timezone.from_ical(text)
                return cast("tzinfo", zone.to_tz(lookup_tzid=False))
            except (ValueError, KeyError, AttributeError, TypeError):
                # A definition that can't be read defines nothing.
                break
    offset = _OFFSET.search(tzid.partition(")")[0].lstrip("("))
    return None if offset is None else _fixed(*offset.groups())


def _fixed(sign: str, hours: str, minutes: str | None) -> timezone | None:
    total = timedelta(hours=int(hours), minutes=int(minutes or 0))
    return timezone(total if sign == "+" else -total) if total < timedelta(hours=24) else None


@lru_cache(maxsize=512)
def _find(name: str) -> ZoneInfo | None:
    # `ZoneInfo` takes names of folders and other spellings of paths for errors of the system.
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*", name):
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError, ValueError):
        return None


def tzid_of(zone: tzinfo) -> str:
    """Return the TZID that stands for a zone in a file; empty for UTC, which has its own form."""
    if isinstance(zone, ZoneInfo):
        return "" if zone.key in ("UTC", "Etc/UTC") else zone.key
    offset = zone.utcoffset(None)
    if zone is UTC or not offset:
        return ""
    return f"UTC{_utc_offset(offset)}"


def definition(zone: tzinfo, end: str = "\r\n") -> str:
    """Return the VTIMEZONE of a zone, with the rules that hold now; empty for UTC.

    Args:
        zone: A zone of `zoneinfo`, or a fixed offset.
        end: The end of lines.
    """
    tzid = tzid_of(zone)
    if not tzid:
        return ""
    found = _RULES.fullmatch(_rules_of(zone)) if isinstance(zone, ZoneInfo) else None
    if found is None or found["begin"] is None:
        offset = datetime(2026, 1, 1, tzinfo=zone).utcoffset() or timedelta()
        parts = _observance("STANDARD", offset, offset, None)
    else:
        standard = -_seconds(found["offset"])
        summer = (
            -_seconds(found["summer_offset"]) if found["summer_offset"] else standard + timedelta(hours=1)
        )
        parts = [
            *_observance("DAYLIGHT", standard, summer, found["begin"]),
            *_observance("STANDARD", summer, standard, found["end"]),
        ]
    return end.join(["BEGIN:VTIMEZONE", f"TZID:{tzid}", *parts, "END:VTIMEZONE", ""])


def _rules_of(zone: ZoneInfo) -> str:
    data = files("tzdata").joinpath("zoneinfo", *zone.key.split("/")).read_bytes()
    return data.rstrip(b"\n").rpartition(b"\n")[2].decode("ascii")


def _observance(kind: str, before: timedelta, after: timedelta, change: str | None) -> list[str]:
    lines = [f"BEGIN:{kind}", f"TZOFFSETFROM:{_utc_offset(before)}", f"TZOFFSETTO:{_utc_offset(after)}"]
    lines += ["DTSTART:19700101T000000"] if change is None else _yearly(change)
    return [*lines, f"END:{kind}"]


def _yearly(change: str) -> list[str]:
    """Return DTSTART and RRULE of a change such as `M3.5.0/2`: month, week (5 is the last), day, time."""
    parts = _CHANGE.fullmatch(change)
    if parts is None:
        raise AssertionError(f"the rule {change!r} has another form")
    month, week, day = int(parts[1]), int(parts[2]), int(parts[3])
    time = _seconds(parts[4]) if parts[4] else timedelta(hours=2)
    last = _MONTH_LENGTHS[month - 1]
    if week == 5 and time == timedelta(hours=24):
        # The day after may be in the next month, which no rule of iCalendar can say.
        time -= timedelta(seconds=1)
    shift, time = time.days, time - timedelta(days=time.days)
    weekday = DAYS[(day + shift) % 7]
    days = set[int]()
    if shift:
        first = last - 6 if week == 5 else week * 7 - 6
        days = {each + shift for each in range(first, first + 7)}
        span = ",".join(map(str, sorted(days)))
        rule = f"FREQ=YEARLY;BYMONTH={month};BYDAY={weekday};BYMONTHDAY={span}"
    else:
        rule = f"FREQ=YEARLY;BYMONTH={month};BYDAY={-1 if week == 5 else week}{weekday}"
    candidates = (datetime(1970, month, number) for number in range(1, 32 if last == 31 else last + 1))
    fitting = [each for each in candidates if DAYS[each.isoweekday() % 7] == weekday]
    at = (
        next(each for each in fitting if each.day in days)
        if shift
        else fitting[-1 if week == 5 else week - 1]
    )
    return [f"DTSTART:{at + time:%Y%m%dT%H%M%S}", f"RRULE:{rule}"]


def _seconds(text: str) -> timedelta:
    sign, parts = (-1, text[1:]) if text.startswith("-") else (1, text.lstrip("+"))
    hours, minutes, seconds = ([int(each) for each in parts.split(":")] + [0, 0])[:3]
    return sign * timedelta(hours=hours, minutes=minutes, seconds=seconds)


def _utc_offset(offset: timedelta) -> str:
    sign, total = ("-", -offset) if offset < timedelta() else ("+", offset)
    minutes, seconds = divmod(int(total.total_seconds()), 60)
    return f"{sign}{minutes // 60:02}{minutes % 60:02}" + (f"{seconds:02}" if seconds else "")
