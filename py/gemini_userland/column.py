"""`column -t`: align fields in a table."""

from __future__ import annotations

import re

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import all_lines, decode

SYNTAX = Syntax(
    short="ts:o:c:xn",
    long={"table": "t", "separator=": "s", "output-separator=": "o", "output-width=": "c"},
    help="""
Usage: column [-t] [-s CHARACTERS] [-o TEXT] [FILE]...
Print the lines of all FILEs, with -t as a table.

  -t        print a table; fields are separated by blanks
  -s CHARS  use each of CHARS as a field separator
  -o TEXT   print TEXT between columns (default: two blanks)
""",
)


async def column(invocation: Invocation) -> int:
    """Print the lines or the table."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    found, failed = all_lines(invocation, given.operands)
    texts = [text for text in map(decode, found) if text.strip()]
    if "t" not in given:
        for text in texts:
            invocation.print(text)
        return failed
    separators = given.last("s")
    rows = [
        text.split() if separators is None else re.split(f"[{re.escape(separators)}]", text) for text in texts
    ]
    widths = [
        max(len(row[at]) for row in rows if at < len(row)) for at in range(max(map(len, rows), default=0))
    ]
    between = given.last("o", "  ")
    for row in rows:
        padded = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        invocation.print(between.join([*padded[:-1], row[-1]]))
    return failed
