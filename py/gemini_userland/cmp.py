"""`cmp`: compare two files byte by byte."""

from __future__ import annotations

from gemini_userland.invocation import Invocation
from gemini_userland.options import Number, Syntax
from gemini_userland.text import read

SYNTAX = Syntax(
    numbers={"n": Number("invalid --bytes value '{}'")},
    short="sln:",
    long={"quiet": "s", "silent": "s", "verbose": "l", "bytes=": "n"},
    wrong_usage=2,
    help="""
Usage: cmp [OPTION]... FILE1 [FILE2]
Print the first byte and line where two files differ. FILE2 is standard input by default.

  -l        print every byte that differs
  -n COUNT  compare at most COUNT bytes
  -s        print nothing
""",
)


async def cmp(invocation: Invocation) -> int:
    """Return 0 if the files are the same, 1 if they differ, 2 if one can't be read."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if not given.operands:
        return SYNTAX.usage_error(invocation, "missing operand after 'cmp'")
    names = [*given.operands, "-"][:2]
    contents: list[bytes] = []
    for name in names:
        try:
            contents.append(read(invocation, name)[: given.number("n")])
        except OSError as error:
            invocation.error(f"{name}: {error.strerror}")
            return 2
    if contents[0] == contents[1]:
        return 0
    if "s" not in given:
        _report(invocation, names, contents, every="l" in given)
    return 1


def _report(invocation: Invocation, names: list[str], contents: list[bytes], *, every: bool) -> None:
    one, other = contents
    differing = [at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]]
    if every:
        for at in differing:
            invocation.print(f"{at + 1} {one[at]:3o} {other[at]:3o}")
    elif differing:
        line = one.count(b"\n", 0, differing[0]) + 1
        invocation.print(f"{names[0]} {names[1]} differ: byte {differing[0] + 1}, line {line}")
    if len(one) != len(other) and (every or not differing):
        short, length = (names[0], len(one)) if len(one) < len(other) else (names[1], len(other))
        invocation.error(f"EOF on {short} after byte {length}")
