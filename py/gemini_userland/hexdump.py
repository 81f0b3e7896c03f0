"""`hexdump`: print bytes by formats, as util-linux's does.

A format is a text of units `COUNT/BYTES "TEXT"`. The manual hexdump(1) describes them; the options `-b`, `-C` and so on
are formats, too.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.text import decode, inputs, read

SYNTAX = Syntax(
    short="bcCde:f:L::n:os:vx",
    long={
        "one-byte-octal": "b",
        "one-byte-char": "c",
        "canonical": "C",
        "two-bytes-decimal": "d",
        "two-bytes-octal": "o",
        "two-bytes-hex": "x",
        "format=": "e",
        "format-file=": "f",
        "length=": "n",
        "skip=": "s",
        "no-squeezing": "v",
        "color=?": "L",
    },
    answer={"h": "help", "V": "version"},
    help="""
Usage: hexdump [OPTION]... [FILE]...
Print bytes as hexadecimal numbers of two bytes.

  -b, -c         print each byte in octal, as a character
  -C             print each byte in hexadecimal, and as text
  -d, -o, -x     print two bytes in decimal, octal, hexadecimal
  -e FORMAT      print by FORMAT, such as '16/1 "%02x " "\\n"'; -f FILE reads formats, one a line
  -n LENGTH      stop after LENGTH bytes
  -s OFFSET      skip OFFSET bytes
  -v             print lines that repeat, too
  -L             accepted; formats with colors print none
""",
)
ADDRESS, END = '"%07.7_ax "', '"%07.7_Ax\n"'
FORMATS = {
    "b": (END, f'{ADDRESS} 16/1 "%03o " "\n"'),
    "c": (END, f'{ADDRESS} 16/1 "%3_c " "\n"'),
    "C": ('"%08.8_Ax\n"', '"%08.8_ax  " 8/1 "%02x " "  " 8/1 "%02x " ', '"  |" 16/1 "%_p" "|\n"'),
    "d": (END, f'{ADDRESS} 8/2 "  %05u " "\n"'),
    "o": (END, f'{ADDRESS} 8/2 " %06o " "\n"'),
    "x": (END, f'{ADDRESS} 8/2 "   %04x " "\n"'),
    "": (END, f'{ADDRESS} 8/2 "%04x " "\n"'),
}
_UNIT = re.compile(r'\s*(?:(\d+)?(?:/(\d+))?\s*)"((?:[^"\\]|\\.)*)"\s*', re.DOTALL)
_CONVERSION = re.compile(r"%([-#+ 0]*)(\d*)(?:\.(\d+))?(_[aA][dox]|_[cpu]|[diouxXcseEfgG])")
_ESCAPES = {"n": "\n", "t": "\t", "a": "\a", "b": "\b", "f": "\f", "r": "\r", "v": "\v", "0": "\0"}
_CHARACTERS = {0: r"\0", 7: r"\a", 8: r"\b", 9: r"\t", 10: r"\n", 11: r"\v", 12: r"\f", 13: r"\r"}
_NAMES = re.findall(
    r"\w+",
    "nul soh stx etx eot enq ack bel bs ht lf vt ff cr so si "
    "dle dcl dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us",
)
_INTEGERS = {1: "b", 2: "h", 4: "i", 8: "q"}
_SIZE = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)(?:([KMGTPEZY])(?:iB|(B))?)?")
_DEFAULTS = dict.fromkeys("diouxX", 4) | dict.fromkeys("eEfgG", 8) | dict.fromkeys(("c", "_c", "_p", "_u"), 1)

_SINGLE = ("c", "_c", "_p", "_u")


class _Wrong(Exception):
    """A format or number that isn't valid; the text says which."""


@dataclass(frozen=True)
class _Piece:
    """A conversion with the text around it, or only text if `kind` is empty."""

    before: str
    flags: str = ""
    width: str = ""
    precision: str = ""
    kind: str = ""
    after: str = ""
    size: int = 0


