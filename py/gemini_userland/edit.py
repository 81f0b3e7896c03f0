"""`edit`, `nano` and `vi`: open files in the page's editor, and wait until the user has closed them."""

from __future__ import annotations

import os

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

NOBODY = 126
WAITS = "{} is open in the Editor: Ctrl+S saves. Close its tab, or press Ctrl+C here, to go on in this terminal.\n"
SYNTAX = Syntax(
    help="""
Usage: edit FILE...
Open each FILE in the page's editor, and wait until its tab is closed. A file that doesn't exist is created.

nano and vi are other names of this command. It needs a user who typed it; agents use file_edit, sed, or git commit -m.
""",
)


async def edit(invocation: Invocation) -> int:
    """Open the files one after another; return 126 where nobody sees the terminal."""
    words = [word for word in invocation.argv[1:] if not word.startswith("+")]
    given = SYNTAX.parse(invocation, words)
    if isinstance(given, int):
        return given
    if not given.operands:
        invocation.error("missing file operand")
        return 1
    show = invocation.machine.edit
    if show is None:
        invocation.error(
            "nobody sees this terminal, so nobody can edit; change the file with sed or file_edit, "
            "and use git commit -m MESSAGE"
        )
        return NOBODY
    for name in given.operands:
        path = os.path.realpath(invocation.path(name))
        if not os.path.exists(path):
            with open(path, "xb"):
                pass
        # Standard output may be a pipe.
        shown = os.path.basename(path)
        invocation.stderr.write(WAITS.format(shown).encode("utf-8", "surrogateescape"))
        await show(path)
    return 0
