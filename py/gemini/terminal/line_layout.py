"""Where the characters of a prompt and a line stand on the rows of a terminal."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from gemini.terminal.widths import columns_of

_TAB = 8
_PROMPT_PIECE = re.compile(
    r"(?P<style>\x1b\[[0-9;:]*m)"
    r"|\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.?|[\x01\x02\r]"
    r"|(?P<character>.)",
    re.DOTALL,
)
_RUN = re.compile(r"[ -~]+|.", re.DOTALL)
_UNSTYLED = re.compile(r"\x1b\[0*m")


class Cell(NamedTuple):
    """What stands in one place: a character with the accents on it, its columns, the SGR sequences in
    force."""

    text: str
    width: int
    style: str = ""


_PLAIN = {character: Cell(character, 1) for character in map(chr, range(0x20, 0x7F))}
_BLANK = _PLAIN[" "]


@dataclass(slots=True)
class Row:
    """One row of the terminal; `wrapped` when it goes on from the row above without a line break."""

    cells: list[Cell] = field(default_factory=list[Cell])
    wrapped: bool = False

    @property
    def width(self) -> int:
        return sum(cell.width for cell in self.cells)


class Layout(NamedTuple):
    """Rows, and the cursor's place among them (both count from 0)."""

    rows: list[Row]
    cursor_row: int
    cursor_column: int


@lru_cache(maxsize=4096)
def cells_of(character: str) -> tuple[Cell, ...]:
    """How a line shows a character: control characters as `^A`, what has no form of its own as U+FFFD.

    A character of no width, an accent, is one cell of width 0.
    """
    width = columns_of(character)
    if "\ud800" <= character <= "\udfff" or (width < 0 and character > "\x7f"):
        return (Cell("\ufffd", 1),)
    if width < 0 or character == "\0":
        return (Cell("^", 1), Cell(chr(ord(character) ^ 0x40), 1))
    return (Cell(character, width),)


def lay_out(prompt: str, text: str, cursor: int | None, columns: int, continuation: str) -> Layout:
    """Lays out the prompt and the text behind it.

    Args:
        prompt: May hold SGR sequences and line breaks; other sequences are left out.
        text: The line; behind each of its line breaks comes `continuation`.
        cursor: An index into `text`, or None when the cursor needs no place (it may need a row of its own).
        columns: Of the terminal, at least 2.
        continuation: The prompt of further lines.
    """
    flow = _Flow(columns)
    flow.add_prompt(prompt)
    place: tuple[int, int] | None = None
    for run in _RUN.finditer(text):
        index, characters = run.start(), run[0]
        if characters == "\n":
            if index == cursor:
                place = flow.place()
            flow.break_line()
            flow.add_prompt(continuation)
        elif characters[0] in _PLAIN:
            row, column = flow.add_plain(characters)
            if cursor is not None and index <= cursor < run.end():
                beyond, column = divmod(column + cursor - index, columns)
                place = (row + beyond, column)
        else:
            placed = flow.add(characters, first=index == 0 or text[index - 1] == "\n")
            place = placed if index == cursor else place
    if place is None:
        place = (0, 0) if cursor is None else flow.place()
    return Layout(flow.rows, *place)


class _Flow:
    """Rows that fill up as cells are put into them."""

    def __init__(self, columns: int) -> None:
        self.rows = [Row()]
        self._columns = columns
        self._column = 0

    def place(self) -> tuple[int, int]:
        """The place that the next cell of one column would get; makes its row if need be."""
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
            elif character := piece["character"]:
                self.add(character, style=style)

    def add_plain(self, text: str) -> tuple[int, int]:
        """Adds printable ASCII, the quick way; returns the place behind what was there before."""
        before = (len(self.rows) - 1, self._column)
        start = 0
        while start < len(text):
            if self._column == self._columns:
                self._wrap()
            piece = text[start : start + self._columns - self._column]
            self.rows[-1].cells.extend(map(_PLAIN.__getitem__, piece))
            self._column += len(piece)
            start += len(piece)
        return before

    def add(self, character: str, *, first: bool = False, style: str = "") -> tuple[int, int]:
        """Adds what shows the character, and returns the place of its first cell.

        `first` keeps an accent without a letter off what stands before the line.
        """
        if character == "\t":
            place = self._put(_BLANK)
            while self._column % _TAB and self._column < self._columns:
                self._put(_BLANK)
            return place
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
            # A wide character leaves the last column empty: an explicit blank, as terminals disagree on what
            # they do.
            self.rows[-1].cells.extend([_BLANK] * (self._columns - self._column))
            self._wrap()
        place = (len(self.rows) - 1, self._column)
        self.rows[-1].cells.append(cell)
        self._column += cell.width
        return place

    def _wrap(self) -> None:
        self.rows.append(Row(wrapped=True))
        self._column = 0
