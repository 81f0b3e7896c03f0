"""`uniq`: remove or report repeated adjacent lines."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax, synonyms
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
        "all-repeated=?": "all-repeated",
        "group=?": "group",
        "unique": "u",
        "ignore-case": "i",
        "skip-fields=": "f",
        "skip-chars=": "s",
        "check-chars=": "w",
        "zero-terminated": "z",
    },
    words={
        "all-repeated": synonyms("none", "prepend", "separate"),
        "group": synonyms("prepend", "append", "separate", "both"),
    },
    help="""
Usage: uniq [OPTION]... [INPUT [OUTPUT]]
Print the lines of INPUT without repeated adjacent lines.

  -c, --count          print the number of occurrences
  -d, --repeated       print only repeated lines, once each
  -D, --all-repeated[=METHOD]  print all repeated lines; METHOD puts an empty line before each group (prepend), between
                       groups (separate), or nowhere (none, the default)
      --group[=METHOD] print all lines, with an empty line before each group (prepend), after each (append), between
                       groups (separate, the default), or in all these places (both)
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
    if problem := _conflict(given):
        return SYNTAX.usage_error(invocation, problem)
    source, *target = given.operands or ["-"]
    end = b"\0" if "z" in given else b"\n"
    try:
        content = read(invocation, source)
    except OSError as error:
        invocation.error(f"{source}: {error.strerror}")
        return 1
    groups = [list(group) for _, group in itertools.groupby(lines(content, end), _key(given))]
    chosen = [rows for group in groups if (rows := _select(given, group))]
    printed = b"".join(line + end for line in _separate(given, chosen))
    if target:
        with invocation.create(invocation.path(target[0])) as file:
            file.write(printed)
    else:
        invocation.stdout.write(printed)
    return 0


def _conflict(given: Arguments) -> str | None:
    """Return why the arguments contradict each other, if they do."""
    if len(given.operands) > 2:
        return f"extra operand '{given.operands[2]}'"
    repeats = given.last_of("D", "all-repeated") is not None
    if "group" in given and (repeats or given.last_of("c", "d", "u")):
        return "--group is mutually exclusive with -c/-d/-D/-u"
    if repeats and "c" in given:
        return "printing all duplicated lines and repeat counts is meaningless"
    return None


def _separate(given: Arguments, groups: list[list[bytes]]) -> Iterator[bytes]:
    """Yield the lines of groups, with the empty lines that `--group` and `--all-repeated` put around them."""
    method = given.last("group", "") or "separate" if "group" in given else given.last("all-repeated", "none")
    for number, group in enumerate(groups):
        if method in ("prepend", "both") or (method == "separate" and number):
            yield b""
        yield from group
        if method == "append" or (method == "both" and number == len(groups) - 1):
            yield b""


def _select(given: Arguments, group: list[bytes]) -> list[bytes]:
    repeats = given.last_of("D", "all-repeated") is not None
    if (len(group) == 1 and ("d" in given or repeats)) or (len(group) > 1 and "u" in given):
        return []
    if repeats or "group" in given:
        return group
    return [b"%7d %s" % (len(group), group[0])] if "c" in given else group[:1]


def _key(given: Arguments) -> Callable[[bytes], bytes]:
    fields, skipped, width = given.number("f", 0), given.number("s", 0), given.number("w")

    def key(text: bytes) -> bytes:
        if fields:
            text = re.sub(rb"^(?:\s*\S+){0,%d}" % fields, b"", text)
        text = text[skipped:] if width is None else text[skipped : skipped + width]
        return text.lower() if "i" in given else text

    return key
