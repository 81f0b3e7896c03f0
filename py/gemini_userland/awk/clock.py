"""The times of gawk: `systime`, `strftime` and `mktime`."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

from gemini_userland.date import formatted, zone_of
from gemini_userland.invocation import Invocation

DEFAULT = "%a %b %e %H:%M:%S %Z %Y"


class Clock:
    """The clock, in the time zone of a call."""

    def __init__(self, invocation: Invocation) -> None:
        self._zone = zone_of(invocation)

    def systime(self) -> float:
        """Return the seconds since 1970."""
        return float(int(time.time()))

    def strftime(self, form: str = DEFAULT, seconds: float | None = None, utc: float = 0.0) -> str:
        """Format a time, in seconds since 1970; by default it is now."""
        zone = UTC if utc else self._zone
        try:
            when = datetime.fromtimestamp(int(time.time() if seconds is None else seconds), zone)
        except (ValueError, OverflowError, OSError):
            return ""
        return formatted(when, form)

    def mktime(self, text: str, utc: str = "") -> float:
        """Return the seconds since 1970 of `YYYY MM DD HH MM SS [DST]`, or -1; parts may exceed their ranges."""
        try:
            numbers = [int(word) for word in text.split()]
        except ValueError:
            return -1.0
        if not 6 <= len(numbers) <= 7:
            return -1.0
        year, month, day, hour, minute, second = numbers[:6]
        years, month = divmod(month - 1, 12)
        try:
            start = datetime(year + years, month + 1, 1, tzinfo=UTC if utc not in ("", "0") else self._zone)
            when = start + timedelta(days=day - 1, hours=hour, minutes=minute, seconds=second)
            return float(int(when.timestamp()))
        except (ValueError, OverflowError):
            return -1.0
