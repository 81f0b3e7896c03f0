"""The side-by-side format of `diff` (GNU diffutils manual, 2.4)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from gemini_userland.characters import in_bytes
from gemini_userland.diff_colors import Colors
from gemini_userland.diff_formats import Difference
from gemini_userland.text import decode

GUTTER = 3
TAB, RETURN, BACKSPACE = 9, 13, 8


@dataclass(frozen=True)
class Columns:
    """The layout.

    Attributes:
        width: The number of columns of the output.
        tab: The distance of tab stops.
        expands: Print blanks instead of tabs.
        left_only: Print the left one of equal lines only.
        suppresses: Don't print equal lines.
    """

    width: int = 130
    tab: int = 8
    expands: bool = False
    left_only: bool = False
    suppresses: bool = False

    @property
    def second(self) -> int:
        """The column in which the right file begins."""
        step = 1 if self.expands else self.tab
        room = step + GUTTER
        offset = (self.width >> 1) + (room >> 1) + (self.width & room & 1)
        offset -= offset % step
        return offset if self._half(offset) else self.width

    def _half(self, offset: int) -> int:
        return 0 if offset == 0 or self.width <= offset else min(offset - GUTTER, self.width - offset)

    @property
    def half(self) -> int:
        """The number of columns that a line has."""
        step = 1 if self.expands else self.tab
        room = step + GUTTER
        offset = (self.width >> 1) + (room >> 1) + (self.width & room & 1)
        return self._half(offset - offset % step)


def side_by_side(difference: Difference, columns: Columns) -> bytes:
    """Return both files in two columns, with marks between them."""
    page = _Page(columns, difference.colors)
    left, right = difference.left, difference.right
    x = y = 0
    for change in difference.shown:
        page.common(left[x : change.start], right[y : change.begin])
        pairs = min(change.end - change.start, change.stop - change.begin)
        for at in range(pairs):
            page.row(left[change.start + at], "|", right[change.begin + at])
        for line in right[change.begin + pairs : change.stop]:
            page.painted("ad", None, ">", line)
        for line in left[change.start + pairs : change.end]:
            page.painted("de", line, "<", None)
        x, y = change.end, change.stop
    page.common(left[x:], right[y:])
    return bytes(page.written)


class _Page:
    def __init__(self, columns: Columns, colors: Colors) -> None:
        self._columns = columns
        self._colors = colors
        self.written = bytearray()

    def common(self, left: list[bytes], right: list[bytes]) -> None:
        """Print lines that are equal."""
        columns = self._columns
        if columns.suppresses:
            return
        if columns.left_only:
            for line in left:
                self.row(line, "(", None)
            return
        pairs = min(len(left), len(right))
        for one, other in zip(left, right, strict=False):
            self.row(one, " ", other)
        for line in right[pairs:]:
            self.row(None, ")", line)
        for line in left[pairs:]:
            self.row(line, "(", None)

    def painted(self, kind: str, left: bytes | None, mark: str, right: bytes | None) -> None:
        """Print a line in a color, which ends behind the line's end."""
        self.written += self._colors.start(kind)
        self.row(left, mark, right)
        self.written += self._colors.start("rs")

    def row(self, left: bytes | None, mark: str, right: bytes | None) -> None:
        """Print a line of the output."""
        columns = self._columns
        column, ends = 0, False
        if left is not None:
            ends = left.endswith(b"\n")
            column = self._half(left, 0)
        if mark != " ":
            column = self._move(column, (columns.half + columns.second - 1) // 2) + 1
            if mark == "|" and right is not None and ends != right.endswith(b"\n"):
                mark = "/" if ends else "\\"
            self.written += mark.encode()
        if right is not None:
            ends = ends or right.endswith(b"\n")
            if right != b"\n":
                column = self._move(column, columns.second)
                self._half(right, column)
        if ends:
            self.written += b"\n"

    def _move(self, start: int, target: int) -> int:
        """Print white space up to a column."""
        columns = self._columns
        if not columns.expands:
            stop = start + columns.tab - start % columns.tab
            while stop <= target:
                self.written += b"\t"
                start, stop = stop, stop + columns.tab
        self.written += b" " * max(0, target - start)
        return max(start, target)

    def _half(self, line: bytes, indent: int) -> int:
        """Print as much of a line as there is room; return the column after it."""
        columns, room = self._columns, self._columns.half
        at = printed = 0
        for character in decode(line.removesuffix(b"\n")):
            code = ord(character)
            if code == TAB:
                spaces = columns.tab - at % columns.tab
                if at == printed:
                    stop = printed + spaces
                    if columns.expands:
                        self.written += b" " * (min(room, stop) - printed)
                        printed = min(room, stop)
                    elif stop < room:
                        printed = stop
                        self.written += b"\t"
                at += spaces
            elif code == RETURN:
                self.written += b"\r"
                self._move(0, indent)
                at = printed = 0
            elif code == BACKSPACE and at:
                at -= 1
                if at < room:
                    printed = min(printed, at) if printed <= at else at
                    self.written += b"\b"
            else:
                at += _width(character)
                if at <= room:
                    printed = at
                    self.written += character.encode("utf-8", "surrogateescape")
        return printed


def _width(character: str) -> int:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        # In the locale C, a byte above 127 isn't printed.
        return int(not in_bytes())
    if not character.isprintable() or unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
