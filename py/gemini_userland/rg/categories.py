r"""The classes of Unicode that `\p{…}` names."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable
from functools import cache

NAMES = {
    "letter": "L",
    "uppercaseletter": "Lu",
    "lowercaseletter": "Ll",
    "titlecaseletter": "Lt",
    "modifierletter": "Lm",
    "otherletter": "Lo",
    "mark": "M",
    "number": "N",
    "decimalnumber": "Nd",
    "digit": "Nd",
    "punctuation": "P",
    "symbol": "S",
    "currencysymbol": "Sc",
    "mathsymbol": "Sm",
    "separator": "Z",
    "spaceseparator": "Zs",
    "other": "C",
    "control": "Cc",
}
TESTS: dict[str, Callable[[str], bool]] = {
    "alphabetic": str.isalpha,
    "uppercase": str.isupper,
    "lowercase": str.islower,
    "whitespace": str.isspace,
}
# The first word of their letters' names.
SCRIPTS = {
    name: name.upper()
    for name in ["arabic", "armenian", "bengali", "cyrillic", "devanagari", "georgian", "greek"]
} | {name: name.upper() for name in ["hangul", "hebrew", "hiragana", "katakana", "latin", "thai", "tamil"]}
SCRIPTS["han"] = "CJK UNIFIED"


@cache
def category(name: str) -> str | None:
    """Return the items of a set for a general category, property or script, or None for an unknown one.

    Args:
        name: A name such as `Lu`, `Letter`, `Alphabetic`, `Greek` or `Script=Greek`.
    """
    key = name.partition("=")[2] or name
    plain = key.replace("_", "").replace(" ", "").lower()
    short = NAMES.get(plain, key)
    if plain in TESTS:
        return _ranges(TESTS[plain])
    if plain in SCRIPTS:
        start = SCRIPTS[plain]
        return _ranges(lambda one: unicodedata.name(one, "").startswith(start) and one.isalpha())
    kinds = {unicodedata.category(chr(number)) for number in range(0x3000)} | {"Co", "Cs"}
    if short and (short in kinds or short in {kind[0] for kind in kinds}):
        return _ranges(lambda one: unicodedata.category(one).startswith(short))
    return None


def _ranges(is_member: Callable[[str], bool]) -> str:
    pieces: list[str] = []
    start = -1
    for number in range(sys.maxunicode + 2):
        inside = number <= sys.maxunicode and is_member(chr(number))
        if inside and start < 0:
            start = number
        elif not inside and start >= 0:
            pieces.append(f"\\U{start:08x}-\\U{number - 1:08x}")
            start = -1
    return "".join(pieces)
