"""The rows of `pr`: lines in columns, with numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

TAB = 8
FIRST_PRINTABLE, LAST_PRINTABLE = 32, 126


@dataclass(frozen=True)
class Layout:
    """The way from lines to rows.

    Attributes:
        columns: The number of columns of text.
        across: Fill rows before columns.
        merged: Each column is a file.
        width: The width of a row in characters.
        cuts: Cut lines also if there is one column.
        indent: The number of blanks before each row.
        digits: The number of digits of line numbers; 0 for none.
        after_number: The byte after a number.
        start: The first number.
        separator: The byte between columns, which then aren't aligned; None to align them.
    """

    columns: int
    across: bool
    merged: bool
    width: int
    cuts: bool
    indent: int
    digits: int
    after_number: bytes
    start: int
    separator: bytes | None

    @property
    def expands(self) -> bool:
        """True if tabs of the input become blanks."""
        return self.columns > 1 and self.separator != b"\t"

    @property
    def number_width(self) -> int:
        """The columns that a number takes."""
        if not self.digits:
            return 0
        return self.digits + (TAB - self.digits % TAB if self.after_number == b"\t" else 1)

    @property
    def room(self) -> int:
        """The width of a column."""
        used = self.number_width if self.merged else 0
        return (self.width - used - (self.columns - 1)) // self.columns


BACKSPACE = 8


def _width(byte: int) -> int:
    """Return the columns that `pr` counts for a byte: only ASCII has one."""
    return int(FIRST_PRINTABLE <= byte <= LAST_PRINTABLE)


def expand_input(line: bytes, tab: int = 9, distance: int = TAB, step: int = 0) -> bytes:
    """Return a line with blanks instead of tabs, or of another byte, up to the next of the stops.

    Args:
        line: The line.
        tab: The byte to expand.
        distance: The columns between stops.
        step: The columns of a backspace: -1 with `-e`, 0 where columns are arranged, as in GNU's.
    """
    found, position = bytearray(), 0
    for byte in line:
        if byte == tab:
            stop = position + distance - position % distance
            found += b" " * (stop - position)
            position = stop
        else:
            found.append(byte)
            position = max(0, position + (step if byte == BACKSPACE else _width(byte)))
    return bytes(found)


def _cut(cell: bytes, room: int) -> bytes:
    position = 0
    for at, byte in enumerate(cell):
        position += _width(byte)
        if position > room:
            return cell[:at]
    return cell


def rows_of(texts: list[list[bytes]], layout: Layout, height: int) -> Iterator[list[bytes]]:
    """Yield the rows of each page.

    Args:
        texts: The lines of one file, or of each file that is merged.
        layout: The layout.
        height: The most rows of a page.
    """
    numbers = itertools.count(layout.start)
    if layout.merged:
        merged = list(itertools.zip_longest(*texts))
        for at in range(0, len(merged), height):
            yield [_merged_row(list(row), layout, numbers) for row in merged[at : at + height]]
        return
    text = texts[0]
    size = height * layout.columns
    for at in range(0, len(text), size):
        cells = [_numbered(line, layout, numbers) for line in text[at : at + size]]
        yield [_row(row, layout) for row in _arrange(cells, layout)]


def _arrange(cells: list[bytes], layout: Layout) -> list[list[bytes]]:
    count = layout.columns
    if layout.across or count == 1:
        return [cells[at : at + count] for at in range(0, len(cells), count)]
    # The first columns have one line more where the lines don't divide.
    tall, extra = divmod(len(cells), count)
    columns: list[list[bytes]] = []
    at = 0
    for number in range(count):
        end = at + tall + (number < extra)
        columns.append(cells[at:end])
        at = end
    return [[column[row] for column in columns if row < len(column)] for row in range(len(columns[0]))]


def _number(layout: Layout, numbers: Iterator[int]) -> bytes:
    digits = str(next(numbers))[-layout.digits :]
    head = digits.rjust(layout.digits).encode()
    if layout.after_number == b"\t" and layout.columns > 1 and not layout.merged:
        return head.ljust(layout.number_width)
    return head + layout.after_number


def _numbered(line: bytes, layout: Layout, numbers: Iterator[int]) -> bytes:
    cell = (_number(layout, numbers) if layout.digits else b"") + line
    cuts = (layout.columns > 1 and layout.separator is None) or layout.cuts
    return _cut(cell, layout.room) if cuts else cell


def _merged_row(cells: list[bytes | None], layout: Layout, numbers: Iterator[int]) -> bytes:
    head = _number(layout, numbers) if layout.digits else b""
    if layout.separator is not None:
        return b" " * layout.indent + head + layout.separator.join(cell or b"" for cell in cells)
    return _align([_cut(cell or b"", layout.room) for cell in cells], layout, head)


def _row(cells: list[bytes], layout: Layout) -> bytes:
    if layout.columns == 1:
        return b" " * layout.indent + cells[0]
    if layout.separator is not None:
        return b" " * layout.indent + layout.separator.join(cells)
    return _align(cells, layout, b"")


def _align(cells: list[bytes], layout: Layout, head: bytes) -> bytes:
    """Return the cells at their columns, with tabs instead of blanks where a tab stop is reached."""
    found = bytearray(b" " * layout.indent + head)
    position = layout.indent + (layout.number_width if head else 0)
    start = position
    for number, cell in enumerate(cells):
        target = start + number * (layout.room + 1)
        found += _blanks(position, target)
        position = target
        position = _put(found, cell.rstrip(b" "), position)
    return bytes(found)


def _put(found: bytearray, cell: bytes, position: int) -> int:
    """Append a cell whose blanks become tabs where that is shorter; return the position after it."""
    pending = 0
    for byte in cell:
        if byte == ord(" "):
            pending += 1
            continue
        found += _blanks(position, position + pending)
        position += pending + _width(byte)
        pending = 0
        found.append(byte)
    return position


def _blanks(start: int, target: int) -> bytes:
    """Return white space from a column to another, with tabs as `pr` prints them."""
    tabs = 0
    while target - start > 1 and (stop := start + TAB - start % TAB) <= target:
        start, tabs = stop, tabs + 1
    return b"\t" * tabs + b" " * (target - start)
