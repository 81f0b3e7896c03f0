"""`xxd`: print bytes as hexadecimal digits, or convert them back.

Its options have one dash and only their first letter counts, as in Vim's xxd.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gemini_userland.invocation import Invocation
from gemini_userland.text import read

HELP = """\
Usage: xxd [OPTION]... [FILE [TARGET]]
Print bytes as hexadecimal numbers, or convert them back (-r).

  -a           print one star for lines of null bytes
  -b, -i, -p   print binary digits, a C array, digits only
  -c COLUMNS   print COLUMNS bytes in a line (16, with -b 6, with -i 12, with -p 30)
  -C, -n NAME  with -i: name the array in capitals, name it NAME
  -d           print offsets in decimal
  -e           numbers are little-endian
  -E           texts are EBCDIC
  -g BYTES     print BYTES in a group (2, with -b 1, with -e 4)
  -l LENGTH    stop after LENGTH bytes
  -o OFFSET    add OFFSET to the offsets
  -r           convert a dump to bytes; into TARGET, only the bytes of the dump are written
  -s [+]SEEK   begin at SEEK; from the end if it is negative
  -u           use capital letters"""
VALUED = {"c": "cols", "g": "groupsize", "l": "len", "n": "name", "o": "offset", "s": "seek"}
FLAGS = "abCdeEhipruv"
MOST_COLUMNS = 256
COLUMNS = {"p": 30, "i": 12, "b": 6, "e": 16, "": 16}
GROUPS = {"b": 1, "e": 4}
# Where xxd's EBCDIC differs from code page 37.
EBCDIC = {0x5F: 0x7E, 0x9A: 0x5E, 0xA1: 0, 0xAD: 0x5B, 0xB0: 0, 0xBA: 0, 0xBB: 0, 0xBD: 0x5D}
USAGE_ERROR = 1
CANNOT_READ, CANNOT_WRITE, CANNOT_REVERT = 2, 3, 255


class _Wrong(Exception):
    """Options that aren't valid; without a text, the usage is printed."""


@dataclass
class _Options:
    """The options of a call: letters, their values, and the operands."""

    flags: set[str] = field(default_factory=set[str])
    values: dict[str, str] = field(default_factory=dict[str, str])
    operands: list[str] = field(default_factory=list[str])
    kind: str = ""

    def number(self, letter: str, default: int) -> int:
        """Return the value of an option as C's `strtol` reads it: decimal, octal or hexadecimal."""
        match = re.match(r"[+-]?(0[xX][0-9a-fA-F]+|\d+)", self.values.get(letter, ""))
        if match is None:
            return default if letter not in self.values else 0
        text = match[0]
        digits = text.lstrip("+-")
        base = (
            16
            if digits[:2].lower() == "0x"
            else 8
            if digits[0] == "0" and set(digits) <= set("01234567")
            else 10
        )
        return int(text, base)


def _parse(arguments: Sequence[str]) -> _Options:
    options = _Options()
    words = iter(arguments)
    for word in words:
        if word == "--":
            options.operands += words
        elif not word.startswith("-") or word == "-":
            options.operands.append(word)
        else:
            _add(options, word[1:].lstrip("-") if len(word) > 2 else word[1:], words)
    if len(options.operands) > 2:
        raise _Wrong
    return options


def _add(options: _Options, text: str, words: Iterator[str]) -> None:
    letter, rest = ("C", "") if text == "capitalize" else (text[:1], text[1:])
    if letter in VALUED and letter:
        # `-c8`, `-c 8` and `-cols 8` are the same.
        value = rest if rest and not VALUED[letter][1:].startswith(rest) else next(words, None)
        if value is None:
            raise _Wrong
        options.values[letter] = value
    elif letter and letter in FLAGS:
        options.flags ^= {letter} if letter == "a" else {letter} - options.flags
        if letter in "bei":
            options.kind = letter
        elif letter == "p":
            options.kind = "p"
    else:
        raise _Wrong


