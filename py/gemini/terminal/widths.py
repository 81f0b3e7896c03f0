"""The columns that a character takes on the terminal."""

from functools import lru_cache
from unicodedata import category

from wcwidth import wcwidth

_REGIONAL_INDICATORS = range(0x1F1E6, 0x1F200)


@lru_cache(maxsize=4096)
def columns_of(character: str) -> int:
    """0, 1 or 2, or -1 for a control character.

    As xterm.js counts with its Unicode 11 widths: character by character, where the wcwidth package prepares
    for terminals that count grapheme clusters. So spacing marks (Mc) and the halves of a flag have a column.
    """
    if ord(character) in _REGIONAL_INDICATORS or category(character) == "Mc":
        return 1
    return wcwidth(character)
