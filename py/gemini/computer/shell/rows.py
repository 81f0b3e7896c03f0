"""Rows of a rendered output, whose cells can be overwritten."""

from __future__ import annotations

from gemini.computer.shell.widths import width_of

TAB = 8


class Row:
    """A row of any length. A cell is a character with its marks; "" continues a tab or a wide character.

    Args:
        text: The characters of the row.
    """

    def __init__(self, text: str = "") -> None:
        self._text = text
        # Split only if the cursor moves in the row.
        self._split: list[str] | None = None
        self._overwritten = False

    def __len__(self) -> int:
        return len(self._cells)

    @property
    def text(self) -> str:
        """The text. Blanks at the end of a row that was overwritten are gone."""
        if self._split is None:
            return self._text
        text = "".join(self._split)
        return text.rstrip(" ") if self._overwritten else text

    @property
    def _cells(self) -> list[str]:
        if self._split is None:
            self._split = []
            self.write(0, self._text)
        return self._split

    def append(self, text: str) -> None:
        """Write at the end."""
        if self._split is None:
            self._text += text
        else:
            self.write(len(self._split), text)

    def write(self, column: int, text: str) -> int:
        """Write over the cells at `column`, after blanks if the row ends before it; return the next column."""
        cells = self._cells
        self._fill(column)
        for character in text:
            width = width_of(character)
            if character == "\t":
                column = self._tab(column)
            elif width <= 0 and column > 0:
                cells[self._start(column - 1)] += character
            else:
                column = self._put(column, [character, ""] if width == 2 else [character])
        return column

    def repeat(self, column: int, count: int) -> int:
        """Write the character before `column` again; return the next column."""
        cells = self._cells
        before = cells[self._start(column - 1)] if 0 < column <= len(cells) else ""
        return self.write(column, before * count)

    def _put(self, column: int, new: list[str]) -> int:
        end = column + len(new)
        if column < len(self._cells):
            self._overwritten = True
            self._separate(column)
            self._separate(end - 1)
        self._cells[column:end] = new
        return end

    def _tab(self, column: int) -> int:
        """Go to the next tab stop, with a tab in the text if the row ends here."""
        end = (column // TAB + 1) * TAB
        if column == len(self._cells):
            self._cells.extend(["\t", *[""] * (end - column - 1)])
        self._fill(end)
        return end

    def erase(self, first: int, end: int | None = None) -> None:
        """Make cells blank; without `end`, the row ends at `first`."""
        cells = self._cells
        self._separate(first)
        if end is None:
            del cells[first:]
            return
        for column in range(first, min(end, len(cells))):
            self._separate(column)
            cells[column] = " "
        self._overwritten = True

    def delete(self, column: int, count: int) -> None:
        """Remove cells. Those behind them move to the left."""
        self._separate(column)
        self._separate(column + count)
        del self._cells[column : column + count]

    def insert(self, column: int, count: int) -> None:
        """Insert blanks."""
        self._separate(column)
        self._fill(column)
        self._cells[column:column] = [" "] * count

    def _fill(self, column: int) -> None:
        self._cells.extend([" "] * (column - len(self._cells)))

    def _start(self, column: int) -> int:
        while column > 0 and not self._cells[column]:
            column -= 1
        return column

    def _separate(self, column: int) -> None:
        """Turn a tab or a wide character that has a part at `column` into blanks."""
        cells = self._cells
        if column >= len(cells):
            return
        first, end = self._start(column), column + 1
        while end < len(cells) and not cells[end]:
            end += 1
        if end - first > 1:
            cells[first:end] = [" "] * (end - first)
