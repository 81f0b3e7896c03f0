"""`factor` and `numfmt`: factor integers, and convert numbers to and from units."""

from __future__ import annotations

import re
import sys

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.text import decode

FACTOR = Syntax(
    help="""
Usage: factor [NUMBER]...
Print the prime factors of each NUMBER, or of the numbers on standard input.
""",
)
NUMFMT = Syntax(
    numbers={
        "field": Number("invalid field value '{}'", minimum=1),
        "padding": Number("invalid padding value '{}'", minimum=-sys.maxsize),
    },
    short="d:",
    long={
        "to=": "to",
        "from=": "from",
        "suffix=": "suffix",
        "field=": "field",
        "delimiter=": "d",
        "padding=": "padding",
        "grouping": "grouping",
    },
    help="""
Usage: numfmt [OPTION]... [NUMBER]...
Convert numbers to or from units; read each line of standard input without operands.

  --to=UNIT, --from=UNIT  si (1000), iec (1024), iec-i (1024, with an i), auto, none
  --field=N               convert field N (default 1)
  -d CHARACTER            use CHARACTER as the field delimiter
  --suffix=TEXT           append TEXT
  --padding=N             align right in N columns; left if N is negative
""",
)
LETTERS = "KMGTPEZY"
NUMBER = re.compile(r"(-?\d+(?:\.\d+)?)([KMGTPEZY]?)(i?)")


class BadNumber(ValueError):
    """A text is not a number; the message is GNU's."""


async def factor(invocation: Invocation) -> int:
    """Print a line for each number; return 1 if an operand is not a number."""
    given = FACTOR.parse(invocation)
    if isinstance(given, int):
        return given
    exit_code = 0
    for word in given.operands or decode(invocation.stdin).split():
        if not word.isdigit():
            invocation.error(f"'{word}' is not a valid positive integer")
            exit_code = 1
        else:
            invocation.print(" ".join([f"{int(word)}:", *map(str, _primes(int(word)))]))
    return exit_code


def _primes(number: int) -> list[int]:
    found: list[int] = []
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            found.append(divisor)
            number //= divisor
        divisor += 1 if divisor == 2 else 2
    return [*found, number] if number > 1 else found


async def numfmt(invocation: Invocation) -> int:
    """Print each converted number; return 2 if a text is not a number."""
    given = NUMFMT.parse(invocation)
    if isinstance(given, int):
        return given
    rows = given.operands or decode(invocation.stdin).splitlines()
    try:
        for row in rows:
            invocation.print(_row(given, row))
    except BadNumber as problem:
        invocation.error(str(problem))
        return 2
    return 0


def _row(given: Arguments, row: str) -> str:
    delimiter = given.last("d")
    pieces = row.split(delimiter) if delimiter else re.findall(r"\s*\S+", row)
    at = given.number("field", 1) - 1
    if at >= len(pieces):
        return row
    blanks = len(pieces[at]) - len(pieces[at].lstrip())
    pieces[at] = " " * min(blanks, 1) + _converted(given, pieces[at].strip())
    return (delimiter or "").join(pieces)


def _converted(given: Arguments, text: str) -> str:
    match = NUMBER.fullmatch(text)
    if match is None:
        raise BadNumber(f"invalid number: '{text}'")
    source = given.last("from", "none")
    if match[2] and source == "none":
        raise BadNumber(f"rejecting suffix in input: '{text}' (consider using --from)")
    base = 1000 if source == "si" or (source == "auto" and not match[3]) else 1024
    value = float(match[1]) * base ** (LETTERS.index(match[2]) + 1 if match[2] else 0)
    shown = _shown(value, given.last("to", "none")) + given.last("suffix", "")
    padding = given.number("padding", 0)
    return shown.ljust(-padding) if padding < 0 else shown.rjust(padding)


def _shown(value: float, unit: str) -> str:
    base = 1000 if unit == "si" else 1024
    if unit == "none" or abs(value) < base:
        return f"{value:.10g}" if value % 1 else str(int(value))
    power = 0
    while abs(value) >= base:
        value, power = value / base, power + 1
    # GNU rounds away from zero.
    rounded = -(-abs(value) * 10 // 1) / 10 if abs(value) < 10 else -(-abs(value) // 1)
    text = f"{rounded:.1f}" if rounded < 10 else f"{rounded:.0f}"
    return ("-" if value < 0 else "") + text + LETTERS[power - 1] + ("i" if unit == "iec-i" else "")
