"""`clear`: clear the terminal."""

from __future__ import annotations

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

SYNTAX = Syntax(
    short="xT:V",
    answer={"V": "version"},
    help="""
Usage: clear [-x]
Clear the terminal.

  -x  keep the lines that have scrolled out of sight
""",
)
# Source: console_codes(4).
HOME, SCREEN, SCROLLED = "\x1b[H", "\x1b[2J", "\x1b[3J"


async def clear(invocation: Invocation) -> int:
    """Print the sequences that clear a terminal."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    invocation.print(HOME + SCREEN + ("" if "x" in given else SCROLLED), end="")
    return 0
