"""`truncate`: set the size of files."""

from __future__ import annotations

import os
import re

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

TRUNCATE = Syntax(
    short="cr:s:",
    long={"no-create": "c", "reference=": "r", "size=": "s"},
    help="""
Usage: truncate [-c] {-s SIZE | -r FILE} FILE...
Shrink or extend each FILE to SIZE; extended files are filled with null bytes.

  -s SIZE  set the size in bytes, or with K, M or G; with + or - extend or shrink by SIZE
  -r FILE  use the size of FILE
  -c       don't create files
""",
)
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


async def truncate(invocation: Invocation) -> int:
    """Set the size of each operand."""
    given = TRUNCATE.parse(invocation)
    if isinstance(given, int):
        return given
    size = given.last("s")
    if size is None and "r" not in given:
        return TRUNCATE.usage_error(invocation, "you must specify either '--size' or '--reference'")
    match = re.fullmatch(r"([-+]?)(\d+)([KMG]?)B?", size or "0")
    if match is None:
        invocation.error(f"Invalid number: '{size}'")
        return 1
    for name in given.operands:
        path = invocation.path(name)
        if not os.path.exists(path):
            if "c" in given:
                continue
            open(path, "wb").close()
        os.truncate(path, _length(invocation, given, path, match))
    return 0


def _length(invocation: Invocation, given: Arguments, path: str, match: re.Match[str]) -> int:
    if (reference := given.last("r")) is not None:
        return os.stat(invocation.path(reference)).st_size
    amount = int(match[2]) * UNITS[match[3]]
    if not match[1]:
        return amount
    return max(0, os.stat(path).st_size + (amount if match[1] == "+" else -amount))
