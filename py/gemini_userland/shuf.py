"""`shuf`: print lines in random order."""

from __future__ import annotations

import random
import re

from gemini_userland.invocation import Invocation
from gemini_userland.options import Number, Syntax
from gemini_userland.text import all_lines, encode, write

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


async def shuf(invocation: Invocation) -> int:
    """Print the lines in random order."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    end = b"\0" if "z" in given else b"\n"
    if (limits := given.last("i")) is not None:
        match = RANGE.fullmatch(limits)
        if match is None or int(match[1]) > int(match[2]) + 1:
            invocation.error(f"invalid input range: '{limits}'")
            return 1
        rows = [b"%d" % number for number in range(int(match[1]), int(match[2]) + 1)]
    elif "e" in given:
        rows = [encode(word) for word in given.operands]
    else:
        rows, failed = all_lines(invocation, given.operands, end)
        if failed:
            return 1
    count = given.number("n", len(rows))
    selected = (
        random.choices(rows, k=count) if "r" in given and rows else random.sample(rows, min(count, len(rows)))
    )
    printed = b"".join(row + end for row in selected)
    write(invocation, given.last("o"), printed)
    return 0
