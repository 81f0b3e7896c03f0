"""Lay out a prompt and a line in the rows of a terminal."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from gemini.computer.terminal.widths import columns_of

_TAB = 8
_PROMPT_PIECE = re.compile(
    r"(?P<style>\x1b\[[0-9;:]*m)"
    r"|\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.?|[\x01\x02\r]"
    r"|(?P<ascii>[ -~]+)|(?P<character>.)",
    re.DOTALL,
)
_RUN = re.compile(r"[ -~]+|.", re.DOTALL)
_UNSTYLED = re.compile(r"\x1b\[0*m")


class Cell(NamedTuple):
    """A character with its accents, its width in columns, and the active SGR sequences."""

    text: str
    width: int
    style: str = ""


_ASCII = {character: Cell(character, 1) for character in map(chr, range(0x20, 0x7F))}
_BLANK = _ASCII[" "]


@lru_cache(maxsize=64)
def _ascii(style: str) -> dict[str, Cell]:
    """Return the cells of printable ASCII in a style."""
    return {character: Cell(character, 1, style) for character in _ASCII}


@dataclass(slots=True)
class Row:
    """One row of the terminal.

    Attributes:
        wrapped: The row continues the one above without a line break.
    """

    cells: list[Cell] = field(default_factory=list[Cell])
    wrapped: bool = False

    @property
    def width(self) -> int:
        """The used columns."""
        return sum(cell.width for cell in self.cells)


class Layout(NamedTuple):
    """Rows and the cursor's position in them; row and column count from 0."""

    rows: list[Row]
    cursor_row: int
    cursor_column: int


@lru_cache(maxsize=4096)
def cells_of(character: str) -> tuple[Cell, ...]:
    """Return the cells that show a character: `^A` for a control character, U+FFFD for one without its own form.

    A zero-width character, such as an accent, is one cell of width 0.
    """
    width = columns_of(character)
    if "\ud800" <= character <= "\udfff" or (width < 0 and character > "\x7f"):
        return (Cell("\ufffd", 1),)
    if width < 0 or character == "\0":
        return (Cell("^", 1), Cell(chr(ord(character) ^ 0x40), 1))
    return (Cell(character, width),)


def lay_out(prompt: str, text: str, cursor: int | None, columns: int, continuation: str) -> Layout:
    """Lay out the prompt and the text after it.

    Args:
        prompt: May contain SGR sequences and line breaks; other sequences are dropped.
        text: The line; each of its line breaks is followed by `continuation`.
        cursor: An index into `text`, or None to reserve no place for the cursor (which may need an extra row).
        columns: The terminal's width, at least 2.
        continuation: The prompt of further lines.
    """
    flow = _Flow(columns)
    flow.add_prompt(prompt)
    position: tuple[int, int] | None = None
    for run in _RUN.finditer(text):
        index, characters = run.start(), run[0]
        if characters == "\n":
            if index == cursor:
                position = flow.position()
            flow.break_line()
            flow.add_prompt(continuation)
        elif characters[0] in _ASCII:
            row, column = flow.add_ascii(characters)
            if cursor is not None and index <= cursor < run.end():
                beyond, column = divmod(column + cursor - index, columns)
                position = (row + beyond, column)
        else:
            added = flow.add(characters, first=index == 0 or text[index - 1] == "\n")
            position = added if index == cursor else position
    if position is None:
        position = (0, 0) if cursor is None else flow.position()
    return Layout(flow.rows, *position)


class _Flow:
    """Rows that are filled cell by cell."""

    def __init__(self, columns: int) -> None:
        self.rows = [Row()]
        self._columns = columns
        self._column = 0

    def position(self) -> tuple[int, int]:
        """Return the position of the next one-column cell; add a row if needed."""
        if self._column == self._columns:
            self._wrap()
        return len(self.rows) - 1, self._column

    def break_line(self) -> None:
        self.rows.append(Row())
        self._column = 0

    def add_prompt(self, prompt: str) -> None:
        style = ""
        for piece in _PROMPT_PIECE.finditer(prompt):
            if sequence := piece["style"]:
                style = "" if _UNSTYLED.fullmatch(sequence) else style + sequence
            elif piece["character"] == "\n":
                self.break_line()
            elif text := piece["ascii"]:
                self.add_ascii(text, style)
            elif character := piece["character"]:
                self.add(character, style=style)

    def add_ascii(self, text: str, style: str = "") -> tuple[int, int]:
        """Add printable ASCII (the fast path); return the position of its start before wrapping."""
        before = (len(self.rows) - 1, self._column)
        start, cell_of = 0, _ascii(style).__getitem__
        while start < len(text):
            if self._column == self._columns:
                self._wrap()
            piece = text[start : start + self._columns - self._column]
            self.rows[-1].cells.extend(map(cell_of, piece))
            self._column += len(piece)
            start += len(piece)
        return before

    def add(self, character: str, *, first: bool = False, style: str = "") -> tuple[int, int]:
        """Add the cells of a character; return the position of the first.

        Args:
            character: The character.
            first: It starts the line, so that an accent doesn't combine with the prompt.
            style: The active SGR sequences.
        """
        if character == "\t":
            position = self._put(_BLANK)
            while self._column % _TAB and self._column < self._columns:
                self._put(_BLANK)
            return position
        cells = cells_of(character)
        if cells[0].width == 0:
            if not first and self.rows[-1].cells:
                last = self.rows[-1].cells[-1]
                self.rows[-1].cells[-1] = last._replace(text=last.text + character)
                return len(self.rows) - 1, self._column
            cells = (Cell("\u25cc" + character, 1),)
        places = [self._put(cell._replace(style=style) if style else cell) for cell in cells]
        return places[0]

    def _put(self, cell: Cell) -> tuple[int, int]:
        if self._column + cell.width > self._columns:
            # Fill the last column with an explicit blank, because terminals treat it differently.
            self.rows[-1].cells.extend([_BLANK] * (self._columns - self._column))
            self._wrap()
        position = (len(self.rows) - 1, self._column)
        self.rows[-1].cells.append(cell)
        self._column += cell.width
        return position

    def _wrap(self) -> None:
        self.rows.append(Row(wrapped=True))
        self._column = 0
