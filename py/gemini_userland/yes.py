"""`yes`: print a line over and over, up to a mebibyte."""

from __future__ import annotations

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

LIMIT = 1024 * 1024
"""Bytes after which `yes` stops; a single longer line is still printed once."""

SYNTAX = Syntax(
    help="""
Usage: yes [STRING]...
Print a line with the STRINGs, or with y, over and over.

The shell runs the stages of a pipeline one after another, so this yes stops by itself after 1 MiB of output,
not when its reader does.
""",
)


async def yes(invocation: Invocation) -> int:
    """Print the arguments, or `y`, again and again until `LIMIT` bytes are out."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    line = (" ".join(given.operands or ["y"]) + "\n").encode("utf-8", "surrogateescape")
    invocation.stdout.write(line * max(1, LIMIT // len(line)))
    return 0
