"""A terminal emulator without a window: rows of cells, a cursor and the scrollback.

Only this module and `cells` import pyte. pyte's `Screen` holds the cells and implements the functions of a VT100. Its
parser and its `draw` are not used: they raise on unexpected parameters, lose text after zero-width characters, and
are slow, mostly because of colors, which nothing reads here.

Sources: "XTerm Control Sequences"; for wrapped lines, xterm.js, whose screen this emulator must match.
"""

import re
from collections import defaultdict, deque
from copy import copy
from typing import NamedTuple

from pyte import modes
from pyte.screens import Char, Cursor, Screen

from gemini.computer.terminal.cells import CellRow, cell_of, rewrap, wrapped_lines
from gemini.computer.terminal.widths import columns_of

_TOKEN = re.compile(
    r"(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
    r"|(?:\x1b\[|\x9b)(?P<private>[<-?]?)(?P<parameters>[0-9;]{0,64})(?P<final>[@-~])"
    r"|\x1b[]PX^_][^\x07\x18\x1a\x1b\x9c]*(?:[\x07\x18\x1a\x9c]|(?=\x1b))"
    r"|\x1b(?![]PX[^_])(?P<escape>[ -/]*[0-~])"
    r"|(?P<unfinished>(?:\x1b\[|\x9b)[0-?]*[ -/]*\Z|\x1b[]PX^_][^\x07\x18\x1a\x1b\x9c]*\Z|\x1b[ -/]*\Z)"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?P<control>[\x00-\x1f\x7f-\x9f])"
)
_RUN = re.compile(r"[ -~]+|.", re.DOTALL)

# The content of a longer unfinished sequence is dropped, as it is never shown.
_MAX_SEQUENCE = 4_096
_MAX_PARAMETER = 9_999

# Final byte of a sequence: the method and its number of parameters.
_FUNCTIONS = {
    "@": ("insert_characters", 1),
    "A": ("cursor_up", 1),
    "B": ("cursor_down", 1),
    "C": ("cursor_forward", 1),
    "D": ("cursor_back", 1),
    "E": ("cursor_down1", 1),
    "F": ("cursor_up1", 1),
    "G": ("cursor_to_column", 1),
    "H": ("cursor_position", 2),
    "J": ("erase_in_display", 1),
    "K": ("erase_in_line", 1),
    "L": ("insert_lines", 1),
    "M": ("delete_lines", 1),
    "P": ("delete_characters", 1),
    "X": ("erase_characters", 1),
    "`": ("cursor_to_column", 1),
    "a": ("cursor_forward", 1),
    "d": ("cursor_to_line", 1),
    "e": ("cursor_down", 1),
    "f": ("cursor_position", 2),
    "g": ("clear_tab_stop", 1),
    "r": ("set_margins", 2),
    "s": ("save_cursor", 0),
    "u": ("restore_cursor", 0),
}
# A control character, or the character after an Escape: the method.
_SIMPLE = {
    "7": "save_cursor",
    "8": "restore_cursor",
    "D": "index",
    "E": "next_line",
    "H": "set_tab_stop",
    "M": "reverse_index",
    "c": "reset",
    "\b": "backspace",
    "\t": "tab",
    "\n": "linefeed",
    "\v": "linefeed",
    "\f": "linefeed",
    "\r": "carriage_return",
}
# Functions that first move a cursor past the last column back into it.
_CLAMPING = frozenset("@ABEFLMPXde")
_AUTOWRAP = 7
_ALTERNATE_SCREENS = frozenset({47, 1047, 1049})


class _MainScreen(NamedTuple):
    """The main screen, saved while the alternate screen is shown."""

    buffer: dict[int, CellRow]
    cursor: Cursor
    columns: int
    lines: int


