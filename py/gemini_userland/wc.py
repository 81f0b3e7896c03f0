"""`wc`: count lines, words, characters and bytes."""

from __future__ import annotations

import os
import re
import stat
import unicodedata

from gemini_userland.characters import encoding, in_bytes
from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import STANDARD_INPUT, decode, inputs, listed_names

SYNTAX = Syntax(
    short="lwmcL",
    long={
        "lines": "l",
        "words": "w",
        "chars": "m",
        "bytes": "c",
        "max-line-length": "L",
        "files0-from=": "files0-from",
    },
    help="""
Usage: wc [OPTION]... [FILE]...
Print the number of lines, words and bytes of each FILE, or of standard input, and totals for several FILEs.

  -l, --lines            count lines
  -w, --words            count words
  -m, --chars            count characters
  -c, --bytes            count bytes
  -L, --max-line-length  print the width of the longest line
      --files0-from=FILE  read the names of the files from FILE, each followed by a null byte
""",
)
ORDER = "lwmcL"
WIDEST = 7
UNUSUAL = re.compile(rb"[^\t-\r -~]")
# The white space of glibc's UTF-8 locales, and the blanks at which lines aren't broken.
SPACES = re.compile("[\t-\r \u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2060\u3000\xa0]")


async def wc(invocation: Invocation) -> int:
    """Print the selected counts of each input in aligned columns."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    selected = [letter for letter in ORDER if letter in given] or list("lwc")
    names = given.operands
    if (source := given.last("files0-from")) is not None:
        if names:
            return SYNTAX.usage_error(
                invocation, f"extra operand '{names[0]}'\nfile operands cannot be combined with --files0-from"
            )
        try:
            names = listed_names(invocation, source)
        except OSError as error:
            invocation.error(f"cannot open '{source}' for reading: {error.strerror}")
            return 1
        if not names:
            return 0
    # Names that arrive by a pipe aren't known before the first row.
    streams = source is not None and _size(invocation, source) is None
    space = 1 if streams else _space(invocation, names, len(selected))
    status = 0
    rows: list[tuple[str, list[int]]] = []
    for name, data in inputs(invocation, names):
        # A directory is opened, but has nothing to read.
        status |= data is None
        if data is not None or os.path.isdir(invocation.path(name)):
            rows.append((name, [_count(data or b"", kind) for kind in selected]))
    found = [figures for _, figures in rows] or [[0] * len(selected)]
    if len(names) > 1:
        columns = zip(selected, zip(*found, strict=True), strict=True)
        rows.append(("total", [max(column) if kind == "L" else sum(column) for kind, column in columns]))
    for name, figures in rows:
        shown = " ".join(str(figure).rjust(space) for figure in figures)
        invocation.print(f"{shown} {name}" if names else shown)
    return int(status)


def _count(data: bytes, kind: str) -> int:
    match kind:
        case "l":
            return data.count(b"\n")
        case "w":
            return _words(data)
        case "c":
            return len(data)
        case "m":
            return len(data) if in_bytes() else len(data.decode("utf-8", "ignore"))
        case _:
            text = data.decode(encoding(), "ignore")
            return max(sum(map(_columns, row)) for row in _at_tabs(re.split(r"[\n\r\f]", text)))


def _words(data: bytes) -> int:
    """Return the number of words: text that is printable in the locale, between white space."""
    if UNUSUAL.search(data) is None:
        return len(data.split())
    parts = SPACES.split(decode(data) if in_bytes() else data.decode("utf-8", "ignore"))
    return sum(any(map(str.isprintable, part)) for part in parts)


def _at_tabs(rows: list[str]) -> list[str]:
    return [_expand(row) if "\t" in row else row for row in rows]


def _expand(row: str) -> str:
    found, column = "", 0
    for part in re.split(r"(\t)", row):
        shown = " " * (8 - column % 8) if part == "\t" else part
        column += sum(map(_columns, shown))
        found += shown
    return found


def _columns(character: str) -> int:
    if not character.isprintable() or unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _space(invocation: Invocation, names: list[str], columns: int) -> int:
    """Return the width of a column, which GNU wc derives from the sizes of the files."""
    if len(names) <= 1 and columns == 1:
        return 1
    sizes = [_size(invocation, name) for name in names or ["-"]]
    least = WIDEST if None in sizes else 1
    return max(least, len(str(sum(size or 0 for size in sizes))))


def _size(invocation: Invocation, name: str) -> int | None:
    """Return the size of a file; None for what isn't a regular file."""
    if name in STANDARD_INPUT:
        return invocation.stdin_size
    try:
        status = os.stat(invocation.path(name))
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else None
