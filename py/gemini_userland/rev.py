"""`rev`: reverse the characters of each line."""

from __future__ import annotations

import re

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import decode, encode, inputs

SYNTAX = Syntax(
    help="""
Usage: rev [FILE]...
Print the lines of each FILE, or of standard input, with their characters reversed.
""",
    answer={"h": "help", "V": "version"},
    short="hV",
)

_BYTE = re.compile("[\udc80-\udcff]")


async def rev(invocation: Invocation) -> int:
    """Print the reversed lines; return 1 if a file can't be read."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    status = 0
    for name in given.operands or ["-"]:
        # A file of that name: only no operand means standard input.
        path = "./-" if name == "-" and given.operands else name
        for _, data in inputs(invocation, [path]):
            if data is None:
                status = 1
            else:
                status |= _print(invocation, "stdin" if path == "-" else name, data)
    return status


def _print(invocation: Invocation, name: str, data: bytes) -> int:
    """Print the lines of a file up to one that isn't text in the locale; return 1 if there is one."""
    rows = [decode(line) for line in data.split(b"\n")]
    wrong = next((at for at, row in enumerate(rows) if _BYTE.search(row)), None)
    reversed_rows = [encode(row[::-1]) for row in rows[:wrong]]
    if wrong is None:
        invocation.stdout.write(b"\n".join(reversed_rows))
        return 0
    invocation.stdout.write(b"".join(row + b"\n" for row in reversed_rows))
    invocation.error(f"{name}: {wrong}: Invalid or incomplete multibyte or wide character")
    return 1
