"""The characters of the classes in bracket expressions, such as `[:alpha:]`, as sets of Python's `re`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

ASCII = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r" \t-\r",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
    "print": " -~",
    "graph": "!-~",
    "cntrl": r"\x00-\x1f\x7f",
    "xdigit": "0-9A-Fa-f",
}
_WIDE: dict[str, Callable[[str], bool]] = {
    "alpha": str.isalpha,
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "punct": lambda character: character.isprintable() and not character.isalnum(),
    "print": str.isprintable,
    "graph": lambda character: character.isprintable() and not character.isspace(),
}
# Letters of the other planes are rare, but their symbols and signs are not.
_ASTRAL = {
    "alpha": r"\U00020000-\U0003ffff",
    "alnum": r"\U00020000-\U0003ffff",
    "punct": r"\U0001f000-\U0001faff",
    "print": r"\U00010000-\U0003ffff",
    "graph": r"\U00010000-\U0003ffff",
}


@lru_cache
def members(name: str) -> str | None:
    """Return the inside of a set with the characters of a class, or None if there is no such class."""
    narrow = ASCII.get(name)
    belongs = _WIDE.get(name)
    if narrow is None or belongs is None:
        return narrow
    pieces: list[str] = []
    start = -1
    for code in range(0x80, 0x10000):
        if belongs(chr(code)):
            start = code if start < 0 else start
        elif start >= 0:
            pieces.append(f"\\u{start:04x}-\\u{code - 1:04x}")
            start = -1
    return narrow + "".join(pieces) + _ASTRAL.get(name, "")
