"""`comm`: compare two sorted files line by line."""

from __future__ import annotations

from collections.abc import Iterator

from gemini_userland.counts import BadValue
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.text import encode, lines, read

SYNTAX = Syntax(
    short="123z",
    long={
        "check-order": "check-order",
        "nocheck-order": "nocheck-order",
        "output-delimiter=": "output-delimiter",
        "total": "total",
        "zero-terminated": "z",
    },
    help="""
Usage: comm [OPTION]... FILE1 FILE2
Compare two sorted files: print the lines only in FILE1, those only in FILE2, and those in both, in three columns.

  -1, -2, -3               don't print this column
      --check-order        fail at the first line that isn't sorted
      --nocheck-order      don't check whether the files are sorted
      --output-delimiter=TEXT  print TEXT between the columns (default: a tab)
      --total              print the number of lines in each column at the end
  -z, --zero-terminated    end lines with a null byte
""",
)


class SortedLines:
    """The lines of a sorted file; it reports those that aren't sorted.

    Args:
        number: The number of the file, 1 or 2.
        found: Its lines.
        strict: Whether a line out of order is an error from the start; otherwise after a line without a partner.
    """

    def __init__(self, number: int, found: list[bytes], *, strict: bool | None) -> None:
        self._number = number
        self._lines = found
        self._at = 0
        self._strict = strict
        self.is_disordered = False

    @property
    def line(self) -> bytes | None:
        """The current line, or None at the end."""
        return self._lines[self._at] if self._at < len(self._lines) else None

    def check(self, *, unpaired: bool) -> str | None:
        """Return a message if the current line, or the last one at the end, isn't sorted and none was returned."""
        at = min(self._at, len(self._lines) - 1)
        if self._strict is False or self.is_disordered or at < 1 or not (self._strict or unpaired):
            return None
        if self._lines[at - 1] <= self._lines[at]:
            return None
        self.is_disordered = True
        return f"file {self._number} is not in sorted order"

    def advance(self) -> None:
        """Go to the next line."""
        self._at += 1


async def comm(invocation: Invocation) -> int:
    """Print the columns; return 1 if a file can't be read or isn't sorted."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if len(given.operands) != 2:
        return SYNTAX.usage_error(invocation, _operands_problem(given.operands))
    order = given.last_of("check-order", "nocheck-order")
    strict = None if order is None else order == "check-order"
    end = b"\0" if "z" in given else b"\n"
    try:
        between = _delimiter(given)
        files = [
            SortedLines(number, lines(_content(invocation, name), end), strict=strict)
            for number, name in enumerate(given.operands, 1)
        ]
        totals = _print(invocation, given, files, between)
    except BadValue as problem:
        invocation.error(str(problem))
        return 1
    if "total" in given:
        invocation.stdout.write(between.join([*(b"%d" % number for number in totals), b"total"]) + end)
    if any(file.is_disordered for file in files):
        invocation.error("input is not in sorted order")
        return 1
    return 0


def _delimiter(given: Arguments) -> bytes:
    delimiters = given.all("output-delimiter")
    if len(set(delimiters)) > 1:
        raise BadValue("multiple output delimiters specified")
    return encode(delimiters[0] or "\0") if delimiters else b"\t"


def _content(invocation: Invocation, name: str) -> bytes:
    try:
        return read(invocation, name)
    except OSError as error:
        raise BadValue(f"{name}: {error.strerror}") from error


def _print(invocation: Invocation, given: Arguments, files: list[SortedLines], between: bytes) -> list[int]:
    """Print the lines; return how many each column has."""
    end = b"\0" if "z" in given else b"\n"
    hidden = {int(letter) for letter in "123" if letter in given}
    totals = [0, 0, 0]
    strict = given.last_of("check-order", "nocheck-order") == "check-order"
    for column, line in _merge(invocation, files, strict=strict):
        totals[column - 1] += 1
        if column not in hidden:
            before = sum(other not in hidden for other in range(1, column))
            invocation.stdout.write(between * before + line + end)
    return totals


def _operands_problem(words: list[str]) -> str:
    if not words:
        return "missing operand"
    return f"missing operand after '{words[0]}'" if len(words) == 1 else f"extra operand '{words[2]}'"


def _merge(invocation: Invocation, files: list[SortedLines], *, strict: bool) -> Iterator[tuple[int, bytes]]:
    """Yield (column, line); raise BadValue for a line out of order if `strict`."""
    one, other = files
    unpaired = False
    while one.line is not None or other.line is not None:
        left, right = one.line, other.line
        if right is None or (left is not None and left < right):
            column, line, moved = 1, left or b"", [one]
        elif left is None or right < left:
            column, line, moved = 2, right, [other]
        else:
            column, line, moved = 3, left, [one, other]
        unpaired = unpaired or column != 3
        yield column, line
        for file in moved:
            file.advance()
            if message := file.check(unpaired=unpaired):
                if strict:
                    raise BadValue(message)
                invocation.error(message)
