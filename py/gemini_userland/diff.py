"""`diff`: compare two files or two directories."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.text import read

SYNTAX = Syntax(
    numbers={"U": Number("invalid context length '{}'")},
    short="abBc:C:iNqrsuU:wy",
    long={
        "text": "a",
        "ignore-space-change": "b",
        "ignore-blank-lines": "B",
        "ignore-case": "i",
        "new-file": "N",
        "brief": "q",
        "recursive": "r",
        "report-identical-files": "s",
        "unified=?": "U",
        "ignore-all-space": "w",
        "color=?": "color",
        "label=": "label",
        "strip-trailing-cr": "strip-trailing-cr",
    },
    wrong_usage=2,
    help="""
Usage: diff [OPTION]... FILE1 FILE2
Compare two files line by line, or the files of two directories.

  -u, -U NUMBER           use the unified format, with NUMBER lines of context (default 3)
  -q, --brief             only report whether files differ
  -s                      report identical files, too
  -r, --recursive         compare subdirectories
  -N, --new-file          treat missing files as empty
  -i, -b, -w              ignore case, changes of white space, all white space
      --label=LABEL       use LABEL instead of the file name and time
""",
)
Opcode = tuple[str, int, int, int, int]
MISSING_END = b"\n\\ No newline at end of file\n"


class Comparison:
    """A call of diff."""

    def __init__(self, invocation: Invocation, given: Arguments) -> None:
        self._invocation = invocation
        self._given = given
        self._around: int | None = given.number("U", 3) if "u" in given or "U" in given else None
        self._key = _normalizer(given)
        self._different = False

    def run(self, one: str, other: str) -> int:
        """Print the differences and return 1 if there are any, else 0."""
        first, second = self._is_directory(one), self._is_directory(other)
        if first and second:
            self._directories(one, other)
        elif first:
            self._files(f"{one.rstrip('/')}/{os.path.basename(other)}", other)
        elif second:
            self._files(one, f"{other.rstrip('/')}/{os.path.basename(one)}")
        else:
            self._files(one, other)
        return int(self._different)

    def _is_directory(self, name: str) -> bool:
        return name != "-" and os.path.isdir(self._invocation.path(name))

    def _directories(self, one: str, other: str) -> None:
        names = [set(os.listdir(self._invocation.path(name))) for name in (one, other)]
        for name in sorted(names[0] | names[1]):
            left, right = f"{one.rstrip('/')}/{name}", f"{other.rstrip('/')}/{name}"
            if "N" not in self._given and not (name in names[0] and name in names[1]):
                self._different = True
                self._invocation.print(f"Only in {one if name in names[0] else other}: {name}")
            elif self._is_directory(left) or self._is_directory(right):
                if "r" in self._given:
                    self._directories(left, right)
                else:
                    self._invocation.print(f"Common subdirectories: {left} and {right}")
            else:
                words = [word for word in self._invocation.argv[1:] if word.startswith("-")]
                self._files(left, right, title=" ".join(["diff", *words, left, right]))

    def _content(self, name: str) -> bytes:
        try:
            return read(self._invocation, name)
        except FileNotFoundError:
            if "N" in self._given:
                return b""
            raise

    def _files(self, one: str, other: str, title: str = "") -> None:
        left, right = self._content(one), self._content(other)
        rows = [
            data.splitlines(keepends=True) if b"\r" not in data else _rows(data) for data in (left, right)
        ]
        keys = [[self._key(row) for row in side] for side in rows]
        if left == right or keys[0] == keys[1]:
            if "s" in self._given:
                self._invocation.print(f"Files {one} and {other} are identical")
            return
        self._different = True
        if "q" in self._given:
            self._invocation.print(f"Files {one} and {other} differ")
            return
        if b"\0" in left + right and "a" not in self._given:
            self._invocation.print(f"Binary files {one} and {other} differ")
            return
        if title:
            self._invocation.print(title)
        matcher = difflib.SequenceMatcher(None, *keys, autojunk=False)
        if self._around is None:
            self._normal(matcher.get_opcodes(), *rows)
        else:
            self._heading(one, other)
            for group in matcher.get_grouped_opcodes(self._around):
                self._unified(group, *rows)

    def _normal(self, opcodes: Sequence[Opcode], left: list[bytes], right: list[bytes]) -> None:
        for tag, start, end, begin, stop in opcodes:
            if tag == "equal":
                continue
            letter = {"replace": "c", "delete": "d", "insert": "a"}[tag]
            self._invocation.print(f"{_span(start, end)}{letter}{_span(begin, stop)}")
            self._invocation.stdout.write(b"".join(_row(b"< ", row) for row in left[start:end]))
            if tag == "replace":
                self._invocation.print("---")
            self._invocation.stdout.write(b"".join(_row(b"> ", row) for row in right[begin:stop]))

    def _heading(self, one: str, other: str) -> None:
        labels = self._given.all("label")
        for number, (mark, name) in enumerate((("---", one), ("+++", other))):
            label = labels[number] if number < len(labels) else f"{name}\t{self._time(name)}"
            self._invocation.print(f"{mark} {label}")

    def _time(self, name: str) -> str:
        try:
            modified = os.stat(self._invocation.path(name)).st_mtime_ns
        except OSError:
            modified = 0
        when = datetime.fromtimestamp(modified // 10**9, UTC)
        return f"{when:%Y-%m-%d %H:%M:%S}.{modified % 10**9:09d} +0000"

    def _unified(self, group: Sequence[Opcode], left: list[bytes], right: list[bytes]) -> None:
        first, last = group[0], group[-1]
        self._invocation.print(f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@")
        for tag, start, end, begin, stop in group:
            if tag == "equal":
                self._invocation.stdout.write(b"".join(_row(b" ", row) for row in left[start:end]))
                continue
            self._invocation.stdout.write(b"".join(_row(b"-", row) for row in left[start:end]))
            self._invocation.stdout.write(b"".join(_row(b"+", row) for row in right[begin:stop]))


async def diff(invocation: Invocation) -> int:
    """Return 0 if the operands are the same, 1 if they differ, 2 after an error."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if len(given.operands) != 2:
        missing = given.operands[-1] if given.operands else invocation.name
        return SYNTAX.usage_error(invocation, f"missing operand after '{missing}'")
    try:
        return Comparison(invocation, given).run(*given.operands)
    except OSError as error:
        invocation.error(f"{_shown(invocation, error)}: {error.strerror}")
        return 2


def _shown(invocation: Invocation, error: OSError) -> str:
    """Return the operand that `error` is about, as the user typed it."""
    path = os.fsdecode(error.filename or "")
    return next((word for word in invocation.argv[1:] if invocation.path(word) == path), path)


def _rows(data: bytes) -> list[bytes]:
    return re.findall(rb"[^\n]*\n|[^\n]+\Z", data)


def _row(mark: bytes, row: bytes) -> bytes:
    return mark + row if row.endswith(b"\n") else mark + row + MISSING_END


def _span(start: int, end: int) -> str:
    if end - start <= 1:
        return str(end)
    return f"{start + 1},{end}"


def _range(start: int, end: int) -> str:
    length = end - start
    return str(start + 1) if length == 1 else f"{start + (length > 0)},{length}"


def _normalizer(given: Arguments) -> Callable[[bytes], bytes]:
    """Return the function that normalizes lines for comparison."""

    def key(row: bytes) -> bytes:
        if "strip-trailing-cr" in given:
            row = row.replace(b"\r\n", b"\n")
        if "w" in given:
            row = re.sub(rb"\s", b"", row)
        elif "b" in given:
            row = re.sub(rb"\s+", b" ", row).rstrip()
        return row.lower() if "i" in given else row

    return key
