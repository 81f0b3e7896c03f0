"""`rev`: reverse the characters of each line."""

from __future__ import annotations

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
                invocation.stdout.write(b"\n".join(encode(decode(line)[::-1]) for line in data.split(b"\n")))
    return status
