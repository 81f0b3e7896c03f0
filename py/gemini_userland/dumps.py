"""Lines of bytes, as programs print them that show bytes as numbers."""

from __future__ import annotations

from collections.abc import Iterator

from gemini_userland.invocation import Invocation


def rows(invocation: Invocation, data: bytes, width: int, *, every: bool) -> Iterator[tuple[int, bytes]]:
    """Yield the lines with their offsets. Print a star for repeated lines unless `every` is True."""
    previous, starred = b"", False
    for at in range(0, len(data), width):
        row = data[at : at + width]
        repeats = not every and row == previous and len(row) == width
        if not repeats:
            yield at, row
        elif not starred:
            invocation.print("*")
        previous, starred = row, repeats


def printable(data: bytes) -> str:
    """Return bytes as text, with periods for those that aren't printed."""
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in data)
