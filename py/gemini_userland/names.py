"""`basename`, `dirname` and `unlink`."""

from __future__ import annotations

import os

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

BASENAME = Syntax(
    stops=True,
    short="as:z",
    long={"multiple": "a", "suffix=": "s", "zero": "z"},
    help="""
Usage: basename NAME [SUFFIX]
  or:  basename OPTION... NAME...
Print NAME without its directories, and without SUFFIX.

  -a, --multiple     print each NAME
  -s, --suffix=TEXT  remove TEXT from the end; implies -a
  -z, --zero         end lines with a null byte
""",
)
DIRNAME = Syntax(
    short="z",
    long={"zero": "z"},
    help="""
Usage: dirname [OPTION] NAME...
Print each NAME without its last component and the slashes before it, or . if there is nothing else.

  -z, --zero  end lines with a null byte
""",
)
UNLINK = Syntax(
    help="""
Usage: unlink FILE
Remove the name FILE, which isn't a directory.
""",
)


async def basename(invocation: Invocation) -> int:
    """Print the last component of a path, or of several."""
    given = BASENAME.parse(invocation)
    if isinstance(given, int):
        return given
    names, suffix = given.operands, given.last("s", "")
    if not names:
        return BASENAME.usage_error(invocation, "missing operand")
    if "a" not in given and "s" not in given:
        if len(names) > 2:
            return BASENAME.usage_error(invocation, f"extra operand '{names[2]}'")
        if len(names) == 2:
            suffix = names.pop()
    for name in names:
        invocation.print(_base(name, suffix), end="\0" if "z" in given else "\n")
    return 0


def _base(name: str, suffix: str) -> str:
    whole = name.rstrip("/")
    if not whole:
        return "/" if name else ""
    found = whole.rpartition("/")[2]
    return found.removesuffix(suffix) or found


async def dirname(invocation: Invocation) -> int:
    """Print the directory of each path."""
    given = DIRNAME.parse(invocation)
    if isinstance(given, int):
        return given
    if not given.operands:
        return DIRNAME.usage_error(invocation, "missing operand")
    for name in given.operands:
        head, slash, _ = name.rstrip("/").rpartition("/")
        found = head.rstrip("/") or ("/" if slash or name.startswith("/") else ".")
        invocation.print(found, end="\0" if "z" in given else "\n")
    return 0


async def unlink(invocation: Invocation) -> int:
    """Remove a name; return 1 if that isn't possible."""
    given = UNLINK.parse(invocation)
    if isinstance(given, int):
        return given
    if len(given.operands) != 1:
        missing = f"extra operand '{given.operands[1]}'" if given.operands else "missing operand"
        return UNLINK.usage_error(invocation, missing)
    name = given.operands[0]
    try:
        os.unlink(invocation.path(name))
    except OSError as error:
        invocation.error(f"cannot unlink '{name}': {error.strerror}")
        return 1
    return 0
