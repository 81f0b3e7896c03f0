"""Draw and update the rows of a line on the terminal with few characters.

The sequences are xterm's. A wrapped row is entered by wrapping, never by moving, because xterm.js records which rows
belong together: it joins them when they are copied and when the terminal becomes wider.
"""

from collections.abc import Callable
from itertools import chain, groupby, pairwise
from operator import attrgetter

from gemini.computer.terminal.line_layout import Cell, Layout, Row

_ERASE_BELOW = "\x1b[J"
_ERASE_REST = "\x1b[K"
_HOME_AND_ERASE = "\x1b[H\x1b[2J"
_UNSTYLED = "\x1b[m"
_TEXT, _WIDTH, _STYLE = attrgetter("text"), attrgetter("width"), attrgetter("style")


class LineDisplay:
    """Draws layouts, each over the previous one.

    The terminal's cursor must be in the first column at the start; `hide` and `finish` leave it there. Of a layout with
    more rows than the terminal, the rows around the cursor are shown.

    Args:
        write: Receives the terminal output.
        columns: The terminal's width.
        rows: The terminal's height.
    """

    def __init__(self, write: Callable[[str], None], columns: int, rows: int) -> None:
        self._write = write
        self.columns, self.height = columns, rows
        self._start()

    def draw(self, layout: Layout) -> None:
        """Draw the layout and move the terminal's cursor to the layout's."""
        self._top = self._first_visible_row(layout)
        rows = layout.rows[self._top : self._top + self.height]
        self._draw_rows([Row(rows[0].cells), *rows[1:]])
        self._move(layout.cursor_row - self._top, layout.cursor_column)

    def finish(self, rows: list[Row]) -> None:
        """Leave all rows on the terminal permanently and move to a new row below them."""
        if self._top or len(rows) > self.height:
            self.hide()
        self._draw_rows(rows)
        self._write(_vertical(len(rows) - 1 - self._row) + "\r\n")
        self._start()

    def hide(self) -> None:
        """Erase the rows from the terminal."""
        self._move(0, 0)
        self._write(_ERASE_BELOW)
        self._start()

    def clear(self) -> None:
        """Clear the screen; the next layout is drawn at its top."""
        self._write(_HOME_AND_ERASE)
        self._start()

    def resize(self, columns: int, rows: int) -> None:
        """Erase the rows after the terminal was resized; the caller draws them again."""
        above = self._rows_above(columns)
        self._write(_vertical(-above) + "\r" + _ERASE_BELOW)
        self.columns, self.height = columns, rows
        self._start()

    def _start(self) -> None:
        self._rows = [Row()]
        self._top = 0
        self._row: int = 0
        self._column: int = 0

    def _first_visible_row(self, layout: Layout) -> int:
        """Return the first row to show, scrolled as little as the cursor allows."""
        top = min(self._top, max(len(layout.rows) - self.height, 0))
        return max(min(top, layout.cursor_row), layout.cursor_row - self.height + 1)

    def _rows_above(self, columns: int) -> int:
        """Return the number of rows from the first drawn row to the cursor after xterm.js rewraps to `columns`.

        xterm.js leaves the rows of the cursor's line unchanged. From the last line up, it moves the cursor by the rows
        that it adds or removes, even for rows below the cursor.
        """
        starts = [
            0,
            *(index for index, row in enumerate(self._rows) if index and not row.wrapped),
            len(self._rows),
        ]
        cursor = self._row
        for first, after in reversed(list(pairwise(starts))):
            # When it becomes wider, xterm.js finds all rows to remove before it moves the cursor.
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
        same = _common(old.cells, row.cells) if old and old.wrapped == row.wrapped else 0
        cells = row.cells[same:]
        if row.wrapped and not same:
            self._wrap_into(index)
            # Only a character enters the row; a blank does.
            cells = cells or [Cell(" ", 1)]
        elif old is None:
            self._move(index - 1, 0)
            self._write("\n")
            self._row = index
        else:
            self._move(index, sum(cell.width for cell in row.cells[:same]))
            if old.wrapped and not row.wrapped:
                self._write(_ERASE_REST)
        self._put(index, cells)
        if old and old.width > self._column:
            self._write(_ERASE_REST)

    def _wrap_into(self, index: int) -> None:
        """Move the cursor past the last column of the row above, so that the next character wraps."""
        if (self._row, self._column) != (index - 1, self.columns):
            last = self._rows[index - 1].cells[-1]
            self._move(index - 1, self.columns - last.width)
            self._put(index - 1, [last])

    def _put(self, row: int, cells: list[Cell]) -> None:
        if row != self._row:
            self._row, self._column = row, 0
        for style, run in groupby(cells, key=_STYLE):
            text = "".join(map(_TEXT, run))
            self._write(f"{style}{text}{_UNSTYLED}" if style else text)
        self._column += sum(map(_WIDTH, cells))

    def _move(self, row: int, column: int) -> None:
        if row != self._row:
            self._write(_vertical(row - self._row))
            if self._column == self.columns:
                # Terminals disagree on where a move from past the last column ends.
                self._column = -1
        if column == 0 and self._column:
            self._write("\r")
        elif column == self._column - 1 and self._column < self.columns:
            self._write("\b")
        elif column != self._column:
            self._write(f"\x1b[{column + 1}G")
        self._row, self._column = row, column


def _common(old: list[Cell], new: list[Cell]) -> int:
    """Return the number of equal cells at the start of both lists."""
    shorter = min(len(old), len(new))
    return next((n for n in range(shorter) if old[n] != new[n]), shorter)


def _wrapped_rows(rows: list[Row], columns: int) -> int:
    """Return the number of rows that the cells need at that width."""
    count, column = 1, 0
    for cell in chain.from_iterable(row.cells for row in rows):
        if column + cell.width > columns:
            count, column = count + 1, 0
        column += cell.width
    return count


def _vertical(rows: int) -> str:
    """Return the sequence that moves down, or up if `rows` is negative."""
    if rows == 0:
        return ""
    return f"\x1b[{rows}B" if rows > 0 else f"\x1b[{-rows}A"
