"""`xxd` and `hexdump`: print bytes as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.text import inputs

XXD = Syntax(
    numbers={
        "c": Number("invalid number of columns '{}'", minimum=1),
        "g": Number("invalid number of bytes in a group '{}'"),
        "l": Number("invalid length '{}'"),
        "s": Number("invalid offset '{}'"),
    },
    short="prl:s:c:g:ui",
    long={"plain": "p", "revert": "r", "len=": "l"},
    help="""
Usage: xxd [-p] [-r] [-l LENGTH] [-s OFFSET] [-c COLUMNS] [-g GROUP] [-u] [FILE]
Print bytes as hexadecimal numbers, or convert them back (-r).
""",
)
HEXDUMP = Syntax(
    numbers={letter: Number("failed to parse length: '{}': Invalid argument") for letter in "ns"},
    short="Cn:s:v",
    long={"canonical": "C", "length=": "n", "skip=": "s"},
    help="""
Usage: hexdump [-C] [-n LENGTH] [-s OFFSET] [FILE]...
Print bytes as hexadecimal numbers of two bytes; with -C of one byte, and as text.
""",
)


def _data(invocation: Invocation, given: Arguments, skip: str, length: str) -> bytes | None:
    found = [data for _, data in inputs(invocation, given.operands)]
    if None in found:
        return None
    whole = b"".join(data for data in found if data is not None)
    start, count = given.number(skip, 0), given.number(length)
    return whole[start : None if count is None else start + count]


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


async def xxd(invocation: Invocation) -> int:
    """Print a dump, or convert a dump back to bytes."""
    given = XXD.parse(invocation)
    if isinstance(given, int):
        return given
    data = _data(invocation, given, "s", "l")
    if data is None:
        return 2
    if "r" in given:
        invocation.stdout.write(_reverted(data, plain="p" in given))
        return 0
    width = given.number("c", 30 if "p" in given else 16)
    group = given.number("g", 2) or width
    for at, row in rows(invocation, data, width, every=True):
        digits = row.hex().upper() if "u" in given else row.hex()
        if "p" in given:
            invocation.print(digits)
            continue
        groups = [digits[start : start + group * 2] for start in range(0, len(digits), group * 2)]
        space = width * 2 + -(-width // group) - 1
        offset = at + given.number("s", 0)
        invocation.print(f"{offset:08x}: {' '.join(groups).ljust(space)}  {printable(row)}")
    return 0


def _reverted(data: bytes, *, plain: bool) -> bytes:
    text = data.decode("ascii", "replace")
    if plain:
        return bytes.fromhex("".join(re.findall(r"[0-9a-fA-F]{2}", re.sub(r"\s", "", text))))
    rows = re.findall(r"^[0-9a-fA-F]+: ?((?:[0-9a-fA-F]{2,} ?)+)", text, re.MULTILINE)
    return bytes.fromhex("".join(rows).replace(" ", ""))


async def hexdump(invocation: Invocation) -> int:
    """Print a dump of 16 bytes per line."""
    given = HEXDUMP.parse(invocation)
    if isinstance(given, int):
        return given
    data = _data(invocation, given, "s", "n")
    if data is None:
        return 1
    canonical = "C" in given or invocation.name == "hd"
    start = given.number("s", 0)
    for at, row in rows(invocation, data, 16, every="v" in given):
        if canonical:
            halves = "  ".join(f"{row[half : half + 8].hex(' '):23}" for half in (0, 8))
            invocation.print(f"{at + start:08x}  {halves}  |{printable(row)}|")
        else:
            padded = row + b"\0" * (len(row) % 2)
            words = [f"{padded[pair + 1]:02x}{padded[pair]:02x}" for pair in range(0, len(padded), 2)]
            invocation.print(f"{at + start:07x} {' '.join(words)}".ljust(47))
    if data:
        invocation.print(f"{len(data) + start:0{8 if canonical else 7}x}")
    return 0
