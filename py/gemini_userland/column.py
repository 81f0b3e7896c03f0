"""`column`: print lines in columns, or align fields in a table."""

from __future__ import annotations

import re
import unicodedata

from gemini_userland.invocation import Invocation
from gemini_userland.options import Number, Syntax
from gemini_userland.text import all_lines, decode

SYNTAX = Syntax(
    numbers={"c": Number("invalid columns argument: '{}'", minimum=1)},
    short="ts:o:c:x",
    long={
        "table": "t",
        "separator=": "s",
        "output-separator=": "o",
        "output-width=": "c",
        "fillrows": "x",
    },
    help="""
Usage: column [OPTION]... [FILE]...
Print the lines of all FILEs in columns, or with -t as a table. Empty lines are left out.

  -c N      the width of the output (default: 80)
  -x        fill rows before columns
  -t        print a table; fields are separated by blanks
  -s CHARS  use each of CHARS as a field separator
  -o TEXT   print TEXT between columns of the table (default: two blanks)
""",
)
WIDTH = 80
TAB = 8


async def column(invocation: Invocation) -> int:
    """Print the columns or the table."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    found, failed = all_lines(invocation, given.operands)
    texts = [text for text in map(decode, found) if text.strip()]
    if "t" not in given:
        width = given.number("c", int(invocation.env.get("COLUMNS") or WIDTH))
        for row in _columns(texts, width, across="x" in given):
            invocation.print(row)
        return failed
    separators = given.last("s")
    rows = [
        text.split() if separators is None else re.split(f"[{re.escape(separators)}]", text) for text in texts
    ]
    count = max(map(len, rows), default=0)
    rows = [row + [""] * (count - len(row)) for row in rows]
    widths = [max(_width(row[at]) for row in rows) for at in range(count)]
    between = given.last("o", "  ")
    for row in rows:
        padded = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        invocation.print(between.join([*padded[:-1], row[-1]]))
    return failed


def _columns(texts: list[str], width: int, *, across: bool) -> list[str]:
    """Return the lines side by side, in columns that begin at tab stops."""
    longest = max(map(_width, texts), default=0)
    if longest >= width:
        return texts
    room = longest + TAB - longest % TAB
    count = max(1, width // room)
    height = -(-len(texts) // count)
    if across:
        rows = [texts[at : at + count] for at in range(0, len(texts), count)]
    else:
        rows = [texts[at::height] for at in range(height)]
    return [_row(row, room) for row in rows]


def _row(cells: list[str], room: int) -> str:
    found, position = "", 0
    for number, cell in enumerate(cells):
        while position < number * room:
            found += "\t"
            position += TAB - position % TAB
        found += cell
        position += _width(cell)
    return found


def _width(text: str) -> int:
    return sum(
        0
        if unicodedata.category(one) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(one) in "WF"
        else 1
        for one in text
    )
