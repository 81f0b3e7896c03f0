"""`cmp`: compare two files byte by byte."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from gemini_userland.characters import in_bytes
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.text import STANDARD_INPUT, read

SYNTAX = Syntax(
    short="bi:ln:s",
    long={
        "print-bytes": "b",
        "ignore-initial=": "i",
        "quiet": "s",
        "silent": "s",
        "verbose": "l",
        "bytes=": "n",
    },
    answer={"v": "version"},
    wrong_usage=2,
    help="""
Usage: cmp [OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]
Print the first byte and line where two files differ. FILE2 is standard input by default.

  -b               print the bytes that differ, too
  -i SKIP[:SKIP2]  skip the first bytes of both files, or SKIP2 of the second
  -l               print every byte that differs
  -n COUNT         compare at most COUNT bytes
  -s               print nothing

Numbers may have the units kB (1000), K (1024), MB, M and so on.
""",
)
_SIZE = re.compile(r"(\d+|0[xX][0-9a-fA-F]+)(?:([kKMGTPEZY])(B|iB)?)?")
_POWERS = "KMGTPEZY"
# The width of an offset where no file's size is known.
_WIDEST = 19


class _Wrong(Exception):
    """A value that isn't valid; the text says which."""


@dataclass(frozen=True)
class _Part:
    """A file that is compared: its name, its content after the skipped bytes, and its size if it is known."""

    name: str
    data: bytes
    size: int | None


async def cmp(invocation: Invocation) -> int:
    """Return 0 if the files are the same, 1 if they differ, 2 if one can't be read."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    try:
        _check(given)
        skips, limit = _skips(given), _limit(given)
    except _Wrong as problem:
        return SYNTAX.usage_error(invocation, str(problem))
    parts: list[_Part] = []
    if _are_same(invocation, given, skips):
        return 0
    for name, skip in zip([*given.operands, "-"][:2], skips, strict=True):
        try:
            whole = read(invocation, name)
        except OSError as error:
            if "s" not in given:
                invocation.error(f"{name}: {error.strerror}")
            return 2
        size = invocation.stdin_size if name in STANDARD_INPUT else len(whole)
        parts.append(_Part(name, whole[skip:][:limit], size))
    if parts[0].data == parts[1].data:
        return 0
    if "l" in given:
        _list(invocation, parts, limit, as_text="b" in given)
    elif "s" not in given:
        _report(invocation, parts, as_text="b" in given)
    return 1


def _are_same(invocation: Invocation, given: Arguments, skips: tuple[int, int]) -> bool:
    """Return whether both operands are one file, of which the same part is compared."""
    one, other = [*given.operands, "-"][:2]
    return one == other and skips[0] == skips[1] and os.path.exists(invocation.path(one))


def _check(given: Arguments) -> None:
    if not given.operands:
        raise _Wrong("missing operand after 'cmp'")
    if "l" in given and "s" in given:
        raise _Wrong("options -l and -s are incompatible")
    if len(given.operands) > 4 and all(_SIZE.fullmatch(text) for text in given.operands[2:4]):
        raise _Wrong(f"extra operand '{given.operands[4]}'")


def _size(text: str, option: str) -> int:
    match = _SIZE.fullmatch(text)
    if match is None:
        raise _Wrong(f"invalid --{option} value '{text}'")
    power = _POWERS.index(match[2].upper()) + 1 if match[2] else 0
    return (
        int(match[1], 0 if match[1].lower().startswith("0x") else 10)
        * (1000 if match[3] == "B" else 1024) ** power
    )


def _skips(given: Arguments) -> tuple[int, int]:
    first, _, second = given.last("i", "0").partition(":")
    one = _size(first, "ignore-initial")
    other = _size(second, "ignore-initial") if second else one
    sizes = [_size(text, "ignore-initial") for text in given.operands[2:4]]
    return (sizes[0] if sizes else one, sizes[1] if len(sizes) > 1 else 0 if "i" not in given else other)


def _limit(given: Arguments) -> int | None:
    text = given.last("n")
    return None if text is None else _size(text, "bytes")


def _format(byte: int) -> str:
    """Return a byte as text, as `cat -v` does."""
    prefix, low = ("M-", byte - 128) if byte >= 128 else ("", byte)
    return prefix + ("^?" if low == 127 else f"^{chr(low + 64)}" if low < 32 else chr(low))


def _differing(parts: Sequence[_Part]) -> list[int]:
    one, other = parts[0].data, parts[1].data
    return [at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]]


def _list(invocation: Invocation, parts: Sequence[_Part], limit: int | None, *, as_text: bool) -> None:
    known = [size for size in (*(part.size for part in parts), limit) if size is not None]
    width = len(str(min(known))) if known else _WIDEST
    one, other = parts[0].data, parts[1].data
    for at in _differing(parts):
        left, right = one[at], other[at]
        if as_text:
            invocation.print(f"{at + 1:{width}} {left:3o} {_format(left):4} {right:3o} {_format(right)}")
        else:
            invocation.print(f"{at + 1:{width}} {left:3o} {right:3o}")
    if len(one) != len(other):
        invocation.error(_ended(parts, with_line=False))


def _report(invocation: Invocation, parts: Sequence[_Part], *, as_text: bool) -> None:
    differing = _differing(parts)
    if not differing:
        invocation.error(_ended(parts, with_line=True))
        return
    at = differing[0]
    left, right = parts[0].data[at], parts[1].data[at]
    line = parts[0].data.count(b"\n", 0, at) + 1
    texts = f" is {left:3o} {_format(left)} {right:3o} {_format(right)}" if as_text else ""
    unit = "char" if in_bytes() else "byte"
    invocation.print(f"{parts[0].name} {parts[1].name} differ: {unit} {at + 1}, line {line}{texts}")


def _ended(parts: Sequence[_Part], *, with_line: bool) -> str:
    """Return the message that the shorter file has ended."""
    short = min(parts, key=lambda part: len(part.data))
    if not short.data:
        return f"EOF on {short.name} which is empty"
    text = f"EOF on {short.name} after byte {len(short.data)}"
    if not with_line:
        return text
    line = short.data.count(b"\n")
    return f"{text}, line {line}" if short.data.endswith(b"\n") else f"{text}, in line {line + 1}"
