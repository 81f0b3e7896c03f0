"""The content of a terminal as text."""

import re
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gemini.computer.terminal.emulator import Emulator

_MAX_UNREAD = 256 * 1024
_SCROLLBACK = 1_000
# Any escape sequence except colors.
_NON_COLOR_SEQUENCE = re.compile(r"\x1b(?!\[[0-9;:]*m)")


class Screen:
    """The rows and the scrollback of a terminal, computed from its output on demand.

    Terminals print far more than is ever read, so `feed` only stores the last 262,144 characters, and the reading
    methods interpret the new ones. If more was printed between two readings, the second starts over at the beginning
    of a line.

    Args:
        columns: The width.
        rows: The height.
    """

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self._size = _minimum_size(columns, rows)
        self._unread: deque[str] = deque()
        self._length = 0
        self._lost = False
        self._emulator: Emulator | None = None

    def feed(self, text: str) -> None:
        """Store output, including ANSI sequences, in pieces of any size."""
        if not text:
            return
        if len(text) > _MAX_UNREAD:
            self._drop_all()
            text = text[-_MAX_UNREAD:]
        self._unread.append(text)
        self._length += len(text)
        while self._length - len(self._unread[0]) >= _MAX_UNREAD:
            self._length -= len(self._unread.popleft())
            self._lost = True

    def lines(self) -> list[str]:
        """Return all rows, oldest first: up to 1,000 of the scrollback, then the screen.

        Trailing blanks and trailing empty rows are removed.
        """
        return _without_empty_end(self._read().row_texts())

    def whole_lines(self) -> list[str]:
        """Return the same as lines of any length, as they were printed."""
        return _without_empty_end(self._read().line_texts())

    def rows(self, count: int) -> list[str]:
        """Return the last `count` lines."""
        return self.lines()[-count:] if count > 0 else []

    def text(self) -> str:
        """Return all lines, joined with line breaks."""
        return "\n".join(self.lines())

    def resize(self, columns: int, rows: int) -> None:
        """Resize; earlier output is rewrapped as in xterm.js."""
        size = _minimum_size(columns, rows)
        if size != self._size:
            emulator = self._read()
            self._size = size
            emulator.resize(columns=size[0], lines=size[1])

    def clear(self) -> None:
        """Drop everything, as if the terminal were new."""
        self._drop_all()
        self._lost = False
        self._emulator = None

    def _drop_all(self) -> None:
        self._unread.clear()
        self._length = 0
        self._lost = True

    def _read(self) -> "Emulator":
        # Loaded here, because most terminals of scripts are never read.
        from gemini.computer.terminal.emulator import Emulator

        text = "".join(self._unread)
        start = self._visible_start(text)
        if self._lost or (start and not _NON_COLOR_SEQUENCE.search(text, 0, start)):
            self._emulator, text = None, text[start:]
        if self._emulator is None:
            self._emulator = Emulator(*self._size, scrollback=_SCROLLBACK)
        self._emulator.feed(text)
        self._unread.clear()
        self._length = 0
        self._lost = False
        return self._emulator

    def _visible_start(self, text: str) -> int:
        """Return the start of the lines that can still be visible, unless a sequence moves the cursor up; 0 for all.

        If the beginning of the text is lost, this is the start of a line if there is one.
        """
        start = len(text)
        for _ in range(_SCROLLBACK + self._size[1]):
            start = text.rfind("\n", 0, start)
            if start < 0:
                return text.find("\n") + 1 if self._lost else 0
        return start + 1


def _without_empty_end(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _minimum_size(columns: int, rows: int) -> tuple[int, int]:
    """Return the size, at least as wide as a wide character."""
    return max(columns, 2), max(rows, 1)
