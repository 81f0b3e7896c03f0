"""Finds a value in bytes, in the encodings that servers usually answer in.

A character may be plain, percent-encoded once or twice, escaped as in JSON, C, HTML or quoted-printable, in any mixture
and in any case, also as UTF-16 or UTF-32. The whole value may also be in hex, reversed, or in base64 at any of its
three alignments, in both alphabets, in lines. What a server encrypts, compresses within a file, or sends in pieces
isn't found.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence

Span = tuple[int, int]
Unit = tuple[bytes, ...]
"""The ways to write one character."""

# Only so many characters are searched by an expression; all are compared where it matches. A value has as many.
HEAD = 8
# UTF-16 and UTF-32 of ASCII.
NULS = rb"\x00{0,3}"
LINE_BREAK = rb"(?:[ \t]{0,8}\r?\n[ \t]{0,8}|\\r\\n|\\n|%0d%0a|%0a)?"
BETWEEN_HEX = rb"(?:[ :,_-]|\\x|%|0x|, 0x)?"
NAMED = {'"': "quot", "&": "amp", "<": "lt", ">": "gt", "'": "apos"}
# The longest that one character may become: its NULs, and `&#x000041;`.
LONGEST_CHARACTER = 3 + 10
# Each character of base64 may be escaped, and be followed by a line break.
LONGEST_BASE64 = 10
PADDED = re.compile(LINE_BREAK + rb"(?:[A-Za-z0-9+/_=-]|%2[bBfF]|%3[dD])")


class Form:
    """One encoding of a value.

    Args:
        units: The ways to write each of its characters.
        between: The pattern of what may be between two.
        lowered: Whether the lowercased bytes are searched.
        before, after: Whether a further character of base64 has some bits of the value.
    """

    def __init__(
        self,
        units: Sequence[Unit],
        between: bytes,
        *,
        lowered: bool,
        before: bool = False,
        after: bool = False,
    ) -> None:
        self.lowered = lowered
        first, *second = units[:HEAD]
        # An expression for each way to write the first character: searching for plain bytes is many times faster.
        self._heads = [
            (each, re.compile(between.join([re.escape(each), *map(_pattern, second)]))) for each in first
        ]
        self._units = units
        self._between = re.compile(between)
        self._before, self._after = before, after

    def find(self, data: bytes) -> Iterator[Span]:
        """Yield where the form is."""
        for begins, head in self._heads:
            if begins not in data:
                continue
            for match in head.finditer(data):
                end = self._end(data, match.start())
                if end is not None:
                    yield match.start() - (self._before and match.start() > 0), end

    def _end(self, data: bytes, start: int) -> int | None:
        """Return where the value that begins at `start` ends, or None. A sign may be the start of another's escape."""
        ends = {start}
        for index, unit in enumerate(self._units):
            if index:
                ends |= {match.end() for end in ends if (match := self._between.match(data, end))}
            ends = {end + len(each) for end in ends for each in unit if data.startswith(each, end)}
            if not ends:
                return None
        end = max(ends)
        padded = PADDED.match(data, end) if self._after else None
        return padded.end() if padded else end


def _pattern(unit: Unit) -> bytes:
    return b"(?:" + b"|".join(map(re.escape, unit)) + b")"


def forms_of(value: str) -> list[Form]:
    """Return the forms of a value, which is printable ASCII of at least `HEAD` characters."""
    lower = [(each.encode(),) for each in value.lower()]
    in_hex = [(b"%02x" % each,) for each in value.encode()]
    return [
        Form([_character(each) for each in value], NULS, lowered=True),
        Form(lower[::-1], b"", lowered=True),
        Form(in_hex, BETWEEN_HEX, lowered=True),
        *(_base64(value.encode(), before) for before in range(3)),
    ]


def longest(value: str) -> int:
    """Return the largest number of bytes that any form of a value has."""
    of_base64 = (len(value) + 2) * 4 // 3 * LONGEST_BASE64 + 8
    return max(len(value) * LONGEST_CHARACTER, of_base64)


def _character(letter: str) -> Unit:
    """Return the ways to write a character, all in lowercase."""
    code, lower = ord(letter), letter.lower()
    found = [lower, f"%{code:02x}", f"%25{code:02x}", f"\\u00{code:02x}", f"\\x{code:02x}", f"\\{code:03o}"]
    found += [f"\\\\u00{code:02x}", f"={code:02x}"]
    for zeros in ("", "0", "00", "000", "0000"):
        found += [f"&#{zeros}{code};", f"&#x{zeros}{code:x};"]
    if letter in NAMED:
        found.append(f"&{NAMED[letter]};")
    if not letter.isalnum():
        # As JSON, and as JSON in JSON.
        found += [f"\\{letter}", f"\\\\\\{letter}", f"\\\\{letter}"]
    if letter == " ":
        found.append("+")
    return tuple(each.encode() for each in found)


def _base64(value: bytes, before: int) -> Form:
    """Return the form after so many other bytes, of the characters that have bits of the value alone."""
    bits = 8 * before, 8 * (before + len(value))
    first, last = -(-bits[0] // 6), bits[1] // 6
    text = base64.b64encode(bytes(before) + value).decode()[first:last]
    units = [_of_base64(each) for each in text]
    return Form(units, LINE_BREAK, lowered=False, before=bits[0] % 6 != 0, after=bits[1] % 6 != 0)


def _of_base64(letter: str) -> Unit:
    if letter == "+":
        return b"+", b"-", b"%2B", b"%2b", b"\\u002B", b"\\u002b"
    return (
        (b"/", b"_", b"%2F", b"%2f", b"\\/", b"\\u002F", b"\\u002f") if letter == "/" else (letter.encode(),)
    )
