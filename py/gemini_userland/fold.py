"""`fold`: break long lines, by columns or bytes."""

from __future__ import annotations

import re

from gemini_userland.invocation import Invocation
from gemini_userland.options import Number, Syntax
from gemini_userland.text import inputs, pieces

SYNTAX = Syntax(
    numbers={"w": Number("invalid number of columns: '{}'", minimum=1)},
    short="bsw:",
    long={"bytes": "b", "spaces": "s", "width=": "w"},
    help="""
Usage: fold [OPTION]... [FILE]...
Print the lines of each FILE, or of standard input, with line breaks after at most 80 columns.

  -b, --bytes    count bytes; otherwise tabs, backspaces and carriage returns move the column
  -s, --spaces   break after the last blank
  -w, --width=N  break after N columns
""",
)
TAB, BACKSPACE, RETURN = 9, 8, 13


async def fold(invocation: Invocation) -> int:
    """Print the broken lines; return 1 if a file can't be read."""
    arguments = [f"-w{word[1:]}" if re.fullmatch(r"-\d+", word) else word for word in invocation.argv[1:]]
    given = SYNTAX.parse(invocation, arguments)
    if isinstance(given, int):
        return given
    width = given.number("w", 80)
    status = 0
    for _, data in inputs(invocation, given.operands):
        if data is None:
            status = 1
            continue
        for line in pieces(data):
            whole = line.removesuffix(b"\n")
            broken = _broken(whole, width, in_bytes="b" in given, at_blanks="s" in given)
            invocation.stdout.write(broken + line[len(whole) :])
    return status


def _broken(line: bytes, width: int, *, in_bytes: bool, at_blanks: bool) -> bytes:
    rows: list[bytes] = []
    row, column = bytearray(), 0
    at = 0
    while at < len(line):
        following = column + 1 if in_bytes else _after(column, line[at])
        if following <= width or not row:
            row.append(line[at])
            column = following
            at += 1
            continue
        blank = max(row.rfind(b" "), row.rfind(b"\t")) + 1 if at_blanks else 0
        rows.append(bytes(row[: blank or len(row)]))
        row = row[blank:] if blank else bytearray()
        column = 0
        for byte in row:
            column = column + 1 if in_bytes else _after(column, byte)
    return b"\n".join([*rows, bytes(row)])


def _after(column: int, byte: int) -> int:
    """Return the column after a byte."""
    if byte == TAB:
        return column + 8 - column % 8
    if byte == BACKSPACE:
        return max(0, column - 1)
    return 0 if byte == RETURN else column + 1
