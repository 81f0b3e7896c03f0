"""`cal`: print the calendar of a month or a year."""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from itertools import zip_longest

from gemini_userland.clock import zone_of
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

WIDTH, GAP, MONTHS_IN_ROW, WEEKS = 20, "  ", 3, 6
LATEST_YEAR = 9999
SYNTAX = Syntax(
    short="13yjm:d:A:B:MCh",
    refused={"j": "it prints no Julian days: `date -d DATE +%j` does"},
    help="""
Usage: cal [OPTION]... [[MONTH] YEAR]
Print the calendar of a month, by default the current one, or of a year.

  -m MONTH   print a month
  -d YEAR-MONTH  print that month
  -y         print a year
  -3         print the previous, the current and the next month
  -A NUMBER  add NUMBER months after the last one; -B before the first
  -M         begin weeks on Monday
""",
    wrong_usage=64,
)


_GREGORIAN = (1752, 10)


class InvalidDate(Exception):
    """A month or a year is invalid; the message says which."""


async def cal(invocation: Invocation) -> int:
    """Print a month, several months, or a year."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    try:
        year, month = _ask(invocation, given)
        first = 0 if "M" in given else 6
        if month is None:
            _check(year, 1)
            _print_year(invocation, year, first)
            return 0
        before, after = (
            (1, 1) if "3" in given else (_count(given.last("B", "0")), _count(given.last("A", "0")))
        )
        months = [_shift(year, month, offset) for offset in range(-before, after + 1)]
        _check(months[0].year, months[0].month)
    except InvalidDate as error:
        invocation.error(str(error))
        return 64
    for at in range(0, len(months), MONTHS_IN_ROW):
        if at:
            invocation.print("")
        _print_row(invocation, months[at : at + MONTHS_IN_ROW], first)
    return 0


def _print_row(invocation: Invocation, months: Sequence[date], first: int) -> None:
    """Print months side by side; three months of one year have it in a line above."""
    shares = len(months) == MONTHS_IN_ROW and len({one.year for one in months}) == 1
    if shares:
        invocation.print(" " * ((MONTHS_IN_ROW * WIDTH - 4) // 2) + str(months[0].year))
    names = [calendar.month_name[one.month] + ("" if shares else f" {one.year}") for one in months]
    blocks = [_block(one.year, one.month, first, name) for one, name in zip(months, names, strict=True)]
    _print_blocks(invocation, blocks)


def _check(year: int, month: int) -> None:
    if (year, month) < _GREGORIAN:
        raise InvalidDate(
            "months before October 1752 aren't supported: the calendar was another one until then"
        )


def _ask(invocation: Invocation, given: Arguments) -> tuple[int, int | None]:
    today = datetime.now(zone_of(invocation))
    operands = given.operands
    if len(operands) > 2:
        raise InvalidDate("too many arguments")
    year = _number(operands[-1], LATEST_YEAR, "year `{}' not in range 1..9999") if operands else today.year
    if (text := given.last("d")) is not None:
        first, dash, second = text.partition("-")
        if not dash:
            raise InvalidDate(f"{text} is no YEAR-MONTH")
        return _number(first, LATEST_YEAR, "year `{}' not in range 1..9999"), _month(second)
    month = given.last("m") or (operands[0] if len(operands) == 2 else None)
    if month is not None:
        return year, _month(month)
    return year, None if "y" in given or operands else today.month


def _month(text: str) -> int:
    names = [name.lower() for name in calendar.month_name]
    found = [at for at, name in enumerate(names) if name and len(text) > 2 and name.startswith(text.lower())]
    return found[0] if found else _number(text, 12, "{} is neither a month number (1..12) nor a name")


def _number(text: str, most: int, message: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= most:
        raise InvalidDate(message.format(text))
    return int(text)


def _count(text: str) -> int:
    if not text.isdigit():
        raise InvalidDate(f"{text} is not a number of months")
    return int(text)


def _shift(year: int, month: int, offset: int) -> date:
    number = year * 12 + month - 1 + offset
    return date(max(1, number // 12), number % 12 + 1, 1)


def _block(year: int, month: int, first: int, title: str) -> list[str]:
    """Return the lines of a month, all of the same width."""
    names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    names = names[first:] + names[:first]
    weeks = calendar.Calendar(first).monthdayscalendar(year, month)
    rows = [" ".join(f"{day:2d}" if day else "  " for day in week) for week in weeks]
    left = (WIDTH - len(title)) // 2
    rows += [""] * (WEEKS - len(rows))
    return [line.ljust(WIDTH) for line in (" " * left + title, " ".join(names), *rows)]


def _print_blocks(invocation: Invocation, blocks: Sequence[Sequence[str]]) -> None:
    for line in _beside(blocks):
        invocation.print(line)


def _beside(blocks: Sequence[Sequence[str]]) -> Iterator[str]:
    for row in zip_longest(*blocks, fillvalue=""):
        yield "".join(cell + GAP for cell in row)


def _print_year(invocation: Invocation, year: int, first: int) -> None:
    width = MONTHS_IN_ROW * WIDTH
    invocation.print(" " * ((width - len(str(year))) // 2) + str(year))
    for start in range(1, 13, MONTHS_IN_ROW):
        if start > 1:
            invocation.print("")
        months = range(start, start + MONTHS_IN_ROW)
        _print_blocks(
            invocation, [_block(year, month, first, calendar.month_name[month]) for month in months]
        )