async def xxd(invocation: Invocation) -> int:
    """Print a dump, or convert a dump back to bytes."""
    options = _Options()
    try:
        options = _parse(invocation.argv[1:])
        if "help" in "".join(invocation.argv[1:]) or "h" in options.flags:
            invocation.print(HELP)
            return 0
        if "v" in options.flags:
            invocation.error("part of the shell of control-surface, modelled on Vim's xxd of 2022-01-14")
            return 0
        name = (options.operands or ["-"])[0]
        data = read(invocation, name)
        if "r" in options.flags:
            return _revert(invocation, options, data)
        start, data = _part(options, data)
        result = _dump(options, name, start, data)
    except _Wrong as problem:
        invocation.error(str(problem)) if str(problem) else invocation.stderr.write(f"{HELP}\n".encode())
        return USAGE_ERROR
    except OSError as error:
        invocation.error(f"{(options.operands or ['-'])[0]}: {error.strerror}")
        return CANNOT_READ
    if len(options.operands) > 1 and options.operands[1] != "-":
        try:
            with invocation.create(invocation.path(options.operands[1])) as file:
                file.write(result.encode())
        except OSError as error:
            invocation.error(f"{options.operands[1]}: {error.strerror}")
            return CANNOT_WRITE
    else:
        invocation.stdout.write(result.encode())
    return 0


def _part(options: _Options, data: bytes) -> tuple[int, bytes]:
    """Return where the dump begins, and the bytes."""
    start = options.number("s", 0)
    if start < 0:
        start = max(len(data) + start, 0)
    length = options.number("l", -1)
    return start, data[start : None if length < 0 else start + length]


def _dump(options: _Options, name: str, start: int, data: bytes) -> str:
    columns = options.number("c", 0) or (
        len(data) or 1 if options.kind == "p" and "c" in options.values else 0
    )
    columns = columns or COLUMNS[options.kind]
    if columns < 1 or (options.kind in ("", "b", "e") and columns > MOST_COLUMNS):
        raise _Wrong(f"invalid number of columns (max. {MOST_COLUMNS}).")
    upper = "u" in options.flags
    if options.kind == "i":
        return _array(options, name, data, columns)
    if options.kind == "p":
        rows = [data[at : at + columns].hex() for at in range(0, len(data), columns)]
        return "".join(f"{row.upper() if upper else row}\n" for row in rows)
    group = options.number("g", GROUPS.get(options.kind, 2)) or columns
    if options.kind == "e" and group & (group - 1):
        raise _Wrong("number of octets per group must be a power of 2 with -e.")
    layout = _Layout(
        options.kind, columns, min(group, columns) if options.kind != "e" else group, upper, options
    )
    return "".join(f"{line}\n" for line in layout.lines(data, start + options.number("o", 0)))


def _array(options: _Options, name: str, data: bytes, columns: int) -> str:
    form = "0X%02X" if "u" in options.flags else "0x%02x"
    rows = [", ".join(form % byte for byte in data[at : at + columns]) for at in range(0, len(data), columns)]
    body = "  " + ",\n  ".join(rows) + "\n" if rows else ""
    if "n" in options.values:
        name = options.values["n"]
    elif name == "-":
        return body
    name = ("__" if name[:1].isdigit() else "") + re.sub(r"[^A-Za-z0-9]", "_", name)
    length = f"{name}_len"
    if "C" in options.flags:
        name, length = name.upper(), length.upper()
    return f"unsigned char {name}[] = {{\n{body}}};\nunsigned int {length} = {len(data)};\n"


