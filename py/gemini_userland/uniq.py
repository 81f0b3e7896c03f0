"""`uniq`: remove or report repeated adjacent lines."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.text import lines, read

SYNTAX = Syntax(
    numbers={
        "f": Number("{}: invalid number of fields to skip"),
        "s": Number("{}: invalid number of bytes to skip"),
        "w": Number("{}: invalid number of bytes to compare"),
    },
    short="cdDuif:s:w:z",
    long={
        "count": "c",
        "repeated": "d",
        "all-repeated": "D",
        "unique": "u",
        "ignore-case": "i",
        "skip-fields=": "f",
        "skip-chars=": "s",
        "check-chars=": "w",
        "zero-terminated": "z",
    },
    help="""
Usage: uniq [OPTION]... [INPUT [OUTPUT]]
Print the lines of INPUT without repeated adjacent lines.

  -c, --count          print the number of occurrences
  -d, --repeated       print only repeated lines, once each
  -D                   print all repeated lines
  -u, --unique         print only lines that are not repeated
  -i, --ignore-case    ignore case
  -f, --skip-fields=N  don't compare the first N fields
  -s, --skip-chars=N   don't compare the first N characters
  -w, --check-chars=N  compare at most N characters
  -z, --zero-terminated  end lines with a null byte
""",
)


async def uniq(invocation: Invocation) -> int:
    """Print the selected groups of equal adjacent lines."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    source, *target = given.operands or ["-"]
    end = b"\0" if "z" in given else b"\n"
    groups = itertools.groupby(lines(read(invocation, source), end), _key(given))
    printed = b"".join(line + end for _, group in groups for line in _selected(given, list(group)))
    if target:
        with invocation.create(invocation.path(target[0])) as file:
            file.write(printed)
    else:
        invocation.stdout.write(printed)
    return 0


def _selected(given: Arguments, group: list[bytes]) -> list[bytes]:
    if (len(group) == 1 and ("d" in given or "D" in given)) or (len(group) > 1 and "u" in given):
        return []
    if "D" in given:
        return group
    return [b"%7d %s" % (len(group), group[0])] if "c" in given else group[:1]


def _key(given: Arguments) -> Callable[[bytes], str]:
    fields, skipped, width = given.number("f", 0), given.number("s", 0), given.number("w")

    def key(line: bytes) -> str:
        text = line.decode("utf-8", "surrogateescape")
        if fields:
            text = re.sub(rf"^(?:\s*\S+){{0,{fields}}}", "", text)
        text = text[skipped:] if width is None else text[skipped : skipped + width]
        return text.lower() if "i" in given else text

    return key
