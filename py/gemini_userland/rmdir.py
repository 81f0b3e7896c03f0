"""`rmdir`: remove empty folders.

Source: POSIX.1-2017, rmdir; the GNU coreutils manual.
"""

from __future__ import annotations

import errno
import os

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

SYNTAX = Syntax(
    short="pv",
    long={"parents": "p", "verbose": "v", "ignore-fail-on-non-empty": "ignore"},
    help="""
Usage: rmdir [OPTION]... FOLDER...
Remove each FOLDER, if it is empty.

  -p, --parents                   remove the folders above it in its path, too
  -v, --verbose                   print removed folders
      --ignore-fail-on-non-empty  don't report folders that aren't empty
""",
)


async def rmdir(invocation: Invocation) -> int:
    """Remove the operands; return 1 if one of them can't be removed."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if not given.operands:
        return SYNTAX.usage_error(invocation, "missing operand")
    return max([_remove(invocation, given, name) for name in given.operands])


def _remove(invocation: Invocation, given: Arguments, name: str) -> int:
    names = [name]
    while "p" in given and (above := os.path.dirname(names[-1].rstrip("/"))) not in ("", "/"):
        names.append(above)
    for one in names:
        if "v" in given:
            invocation.print(f"rmdir: removing directory, '{one}'")
        try:
            os.rmdir(invocation.path(one))
        except OSError as error:
            if "ignore" in given and error.errno == errno.ENOTEMPTY:
                return 0
            kind = "failed to remove" if one == name else "failed to remove directory"
            invocation.error(f"{kind} '{one}': {error.strerror}")
            return 1
    return 0