class Emulator(Screen):
    """The main and the alternate screen of an xterm, and the scrollback of the main screen.

    Args:
        columns: The width, at least 2.
        rows: The height.
        scrollback: The maximum number of scrollback rows.
    """

    def __init__(self, columns: int, rows: int, scrollback: int) -> None:
        self._scrollback: deque[CellRow] = deque(maxlen=scrollback)
        self._main: _MainScreen | None = None
        self._saved = (0, 0)
        self._pending = ""
        super().__init__(columns, rows)
        # pyte's rows don't record that they are wrapped.
        self.buffer: defaultdict[int, CellRow] = defaultdict(CellRow)  # pyright: ignore[reportIncompatibleVariableOverride]

    def feed(self, text: str) -> None:
        """Interpret output, in pieces of any size; ignore unknown sequences."""
        text, self._pending = self._pending + text, ""
        for token in _TOKEN.finditer(text):
            match token.lastgroup:
                case "text":
                    self.draw(token[0])
                case "control" | "escape":
                    if name := _SIMPLE.get(token[token.lastgroup]):
                        getattr(self, name)()
                case "final":
                    self._function(token)
                case "unfinished":
                    self._pending = token[0] if len(token[0]) < _MAX_SEQUENCE else token[0][:2]
                case _:
                    pass

    def row_texts(self) -> list[str]:
        """Return the text of the visible rows and the scrollback, oldest first, without trailing blanks."""
        screen = [self.buffer[y] for y in range(self.lines)]
        lines = screen if self._main else [*self._scrollback, *screen]
        return [line.text(self.columns) for line in lines]

    def _function(self, token: re.Match[str]) -> None:
        final, private = token["final"], token["private"]
        parameters = [min(int(digits or 0), _MAX_PARAMETER) for digits in token["parameters"].split(";")]
        if final in "hl" and private in ("", "?"):
            for mode in parameters:
                self._change_mode(mode, private == "?", on=final == "h")
        elif (known := _FUNCTIONS.get(final)) and not private:
            name, count = known
            if final in _CLAMPING:
                self.ensure_hbounds()
            getattr(self, name)(*parameters[:count])

    def _change_mode(self, mode: int, private: bool, *, on: bool) -> None:
        if private and mode in _ALTERNATE_SCREENS:
            self._show_main()
            if on:
                self._show_alternate()
        elif (mode == _AUTOWRAP) if private else (mode in (modes.IRM, modes.LNM)):
            (self.set_mode if on else self.reset_mode)(mode, private=private)

    def _show_alternate(self) -> None:
        self._main = _MainScreen(dict(self.buffer), copy(self.cursor), self.columns, self.lines)
        self.buffer.clear()
        self.margins = None

    def _show_main(self) -> None:
        if self._main:
            size = (self.lines, self.columns)
            main, self.cursor, self.columns, self.lines = self._main
            self._main = None
            self.buffer.clear()
            self.buffer.update(main)
            self.margins = None
            self.resize(*size)

    # --- Characters ---

    def draw(self, data: str) -> None:
        """Draw text without control characters at the cursor."""
        for run in _RUN.finditer(data):
            text = run[0]
            if text.isascii():
                self._draw_narrow(text)
            elif "\ud800" <= text <= "\udfff":
                self._draw_narrow("\ufffd")
            elif (width := columns_of(text)) == 1:
                self._draw_narrow(text)
            elif width > 1:
                self._draw_wide(text)
            else:
                self._combine(text)

    def _draw_narrow(self, text: str) -> None:
        start = 0
        while start < len(text):
            self._wrap_if_full(1)
            x = self.cursor.x
            piece = text[start : start + self.columns - x]
            if modes.IRM in self.mode:
                self.insert_characters(len(piece))
            self.buffer[self.cursor.y].update(enumerate(map(cell_of, piece), x))
            self.cursor.x += len(piece)
            start += len(piece)

    def _draw_wide(self, character: str) -> None:
        self._wrap_if_full(2)
        if self.cursor.x == self.columns - 1:
            return
        if modes.IRM in self.mode:
            self.insert_characters(2)
        line, x = self.buffer[self.cursor.y], self.cursor.x
        line[x], line[x + 1] = cell_of(character), cell_of("")
        self.cursor.x += 2

    def _combine(self, character: str) -> None:
        """Add a zero-width character to the character before the cursor."""
        line, x = self.buffer[self.cursor.y], self.cursor.x - 1
        if x > 0 and not line[x].data:
            x -= 1
        if x >= 0:
            line[x] = Char(line[x].data + character)

    def _wrap_if_full(self, width: int) -> None:
        if self.cursor.x + width <= self.columns:
            return
        if modes.DECAWM in self.mode:
            for x in range(self.cursor.x, self.columns):
                self.buffer[self.cursor.y].pop(x, None)
            self.carriage_return()
            self.linefeed()
            self.buffer[self.cursor.y].wrapped = True
        else:
            self.cursor.x = self.columns - 1

    # --- Overrides where pyte differs from xterm or raises ---

    def reset(self) -> None:
        """Reset the terminal and clear the scrollback (ESC c)."""
        self._show_main()
        self._scrollback.clear()
        self._saved = (0, 0)
        super().reset()

    def linefeed(self) -> None:
        """Move the cursor down; the new row starts a line."""
        super().linefeed()
        self.buffer[self.cursor.y].wrapped = False

    def tab(self) -> None:
        """Move to the next tab stop, unless the cursor is past the last column."""
        if self.cursor.x < self.columns:
            super().tab()

    def next_line(self) -> None:
        """Move to the first column of the next row (ESC E)."""
        self.carriage_return()
        self.linefeed()

    def index(self) -> None:
        """Move the cursor down; a row that scrolls off the top of the main screen goes to the scrollback."""
        self.ensure_hbounds()
        top, bottom = self.margins or (0, self.lines - 1)
        if self.cursor.y == bottom and top == 0 and not self._main:
            self._scrollback.append(self.buffer[0])
        super().index()

    def save_cursor(self) -> None:
        """Save the cursor's position, but not its attributes as pyte does."""
        self._saved = (self.cursor.x, self.cursor.y)

    def restore_cursor(self) -> None:
        """Move the cursor to the saved position."""
        self.cursor.x, self.cursor.y = self._saved
        self.ensure_hbounds()
        self.ensure_vbounds()

    def set_margins(self, top: int | None = None, bottom: int | None = None) -> None:
        """Set the scrolling region; 0 stands for the default."""
        super().set_margins(top or 1, bottom or self.lines)

    def insert_lines(self, count: int | None = None) -> None:
        """Insert blank rows at the cursor."""
        self._replace_lines(0, count or 1)

    def delete_lines(self, count: int | None = None) -> None:
        """Delete rows at the cursor."""
        self._replace_lines(count or 1, 0)

    def _replace_lines(self, removed: int, added: int) -> None:
        y, (top, bottom) = self.cursor.y, self.margins or (0, self.lines - 1)
        if top <= y <= bottom:
            below = [self.buffer.pop(row, CellRow()) for row in range(y, bottom + 1)][removed:]
            self.buffer.update(enumerate(below[: bottom + 1 - y - added], y + added))
            self.carriage_return()

    def erase_in_line(self, how: int = 0, private: bool = False) -> None:
        """Erase in the cursor's row; erasing all of the row unmarks it as wrapped."""
        line = self.buffer[self.cursor.y]
        if how == 2 or (how == 0 and self.cursor.x == 0):
            line.wrapped = False
        if how <= 2:
            super().erase_in_line(how)

    def erase_in_display(self, how: int = 0, *args: object, **kwargs: object) -> None:
        """Erase in the display; 3 clears the scrollback."""
        if how == 3:
            self._scrollback.clear()
            return
        if how < 2:
            self.erase_in_line(how)
        erased = {0: range(self.cursor.y + 1, self.lines), 1: range(self.cursor.y), 2: range(self.lines)}
        for y in erased.get(how, ()):
            self.buffer.pop(y, None)

    # --- Size ---

    def resize(self, lines: int | None = None, columns: int | None = None) -> None:
        """Resize and rewrap the main screen as xterm.js does; the alternate screen isn't rewrapped."""
        lines, columns = lines or self.lines, columns or self.columns
        if (lines, columns) == (self.lines, self.columns):
            return
        if not self._main:
            self._rewrap(lines, columns)
        self.lines, self.columns = lines, columns
        self.margins = None
        self.tabstops = set(range(8, columns, 8))
        self.ensure_hbounds()
        self.ensure_vbounds()

    def _rewrap(self, lines: int, columns: int) -> None:
        used = max((y for y in range(self.lines) if self.buffer[y].text(self.columns)), default=0)
        rows = [*self._scrollback, *(self.buffer[y] for y in range(max(used, self.cursor.y) + 1))]
        cursor_row, cursor = len(self._scrollback) + self.cursor.y, 0
        new: list[CellRow] = []
        for line in wrapped_lines(rows):
            if line.start <= cursor_row < line.stop:
                # The program that draws this line redraws it.
                cursor = len(new) + cursor_row - line.start
                new += rows[line.start : line.stop]
                for row in new[-len(line) :]:
                    row.truncate(columns)
            else:
                new += rewrap(rows[line.start : line.stop], self.columns, columns)
        top = min(max(len(new) - lines, 0), cursor)
        self._scrollback.clear()
        self._scrollback.extend(new[:top])
        self.buffer.clear()
        self.buffer.update(enumerate(new[top : top + lines]))
        self.cursor.y = cursor - top
