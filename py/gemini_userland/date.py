"""`date`: print the current or a described time in any format."""

from __future__ import annotations

import os
import re
import time
from datetime import UTC, datetime, timedelta, tzinfo

from gemini_userland.clock import zone_named, zone_of
from gemini_userland.date_format import formatted
from gemini_userland.date_words import Description
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.text import decode, lines, read

SYNTAX = Syntax(
    short="d:f:r:Rs:u",
    long={
        "date=": "d",
        "debug": "debug",
        "file=": "f",
        "reference=": "r",
        "resolution": "resolution",
        "set=": "s",
        "utc": "u",
        "universal": "u",
        "rfc-email": "R",
        "rfc-822": "R",
        "rfc-2822": "R",
        "iso-8601=?": "I",
        "rfc-3339=": "rfc-3339",
    },
    help="""
Usage: date [OPTION]... [+FORMAT]
Print the time in FORMAT, as for strftime; %s, %N and %3N are seconds, nanoseconds and milliseconds.

  -d, --date=TEXT        print the time that TEXT describes: @SECONDS, 2024-02-28 12:00, tomorrow, 2 days ago,
                         next friday 14:30, 3 Mar 2021 + 1 week
  -f, --file=FILE        print the time that each line of FILE describes
  -r, --reference=FILE   print the modification time of FILE
  -u, --utc              print UTC
  -I[TIMESPEC]           use ISO 8601, such as 2024-02-28; TIMESPEC is date, hours, minutes, seconds or ns
      --rfc-3339=TIMESPEC  use RFC 3339; TIMESPEC is date, seconds or ns
  -R, --rfc-email        use the format of e-mails (RFC 5322)
      --resolution       print the resolution of the clock
""",
)
DEFAULT = "%a %b %e %H:%M:%S %Z %Y"
EMAIL = "%a, %d %b %Y %H:%M:%S %z"
ISO = {
    "date": "%F",
    "hours": "%FT%H%:z",
    "minutes": "%FT%H:%M%:z",
    "seconds": "%FT%T%:z",
    "ns": "%FT%T,%N%:z",
}
RFC_3339 = {"date": "%F", "seconds": "%F %T%:z", "ns": "%F %T.%N%:z"}
Moment = tuple[datetime, int]
"""A time, and the nanoseconds that its microseconds lack."""


class BadDate(ValueError):
    """The command line is wrong; the message says why."""


async def date(invocation: Invocation) -> int:
    """Print the selected time; return 1 for one that has no meaning."""
    arguments = [_iso_option(word) for word in invocation.argv[1:]]
    given = SYNTAX.parse(invocation, arguments)
    if isinstance(given, int):
        return given
    if "resolution" in given:
        invocation.print("0.000000001")
        return 0
    try:
        form = _format(given)
        zone = UTC if "u" in given else zone_of(invocation)
        if "f" in given:
            return _each_line(invocation, given.last("f", "-"), zone, form)
        when, extra = _select(invocation, given, zone)
    except BadDate as problem:
        invocation.error(str(problem))
        return 1
    except OSError as error:
        invocation.error(f"{given.last('r') or given.last('f')}: {error.strerror}")
        return 1
    invocation.print(formatted(when, form, extra))
    return 0


def _iso_option(word: str) -> str:
    """Convert `-I[VALUE]` to its long form, because getopt has no letters with optional values."""
    return f"--iso-8601={word[2:]}" if word.startswith("-I") else word


def _format(given: Arguments) -> str:
    """Return the format that the command line asks for.

    Raises:
        BadDate: There are several, or an operand isn't one.
    """
    found: list[str] = []
    for name, value in given.items:
        if name == "I":
            found.append(_named(ISO, value or "date", "--iso-8601"))
        elif name == "rfc-3339":
            found.append(_named(RFC_3339, value, "--rfc-3339"))
        elif name == "R":
            found.append(EMAIL)
    if "s" in given or "debug" in given:
        raise BadDate(
            "the clock can't be set here"
            if "s" in given
            else "--debug isn't supported: print it with +FORMAT"
        )
    operands = given.operands
    if len(operands) > 1:
        raise BadDate(f"extra operand '{operands[1]}'")
    if operands and not operands[0].startswith("+"):
        known = "d" in given or "r" in given or "f" in given
        lacks = f"the argument '{operands[0]}' lacks a leading '+'"
        raise BadDate(
            lacks
            if known
            else f"invalid date '{operands[0]}': write the format as +FORMAT, the time as -d TEXT"
        )
    found += [operand[1:] for operand in operands]
    if len(found) > 1:
        raise BadDate("multiple output formats specified")
    return found[0] if found else DEFAULT


def _named(formats: dict[str, str], value: str, option: str) -> str:
    matches = [name for name in formats if name.startswith(value)]
    if not matches or not value:
        raise BadDate(f"invalid argument '{value}' for '{option}': use one of {', '.join(formats)}")
    if len(matches) > 1:
        raise BadDate(f"ambiguous argument '{value}' for '{option}'")
    return formats[matches[0]]


def _now(zone: tzinfo) -> Moment:
    return _moment(time.time_ns(), zone)


def _moment(nanoseconds: int, zone: tzinfo) -> Moment:
    microseconds, extra = divmod(nanoseconds, 1000)
    return (datetime.fromtimestamp(0, UTC) + timedelta(microseconds=microseconds)).astimezone(zone), extra


def _select(invocation: Invocation, given: Arguments, zone: tzinfo) -> Moment:
    if len([name for name, _ in given.items if name in ("d", "r")]) > 1 and "d" in given and "r" in given:
        raise BadDate("the options to specify dates for printing are mutually exclusive")
    if (reference := given.last("r")) is not None:
        return _moment(os.stat(invocation.path(reference)).st_mtime_ns, zone)
    text = given.last("d")
    return _now(zone) if text is None else _describe(text, zone)


def _describe(text: str, zone: tzinfo) -> Moment:
    now, extra = _now(zone)
    try:
        # A zone may come first, as in TZ="Europe/Paris" 12:00.
        if match := re.match(r'\s*TZ="([^"]*)"', text):
            named = zone_named(match[1])
            if named is None:
                raise BadDate(f"invalid date '{text}': unknown time zone '{match[1]}'")
            now, text = now.astimezone(named), text[match.end() :]
        description = Description(text)
        return description.resolve(now, extra).astimezone(zone), description.nanoseconds
    except BadDate:
        raise
    except (ValueError, OverflowError) as error:
        raise BadDate(f"invalid date '{text}'") from error


def _each_line(invocation: Invocation, name: str, zone: tzinfo, form: str) -> int:
    status = 0
    for line in lines(read(invocation, name)):
        try:
            when, extra = _describe(decode(line), zone)
        except BadDate as problem:
            invocation.error(str(problem))
            status = 1
        else:
            invocation.print(formatted(when, form, extra))
    return status
