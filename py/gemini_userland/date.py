"""`date`: print the current or a described time in any format."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from gemini_userland.clock import zone_of
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

SYNTAX = Syntax(
    short="d:r:Ru",
    long={
        "date=": "d",
        "reference=": "r",
        "utc": "u",
        "universal": "u",
        "rfc-email": "R",
        "iso-8601=?": "I",
        "rfc-3339=": "rfc-3339",
    },
    help="""
Usage: date [OPTION]... [+FORMAT]
Print the time in FORMAT, as for strftime; %s, %N and %3N are seconds, nanoseconds and milliseconds.

  -d, --date=TEXT        print the time that TEXT describes: @SECONDS, 2024-02-28 12:00, tomorrow, 2 days ago,
                         next friday, 3 Mar 2021 + 1 week
  -r, --reference=FILE   print the modification time of FILE
  -u, --utc              print UTC
  -I[TIMESPEC]           use ISO 8601, such as 2024-02-28; TIMESPEC is hours, minutes, seconds or ns
  -R                     use the format of e-mails (RFC 5322)
""",
)
DEFAULT = "%a %b %e %H:%M:%S %Z %Y"
ISO = {
    "": "%F",
    "date": "%F",
    "hours": "%FT%H%:z",
    "minutes": "%FT%H:%M%:z",
    "seconds": "%FT%T%:z",
    "ns": "%FT%T,%N%:z",
}
UNITS = {
    "sec": 1,
    "second": 1,
    "min": 60,
    "minute": 60,
    "hour": 3600,
    "day": 86400,
    "week": 604800,
    "fortnight": 1209600,
}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEKDAY = r"(?:\b(next|last|this)\s+)?\b(" + "|".join(DAYS) + r")[a-z]*\b"
MONTH = "(" + "|".join(MONTHS) + ")[a-z]*"
RELATIVE = re.compile(
    r"(next|last|this|an?|[-+]?\s*\d+)\s*(sec(?:ond)?|min(?:ute)?|hour|day|week|fortnight|month|year)s?\b(\s*ago)?"
)


async def date(invocation: Invocation) -> int:
    """Print the selected time."""
    arguments = [_iso_option(word) for word in invocation.argv[1:]]
    given = SYNTAX.parse(invocation, arguments)
    if isinstance(given, int):
        return given
    zone = UTC if "u" in given else zone_of(invocation)
    text = given.last("d")
    try:
        when = _selected(invocation, given, zone)
    except (ValueError, OverflowError):
        invocation.error(f"invalid date '{text}'")
        return 1
    formats = [operand[1:] for operand in given.operands if operand.startswith("+")]
    if len(formats) < len(given.operands):
        invocation.error(f"invalid date '{given.operands[0]}'")
        return 1
    invocation.print(formatted(when, _format(given, formats)))
    return 0


def _iso_option(word: str) -> str:
    """Convert `-I[VALUE]` to its long form, because getopt has no letters with optional values."""
    return f"--iso-8601={word[2:]}" if re.fullmatch(r"-I(date|hours|minutes|seconds|ns)?", word) else word


def _format(given: Arguments, formats: list[str]) -> str:
    if formats:
        return formats[0]
    if "R" in given:
        return "%a, %d %b %Y %H:%M:%S %z"
    if (precision := given.last("I")) is not None:
        return ISO.get(precision, "%F")
    if "rfc-3339" in given:
        return ISO.get(given.last("rfc-3339", ""), "%F").replace("T%", " %")
    return DEFAULT


def _selected(invocation: Invocation, given: Arguments, zone: tzinfo) -> datetime:
    if (reference := given.last("r")) is not None:
        return datetime.fromtimestamp(os.stat(invocation.path(reference)).st_mtime, zone)
    now = datetime.now(zone)
    text = given.last("d")
    return now if text is None else Description(text).resolve(now)


def formatted(when: datetime, form: str) -> str:
    """Format a time as strftime does, with GNU's fractions of seconds and paddings."""

    def replaced(match: re.Match[str]) -> str:
        flag, width, letter = match[1], match[2], match[3]
        if letter == "s":
            return str(int(when.timestamp() // 1))
        if letter == "N":
            return f"{when.microsecond * 1000:09d}"[: int(width or 9)]
        if letter == ":z":
            return f"{when:%z}"[:3] + ":" + f"{when:%z}"[3:]
        if letter in "Pkleq":
            return _gnu(when, letter, flag)
        value = when.strftime("%" + letter)
        if flag == "-":
            return value.lstrip("0 ") or "0"
        if flag == "_":
            return re.sub(r"^0+(?=.)", lambda zeros: " " * len(zeros[0]), value)
        return value.upper() if flag == "^" else value.rjust(int(width), "0") if width else value

    return re.sub(r"%([-_0^#]?)(\d*)(:?[a-zA-Z%])", replaced, form)


def _gnu(when: datetime, letter: str, flag: str) -> str:
    hour = when.hour % 12 or 12
    values = {"P": f"{when:%p}".lower(), "k": f"{when.hour:2d}", "l": f"{hour:2d}", "e": f"{when.day:2d}"}
    value = values.get(letter, str((when.month + 2) // 3))
    return value.strip() if flag == "-" else value


class Description:
    """A time described in words.

    Each step removes the words that it understands; it is an error if words remain.

    Args:
        text: The description, as for `date -d`.
    """

    def __init__(self, text: str) -> None:
        self._text = text.strip().lower()

    def resolve(self, now: datetime) -> datetime:
        """Return the described time, relative to `now`.

        Raises:
            ValueError: The text contains unknown words.
        """
        text, dated = self._text, False
        if match := self._take(r"@(-?\d+(?:\.\d+)?)"):
            when = datetime.fromtimestamp(float(match[1]), now.tzinfo)
        else:
            when = self._calendar(now)
            dated = self._text != text
            when = self._clock(when)
        when = self._relative(self._words(when))
        when = self._weekday(when, moves=not dated)
        if self._take(r"\b(?:utc|gmt|z)\b"):
            when = when.replace(tzinfo=UTC)
        if self._text.strip(" ,"):
            raise ValueError(self._text)
        return when.astimezone(now.tzinfo)

    def _take(self, pattern: str) -> re.Match[str] | None:
        match = re.search(pattern, self._text)
        if match:
            self._text = f"{self._text[: match.start()]} {self._text[match.end() :]}"
        return match

    def _calendar(self, now: datetime) -> datetime:
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        if match := self._take(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?=\D|$)t?"):
            return midnight.replace(year=int(match[1]), month=int(match[2]), day=int(match[3]))
        if match := self._take(r"(?<![\d:])(\d{4})(\d\d)(\d\d)(?!\d)"):
            return midnight.replace(year=int(match[1]), month=int(match[2]), day=int(match[3]))
        if match := self._take(r"(\d{1,2})/(\d{1,2})(?:/(\d{4}))?"):
            return midnight.replace(year=int(match[3] or now.year), month=int(match[1]), day=int(match[2]))
        if match := self._take(rf"(\d{{1,2}})[ -]{MONTH}(?:[ -](\d{{4}}))?"):
            return midnight.replace(year=int(match[3] or now.year), month=_month(match[2]), day=int(match[1]))
        if match := self._take(rf"\b{MONTH}\s+(\d{{1,2}})(?!\d|:)(?:\s*,?\s*(\d{{4}})(?!:))?"):
            return midnight.replace(year=int(match[3] or now.year), month=_month(match[1]), day=int(match[2]))
        return now

    def _clock(self, when: datetime) -> datetime:
        match = self._take(
            r"t?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(am|pm)?\s*(z\b|utc\b|gmt\b|[-+]\d\d:?\d\d\b)?"
        ) or self._take(r"\b(\d{1,2})()()()\s*(am|pm)\b()")
        if not match:
            return when
        hour = int(match[1]) % 12 + 12 * (match[5] == "pm") if match[5] else int(match[1])
        fraction = int((match[4] or "0").ljust(6, "0")[:6])
        when = when.replace(
            hour=hour, minute=int(match[2] or 0), second=int(match[3] or 0), microsecond=fraction
        )
        zone = match[6]
        if not zone:
            return when
        if zone[0] not in "-+":
            return when.replace(tzinfo=UTC)
        digits = zone[1:].replace(":", "")
        offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
        return when.replace(tzinfo=timezone(offset if zone[0] == "+" else -offset))

    def _words(self, when: datetime) -> datetime:
        self._take(r"\b(?:now|today)\b")
        if self._take(r"\byesterday\b"):
            when -= timedelta(days=1)
        if self._take(r"\btomorrow\b"):
            when += timedelta(days=1)
        if match := self._take(r"\b(midnight|noon)\b"):
            when = when.replace(hour=12 * (match[1] == "noon"), minute=0, second=0, microsecond=0)
        return when

    def _relative(self, when: datetime) -> datetime:
        while match := self._take(RELATIVE.pattern):
            amount = {"next": 1, "last": -1, "this": 0, "a": 1, "an": 1}.get(match[1])
            count = int(match[1].replace(" ", "")) if amount is None else amount
            if match[3]:
                count = -count
            if match[2] in UNITS:
                when += timedelta(seconds=UNITS[match[2]] * count)
            else:
                when = _months_later(when, count * (12 if match[2] == "year" else 1))
        return when

    def _weekday(self, when: datetime, *, moves: bool) -> datetime:
        match = self._take(WEEKDAY)
        # Together with a date, a weekday has no effect.
        if not match or not moves:
            return when
        ahead = (DAYS.index(match[2]) - when.weekday()) % 7
        if match[1] == "next" and ahead == 0:
            ahead = 7
        if match[1] == "last":
            ahead -= 7
        return (when + timedelta(days=ahead)).replace(hour=0, minute=0, second=0, microsecond=0)


def _month(name: str) -> int:
    return MONTHS.index(name[:3]) + 1


def _months_later(when: datetime, months: int) -> datetime:
    """Add months; a day that the month lacks overflows into the next, as in GNU date."""
    total = when.year * 12 + when.month - 1 + months
    return when.replace(year=total // 12, month=total % 12 + 1, day=1) + timedelta(days=when.day - 1)
