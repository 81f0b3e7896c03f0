"""`sync`: check files whose content should be saved, which the page does automatically.

Source: the GNU coreutils manual, "sync".
"""

from __future__ import annotations

import os

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

SYNTAX = Syntax(
    short="df",
    long={"data": "d", "file-system": "f"},
    help="""
Usage: sync [OPTION] [FILE]...
Check that each FILE is there. The page itself saves files, after each command: there is nothing to wait for here.

  -d, --data         mean only the content of FILEs
  -f, --file-system  mean the file systems of FILEs
""",
)


async def sync(invocation: Invocation) -> int:
    """Check the operands; return 1 if one of them isn't there."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if "d" in given and "f" in given:
        invocation.error("cannot specify both --data and --file-system")
        return 1
    if "d" in given and not given.operands:
        invocation.error("--data needs at least one argument")
        return 1
    status = 0
    for name in given.operands:
        if not os.path.exists(invocation.path(name)):
            invocation.error(f"error opening '{name}': No such file or directory")
            status = 1
    return status
