"""`paste`: join the lines of files side by side."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from gemini_userland.counts import BadValue
from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import STANDARD_INPUT, encode, lines, read

SYNTAX = Syntax(
    short="d:sz",
    long={"delimiters=": "d", "serial": "s", "zero-terminated": "z"},
    help="""
Usage: paste [OPTION]... [FILE]...
Print lines that consist of the corresponding lines of each FILE, or of standard input, separated by tabs.

  -d, --delimiters=LIST  use the bytes of LIST, one after the other, instead of tabs
  -s, --serial           print one line for each file, with all its lines
  -z, --zero-terminated  end lines with a null byte
""",
)
ESCAPES = dict(zip(b"0bfnrtv", (b"", b"\b", b"\f", b"\n", b"\r", b"\t", b"\v"), strict=True))


async def paste(invocation: Invocation) -> int:
    """Print the joined lines; return 1 if a file can't be read."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    end = b"\0" if "z" in given else b"\n"
    try:
        delimiters = _delimiters(encode(given.last("d", "\t")))
    except BadValue as problem:
        invocation.error(str(problem))
        return 1
    sources, status = _sources(invocation, given.operands or ["-"], end, serial="s" in given)
    if "s" in given:
        for source in sources:
            invocation.stdout.write(_join(list(source), delimiters) + end)
        return status
    for row in itertools.zip_longest(*sources):
        invocation.stdout.write(_join([part or b"" for part in row], delimiters) + end)
    return status


def _sources(
    invocation: Invocation, names: list[str], end: bytes, *, serial: bool
) -> tuple[list[Iterator[bytes]], int]:
    """Return the lines of each operand, and 1 if one can't be read, else 0.

    With `serial`, the other operands are still pasted when a file can't be opened; otherwise nothing is.
    """
    # All operands that name standard input share its lines, and zip_longest asks each once a row.
    shared: Iterator[bytes] | None = None
    sources: list[Iterator[bytes]] = []
    status = 0
    for name in names:
        try:
            if name in STANDARD_INPUT:
                sources.append(shared := shared or iter(lines(read(invocation, name), end)))
            else:
                sources.append(iter(lines(read(invocation, name), end)))
        except OSError as error:
            invocation.error(f"{name}: {error.strerror}")
            status = 1
            # A folder is opened, but has nothing to read.
            if isinstance(error, IsADirectoryError):
                sources.append(iter(()))
            elif not serial:
                return [], status
    return sources, status


def _join(parts: list[bytes], delimiters: list[bytes]) -> bytes:
    if not parts:
        return b""
    rest = zip(itertools.cycle(delimiters), parts[1:], strict=False)
    return parts[0] + b"".join(delimiter + part for delimiter, part in rest)


def _delimiters(text: bytes) -> list[bytes]:
    found: list[bytes] = []
    rest = iter(text)
    for byte in rest:
        if byte != ord("\\"):
            found.append(bytes([byte]))
            continue
        following = next(rest, None)
        if following is None:
            raise BadValue(
                f"delimiter list ends with an unescaped backslash: {text.decode('utf-8', 'replace')}"
            )
        found.append(ESCAPES.get(following, bytes([following])))
    return found or [b""]
