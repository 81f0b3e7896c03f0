"""The width of characters on the terminal."""

from functools import lru_cache
from unicodedata import category

from gemini.computer.shell.widths import width_of

_REGIONAL_INDICATORS = range(0x1F1E6, 0x1F200)


@lru_cache(maxsize=4096)
def columns_of(character: str) -> int:
    """Return a character's columns: 0, 1 or 2, or -1 for a control character.

    The widths match xterm.js with Unicode 11, which counts by character; wcwidth prepares for terminals that count by
    grapheme cluster. So spacing marks (Mc) and the halves of a flag take one column.
    """
    if ord(character) in _REGIONAL_INDICATORS or category(character) == "Mc":
        return 1
    return width_of(character)
