"""A font for tests of positions in text, with the same metrics on every machine.

Each character is a square of one em, and the caller sets the line height. The only glyph is empty.
"""

from __future__ import annotations

import base64
import struct

EM = 1000
_FIRST, _LAST = 0x20, 0x7E


def style(*, line: float, size_px: int = 20) -> str:
    """Return a <style> that applies the font to the whole page.

    Args:
        line: The height of a line with `line-height: normal`, in em.
        size_px: The size of the font, which is the width of every character.
    """
    data = base64.b64encode(_font(round(line * EM))).decode()
    return (
        f"<style>@font-face {{ font-family: square; src: url(data:font/ttf;base64,{data}) }}"
        f"* {{ font: {size_px}px square }}</style>"
    )


def _font(line: int) -> bytes:
    """Return a TrueType file: https://learn.microsoft.com/typography/opentype/spec/otff"""
    ascent, descent = EM * 4 // 5, EM // 5
    gap = line - ascent - descent
    glyphs = _LAST - _FIRST + 2
    return _file(
        {
            b"OS/2": _os2(ascent, descent, gap),
            b"cmap": _cmap(),
            b"glyf": bytes(2),
            b"head": struct.pack(
                ">2HiIIHHqq4hHHhhh",
                *(1, 0, 1 << 16, 0, 0x5F0F3CF5, 0, EM, 0, 0),
                *(0, -descent, EM, ascent, 0, 8, 2, 0, 0),
            ),
            b"hhea": struct.pack(
                ">2H3hH3h3h8xhH", 1, 0, ascent, -descent, gap, EM, 0, 0, EM, 1, 0, 0, 0, glyphs
            ),
            b"hmtx": struct.pack(">Hh", EM, 0) * glyphs,
            # Every glyph is empty.
            b"loca": bytes(2 * (glyphs + 1)),
            b"maxp": struct.pack(">I14H", 0x10000, glyphs, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
            b"name": _name(),
            b"post": struct.pack(">I28x", 0x30000),
        }
    )


def _os2(ascent: int, descent: int, gap: int) -> bytes:
    regular, typographic = 0x40, 0x80
    return struct.pack(
        ">Hh3H10hh10x16x4s3H3hHH8xhh3H",
        *(4, EM, 400, 5, 0),
        *(0,) * 11,
        b"none",
        *(regular | typographic, _FIRST, _LAST),
        *(ascent, -descent, gap, ascent, descent),
        *(ascent, ascent, 0, _FIRST, 0),
    )


def _cmap() -> bytes:
    # One segment of characters, and the final segment that the format requires.
    ends, starts, deltas = (_LAST, 0xFFFF), (_FIRST, 0xFFFF), ((1 - _FIRST) & 0xFFFF, 1)
    table = struct.pack(">7H2HH2H2H2H", 4, 32, 0, 4, 4, 1, 0, *ends, 0, *starts, *deltas, 0, 0)
    return struct.pack(">2H2HI", 0, 1, 3, 1, 12) + table


def _name() -> bytes:
    text = "square".encode("utf-16-be")
    ids = (1, 2, 4, 6)
    records = b"".join(struct.pack(">6H", 3, 1, 0x409, each, len(text), 0) for each in ids)
    return struct.pack(">3H", 0, len(ids), 6 + len(records)) + records + text


def _file(tables: dict[bytes, bytes]) -> bytes:
    count = len(tables)
    power = count.bit_length() - 1
    head = struct.pack(">I4H", 0x10000, count, 16 << power, power, 16 * count - (16 << power))
    offset = len(head) + 16 * count
    directory, body = b"", b""
    for tag, data in sorted(tables.items()):
        padded = data + bytes(-len(data) % 4)
        checksum = sum(word for (word,) in struct.iter_unpack(">I", padded)) & 0xFFFFFFFF
        directory += struct.pack(">4s3I", tag, checksum, offset + len(body), len(data))
        body += padded
    return head + directory + body