@dataclass(frozen=True)
class _Layout:
    """The look of a dump's lines."""

    kind: str
    columns: int
    group: int
    upper: bool
    options: _Options

    def lines(self, data: bytes, start: int) -> Iterator[str]:
        """Yield the lines of a dump; with -a, a star stands for repeated lines of null bytes."""
        rows = [(at, data[at : at + self.columns]) for at in range(0, len(data), self.columns)]
        if "a" not in self.options.flags:
            yield from (self._line(start + at, row) for at, row in rows)
            return
        zeros: list[str] = []
        for at, row in rows:
            line = self._line(start + at, row)
            if not any(row) and len(row) == self.columns:
                zeros.append(line)
                continue
            yield from zeros if len(zeros) < 3 else [zeros[0], "*"]
            yield line
            zeros = []
        yield from zeros if len(zeros) < 4 else [zeros[0], "*", zeros[-1]]

    def _line(self, at: int, row: bytes) -> str:
        width = 8 if self.kind == "b" else 2
        cells = [f"{byte:08b}" if self.kind == "b" else f"{byte:02x}" for byte in row]
        groups = [cells[start : start + self.group] for start in range(0, len(cells), self.group)]
        if self.kind == "e":
            # A number's missing bytes are blanks in front of it.
            groups = [[" " * width] * (self.group - len(one)) + one[::-1] for one in groups]
        digits = " ".join("".join(one) for one in groups)
        if self.upper:
            digits = digits.upper()
        room = (width * self.group + 1) * self.columns
        space = (room - 1) // self.group + (self.kind == "e" and len(digits) > (room - 1) // self.group)
        offset = f"{at:08d}" if "d" in self.options.flags else f"{at:08x}"
        return f"{offset}: {digits.ljust(space + 1)} {self._text(row)}"

    def _text(self, row: bytes) -> str:
        if "E" in self.options.flags:
            row = bytes(_ascii(byte) for byte in row)
        return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)


def _ascii(byte: int) -> int:
    """Return the character of an EBCDIC byte; 0 if ASCII has none."""
    if byte < 64 or byte in EBCDIC:
        return EBCDIC.get(byte, 0)
    return bytes([byte]).decode("cp037").encode("latin-1")[0]


def _revert(invocation: Invocation, options: _Options, data: bytes) -> int:
    if options.kind not in ("", "p"):
        invocation.error("Sorry, cannot revert this type of hexdump")
        return CANNOT_REVERT
    target = options.operands[1] if len(options.operands) > 1 else "-"
    path = invocation.path(target)
    before = Path(path).read_bytes() if target != "-" and os.path.exists(path) else b""
    text = data.decode("latin-1")
    shift = options.number("s", 0)
    if options.kind == "p":
        found = _digits(text)
        result = before[:shift].ljust(shift, b"\0") + found + before[shift + len(found) :]
    else:
        result = _place(text, options.number("c", 0) or COLUMNS[""], shift, before)
    if target == "-":
        invocation.stdout.write(result)
    else:
        with invocation.create(path) as file:
            file.write(result)
    return 0


def _digits(text: str) -> bytes:
    """Return the bytes of plain digits. Three characters that are none end a line."""
    found = bytearray()
    pair = ""
    for line in text.split("\n"):
        strange = 0
        for character in line:
            strange = 0 if character in "0123456789abcdefABCDEF" else strange + 1
            pair = pair + character if not strange else ""
            if len(pair) == 2:
                found.append(int(pair, 16))
                pair = ""
            if strange == 3:
                break
    return bytes(found)


def _place(text: str, columns: int, shift: int, before: bytes) -> bytes:
    """Return the bytes of a dump at their offsets, over the content that was there before."""
    found = bytearray(before)
    for line in text.split("\n"):
        match = re.match(r"\s*([0-9a-fA-F]+):?\s((?:\s?[0-9a-fA-F]{2})*)", line)
        if match is None:
            continue
        row = bytes.fromhex("".join(re.findall(r"[0-9a-fA-F]{2}", match[2])))[:columns]
        at = int(match[1], 16) + shift
        found.extend(b"\0" * (at - len(found)))
        found[at : at + len(row)] = row
    return bytes(found)
