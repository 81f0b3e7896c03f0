"""`truncate`: set the size of files.

Source: the GNU coreutils manual, "truncate".
"""

from __future__ import annotations

import os
import stat

from gemini_userland.counts import BadValue, parse_count
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

TRUNCATE = Syntax(
    short="cor:s:",
    long={"no-create": "c", "io-blocks": "o", "reference=": "r", "size=": "s"},
    help="""
Usage: truncate OPTION... FILE...
Shrink or extend each FILE to SIZE; extended files are filled with null bytes.

  -s, --size=SIZE       set the size in bytes, or with K, KB, M, ...; before the number, + and - extend or shrink by
                        SIZE, < and > shrink or extend to at most or at least SIZE, / and % round down or up to a
                        multiple
  -r, --reference=FILE  begin with the size of FILE
  -o, --io-blocks       SIZE is a number of blocks of 4 KiB
  -c, --no-create       don't create files
""",
)
BLOCK = 4096


async def truncate(invocation: Invocation) -> int:
    """Set the size of each operand."""
    given = TRUNCATE.parse(invocation)
    if isinstance(given, int):
        return given
    text, reference = given.last("s"), given.last("r")
    if text is None and reference is None:
        return TRUNCATE.usage_error(invocation, "you must specify either '--size' or '--reference'")
    if text is None and "o" in given:
        return TRUNCATE.usage_error(invocation, "'--io-blocks' was specified but '--size' was not")
    if not given.operands:
        return TRUNCATE.usage_error(invocation, "missing file operand")
    try:
        mark, amount = _size(text or "+0", BLOCK if "o" in given else 1)
        if reference is not None and text is not None and not mark:
            return TRUNCATE.usage_error(invocation, "you must specify a relative '--size' with '--reference'")
        start = None if reference is None else _size_of(invocation, reference)
    except BadValue as problem:
        invocation.error(str(problem))
        return 1
    status = 0
    for name in given.operands:
        try:
            _set(invocation, given, name, start, mark, amount)
        except OSError as error:
            invocation.error(f"cannot open '{name}' for writing: {error.strerror}")
            status = 1
    return status


def _size(text: str, unit: int) -> tuple[str, int]:
    """Return the mark before a size, and its number of bytes.

    Raises:
        BadValue: It isn't a size; the message is GNU's.
    """
    stripped = text.strip()
    mark = stripped[:1] if stripped[:1] in "+-<>/%" else ""
    amount = parse_count(stripped[len(mark) :])
    if amount is None or (amount == 0 and mark in ("/", "%") and mark):
        problem = "division by zero" if amount == 0 else f"Invalid number: '{text}'"
        raise BadValue(problem)
    return mark, amount * unit


def _size_of(invocation: Invocation, name: str) -> int:
    try:
        return os.stat(invocation.path(name)).st_size
    except OSError as error:
        raise BadValue(f"cannot stat '{name}': {error.strerror}") from error


def _set(
    invocation: Invocation, given: Arguments, name: str, start: int | None, mark: str, amount: int
) -> None:
    path = invocation.path(name)
    if not os.path.exists(path):
        if "c" in given:
            return
        invocation.create(path).close()
    about = os.stat(path)
    if stat.S_ISDIR(about.st_mode):
        raise IsADirectoryError(21, "Is a directory")
    size = about.st_size if start is None else start
    sizes = {
        "": amount,
        "+": size + amount,
        "-": max(0, size - amount),
        "<": min(size, amount),
        ">": max(size, amount),
        "/": size // (amount or 1) * amount,
        "%": -(-size // (amount or 1)) * amount,
    }
    os.truncate(path, sizes[mark])
