"""`mkdir`: create folders."""

from __future__ import annotations

import os

from gemini_userland.invocation import Invocation
from gemini_userland.modes import parse_mode
from gemini_userland.options import Syntax

SYNTAX = Syntax(
    short="m:pvZ",
    long={"mode=": "m", "parents": "p", "verbose": "v", "context=?": "context"},
    help="""
Usage: mkdir [OPTION]... FOLDER...
Create each FOLDER.

  -m MODE  set permissions, as for chmod
  -p       create the folders above it, too; a FOLDER that exists is no error
  -v       print created folders
""",
)


async def mkdir(invocation: Invocation) -> int:
    """Create the operands; return 1 if one of them can't be created."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if not given.operands:
        return SYNTAX.usage_error(invocation, "missing operand")
    mode = given.last("m")
    try:
        permissions = None if mode is None else parse_mode(mode, 0o777, directory=True)
    except ValueError as problem:
        invocation.error(str(problem))
        return 1
    return max(
        [_create(invocation, name, permissions, "p" in given, "v" in given) for name in given.operands]
    )


def _create(invocation: Invocation, name: str, mode: int | None, parents: bool, says: bool) -> int:
    missing = [name.rstrip("/") or name]
    while parents and (above := os.path.dirname(missing[0])) and not os.path.lexists(invocation.path(above)):
        missing.insert(0, above)
    above = os.path.dirname(missing[0])
    if parents and above and not os.path.isdir(invocation.path(above)):
        invocation.error(f"cannot create directory '{above}': Not a directory")
        return 1
    for one in missing:
        path = invocation.path(one)
        if parents and os.path.isdir(path):
            continue
        try:
            os.mkdir(path)
        except OSError as error:
            invocation.error(f"cannot create directory '{one}': {error.strerror}")
            return 1
        os.chmod(path, 0o777 & ~invocation.umask if mode is None or one != missing[-1] else mode)
        if says:
            invocation.print(f"mkdir: created directory '{one}'")
    return 0
