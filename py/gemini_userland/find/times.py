"""The tests of `find` that compare times.

Source: the GNU findutils manual, "Time".
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import datetime

from gemini_userland.clock import zone_of
from gemini_userland.date_words import Description
from gemini_userland.find.entry import Entry
from gemini_userland.find.names import Predicate
from gemini_userland.find.query import FindError, Query

DAY = 86_400
MINUTE = 60
NANO = 1_000_000_000


def time_of(status: os.stat_result, letter: str) -> int:
    """Return a time of a file in nanoseconds: `a` of access, `c` of its status, `m` of its content."""
    return {"a": status.st_atime_ns, "c": status.st_ctime_ns}.get(letter, status.st_mtime_ns)


def _amount(option: str, text: str) -> tuple[str, float]:
    match = re.fullmatch(r"([-+]?)(\d+\.?\d*|\.\d+)", text)
    if match is None:
        raise FindError(f"invalid argument `{text}' to `{option}'")
    return match[1], float(match[2])


def age_test(query: Query, option: str, text: str) -> Predicate:
    """Return the test of `-mtime`, `-amin` and their like.

    Raises:
        FindError: The number is invalid.
    """
    sign, amount = _amount(option, text)
    letter = option[1]
    if option.endswith("min"):
        # Minute n ends n minutes ago.
        edge = query.started_ns - int(amount * MINUTE * NANO)
        return _window(letter, sign, edge, edge, edge + MINUTE * NANO)
    base = _midnight(query) if query.days_end else query.started_ns - DAY * NANO
    edge = base - int(amount * DAY * NANO)
    return _window(letter, sign, edge, edge + DAY * NANO, edge + DAY * NANO)


def _window(letter: str, sign: str, older: int, newer: int, end: int) -> Predicate:
    """Return the test of a time, whose limits are in nanoseconds: a file may be as old as the call."""

    def when(entry: Entry) -> int:
        return time_of(entry.status, letter)

    if sign == "+":
        return lambda entry: when(entry) < older
    if sign == "-":
        return lambda entry: when(entry) > newer
    return lambda entry: older < when(entry) <= end


def _midnight(query: Query) -> int:
    now = datetime.fromtimestamp(query.started, zone_of(query.invocation))
    return int(now.replace(hour=0, minute=0, second=0, microsecond=0).timestamp()) * NANO


def newer_test(query: Query, option: str, text: str) -> Predicate:
    """Return the test of `-newer`, `-anewer`, `-cnewer` and `-newerXY`.

    Raises:
        FindError: The file doesn't exist, or the time isn't one.
    """
    known = {"-newer": "mm", "-anewer": "am", "-cnewer": "cm"}
    letter, reference = known.get(option, option[-2:])
    if "B" in (letter, reference):
        raise FindError("This system does not provide a way to find the birth time of a file.")
    if reference == "t":
        limit = _time(query, text)
    else:
        read: Callable[[str], os.stat_result] = os.lstat if query.follow == "P" else os.stat
        try:
            limit = time_of(read(query.invocation.path(text)), reference)
        except OSError as error:
            raise FindError(f"‘{text}’: {error.strerror}") from error
    return lambda entry: time_of(entry.status, letter) > limit


def _time(query: Query, text: str) -> int:
    now = datetime.fromtimestamp(query.started, zone_of(query.invocation))
    try:
        description = Description(text)
        when = description.resolve(now)
        return round(when.timestamp() * 1_000_000) * 1000 + description.nanoseconds
    except (ValueError, OverflowError) as error:
        raise FindError(f"I cannot figure out how to interpret ‘{text}’ as a date or time") from error


def used_test(option: str, text: str) -> Predicate:
    """Return the test of `-used`: the days between the last change of the status and the last access."""
    sign, amount = _amount(option, text)

    def test(entry: Entry) -> bool:
        if entry.status.st_atime_ns < entry.status.st_ctime_ns:
            return False
        days = (entry.status.st_atime_ns - entry.status.st_ctime_ns) // NANO // DAY
        return days > amount if sign == "+" else days < amount if sign == "-" else days == amount

    return test
