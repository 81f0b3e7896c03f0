"""The width of characters, for which most output needs no table: it loads with the first that isn't ASCII."""

from functools import lru_cache


@lru_cache(maxsize=4096)
def width_of(character: str) -> int:
    """Return a character's columns as `wcwidth` does: 0, 1 or 2, or -1 for a control character."""
    if character.isascii():
        return 1 if " " <= character <= "~" else -1 if character != "\0" else 0
    from wcwidth import wcwidth

    return wcwidth(character)
