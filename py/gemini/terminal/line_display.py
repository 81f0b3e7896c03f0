"""The rows of a line on the terminal, kept up to date with few characters.

The sequences are xterm's. Wrapped rows are entered by wrapping, never by moving, because xterm.js remembers
which rows belong together: it joins them when they are copied and when the terminal becomes wider.
"""

from collections.abc import Callable
from itertools import chain, groupby, pairwise

from gemini.terminal.line_layout import Cell, Layout, Row

_ERASE_BELOW = "\x1b[J"
_ERASE_REST = "\x1b[K"
_HOME_AND_ERASE = "\x1b[H\x1b[2J"
_UNSTYLED = "\x1b[m"


class LineDisplay:
    """Draws layouts, each over the one before.

    It expects the terminal's cursor in the first column when it begins, and leaves it there after `hide` and
    `finish`. A layout with more rows than the terminal is shown in part, around the cursor.
    """

    def __init__(self, write: Callable[[str], None], columns: int, rows: int) -> None:
        self._write = write
        self.columns, self.height = columns, rows
        self._start()

    def draw(self, layout: Layout) -> None:
        """Shows the layout, with the terminal's cursor at the layout's."""
        self._top = self._scrolled(layout)
        rows = layout.rows[self._top : self._top + self.height]
        self._draw_rows([Row(rows[0].cells), *rows[1:]])
        self._move(layout.cursor_row - self._top, layout.cursor_column)

    def finish(self, rows: list[Row]) -> None:
        """Leaves all the rows on the terminal, for good, and goes to a new row below them."""
        if self._top or len(rows) > self.height:
            self.hide()
        self._draw_rows(rows)
        self._write(_vertical(len(rows) - 1 - self._row) + "\r\n")
        self._start()

    def hide(self) -> None:
        """Takes everything off the terminal again."""
        self._move(0, 0)
        self._write(_ERASE_BELOW)
        self._start()

    def clear(self) -> None:
        """Empties the terminal: what is drawn next stands at its top."""
        self._write(_HOME_AND_ERASE)
        self._start()

    def resize(self, columns: int, rows: int) -> None:
        """Follows the terminal, which has that size already; what was drawn is gone and has to be drawn
        again."""
        above = self._rows_above(columns)
        self._write(_vertical(-above) + "\r" + _ERASE_BELOW)
        self.columns, self.height = columns, rows
        self._start()

    def _start(self) -> None:
        self._rows = [Row()]
        self._top = 0
        self._row: int = 0
        self._column: int = 0

    def _scrolled(self, layout: Layout) -> int:
        """The first row that shows, moved as little as the cursor allows."""
        top = min(self._top, max(len(layout.rows) - self.height, 0))
        return max(min(top, layout.cursor_row), layout.cursor_row - self.height + 1)

    def _rows_above(self, columns: int) -> int:
        """The rows from the first drawn to the cursor, after xterm.js has wrapped anew for so many columns.

        It leaves the rows of the line with the cursor as they are. From the last line up, it moves the cursor
        along with the rows that it adds or removes, even with those below.
        """
        starts = [0, *(at for at, row in enumerate(self._rows) if at and not row.wrapped), len(self._rows)]
        cursor = self._row
        for first, after in reversed(list(pairwise(starts))):
            # Becoming wider, it looks for all that it will remove before it moves anything.
            place = cursor if columns < self.columns else self._row
            if not first <= place < after:
                cursor += _wrapped_rows(self._rows[first:after], columns) - (after - first)
        return cursor

    def _draw_rows(self, rows: list[Row]) -> None:
        for index, row in enumerate(rows):
            self._draw_row(index, row, self._rows[index] if index < len(self._rows) else None)
            self._rows[index : index + 1] = [row]
        if len(self._rows) > len(rows):
            self._move(len(rows), 0)
            self._write(_ERASE_BELOW)
            del self._rows[len(rows) :]

    def _draw_row(self, index: int, row: Row, old: Row | None) -> None:
        if old == row:
            return
        kept = _common(old.cells, row.cells) if old and old.wrapped == row.wrapped else 0
        cells = row.cells[kept:]
        if row.wrapped and not kept:
            self._wrap_into(index)
            # A blank enters the row that waits for its first character.
            cells = cells or [Cell(" ", 1)]
        elif old is None:
            self._move(index - 1, 0)
            self._write("\n")
            self._row = index
        else:
            self._move(index, sum(cell.width for cell in row.cells[:kept]))
            if old.wrapped and not row.wrapped:
                self._write(_ERASE_REST)
        self._put(index, cells)
        if old and old.width > self._column:
            self._write(_ERASE_REST)

    def _wrap_into(self, index: int) -> None:
        """Brings the cursor behind the last column of the row above, where the next character wraps."""
        if (self._row, self._column) != (index - 1, self.columns):
            last = self._rows[index - 1].cells[-1]
            self._move(index - 1, self.columns - last.width)
            self._put(index - 1, [last])

    def _put(self, row: int, cells: list[Cell]) -> None:
        if row != self._row:
            self._row, self._column = row, 0
        for style, run in groupby(cells, key=lambda cell: cell.style):
            text = "".join(cell.text for cell in run)
            self._write(f"{style}{text}{_UNSTYLED}" if style else text)
        self._column += sum(cell.width for cell in cells)

    def _move(self, row: int, column: int) -> None:
        if row != self._row:
            self._write(_vertical(row - self._row))
            if self._column == self.columns:
                # Terminals disagree on where such a move ends when it begins behind the last column.
                self._column = -1
        if column == 0 and self._column:
            self._write("\r")
        elif column == self._column - 1 and self._column < self.columns:
            self._write("\b")
        elif column != self._column:
            self._write(f"\x1b[{column + 1}G")
        self._row, self._column = row, column


def _common(old: list[Cell], new: list[Cell]) -> int:
    """The number of cells that both begin with."""
    shorter = min(len(old), len(new))
    return next((n for n in range(shorter) if old[n] != new[n]), shorter)


def _wrapped_rows(rows: list[Row], columns: int) -> int:
    """How many rows of so many columns the cells of these need."""
    count, column = 1, 0
    for cell in chain.from_iterable(row.cells for row in rows):
        if column + cell.width > columns:
            count, column = count + 1, 0
        column += cell.width
    return count


def _vertical(rows: int) -> str:
    """Moves down, or up when negative."""
    if rows == 0:
        return ""
    return f"\x1b[{rows}B" if rows > 0 else f"\x1b[{-rows}A"
