"""The icon is the one that every pixel's samples give, although most pixels are drawn at once."""

from __future__ import annotations

import zlib

import pytest

from builder import icon


def pixels(made: bytes) -> bytes:
    """Return the rows of a PNG file of the icon, each with the byte of its filter."""
    start = made.index(b"IDAT")
    return zlib.decompress(made[start + 4 : start + 4 + int.from_bytes(made[start - 4 : start], "big")])


@pytest.mark.parametrize("size", [16, 33, 48])
def test_pixels_drawn_at_once_have_their_own_colours(size: int) -> None:
    rows = pixels(icon.draw(size))

    wide = 1 + 4 * size
    for y in range(size):
        sampled = b"".join(icon.pixel(x, y, size, icon.SAMPLES) for x in range(size))
        assert rows[y * wide : (y + 1) * wide] == b"\0" + sampled, f"row {y}"
