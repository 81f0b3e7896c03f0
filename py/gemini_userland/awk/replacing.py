"""`sub`, `gsub` and `gensub`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from gemini_userland.awk.patterns import Pattern

_AMPERSAND = re.compile(r"(\\\\|\\&|&)")
_GENERAL = re.compile(r"\\([0-9&\\])|(&)")
Piece = str | int
"""A literal part of a replacement, or the number of a group; 0 is the whole match."""


class Replacement:
    """A replacement; `literal` is its text if it has no parts of the match, else None."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces
        literal = "".join(piece for piece in pieces if isinstance(piece, str))
        self.literal = literal if all(isinstance(piece, str) for piece in pieces) else None


@lru_cache(maxsize=200)
def replacement(text: str) -> Replacement:
    r"""Return the parts of a replacement: `&` is the match, `\&` an ampersand, and `\\` a backslash (POSIX)."""
    found: list[Piece] = []
    for part in _AMPERSAND.split(text):
        if part:
            found.append(0 if part == "&" else "&" if part == r"\&" else "\\" if part == r"\\" else part)
    return Replacement(found)


@lru_cache(maxsize=200)
def general_replacement(text: str) -> Replacement:
    r"""Return the parts of a replacement of `gensub`, in which `\1` to `\9` are groups."""
    found: list[Piece] = []
    done = 0
    for match in _GENERAL.finditer(text):
        found.append(text[done : match.start()])
        done = match.end()
        escaped = match[1]
        found.append(0 if escaped is None else int(escaped) if escaped.isdigit() else escaped)
    return Replacement([piece for piece in [*found, text[done:]] if piece != ""])


def replaced(
    pattern: Pattern, replacement: Replacement, text: str, first: int, last: int | None
) -> tuple[int, str]:
    """Replace the matches from number `first` to `last`, from 1; None is without end.

    Returns:
        The number of replacements, and the new text.
    """
    made = replacement.literal
    if made is not None and pattern.is_plain and not pattern.can_be_empty and first == 1:
        if pattern.literal is not None and last is None:
            count = text.count(pattern.literal)
            return count, text.replace(pattern.literal, made) if count else text
        result, count = pattern.compiled.subn(lambda match: made, text, count=last or 0)
        return count, result
    return _one_by_one(pattern, replacement.pieces, text, first, last)


def replacer(
    pattern: Pattern, replacement: Replacement, count: int
) -> tuple[Callable[..., tuple[str, int]], str | None] | None:
    """Return a function that replaces the first `count` matches, 0 for all, and returns the text and their number.

    It is None if Python doesn't replace as awk does. With the function comes a template, which it takes before the
    text, and then the count; or None, if it only takes the text.
    """
    if not pattern.is_plain or pattern.can_be_empty:
        return None
    if pattern.literal is not None and replacement.literal is not None:
        return _literal(pattern.literal, replacement.literal, count), None
    template = "".join(
        r"\g<0>" if isinstance(piece, int) else piece.replace("\\", "\\\\") for piece in replacement.pieces
    )
    return pattern.compiled.subn, template


def _literal(old: str, new: str, count: int) -> Callable[[str], tuple[str, int]]:
    def replaced_once(text: str) -> tuple[str, int]:
        return (text.replace(old, new, 1), 1) if old in text else (text, 0)

    def replaced_everywhere(text: str) -> tuple[str, int]:
        return (text.replace(old, new), text.count(old)) if old in text else (text, 0)

    return replaced_once if count else replaced_everywhere


def _one_by_one(
    pattern: Pattern, pieces: list[Piece], text: str, first: int, last: int | None
) -> tuple[int, str]:
    result: list[str] = []
    done = at = number = count = 0
    previous = -1
    while at <= len(text) and (last is None or number < last) and (found := pattern.search(text, at)):
        start, end = found
        at = end + (end == start)
        if end == start == previous:
            # An empty match directly after another one doesn't count.
            continue
        number += 1
        previous = end
        if number >= first:
            result += [text[done:start], _make(pattern, pieces, text, start, end)]
            done, count = end, count + 1
    return count, "".join([*result, text[done:]])


def _make(pattern: Pattern, pieces: list[Piece], text: str, start: int, end: int) -> str:
    groups: re.Match[str] | None = None
    made: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            made.append(piece)
        elif piece == 0:
            made.append(text[start:end])
        else:
            groups = groups or pattern.groups(text, start, end)
            if groups is not None and piece <= pattern.compiled.groups:
                made.append(groups[piece] or "")
    return "".join(made)
