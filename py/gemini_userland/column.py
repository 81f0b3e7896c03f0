"""`column`: print lines in columns, or align fields in a table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from gemini_userland.column_table import Table, WrongColumns
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.text import decode, lines, read

_WIDE = "columns aren't narrowed: cut them before, as with `cut -c` or awk's substr"
_TREE = "it draws no trees: `tree` draws those of folders"
SYNTAX = Syntax(
    numbers={
        "c": Number("invalid columns argument: '{}'", minimum=1),
        "l": Number("invalid columns limit argument: '{}'", minimum=1),
    },
    short="c:dE:eH:i:Jl:LN:n:O:o:p:R:r:s:T:tW:x",
    long={
        "table": "t",
        "table-name=": "n",
        "table-order=": "O",
        "table-columns=": "N",
        "table-columns-limit=": "l",
        "table-noextreme=": "E",
        "table-noheadings": "d",
        "table-header-repeat": "e",
        "table-hide=": "H",
        "table-right=": "R",
        "table-truncate=": "T",
        "table-wrap=": "W",
        "keep-empty-lines": "L",
        "json": "J",
        "tree=": "r",
        "tree-id=": "i",
        "tree-parent=": "p",
        "separator=": "s",
        "output-separator=": "o",
        "output-width=": "c",
        "fillrows": "x",
    },
    answer={"h": "help", "V": "version"},
    refused={**dict.fromkeys("ETW", _WIDE), **dict.fromkeys("rip", _TREE)},
    help="""
Usage: column [OPTION]... [FILE]...
Print the lines of all FILEs in columns, or with -t as a table. Empty lines are left out.

  -c N      the width of the output (default: 80)
  -x        fill rows before columns
  -L        keep empty lines
  -t        print a table; fields are separated by blanks
  -s CHARS  use each of CHARS as a field separator
  -o TEXT   print TEXT between columns of the table (default: two blanks)
  -N NAMES  name the columns; -d prints no names
  -O, -H, -R COLUMNS  print COLUMNS first, hide them, align them at the right
  -l N      split lines into at most N columns
  -J        print the table as JSON; -n NAME names it
  -e        accepted; there are no pages
""",
)
WIDTH = 80
TAB = 8
_BYTE = re.compile("[\udc80-\udcff]")


async def column(invocation: Invocation) -> int:
    """Print the columns or the table."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    is_table = "t" in given or "J" in given
    if not is_table and any(letter in given for letter in "NnOHRdel"):
        invocation.error("option --table required for all --table-*")
        return 1
    found: list[bytes] = []
    failed = 0
    for name in given.operands or ["-"]:
        try:
            found += lines(read(invocation, name))
        except IsADirectoryError as error:
            # Then nothing is printed.
            invocation.error(f"read failed: {error.strerror}")
            return 1
        except OSError as error:
            invocation.error(f"{name}: {error.strerror}")
            failed = 1
    texts = [text for text in map(_format, found) if text.strip() or "L" in given]
    try:
        for row in _table(given, texts) if is_table else _lines(invocation, given, texts):
            invocation.print(row)
    except WrongColumns as problem:
        invocation.error(str(problem))
        return 1
    return failed


def _format(line: bytes) -> str:
    """Return a line with the number of each byte that is no character."""
    return _BYTE.sub(lambda byte: f"\\x{ord(byte[0]) & 0xFF:02x}", decode(line))


def _lines(invocation: Invocation, given: Arguments, texts: list[str]) -> list[str]:
    width = given.number("c", int(invocation.env.get("COLUMNS") or WIDTH))
    return _columns(texts, width, across="x" in given)


def _table(given: Arguments, texts: list[str]) -> Iterator[str]:
    table = Table(given, texts, _width)
    return table.json(given.last("n", "table")) if "J" in given else table.lines()


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
