"""`od`: print bytes as numbers."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.text import inputs

OD = Syntax(
    numbers={
        "j": Number("invalid -j argument '{}'"),
        "N": Number("invalid -N argument '{}'"),
        "w": Number("invalid -w argument '{}'", minimum=1),
    },
    short="abcdfiloxsA:j:N:t:vw:",
    long={
        "address-radix=": "A",
        "skip-bytes=": "j",
        "read-bytes=": "N",
        "format=": "t",
        "width=": "w",
        "output-duplicates": "v",
    },
    help="""
Usage: od [OPTION]... [FILE]...
Print bytes as numbers, by default as octal numbers of two bytes.

  -t TYPE   use TYPE: a, c, or d, o, u, x with a size of 1, 2, 4 or 8 bytes, f with 4 or 8
  -A RADIX  print offsets in d, o or x, or n for none
  -j BYTES  skip BYTES
  -N BYTES  print at most BYTES
  -w WIDTH  print WIDTH bytes per line
  -b -c -d -o -x -s  same as -t o1, c, u2, o2, x2, d2
""",
)
SHORT = {
    "b": "o1",
    "c": "c",
    "a": "a",
    "d": "u2",
    "o": "o2",
    "x": "x2",
    "s": "d2",
    "i": "d4",
    "l": "d8",
    "f": "f4",
}
SIZES = {"C": "1", "S": "2", "I": "4", "L": "8", "F": "4", "D": "8"}
NAMES = re.findall(
    r"\w+",
    "nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si "
    "dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp",
)
ESCAPES = {0: r"\0", 7: r"\a", 8: r"\b", 9: r"\t", 10: r"\n", 11: r"\v", 12: r"\f", 13: r"\r"}
TYPES = r"(?:[ac]|[doux][1248CSIL]?|f[48FD]?)+"
INTEGERS = {1: "b", 2: "h", 4: "i", 8: "q"}


def _data(invocation: Invocation, given: Arguments, skip: str, length: str) -> bytes | None:
    found = [data for _, data in inputs(invocation, given.operands)]
    if None in found:
        return None
    whole = b"".join(data for data in found if data is not None)
    start, count = given.number(skip, 0), given.number(length)
    return whole[start : None if count is None else start + count]


def _rows(invocation: Invocation, data: bytes, width: int, *, every: bool) -> Iterator[tuple[int, bytes]]:
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


async def od(invocation: Invocation) -> int:
    """Print each line of bytes in every type."""
    given = OD.parse(invocation)
    if isinstance(given, int):
        return given
    if any(not re.fullmatch(TYPES, value) for value in given.all("t")):
        return OD.usage_error(
            invocation, "invalid or unsupported type string: use a, c, d, f, o, u and x with a size"
        )
    data = _data(invocation, given, "j", "N")
    if data is None:
        return 1
    types = [kind for name, value in given.items for kind in _types(name, value)] or [("o", 2)]
    width, start = given.number("w", 16), given.number("j", 0)
    radix = given.last("A", "o")
    room = max(_cell(kind) / kind[1] for kind in types)
    for at, row in _rows(invocation, data, width, every="v" in given):
        for number, kind in enumerate(types):
            offset = _offset(at + start, radix)
            label = offset if number == 0 else " " * len(offset)
            invocation.print(label + _figures(row, kind, int(room * kind[1])))
    if radix != "n":
        invocation.print(_offset(len(data) + start, radix))
    return 0


def _types(name: str, value: str) -> list[tuple[str, int]]:
    text = value if name == "t" else SHORT.get(name, "")
    found = re.findall(r"([acdfoux])([1248CSILFD]?)", text)
    default = {"a": "1", "c": "1", "f": "8"}
    return [(letter, int(SIZES.get(size, size) or default.get(letter, "4"))) for letter, size in found]


def _cell(kind: tuple[str, int]) -> int:
    """Return the width of a number, with the blank before it."""
    letter, size = kind
    digits = {"o": -(-size * 8 // 3), "x": size * 2, "d": [4, 6, 11, 20][size.bit_length() - 1]}
    digits |= {"u": [3, 5, 10, 20][size.bit_length() - 1], "f": 15 if size == 4 else 24, "a": 3, "c": 3}
    return 1 + digits[letter]


def _offset(at: int, radix: str) -> str:
    return {"n": "", "d": f"{at:07d}", "x": f"{at:06x}"}.get(radix, f"{at:07o}")


def _figures(row: bytes, kind: tuple[str, int], room: int) -> str:
    letter, size = kind
    padded = row + b"\0" * (-len(row) % size)
    pieces = [padded[at : at + size] for at in range(0, len(padded), size)]
    return "".join(_figure(piece, letter, size).rjust(room) for piece in pieces)


def _same_float(form: str, text: str, piece: bytes) -> bool:
    try:
        return struct.pack(form, float(text)) == piece
    except OverflowError:
        return False


def _figure(piece: bytes, letter: str, size: int) -> str:
    byte = piece[0]
    if letter == "c":
        return ESCAPES.get(byte, chr(byte) if 32 <= byte < 127 else f"{byte:03o}")
    if letter == "a":
        return "del" if byte & 127 == 127 else NAMES[byte & 127] if byte & 127 <= 32 else chr(byte & 127)
    if letter == "f":
        form, digits = ("<f", 7) if size == 4 else ("<d", 16)
        number: float = struct.unpack(form, piece)[0]
        if math.isnan(number):
            return "-nan" if piece[-1] & 128 else "nan"
        # The fewest digits that give the same number again; a subnormal number has few.
        least = 1 if abs(number) < (2.0**-126 if size == 4 else 2.0**-1022) else digits - 1
        shown = [f"{number:.{places}g}" for places in range(least, digits + 3)]
        return next((text for text in shown if _same_float(form, text, piece)), shown[-1])
    form = INTEGERS[size] if letter == "d" else INTEGERS[size].upper()
    value: int = struct.unpack("<" + form, piece)[0]
    if letter == "o":
        return f"{value:0{-(-size * 8 // 3)}o}"
    return f"{value:0{size * 2}x}" if letter == "x" else str(value)
