"""A search of `grep`: it selects lines of files, and prints them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import accumulate

from gemini_userland.characters import in_bytes
from gemini_userland.grep.files import Files
from gemini_userland.grep.matcher import Matcher
from gemini_userland.grep.options import binary_mode
from gemini_userland.grep.printing import UNKNOWN_WIDTH, Line, Style
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments
from gemini_userland.text import encode, line_count, lines, read


def _is_text(data: bytes) -> bool:
    if data.isascii() or in_bytes():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class Search:
    """A call of grep."""

    def __init__(self, invocation: Invocation, given: Arguments, matcher: Matcher, files: Files) -> None:
        self._invocation, self._matcher, self._files = invocation, matcher, files
        self._style = Style(invocation, given)
        self._end = b"\0" if "z" in given else b"\n"
        digits = "".join(name for name, _ in given.items if name.isdigit())
        around = given.number("C", int(digits) if digits else -1)
        before, after = given.number("B", around), given.number("A", around)
        self._has_context = max(before, after) >= 0
        self._before, self._after = max(before, 0), max(after, 0)
        separated = given.last_of("separator", "no-separator") != "no-separator"
        self._separator = encode(given.last("separator", "--")) if separated else None
        self._max_count = given.number("m", -1)
        # Asking `given` for each of many files or lines would take most of the time.
        self._wants_count, self._quiet = "c" in given and "q" not in given, "q" in given
        self._listed = None if self._quiet else given.last_of("l", "L")
        self._summarizes = given.last_of("c", "l", "L", "q") is not None
        self._only_matches, self._binary = "o" in given, binary_mode(given)
        self._hides_errors, self._names = "s" in given, given.last_of("H", "h")
        self._in_blocks = self._end == b"\n" and self._max_count < 0 and self._style.is_plain
        self._printed = False
        self._failed = False

    def run(self, names: list[str]) -> int:
        """Search the operands and return the exit code."""
        several = len(names) > 1 or (self._files.recursive and self._has_folder(names))
        self._style.named = self._names == "H" or (self._names is None and several)
        selected = False
        if self._max_count == 0:
            return 1
        for path, is_file in self._files.of(names):
            selected = self._file(path, is_file=is_file) or selected
            if selected and self._quiet:
                return 0
        return 2 if self._failed else 0 if selected else 1

    def _has_folder(self, names: list[str]) -> bool:
        return not names or any(os.path.isdir(self._invocation.path(name)) for name in names)

    def _complain(self, path: str, reason: str) -> None:
        self._failed = True
        if not self._hides_errors:
            self._invocation.error(f"{path}: {reason}")

    def _file(self, path: str, *, is_file: bool) -> bool:
        try:
            data = read(self._invocation, path, is_file=is_file)
        except OSError as error:
            self._complain(path, error.strerror or str(error))
            # A folder is opened, but has nothing to read.
            is_counted = self._wants_count or self._listed == "L"
            return isinstance(error, IsADirectoryError) and is_counted and self._summary(path, 0)
        # Most files have no match: one search of the full content is faster than one for each line.
        found = self._matcher.inverted or self._matcher.expression.search(data) is not None
        if not found and b"\0" not in data:
            return self._summary(path, 0)
        if self._binary != "text" and self._end != b"\0" and b"\0" in data:
            return self._binary_file(path, data)
        block = self._matcher.for_block(data) if self._in_blocks else None
        if block is not None and self._summarizes:
            return self._summary(path, self._count(block, data))
        plain = not (self._has_context or self._only_matches)
        if block is not None and plain and (self._binary == "text" or _is_text(data)):
            return self._print_block(path, block, data)
        rows = lines(data, self._end)
        indexes = self._indexes(rows)
        if self._summarizes:
            return self._summary(path, len(indexes))
        self._print(path, rows, indexes)
        return bool(indexes)

    def _indexes(self, rows: list[bytes]) -> list[int]:
        indexes = [at for at, row in enumerate(rows) if self._matcher.selects(row)]
        return indexes[: self._max_count] if self._max_count >= 0 else indexes

    def _binary_file(self, path: str, data: bytes) -> bool:
        """Search a file with null bytes, at which its lines end, too."""
        if self._binary == "without-match":
            return self._summary(path, 0) if self._listed == "L" or self._wants_count else False
        indexes = self._indexes(lines(data.replace(b"\0", b"\n")))
        if self._summarizes:
            return self._summary(path, len(indexes))
        if indexes:
            self._report_binary(path)
        return bool(indexes)

    def _report_binary(self, path: str) -> None:
        if self._binary == "binary":
            name = "(standard input)" if path == "-" else path
            self._invocation.error(f"{name}: binary file matches")

    def _count(self, block: re.Pattern[bytes], data: bytes) -> int:
        if not self._wants_count and not self._matcher.inverted:
            # The content has a match, and how many doesn't matter.
            return 1
        matched = len(block.findall(data))
        return line_count(data) - matched if self._matcher.inverted else matched

    def _print_block(self, path: str, block: re.Pattern[bytes], data: bytes) -> bool:
        """Print the selected lines; `block` matches from within a line to its end."""
        if data and data[-1:] != b"\n":
            data += b"\n"
        spans: list[tuple[int, int]] = []
        last = 0
        for match in block.finditer(data):
            start, end = data.rfind(b"\n", last, match.start()) + 1 or last, match.end() + 1
            spans.append((last, start) if self._matcher.inverted else (start, end))
            last = end
        if self._matcher.inverted:
            spans = [span for span in [*spans, (last, len(data))] if span[0] < span[1]]
        self._invocation.stdout.write(b"".join(self._rows(path, data, spans)))
        return bool(spans)

    def _rows(self, path: str, data: bytes, spans: list[tuple[int, int]]) -> Iterator[bytes]:
        if not self._style.named and not self._style.numbered:
            yield from (data[start:end] for start, end in spans)
            return
        number = at = 0
        for start, end in spans:
            number += data.count(b"\n", at, start)
            at = start
            for row in data[start : end - 1].split(b"\n"):
                number += 1
                yield self._style.head(path, Line(row, number, 0, matched=True), 0) + row + b"\n"
            # The end of the last one is counted by the next span.
            number -= 1
            at = end - 1

    def _summary(self, path: str, count: int) -> bool:
        if self._listed is not None:
            if (count > 0) == (self._listed == "l"):
                after = b"\0" if self._style.null else b"\n"
                self._invocation.stdout.write(self._style.name(path) + after)
            # With -L, too, the exit code says whether a line matches (GNU grep 3.5 and later).
            return count > 0
        if self._wants_count:
            named = self._style.name(path) + self._style.after_name(b":") if self._style.named else b""
            self._invocation.stdout.write(b"%s%d\n" % (named, count))
        return count > 0

    def _print(self, path: str, rows: list[bytes], indexes: list[int]) -> None:
        offsets = (
            [0, *accumulate(len(row) + 1 for row in rows)] if self._style.with_offset else [0] * len(rows)
        )
        width = self._width(path) if self._style.tabbed else 0
        selected = set(indexes)
        last, unprintable = -1, False
        for at in indexes:
            first = max(at - self._before, last + 1)
            if (
                self._has_context
                and self._separator is not None
                and self._printed
                and (first > last + 1 or last < 0)
            ):
                self._invocation.stdout.write(self._style.paint("se", self._separator) + b"\n")
            for row in range(first, min(at + self._after, len(rows) - 1) + 1):
                if row > at and row in selected:
                    break
                line = Line(rows[row], row + 1, offsets[row], matched=row in selected)
                pieces = self._row(path, line, width)
                unprintable = unprintable or pieces is None
                self._invocation.stdout.write(b"".join(pieces or []))
                last = row
            self._printed = True
        if unprintable:
            self._report_binary(path)

    def _width(self, path: str) -> int:
        if path != "-":
            return len(str(os.path.getsize(self._invocation.path(path))))
        size = self._invocation.stdin_size
        return UNKNOWN_WIDTH if size is None else len(str(size))

    def _row(self, path: str, line: Line, width: int) -> list[bytes] | None:
        """Return the printed form of a line, or None if a part of it isn't text."""
        has_matches = line.matched != self._matcher.inverted
        if self._only_matches:
            spans = list(self._matcher.spans(line.text)) if has_matches and line.matched else []
            if self._binary != "text" and not all(_is_text(line.text[start:end]) for start, end in spans):
                return None
            return [
                self._style.head(path, line, width, start)
                + self._style.paint("ms", line.text[start:end])
                + self._end
                for start, end in spans
            ]
        if self._binary != "text" and not _is_text(line.text):
            return None
        text = line.text
        if self._style.colored and has_matches:
            text = self._style.painted(text, self._matcher.spans(text), "ms" if line.matched else "mc")
        return [self._style.head(path, line, width) + text + self._end]
