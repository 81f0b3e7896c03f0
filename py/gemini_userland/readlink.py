"""`readlink`: print where links lead."""

from __future__ import annotations

import os

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

SYNTAX = Syntax(
    short="efmnqsvz",
    long={
        "canonicalize": "f",
        "canonicalize-existing": "e",
        "canonicalize-missing": "m",
        "no-newline": "n",
        "quiet": "q",
        "silent": "s",
        "verbose": "v",
        "zero": "z",
    },
    help="""
Usage: readlink [OPTION]... FILE...
Print where each FILE leads that is a link.

  -f      print the absolute path without links, which may lack its last part; -e needs all of it; -m needs nothing
  -n, -z  print no newline; end each line with NUL
  -v      print errors
""",
)


async def readlink(invocation: Invocation) -> int:
    """Print the targets; return 1 if an operand has none."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if not given.operands:
        return SYNTAX.usage_error(invocation, "missing operand")
    status = 0
    kind = given.last_of("f", "e", "m")
    end = "\0" if "z" in given else "" if "n" in given and len(given.operands) == 1 else "\n"
    for name in given.operands:
        try:
            invocation.print(_target(invocation.path(name), kind), end=end)
        except OSError as error:
            if "v" in given:
                invocation.error(f"{name}: {error.strerror}")
            status = 1
    return status


def _target(path: str, kind: str | None) -> str:
    # `os.path.realpath` takes the empty path for the working directory.
    if kind is None or path == "":
        return os.readlink(path)
    if kind == "f":
        os.stat(os.path.realpath(os.path.dirname(os.path.realpath(path))))
    return os.path.realpath(path, strict=kind == "e")
