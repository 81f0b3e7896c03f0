"""`shuf`: print lines in random order."""

from __future__ import annotations

import re

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.random_source import RandomSource, SourceEnded
from gemini_userland.text import STANDARD_INPUT, encode, lines, read, write

RANGE = re.compile(r"([0-9]+)-([0-9]+)")
SYNTAX = Syntax(
    numbers={"n": Number("invalid line count: '{}'")},
    short="ei:n:o:rz",
    long={
        "echo": "e",
        "input-range=": "i",
        "head-count=": "n",
        "output=": "o",
        "repeat": "r",
        "zero-terminated": "z",
        "random-source=": "random-source",
    },
    help="""
Usage: shuf [OPTION]... [FILE]
Print the lines of FILE, or of standard input, in random order.

  -e        use the operands as lines
  -i LO-HI  use the numbers from LO to HI as lines
  -n COUNT  print at most COUNT lines
  -r        allow repeated lines
""",
)


# GNU's draws lines while it reads, where only some of a larger input are asked for.
LARGE = 8 << 20


async def shuf(invocation: Invocation) -> int:
    """Print the lines in random order."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if "e" in given and "i" in given:
        return SYNTAX.usage_error(invocation, "cannot combine -e and -i options")
    extra = given.operands[0 if "i" in given else 1 :] if "e" not in given else []
    if extra:
        return SYNTAX.usage_error(invocation, f"extra operand '{extra[0]}'")
    end = b"\0" if "z" in given else b"\n"
    name = (given.operands or ["-"])[0]
    try:
        rows = _rows(invocation, given, name, end)
        source = given.last("random-source")
        numbers = RandomSource(None if source is None else read(invocation, source))
        selected = _select(invocation, given, rows, numbers)
    except (ValueError, SourceEnded) as problem:
        invocation.error(str(problem))
        return 1
    except OSError as error:
        invocation.error(f"{given.last('random-source', name)}: {error.strerror}")
        return 1
    write(invocation, given.last("o"), b"".join(row + end for row in selected))
    return 0


def _rows(invocation: Invocation, given: Arguments, name: str, end: bytes) -> list[bytes]:
    if (limits := given.last("i")) is not None:
        match = RANGE.fullmatch(limits)
        if match is None or int(match[1]) > int(match[2]) + 1:
            raise ValueError(f"invalid input range: '{limits}'")
        return [b"%d" % number for number in range(int(match[1]), int(match[2]) + 1)]
    if "e" in given:
        return [encode(word) for word in given.operands]
    return lines(read(invocation, name), end)


def _select(
    invocation: Invocation, given: Arguments, rows: list[bytes], numbers: RandomSource
) -> list[bytes]:
    if "r" in given:
        if not rows:
            raise ValueError("no lines to repeat")
        if "n" not in given:
            raise ValueError("-r prints without an end here: use -n COUNT")
        return [rows[numbers.below(len(rows))] for _ in range(given.number("n", 0))]
    count = min(given.number("n", len(rows)), len(rows))
    if "n" in given and "e" not in given and "i" not in given and _is_drawn(invocation, given, rows):
        rows = _draw(rows, count, numbers)
    return [rows[at] for at in numbers.permutation(count, len(rows))]


def _is_drawn(invocation: Invocation, given: Arguments, rows: list[bytes]) -> bool:
    is_pipe = (given.operands or ["-"])[0] in STANDARD_INPUT and invocation.stdin_size is None
    return is_pipe or sum(map(len, rows)) + len(rows) > LARGE


def _draw(rows: list[bytes], count: int, numbers: RandomSource) -> list[bytes]:
    """Return `count` lines, each of which replaces an earlier one by chance (reservoir sampling)."""
    retained = rows[:count]
    for number, row in enumerate(rows[count:], count):
        place = numbers.below(number + 1)
        if place < count:
            retained[place] = row
    return retained
