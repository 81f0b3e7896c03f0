"""`fmt`: fill paragraphs to a width."""

from __future__ import annotations

import itertools
import textwrap

from gemini_userland.invocation import Invocation
from gemini_userland.options import Number, Syntax
from gemini_userland.text import all_lines, decode

SYNTAX = Syntax(
    numbers={"w": Number("invalid width: '{}'", minimum=1)},
    short="w:su",
    long={"width=": "w", "split-only": "s", "uniform-spacing": "u"},
    help="""
Usage: fmt [-w WIDTH] [-s] [FILE]...
Fill the lines of each paragraph.

  -w, --width=WIDTH  use lines of at most WIDTH columns (default 75)
  -s, --split-only   split long lines, but don't join short ones
""",
)
# GNU fmt aims at lines that are slightly shorter than the limit.
GOAL = 0.93


async def fmt(invocation: Invocation) -> int:
    """Print the filled paragraphs, which blank lines and changes of indentation separate."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    width = given.number("w", 75)
    found, failed = all_lines(invocation, given.operands)

    def indentation(text: str) -> tuple[bool, str]:
        return bool(text.strip()), text[: len(text) - len(text.lstrip())]

    for (filled, indent), group in itertools.groupby(map(decode, found), indentation):
        rows = list(group)
        if not filled:
            invocation.print("\n".join("" for _ in rows))
            continue
        for paragraph in rows if "s" in given else [" ".join(row.strip() for row in rows)]:
            for line in _filled(paragraph.strip(), width, indent):
                invocation.print(line)
    return failed


def _filled(text: str, width: int, indent: str) -> list[str]:
    limit = max(int(width * GOAL), 1)
    whole = textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False
    )
    if len(whole) == 1:
        return whole
    return textwrap.wrap(text, limit, initial_indent=indent, subsequent_indent=indent, break_long_words=False)
