"""`cat` with options: print files with marks for what can't be seen, or with numbers."""

from __future__ import annotations

import re

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import inputs, pieces

SYNTAX = Syntax(
    short="AbeEnstTuv",
    long={
        "show-all": "A",
        "number-nonblank": "b",
        "show-ends": "E",
        "number": "n",
        "squeeze-blank": "s",
        "show-tabs": "T",
        "show-nonprinting": "v",
    },
    help="""
Usage: cat [OPTION]... [FILE]...
Print each FILE, or standard input, one after the other.

  -n, --number            number the lines
  -b, --number-nonblank   number the lines that aren't empty; overrides -n
  -s, --squeeze-blank     print repeated empty lines once
  -E, --show-ends         print $ at the end of each line
  -T, --show-tabs         print tabs as ^I
  -v, --show-nonprinting  print other control characters as ^X, and bytes above 127 as M-X
  -A, --show-all          same as -vET; -e is -vE, -t is -vT
  -u                      ignored
""",
)
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f-\xff]")
MOST_SHOWN = 127


async def cat(invocation: Invocation) -> int:
    """Print the files; return 1 if one can't be read."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    letters = {name for name, _ in given.items}
    found = list(inputs(invocation, given.operands))
    data = b"".join(content for _, content in found if content is not None)
    if letters & set("AeEbnstTv"):
        data = _mark(data, letters)
    invocation.stdout.write(data)
    return int(any(content is None for _, content in found))


def _mark(data: bytes, letters: set[str]) -> bytes:
    rows: list[bytes] = []
    number, was_empty = 0, False
    ends, tabs, controls = (bool(letters & set(names)) for names in ("AeE", "AtT", "Aetv"))
    for line in pieces(data):
        text = line.removesuffix(b"\n")
        empty = line == b"\n"
        if empty and was_empty and "s" in letters:
            continue
        was_empty = empty
        label = b""
        if ("b" in letters and not empty) or ("n" in letters and "b" not in letters):
            number += 1
            label = b"%6d\t" % number
        if controls:
            text = CONTROL.sub(lambda match: _format(match[0][0]), text)
        elif ends and line.endswith(b"\r\n"):
            text = text[:-1] + b"^M"
        if tabs:
            text = text.replace(b"\t", b"^I")
        rows.append(label + text + (b"$\n" if ends else b"\n") if line.endswith(b"\n") else label + text)
    return b"".join(rows)


def _format(byte: int) -> bytes:
    if byte > MOST_SHOWN:
        low = byte - 128
        return b"M-" + (_format(low) if low < 32 or low == MOST_SHOWN else bytes([low]))
    return b"^" + bytes([byte ^ 64])
