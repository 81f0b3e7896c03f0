"""`less` and `more`: print files, as they do where the output isn't a terminal."""

from __future__ import annotations

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import read

SYNTAX = Syntax(
    short="aABcCdeEfFgGiIJKLmMnNqQrRsSuUVwWXb:h:j:k:o:p:t:T:x:y:z:P:",
    long={
        "RAW-CONTROL-CHARS": "R",
        "LINE-NUMBERS": "N",
        "chop-long-lines": "S",
        "no-init": "X",
        "quit-if-one-screen": "F",
    },
    answer={"V": "version"},
    help="""
Usage: less [OPTION]... [FILE]...
Print each FILE, by default standard input. The whole text is printed at once: the terminal's own scrolling shows it.

The options of the pager are accepted and have no effect.
""",
)


async def less(invocation: Invocation) -> int:
    """Print the files; return 1 if one can't be read."""
    words = [word for word in invocation.argv[1:] if not word.startswith("+")]
    given = SYNTAX.parse(invocation, words)
    if isinstance(given, int):
        return given
    status = 0
    for name in given.operands or ["-"]:
        try:
            invocation.stdout.write(read(invocation, name))
        except IsADirectoryError:
            invocation.stderr.write(f"{name} is a directory\n".encode("utf-8", "surrogateescape"))
            status = 1
        except OSError as error:
            invocation.stderr.write(f"{name}: {error.strerror}\n".encode("utf-8", "surrogateescape"))
            status = 1
    return status
