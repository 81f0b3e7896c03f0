"""`truncate` and `install`: files of a size, and copies with a mode."""

from __future__ import annotations

import os
import re
import shutil

from gemini.terminals.commands.invocation import Invocation
from gemini.terminals.commands.options import Arguments, Syntax

TRUNCATE = Syntax(
    short="cr:s:",
    long={"no-create": "c", "reference=": "r", "size=": "s"},
    help="""
Usage: truncate [-c] {-s SIZE | -r FILE} FILE...
Make each FILE so long: cut it off, or put null bytes behind.

  -s SIZE  bytes, or with K, M, G; after + or - that many more or less than now
  -r FILE  as long as FILE
  -c       make no new files
""",
)
INSTALL = Syntax(
    short="dDm:t:vg:o:",
    long={"directory": "d", "mode=": "m", "target-directory=": "t", "verbose": "v"},
    help="""
Usage: install [OPTION]... SOURCE... TARGET
   or: install -d DIRECTORY...
Copy files, with mode 755 unless told otherwise.

  -d       make directories, and those above them
  -D       make the directories above TARGET first
  -m MODE  permissions, in octal digits
  -t DIR   copy into DIR
""",
)
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


async def truncate(invocation: Invocation) -> int:
    """Set the length of each operand."""
    given = TRUNCATE.parse(invocation)
    if isinstance(given, int):
        return given
    size = given.last("s")
    if size is None and "r" not in given:
        return TRUNCATE.mistake(invocation, "you must specify either '--size' or '--reference'")
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


async def install(invocation: Invocation) -> int:
    """Copy the sources, or make the directories."""
    given = INSTALL.parse(invocation)
    if isinstance(given, int):
        return given
    mode = int(given.last("m", "755"), 8)
    names = list(given.operands)
    if "d" in given:
        for name in names:
            os.makedirs(invocation.path(name), exist_ok=True)
            os.chmod(invocation.path(name), mode)
        return 0
    target = given.last("t") or (names.pop() if len(names) > 1 else None)
    if target is None or not names:
        return INSTALL.mistake(invocation, "missing file operand")
    whole = invocation.path(target)
    if "D" in given:
        os.makedirs(whole if "t" in given else os.path.dirname(whole), exist_ok=True)
    for name in names:
        place = os.path.join(whole, os.path.basename(name)) if os.path.isdir(whole) else whole
        shutil.copyfile(invocation.path(name), place)
        os.chmod(place, mode)
    return 0
