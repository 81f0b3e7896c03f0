"""`tac`: print lines, the last first."""

from __future__ import annotations

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

SYNTAX = Syntax(
    short="bs:",
    long={"before": "b", "separator=": "s"},
    help="""
Usage: tac [OPTION]... [FILE]...
Print the lines of each FILE, or of standard input, in reverse.

  -b       a separator belongs to the text after it
  -s TEXT  lines end with TEXT instead of a newline
""",
)


async def tac(invocation: Invocation) -> int:
    """Print the files; return 1 if one can't be read."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    separator = given.last("s", "\n").encode("utf-8", "surrogateescape") or b"\0"
    status = 0
    for name in given.operands or ["-"]:
        try:
            data = invocation.stdin if name == "-" else _read(invocation.path(name))
        except OSError as error:
            invocation.error(f"failed to open '{name}' for reading: {error.strerror}")
            status = 1
            continue
        parts = data.split(separator)
        last = parts.pop()
        pieces = (
            [parts[0] if parts else last, *(separator + part for part in [*parts[1:], last] if parts)]
            if "b" in given
            else [*(part + separator for part in parts), *([last] if last else [])]
        )
        invocation.stdout.write(b"".join(reversed(pieces)))
    return status


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
