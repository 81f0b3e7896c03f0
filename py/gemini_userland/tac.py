r"""`tac`: print lines, the last first.

Source: the GNU coreutils manual, "tac". `-r` takes expressions of Emacs, as GNU's does: `+` and `?` are
operators, `\+` and `\?` are characters, and there are no intervals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.patterns import compile_posix
from gemini_userland.text import encode, read

SYNTAX = Syntax(
    short="brs:",
    long={"before": "b", "regex": "r", "separator=": "s"},
    help="""
Usage: tac [OPTION]... [FILE]...
Print the lines of each FILE, or of standard input, in reverse.

  -b, --before          a separator belongs to the text after it
  -r, --regex           the separator is a regular expression
  -s, --separator=TEXT  lines end with TEXT instead of a newline
""",
)
# What means the opposite in Emacs's expressions and in basic ones; sets in brackets are the same.
_TOKEN = re.compile(r"\[\^?\]?[^\]]*\]|\\.|.", re.DOTALL)
_BASIC = {"+": r"\+", "?": r"\?", r"\+": "+", r"\?": "?", r"\{": "{", r"\}": "}"}


async def tac(invocation: Invocation) -> int:
    """Print the files; return 1 if one can't be read."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    try:
        separator = _separator(given)
    except (ValueError, re.error) as problem:
        invocation.error(str(problem))
        return 1
    status = 0
    for name in given.operands or ["-"]:
        try:
            data = read(invocation, name)
        except OSError as error:
            invocation.error(f"failed to open '{name}' for reading: {error.strerror}")
            status = 1
            continue
        for piece in _reverse(data, separator, before="b" in given):
            invocation.stdout.write(piece)
    return status


def _separator(given: Arguments) -> bytes | re.Pattern[bytes]:
    """Return the separator.

    Raises:
        ValueError: The expression is empty.
        re.error: It is invalid.
    """
    text = given.last("s", "\n")
    if "r" not in given:
        return encode(text) or b"\0"
    if not text:
        raise ValueError("separator cannot be empty")
    basic = "".join(_BASIC.get(token[0], token[0]) for token in _TOKEN.finditer(text))
    return compile_posix(basic, extended=False, flags=re.MULTILINE, many_lines=True)


def _reverse(data: bytes, separator: bytes | re.Pattern[bytes], *, before: bool) -> Iterator[bytes]:
    """Yield the pieces between separators, the last first."""
    spans = _last_first(data, separator)
    left = len(data)
    for start, end in spans:
        cut = start if before else end
        yield data[cut:left]
        left = cut
    yield data[:left]


def _last_first(data: bytes, separator: bytes | re.Pattern[bytes]) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each separator: the last place where one begins, before the one found last."""
    at = len(data)
    if isinstance(separator, bytes):
        while (at := data.rfind(separator, 0, at)) >= 0:
            yield at, at + len(separator)
        return
    for start in range(len(data) - 1, -1, -1):
        match = separator.match(data, start, at)
        if match:
            at = start
            yield match.span()
