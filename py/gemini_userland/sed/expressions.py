"""Compiles the regular expressions of sed."""

from __future__ import annotations

import re

from gemini_userland.patterns import compile_posix


class BadExpression(ValueError):
    """A regular expression is invalid; the message says why."""


class Expressions:
    """The syntax of a script's expressions.

    Args:
        extended: Whether they are extended ones.

    Attributes:
        quiet: Whether the script starts with the line `#n`, which is equivalent to -n.
    """

    def __init__(self, *, extended: bool) -> None:
        self._extended = extended
        self.quiet = False

    def compile(self, source: str, flags: str) -> re.Pattern[bytes] | None:
        """Compile an expression; return None for an empty one, which stands for the last one used.

        Raises:
            BadExpression: The expression is invalid.
        """
        if not source:
            return None
        options = (re.IGNORECASE if "I" in flags else 0) | (re.MULTILINE if "M" in flags else 0)
        try:
            return compile_posix(
                _characters(source), extended=self._extended, flags=options, many_lines=True, strict=True
            )
        except re.error as problem:
            raise BadExpression(problem.msg) from problem


def unescaped(source: str, delimiter: str) -> str:
    """Remove the backslash before each delimiter in `source`."""
    if delimiter == "\\":
        return source
    return re.sub(r"\\([\s\S])", lambda match: match[1] if match[1] == delimiter != "&" else match[0], source)


LETTERS = {"n": "\n", "t": "\t", "f": "\f", "v": "\v", "a": "\a", "r": "\r"}
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|d(\d{3})|o([0-7]{1,3})|([\s\S]))")


def character(match: re.Match[str]) -> str | None:
    """Return the character that an escape stands for, or None for other escapes."""
    for group, base in ((1, 16), (2, 10), (3, 8)):
        if match[group]:
            return bytes([int(match[group], base) & 255]).decode("utf-8", "surrogateescape")
    return LETTERS.get(match[4])


def _characters(source: str) -> str:
    """Replace escapes with their characters; special characters are quoted."""

    def replaced(match: re.Match[str]) -> str:
        found = character(match)
        if found is None:
            return match[0]
        return "\\" + found if found in "*.[]^$\\/" else found

    return ESCAPE.sub(replaced, source)
