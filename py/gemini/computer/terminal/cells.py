"""Rows of terminal cells: their text, and rewrapping to another width."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from pyte.screens import Char, StaticDefaultDict

from gemini.computer.terminal.widths import columns_of


@lru_cache(maxsize=4096)
def cell_of(character: str) -> Char:
    """Return the cell of a character; cells are shared."""
    return Char(character)


class CellRow(StaticDefaultDict[int, Char]):
    """The cells of a row by column; missing cells are blank, and the second cell of a wide character is empty.

    Args:
        wrapped: The row continues the one above without a line break.
    """

    def __init__(self, *, wrapped: bool = False) -> None:
        super().__init__(cell_of(" "))
        self.wrapped = wrapped

    def text(self, columns: int) -> str:
        """Return the first `columns` cells as text, without trailing blanks."""
        cells = [self[x].data for x in range(min(max(self, default=-1) + 1, columns))]
        text = "".join(cells)
        if len(text) != len(cells) or not text.isascii():
            text = "".join(_visible_cells(cells))
        return text.rstrip(" ")

    def truncate(self, columns: int) -> None:
        """Delete the cells from column `columns` on."""
        for x in [x for x in self if x >= columns]:
            del self[x]


def wrapped_lines(rows: list[CellRow]) -> Iterator[range]:
    """Yield the row indexes of each line, wrapped or not."""
    first = 0
    for after in range(1, len(rows) + 1):
        if after == len(rows) or not rows[after].wrapped:
            yield range(first, after)
            first = after


def rewrap(rows: list[CellRow], old: int, new: int) -> list[CellRow]:
    """Wrap the cells of one line into rows of `new` columns instead of `old`."""
    cells: list[Char] = []
    for row, following in zip(rows, [*rows[1:], CellRow()], strict=True):
        # A wide character that wrapped leaves no cell in the last column.
        short = old - 1 not in row and not following[1].data
        cells += [row[x] for x in range(old - short)]
    while cells and cells[-1].data == " ":
        cells.pop()
    result = [CellRow(wrapped=rows[0].wrapped)]
    x = 0
    for cell, after in pairwise([*cells, cell_of(" ")]):
        width = 1 if after.data else 2
        if x + width > new and cell.data:
            result.append(CellRow(wrapped=True))
            x = 0
        result[-1][x] = cell
        x += 1
    return result


def _visible_cells(cells: list[str]) -> Iterator[str]:
    """Yield the cells without the second halves of wide characters, and a blank for each half of an overwritten one."""
    for x, cell in enumerate(cells):
        wide = bool(cell) and columns_of(cell[0]) == 2
        if wide and x + 1 < len(cells) and cells[x + 1]:
            yield " "
        elif cell:
            yield cell
        elif x == 0 or not cells[x - 1] or columns_of(cells[x - 1][0]) != 2:
            yield " "
