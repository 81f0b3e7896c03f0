"""Time zones of commands: what `TZ` names (POSIX.1-2017, 8.3), or else the zone of the machine."""

from __future__ import annotations

import io
import re
import struct
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gemini_userland.invocation import Invocation

# The rules of a POSIX string that has none, as in the GNU C library.
DEFAULT_RULES = ",M3.2.0,M11.1.0"
_NAME = r"(?:[A-Za-z]{3,}|<[-+A-Za-z0-9]{3,}>)"
_OFFSET = r"[-+]?\d{1,3}(?::\d\d){0,2}"
_POSIX = re.compile(rf"(?P<standard>{_NAME}{_OFFSET})(?P<summer>{_NAME}(?:{_OFFSET})?)?(?P<rules>,.*)?")
# A table of a zone covers these years.
FIRST_YEAR, LAST_YEAR = 1900, 2100
_WEEK = 7 * 86_400

Change = tuple[int, int, str, bool]
"""A change of a zone's clock: seconds since 1970, then the offset from UTC in seconds, the name, and whether it is
summer time."""


class Local(tzinfo):
    """The zone that Python itself has."""

    def utcoffset(self, dt: datetime | None) -> timedelta:
        """Return the offset from UTC."""
        return timedelta(seconds=_local(dt).tm_gmtoff)

    def dst(self, dt: datetime | None) -> timedelta:
        """Return an hour in summer."""
        return timedelta(hours=int(_local(dt).tm_isdst > 0))

    def tzname(self, dt: datetime | None) -> str:
        """Return the name, such as CET."""
        return _local(dt).tm_zone

    def fromutc(self, dt: datetime) -> datetime:
        """Return the time on this zone's clock."""
        seconds = dt.replace(tzinfo=UTC).timestamp()
        return dt + timedelta(seconds=time.localtime(seconds).tm_gmtoff)


def _local(when: datetime | None) -> time.struct_time:
    if when is None:
        return time.localtime()
    # `timetuple` would ask for the summer time.
    parts = (when.year, when.month, when.day, when.hour, when.minute, when.second)
    return time.localtime(time.mktime((*parts, 0, 0, -1)))


def _keep(name: str | None) -> None:
    """Leave the zone as it is."""


async def _refuse(name: str) -> str | None:
    return f"the zone of this machine is its own, not {name}"


class Machine:
    """The clock of the machine.

    Attributes:
        zone: The name of its zone, such as `Europe/Zurich`, or "" for the one that Python has.
        use: Sets the zone of Python's local time to a value of `TZ`, or with None back to the machine's.
        choose: Sets the machine's zone; returns the problem with its name, or None.
    """

    zone = ""
    use: Callable[[str | None], None] = staticmethod(_keep)
    choose: Callable[[str], Awaitable[str | None]] = staticmethod(_refuse)


@contextmanager
def in_zone(invocation: Invocation) -> Generator[None]:
    """Give libraries the command's zone as the local one, in a block that doesn't wait."""
    name = invocation.env.get("TZ")
    if name is None:
        yield
        return
    Machine.use(name)
    try:
        yield
    finally:
        Machine.use(None)


def zone_of(invocation: Invocation) -> tzinfo:
    """Return the zone of a command. If `TZ` names none, an error says so, and the time is UTC's, as on Debian."""
    name = invocation.env.get("TZ")
    if name is None:
        return (zone_named(Machine.zone) if Machine.zone else None) or Local()
    zone = zone_named(name)
    if zone is not None:
        return zone
    invocation.error(unknown(name))
    return fallback(name)


def unknown(name: str) -> str:
    """Return the message for an unknown zone."""
    return (
        f"unknown time zone '{name}' in TZ, so times are UTC: use a name such as Europe/Zurich, or CET-1CEST"
    )


def fallback(name: str) -> timezone:
    """Return UTC by the name that the GNU C library has for an unknown zone: the letters that it begins with."""
    letters = re.match(r"[A-Za-z]{3,}", name.lstrip(":"))
    return timezone(timedelta(0), letters[0] if letters else "UTC")


@lru_cache(maxsize=64)
def _find(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return _posix_zone(name)


def zone_named(name: str) -> tzinfo | None:
    """Return the zone of a value of `TZ`; None if it is unknown."""
    text = name.removeprefix(":")
    if text in ("", "UTC", "UTC0", "GMT0"):
        return timezone(timedelta(0), text[:3] or "UTC")
    found = _find(text)
    if found is None:
        # The data may be there the next time.
        _find.cache_clear()
    return found


def _posix_zone(text: str) -> tzinfo | None:
    match = _POSIX.fullmatch(text)
    if match is None:
        return None
    rules = DEFAULT_RULES if match["summer"] and not match["rules"] else ""
    try:
        return ZoneInfo.from_file(io.BytesIO(_file_of(text + rules)), key=text)
    except ValueError:
        return None


def _file_of(rules: str) -> bytes:
    """Return a file of a zone (RFC 8536) that has POSIX rules alone."""
    header = b"TZif2" + bytes(15) + struct.pack(">6l", 0, 0, 0, 0, 1, 4)
    block = header + struct.pack(">lBB", 0, 0, 0) + b"UTC\0"
    return block + block + f"\n{rules}\n".encode()


@lru_cache(maxsize=16)
def table_of(zone: tzinfo) -> tuple[Change, ...]:
    """Return the changes of a zone's clock from 1900 to 2100; the first one is its state before."""
    second = int(datetime(FIRST_YEAR, 1, 1, tzinfo=UTC).timestamp())
    end = int(datetime(LAST_YEAR, 1, 1, tzinfo=UTC).timestamp())
    changes = [(second, *_state(zone, second))]
    while second < end:
        following = second + _WEEK
        if _state(zone, following) != changes[-1][1:]:
            changes.append(_change_between(zone, second, following))
        second = following
    return tuple(changes)


def _state(zone: tzinfo, second: int) -> tuple[int, str, bool]:
    when = datetime.fromtimestamp(second, zone)
    offset, summer = when.utcoffset(), when.dst()
    return int(offset.total_seconds()) if offset else 0, when.tzname() or "UTC", bool(summer)


def _change_between(zone: tzinfo, first: int, last: int) -> Change:
    before = _state(zone, first)
    while last - first > 1:
        middle = (first + last) // 2
        if _state(zone, middle) == before:
            first = middle
        else:
            last = middle
    return (last, *_state(zone, last))