@dataclass(frozen=True)
class _Unit:
    """A unit of a format: its pieces, and how often they repeat. `fixed` says that the format has the number."""

    pieces: Sequence[_Piece]
    count: int
    fixed: bool

    @property
    def size(self) -> int:
        return sum(piece.size for piece in self.pieces)


Format = list[_Unit]


async def hexdump(invocation: Invocation) -> int:
    """Print the files' bytes, as one text; return 1 if one can't be read or a format is wrong."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    try:
        formats = [_parse(text) for text in _texts(invocation, given)]
        start, length = _size(given.last("s", "0")), given.last("n")
        limit = None if length is None else start + _size(length)
    except _Wrong as problem:
        invocation.error(str(problem))
        return 1
    except OSError as error:
        invocation.error(f"can't read {given.last('f')}: {error.strerror}")
        return 1
    found = [data for _, data in inputs(invocation, given.operands)]
    # A folder is opened, but has nothing to read: that is no failure.
    opened = [os.path.isdir(invocation.path(name)) for name in given.operands or ["-"]]
    failed = int(any(data is None and not is_folder for data, is_folder in zip(found, opened, strict=True)))
    if failed and not any(data is not None for data in found):
        return 1
    data = b"".join(data for data in found if data is not None)
    start = min(start, len(data))
    for piece in _Dump(_fit(formats), every="v" in given).pieces(data[start:limit], start):
        invocation.stdout.write(piece.encode("latin-1"))
    return failed


def _texts(invocation: Invocation, given: Arguments) -> list[str]:
    # Called as `hd`, it begins with the canonical format, as if `-C` came first.
    texts: list[str] = list(FORMATS["C"]) if invocation.name == "hd" else []
    for name, value in given.items:
        if name == "e":
            texts.append(value)
        elif name == "f":
            rows = decode(read(invocation, value)).splitlines()
            texts += [row for row in rows if row.strip() and not row.lstrip().startswith("#")]
        elif name and name in FORMATS:
            texts += FORMATS[name]
    return texts or list(FORMATS[""])


def _size(text: str) -> int:
    match = _SIZE.fullmatch(text)
    if match is None:
        raise _Wrong(f"failed to parse length: '{text}': Invalid argument")
    base = 1000 if match[3] else 1024
    return int(match[1], 0) * base ** ("KMGTPEZY".index(match[2]) + 1 if match[2] else 0)


def _parse(text: str) -> Format:
    """Return a format's units."""
    units: Format = []
    at = 0
    while at < len(text.rstrip()):
        match = _UNIT.match(text, at)
        if match is None:
            raise _Wrong(f"bad format {{{text[at:].lstrip()}}}")
        given = int(match[2]) if match[2] else None
        content = re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), match[3], flags=re.DOTALL)
        units.append(_Unit(_pieces(content, given), int(match[1] or 1), match[1] is not None))
        at = match.end()
    return units


def _pieces(text: str, size: int | None) -> list[_Piece]:
    pieces: list[_Piece] = []
    last = 0
    for match in _CONVERSION.finditer(text):
        flags, width, precision, kind = match.groups()
        taken = 0 if kind[:2] in ("_a", "_A") else size or _DEFAULTS.get(kind, 0)
        if kind == "s":
            taken = int(precision) if precision else size or 0
            if not taken:
                raise _Wrong("%s requires a precision or a byte count")
        elif taken and ((kind in "diouxX" and taken not in _INTEGERS) or (kind in _SINGLE and taken > 1)):
            raise _Wrong(f"bad byte count for conversion character {kind}")
        pieces.append(_Piece(text[last : match.start()], flags, width, precision or "", kind, size=taken))
        last = match.end()
    if not pieces:
        # Without a conversion, a count of bytes skips them.
        return [_Piece(text, size=size or 0)]
    if "%" in text[last:].replace("%%", ""):
        raise _Wrong(f"bad conversion character {text[text.rindex('%') :][:2]}")
    pieces[-1] = replace(pieces[-1], after=text[last:])
    return pieces


