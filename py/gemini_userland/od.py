"""`od`: print bytes as numbers and characters.

Source: the GNU coreutils manual, "od".
"""

from __future__ import annotations

import math
import os
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gemini_userland.counts import BadValue, count
from gemini_userland.dumps import printable, rows
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax, synonyms
from gemini_userland.text import inputs

OD = Syntax(
    short="abcdfiloxsA:j:N:S:t:vw::",
    long={
        "address-radix=": "A",
        "skip-bytes=": "j",
        "read-bytes=": "N",
        "strings=?": "S",
        "format=": "t",
        "width=?": "w",
        "output-duplicates": "v",
        "endian=": "endian",
        "traditional": "traditional",
    },
    words={"endian": synonyms("big", "little")},
    help="""
Usage: od [OPTION]... [FILE]...
   or: od [OPTION]... [FILE] [[+]OFFSET[b]]
Print bytes as numbers, by default as octal numbers of two bytes.

  -t, --format=TYPE          use TYPE: a, c, or d, o, u, x with a size of 1, 2, 4 or 8 bytes, f with 4 or 8; z after a
                             type adds the printable characters
  -A, --address-radix=RADIX  print offsets in d, o or x, or n for none
  -j, --skip-bytes=BYTES     skip BYTES
  -N, --read-bytes=BYTES     print at most BYTES
  -S, --strings[=BYTES]      print only texts of at least BYTES (3) that a null byte ends
  -v, --output-duplicates    print lines that are equal to the one before
  -w, --width[=BYTES]        print BYTES per line (16; 32 without a value)
      --endian={big|little}  swap the bytes of a number as needed
      --traditional          read operands as FILE and OFFSET
  -a -b -c -d -f -i -l -o -s -x  same as -t a, o1, c, u2, fF, dI, dL, o2, d2, x2
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
TYPE = re.compile(r"([doux])(\d+|[CSIL])?|(f)(\d+|[FDL])?|([ac])")
INTEGERS = {1: "b", 2: "h", 4: "i", 8: "q"}


LINE = 16
LINE_OF_WIDTH = 32
SHORTEST_TEXT = 3
_OFFSET = re.compile(r"\+?(0[xX][0-9a-fA-F]+|[0-7]+)([bB]?)")
_ESCAPED = {7: b"\\a", 8: b"\\b", 12: b"\\f", 10: b"\\n", 13: b"\\r", 9: b"\\t", 11: b"\\v"}


@dataclass(frozen=True)
class Type:
    """The form of the bytes of a line: a letter of `-t`, the bytes of a number, and whether characters follow."""

    letter: str
    size: int
    shows_text: bool = False

    @property
    def width(self) -> int:
        """The columns of the longest number."""
        at = self.size.bit_length() - 1
        widths = {
            "o": -(-self.size * 8 // 3),
            "x": self.size * 2,
            "d": [4, 6, 11, 20][at],
            "u": [3, 5, 10, 20][at],
        }
        return {**widths, "f": 15 if self.size == 4 else 24, "a": 3, "c": 3}[self.letter]


async def od(invocation: Invocation) -> int:
    """Print each line of bytes in every type."""
    given = OD.parse(invocation)
    if isinstance(given, int):
        return given
    try:
        types = [kind for name, value in given.items for kind in _types(name, value)] or [Type("o", 2)]
        if (radix := given.last("A", "o")[:1]) not in ("d", "o", "x", "n"):
            raise BadValue(f"invalid output address radix '{radix}'; it must be one character from [doxn]")
        names, start = _operands(given)
        start = _number(given, "j", start)
        length = _number(given, "N", -1)
        # A wrong width is said before anything is read.
        _number(given, "w", LINE_OF_WIDTH)
        shortest = _number(given, "S", SHORTEST_TEXT)
    except BadValue as problem:
        invocation.error(str(problem))
        return 1
    found = [(name, data) for name, data in inputs(invocation, names)]
    whole = b"".join(data for _, data in found if data is not None)
    status = int(any(data is None for _, data in found))
    if start > len(whole):
        invocation.error("cannot skip past end of combined input")
        return 1
    data = whole[start : None if length < 0 else start + length]
    if "S" in given:
        _print_texts(invocation, data, start, radix, shortest)
    elif data or not status or any(os.path.isdir(invocation.path(name)) for name in names or ["-"]):
        dump = _Dump(invocation, given, types, radix)
        dump.print(data, start)
    return status


def _number(given: Arguments, letter: str, default: int) -> int:
    value = given.last(letter)
    if not value:
        return default
    if re.fullmatch(r"0[xX][0-9a-fA-F]+|0[0-7]+", value):
        return int(value, 16 if value[1] in "xX" else 8)
    try:
        return count(value, "")
    except BadValue as problem:
        raise BadValue(f"invalid -{letter} argument '{value}'") from problem


def _operands(given: Arguments) -> tuple[list[str], int]:
    """Return the names of the inputs, and the offset that follows them in the traditional form."""
    names, traditional = given.operands, "traditional" in given
    if given.last_of("A", "j", "N", "t", "v", "w", "S") is None and 1 <= len(names) <= 2:
        last = names[-1]
        match = _OFFSET.fullmatch(last)
        if match and (traditional or last.startswith("+") or (len(names) == 2 and last[0].isdigit())):
            number = int(match[1], 16 if match[1][1:2] in ("x", "X") else 8)
            return names[:-1], number * {"b": 512, "B": 1024}.get(match[2], 1)
    if traditional and len(names) > 1:
        raise BadValue(f"extra operand '{names[1]}'\ncompatibility mode supports at most one file")
    return names, 0


def _types(name: str, value: str) -> Iterator[Type]:
    """Yield the types that an option names.

    Raises:
        BadValue: A type is unknown; the message is GNU's.
    """
    text = value if name == "t" else SHORT.get(name, "")
    at = 0
    while at < len(text):
        match = TYPE.match(text, at)
        if match is None:
            raise BadValue(f"invalid character '{text[at]}' in type string '{text}'")
        letter, size = match[1] or match[3] or match[5], match[2] or match[4] or ""
        number = int(SIZES.get(size, size) or {"a": 1, "c": 1, "f": 8}.get(letter, 4))
        if number not in ((4, 8) if letter == "f" else (1, 2, 4, 8)):
            what = "floating point" if letter == "f" else "integral"
            raise BadValue(
                f"invalid type string '{text}';\nthis system doesn't provide a {number}-byte {what} type"
            )
        at = match.end()
        shows_text = text.startswith("z", at)
        at += shows_text
        yield Type(letter, number, shows_text)


class _Dump:
    def __init__(self, invocation: Invocation, given: Arguments, types: Sequence[Type], radix: str) -> None:
        self._invocation = invocation
        self._types = types
        self._radix = radix
        self._repeats = "v" in given
        self._swaps = given.last("endian") == "big"
        unit = math.lcm(*(kind.size for kind in types))
        self._width = self._wanted(given, unit)
        # The types share the columns of the widest.
        self._room = max(self._width // kind.size * (kind.width + 1) for kind in types)

    def _wanted(self, given: Arguments, unit: int) -> int:
        """Return the bytes of a line, which are whole numbers of each type."""
        if "w" not in given:
            return max(unit, LINE // unit * unit)
        width = _number(given, "w", LINE_OF_WIDTH)
        if width and width % unit == 0:
            return width
        self._invocation.error(f"warning: invalid width {width}; using {unit} instead")
        return unit

    def print(self, data: bytes, start: int) -> None:
        """Print all lines, and the offset of the end."""
        for at, row in rows(self._invocation, data, self._width, every=self._repeats):
            label = _offset(at + start, self._radix)
            for number, kind in enumerate(self._types):
                self._invocation.print((" " * len(label) if number else label) + self._figures(row, kind))
        if self._radix != "n":
            self._invocation.print(_offset(len(data) + start, self._radix))

    def _figures(self, row: bytes, kind: Type) -> str:
        fields = self._width // kind.size
        pad = self._room - fields * (kind.width + 1)
        padded = row + b"\0" * (-len(row) % kind.size)
        shown: list[str] = []
        left = pad
        for number in range(len(padded) // kind.size):
            piece = padded[number * kind.size : (number + 1) * kind.size]
            following = pad * (fields - number - 1) // fields
            text = _figure(piece[::-1] if self._swaps else piece, kind.letter, kind.size)
            shown.append(" " + text.rjust(kind.width + left - following))
            left = following
        if kind.shows_text:
            blank = (self._width - len(row)) // kind.size
            shown.append(" " * (blank * (kind.width + 1) + pad * blank // fields) + f"  >{printable(row)}<")
        return "".join(shown)


def _print_texts(invocation: Invocation, data: bytes, start: int, radix: str, shortest: int) -> None:
    for match in re.finditer(rb"([ -~]{%d,})\0" % shortest, data):
        label = _offset(start + match.start(), radix)
        text = b"".join(_ESCAPED.get(byte, bytes([byte])) for byte in match[1])
        invocation.stdout.write((label + " ").encode() * bool(label) + text + b"\n")


def _offset(at: int, radix: str) -> str:
    return {"n": "", "d": f"{at:07d}", "x": f"{at:06x}"}.get(radix, f"{at:07o}")


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
