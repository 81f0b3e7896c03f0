"""`yes`: print a line repeatedly, up to 1 MiB."""

from __future__ import annotations

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

LIMIT = 1024 * 1024
"""The maximum number of bytes of output; a longer line is printed once."""

SYNTAX = Syntax(
    help="""
Usage: yes [STRING]...
Print a line with the STRINGs, or with y, repeatedly.

Without the shell's streams, as here, it stops after 1 MiB of output.
""",
)


async def yes(invocation: Invocation) -> int:
    """Print the arguments, or `y`, repeatedly, up to `LIMIT` bytes."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    line = (" ".join(given.operands or ["y"]) + "\n").encode("utf-8", "surrogateescape")
    invocation.stdout.write(line * max(1, LIMIT // len(line)))
    return 0
