"""The letters beyond ASCII, as a regular expression for the bytes of UTF-8 (POSIX, `[:alpha:]` and its like)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import groupby

# The blocks of the Basic Multilingual Plane that aren't of one kind. Between them are ideographs and syllables.
_BLOCKS = (range(0x80, 0x3400), range(0xA000, 0xAC00), range(0xF900, 0x10000))
_IDEOGRAPHS = (
    r"\xe3[\x90-\xbf][\x80-\xbf]|[\xe4-\xe9\xeb\xec][\x80-\xbf]{2}"
    r"|\xea[\xb0-\xbf][\x80-\xbf]|\xed[\x80-\x9e][\x80-\xbf]"
)
_BEYOND = {"alpha": r"\xf0[\xa0-\xb1][\x80-\xbf]{2}", "print": r"[\xf0-\xf4][\x80-\xbf]{3}"}
_WIDE = {
    "punct": r"|\xf0\x9f[\x80-\xbf]{2}",
    **dict.fromkeys(("alpha", "alnum"), f"|{_IDEOGRAPHS}|{_BEYOND['alpha']}"),
    **dict.fromkeys(("print", "graph"), f"|{_IDEOGRAPHS}|{_BEYOND['print']}"),
}
_MEMBERS: dict[str, Callable[[str], bool]] = {
    "alpha": str.isalpha,
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "print": str.isprintable,
    "graph": lambda one: one.isprintable() and not one.isspace(),
    "punct": lambda one: one.isprintable() and not one.isalnum() and not one.isspace(),
}


@cache
def beyond_ascii(name: str) -> str:
    """Return the expression of a class's characters beyond ASCII, "" for a class that has none, such as `digit`."""
    if name not in _MEMBERS:
        return ""
    is_member = _MEMBERS[name]
    found = [chr(code).encode() for block in _BLOCKS for code in block if is_member(chr(code))]
    return rf"(?=[\xc2-\xf4])(?:{_alternatives(found)}{_WIDE.get(name, '')})"


def _alternatives(found: list[bytes]) -> str:
    """Return an expression for sorted sequences of bytes, by their first bytes."""
    if len(found[0]) == 1:
        return f"[{_ranges([one[0] for one in found])}]"
    tails: dict[str, list[int]] = {}
    for first, group in groupby(found, key=lambda one: one[0]):
        tails.setdefault(_alternatives([one[1:] for one in group]), []).append(first)
    return "|".join(f"[{_ranges(firsts)}](?:{tail})" for tail, firsts in tails.items())


def _ranges(numbers: list[int]) -> str:
    text = ""
    for _, group in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        text += rf"\x{run[0]:02x}" + (rf"-\x{run[-1]:02x}" if len(run) > 1 else "")
    return text