def _fit(formats: list[Format]) -> list[Format]:
    """Let the last unit of each format that is shorter than the longest one repeat until they are as long."""
    block = max(_length(one) for one in formats)
    fitted: list[Format] = []
    for units in formats:
        missing = block - _length(units)
        last = units[-1] if units else None
        if last is not None and missing > 0 and last.size and not last.fixed:
            fitted.append([*units[:-1], replace(last, count=last.count + missing // last.size)])
        else:
            fitted.append(units)
    return fitted


def _length(units: Format) -> int:
    return sum(unit.size * unit.count for unit in units)


class _Dump:
    """Prints bytes by formats."""

    def __init__(self, formats: list[Format], *, every: bool) -> None:
        self._formats = formats
        self._every = every

    def pieces(self, data: bytes, start: int) -> Iterator[str]:
        """Yield the output; `start` is the offset of the data."""
        block = max(_length(units) for units in self._formats) or len(data)
        previous, starred = b"", False
        for at in range(0, len(data), block or 1):
            row = data[at : at + block]
            if not self._every and row == previous and len(row) == block:
                if not starred:
                    yield "*\n"
                starred = True
                continue
            previous, starred = row, False
            for units in self._formats:
                yield from self._row(units, row, start + at)
        if start + len(data):
            yield self._end(start + len(data))

    def _row(self, units: Format, row: bytes, offset: int) -> Iterator[str]:
        if any(piece.kind.startswith("_A") for unit in units for piece in unit.pieces):
            return
        at = 0
        for unit in units:
            for turn in range(unit.count):
                for piece in unit.pieces:
                    last = turn == unit.count - 1 and unit.count > 1
                    after = piece.after.rstrip(" \t\n") if last else piece.after
                    part = row[at : at + piece.size]
                    missing = bool(piece.size) and not part
                    yield piece.before + self._format(piece, part, offset + at, missing=missing) + after
                    at += piece.size

    def _end(self, offset: int) -> str:
        """Return the last offset, in the last format that has one for the end."""
        every = [piece for units in self._formats for unit in units for piece in unit.pieces]
        ends = [piece for piece in every if piece.kind.startswith("_A")]
        return ends[-1].before + _number(ends[-1], offset, ends[-1].kind[-1]) + ends[-1].after if ends else ""

    def _format(self, piece: _Piece, part: bytes, offset: int, *, missing: bool) -> str:
        kind = piece.kind
        if missing or not kind:
            return " " * int(piece.width or 0) if kind else ""
        if kind.startswith("_a"):
            return _number(piece, offset, kind[-1])
        if kind in ("_c", "_p", "_u", "c"):
            return _pad(piece, _character(part[0], kind))
        if kind == "s":
            return _pad(piece, part.split(b"\0")[0].decode("latin-1"))
        part = part.ljust(piece.size, b"\0")
        if kind in "eEfgG":
            value = struct.unpack("<f" if piece.size == 4 else "<d", part)[0]
            return (
                f"%{piece.flags}{piece.width}{'.' + piece.precision if piece.precision else ''}{kind}" % value
            )
        letter = _INTEGERS[piece.size]
        return _number(
            piece, struct.unpack("<" + (letter if kind in "di" else letter.upper()), part)[0], kind
        )


def _number(piece: _Piece, value: int, kind: str) -> str:
    precision = f".{piece.precision}" if piece.precision else ""
    form = "d" if kind in "diu" else kind
    return f"%{piece.flags}{piece.width}{precision}{form}" % value


def _pad(piece: _Piece, text: str) -> str:
    width = int(piece.width or 0)
    return text.ljust(width) if "-" in piece.flags else text.rjust(width)


def _character(byte: int, kind: str) -> str:
    is_printable = 32 <= byte < 127
    if kind == "c":
        return chr(byte)
    if kind == "_p":
        return chr(byte) if is_printable else "."
    if kind == "_c":
        return _CHARACTERS.get(byte) or (chr(byte) if is_printable else f"{byte:03o}")
    if byte < 32:
        return _NAMES[byte]
    return "del" if byte == 127 else chr(byte) if is_printable else f"{byte:02x}"
