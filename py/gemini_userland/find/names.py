"""The tests of `find` that look at names and paths.

Patterns are POSIX's, in which `*` and `?` match a slash and a leading dot, too. Regular expressions match full paths.
Source: the GNU findutils manual, "Name" and "Regular Expressions".
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache

from gemini_userland.characters import in_bytes, in_characters
from gemini_userland.find.entry import Entry
from gemini_userland.find.query import FindError
from gemini_userland.patterns import CLASSES, compile_posix

Predicate = Callable[[Entry], bool]

BASIC = {"ed", "sed", "grep", "posix-basic", "posix-minimal-basic"}
EMACS = {"findutils-default", "emacs"}
EXTENDED = {"gnu-awk", "posix-awk", "awk", "posix-egrep", "egrep", "posix-extended"}
# In the order of GNU's message.
DIALECTS = [
    *("findutils-default", "ed", "emacs", "gnu-awk", "grep", "posix-awk", "awk", "posix-basic"),
    *("posix-egrep", "egrep", "posix-extended", "posix-minimal-basic", "sed"),
]


def glob_matcher(pattern: str, *, ignore_case: bool) -> Callable[[str], object]:
    """Return a function that returns something true for the strings that match."""
    if not ignore_case and not re.search(r"[*?\[\\]", pattern):
        return pattern.__eq__
    flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)
    return re.compile(_translate(pattern), flags).fullmatch


def _translate(pattern: str) -> str:
    pieces: list[str] = []
    at = 0
    while at < len(pattern):
        character = pattern[at]
        at += 1
        if character == "*":
            pieces.append(".*")
        elif character == "?":
            pieces.append(".")
        elif character == "\\":
            # A backslash at the end matches nothing.
            pieces.append(re.escape(pattern[at]) if at < len(pattern) else r"(?!)")
            at += 1
        elif character == "[" and (match := _SET.match(pattern, at)):
            pieces.append(_set(match))
            at = match.end()
        else:
            pieces.append(re.escape(character))
    return "".join(pieces)


_ITEM = r"(?:\[:\w+:\]|\[[.=].[.=]\]|\\.|[^\]\\])"
_SET = re.compile(rf"([!^]?)(\]{_ITEM}*|{_ITEM}+)\]", re.DOTALL)
# Classes that have letters beyond ASCII.
_LETTERS = {"alpha": str.isalpha, "alnum": str.isalnum, "lower": str.islower, "upper": str.isupper}
_MOST_LETTERS = 0x10000


def _class(name: str) -> str:
    """Return the items of a set for a class of characters, such as `lower`."""
    return CLASSES.get(name, "") if name not in _LETTERS or in_bytes() else _letters(name)


@cache
def _letters(name: str) -> str:
    is_member = _LETTERS[name]
    numbers = [number for number in range(_MOST_LETTERS) if is_member(chr(number))]
    starts = [number for number in numbers if number == 0 or not is_member(chr(number - 1))]
    ends = [number for number in numbers if not is_member(chr(number + 1))]
    return "".join(f"{chr(start)}-{chr(end)}" for start, end in zip(starts, ends, strict=True))


def _set(match: re.Match[str]) -> str:
    def item(found: re.Match[str]) -> str:
        if found[1]:
            return _class(found[1])
        if found[2]:
            return re.escape(found[2])
        text = found[0]
        return re.escape(text[-1]) if text != "-" else text

    inside = re.sub(r"\[:(\w+):\]|\[[.=](.)[.=]\]|\\.|.", item, match[2], flags=re.DOTALL)
    return f"[{'^' if match[1] else ''}{inside}]"


def name_test(pattern: str, *, ignore_case: bool) -> Predicate:
    """Return the test of `-name`."""
    matches = glob_matcher(pattern, ignore_case=ignore_case)
    return lambda entry: bool(matches(in_characters(entry.name)))


def path_test(pattern: str, *, ignore_case: bool) -> Predicate:
    """Return the test of `-path`."""
    matches = glob_matcher(pattern, ignore_case=ignore_case)
    return lambda entry: bool(matches(in_characters(entry.path)))


def link_test(pattern: str, *, ignore_case: bool) -> Predicate:
    """Return the test of `-lname`."""
    matches = glob_matcher(pattern, ignore_case=ignore_case)
    return lambda entry: entry.kind == "l" and bool(matches(in_characters(entry.target)))


def regex_test(pattern: str, dialect: str, *, ignore_case: bool) -> Predicate:
    """Return the test of `-regex`.

    Raises:
        FindError: The pattern is invalid.
    """
    source = _extend(pattern) if dialect in EMACS else pattern
    try:
        regex = compile_posix(
            source,
            extended=dialect not in BASIC,
            flags=re.IGNORECASE if ignore_case else 0,
            many_lines=True,
        )
    except re.error as error:
        raise FindError(
            f"failed to compile regular expression '{pattern}': Invalid regular expression"
        ) from error
    return lambda entry: regex.fullmatch(os.fsencode(entry.path)) is not None


def check_dialect(name: str) -> str:
    """Return the name of a syntax of regular expressions.

    Raises:
        FindError: There is no such syntax.
    """
    if name not in DIALECTS:
        known = ", ".join(f"‘{one}’" for one in DIALECTS)
        raise FindError(f"Unknown regular expression type ‘{name}’; valid types are {known}.")
    return name


_EMACS = re.compile(r"\[\^?\]?[^\]]*\]|\\([(){}|])|\\.|[(){}|]|.", re.DOTALL)


def _extend(pattern: str) -> str:
    """Write an expression of Emacs, whose groups have backslashes, as an extended one."""

    def swapped(match: re.Match[str]) -> str:
        text = match[0]
        if match[1]:
            return match[1] if match[1] in "()|" else text
        return "\\" + text if text in "(){}|" else text

    return _EMACS.sub(swapped, pattern)
