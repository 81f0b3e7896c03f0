"""Sizes and counts with units, as operands of GNU commands (GNU coreutils manual, 2.3 "Block size")."""

from __future__ import annotations

import re

_LETTERS = "KMGTPEZY"
_COUNT = re.compile(rf"(\d+)(?:([bw])|([k{_LETTERS}])(iB|B|)|)")
_SMALL = {"b": 512, "w": 2}


class BadValue(ValueError):
    """A value of an option or operand is invalid; the command prints the message."""


def parse_count(text: str) -> int | None:
    """Return the number that `text` means, such as 12, 4b, 2K, 1kB or 3MiB, or None if it isn't one."""
    match = _COUNT.fullmatch(text)
    if match is None:
        return None
    number = int(match[1])
    if match[2]:
        return number * _SMALL[match[2]]
    if match[3]:
        return number * (1000 if match[4] == "B" else 1024) ** (_LETTERS.index(match[3].upper()) + 1)
    return number


def count(text: str, what: str, minimum: int = 0) -> int:
    """Return the number that `text` means.

    Args:
        text: A number with an optional unit.
        what: The subject of the error message, such as `invalid number of lines`.
        minimum: The smallest valid number.

    Raises:
        BadValue: The text isn't a number, or is too small.
    """
    number = parse_count(text)
    if number is None or number < minimum:
        raise BadValue(f"{what}: '{text}'")
    return number
