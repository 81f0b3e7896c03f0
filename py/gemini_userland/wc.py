"""`wc`: count lines, words, characters and bytes."""

from __future__ import annotations

import os
import unicodedata

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import decode, inputs

SYNTAX = Syntax(
    short="lwmcL",
    long={"lines": "l", "words": "w", "chars": "m", "bytes": "c", "max-line-length": "L"},
    help="""
Usage: wc [OPTION]... [FILE]...
Print the number of lines, words and bytes of each FILE, or of standard input, and totals for several FILEs.

  -l, --lines            count lines
  -w, --words            count words
  -m, --chars            count characters
  -c, --bytes            count bytes
  -L, --max-line-length  print the width of the longest line
""",
)
ORDER = "lwmcL"
WIDEST = 7


async def wc(invocation: Invocation) -> int:
    """Print the selected counts of each input in aligned columns."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    selected = [letter for letter in ORDER if letter in given] or list("lwc")
    names = given.operands
    counted = [(name, data) for name, data in inputs(invocation, names)]
    rows = [(name, [_count(data, kind) for kind in selected]) for name, data in counted if data is not None]
    if len(names) > 1:
        columns = list(zip(*(figures for _, figures in rows), strict=True)) or [(0,)] * len(selected)
        totals = [
            max(column) if kind == "L" else sum(column)
            for kind, column in zip(selected, columns, strict=True)
        ]
        rows.append(("total", totals))
    space = _space(invocation, names, len(selected))
    for name, figures in rows:
        shown = " ".join(str(figure).rjust(space) for figure in figures)
        invocation.print(f"{shown} {name}" if names else shown)
    return int(any(data is None for _, data in counted))


def _count(data: bytes, kind: str) -> int:
    match kind:
        case "l":
            return data.count(b"\n")
        case "w":
            return len(data.split())
        case "c":
            return len(data)
        case "m":
            return len(data.decode("utf-8", "ignore"))
        case _:
            return max(sum(map(_columns, row)) for row in decode(data).expandtabs(8).split("\n"))


def _columns(character: str) -> int:
    if not character.isprintable() or unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _space(invocation: Invocation, names: list[str], columns: int) -> int:
    """Return the width of a column, which GNU wc derives from the file sizes."""
    if len(names) <= 1 and columns == 1:
        return 1
    if not names or "-" in names:
        return WIDEST
    sizes = [_size(invocation.path(name)) for name in names]
    return max(1, len(str(sum(sizes))))


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
