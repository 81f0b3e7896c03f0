"""What a terminal shows, as text."""

import re
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gemini.terminal.emulator import Emulator

_TAIL = 256 * 1024
_SCROLLBACK = 1_000
# Every sequence but colours.
_MOVES = re.compile(r"\x1b(?!\[[0-9;:]*m)")


class Screen:
    """The rows of a terminal and those that have scrolled away, read from what was printed to it.

    Printing costs next to nothing, as terminals print far more than anybody reads: `feed` keeps the last
    262,144 characters, and the reading methods interpret those that they haven't seen yet. When more than
    that was printed between two readings, the second begins anew at the start of a line among them.
    """

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self._size = _at_least_one_character(columns, rows)
        self._unread: deque[str] = deque()
        self._length = 0
        self._lost = False
        self._emulator: Emulator | None = None

    def feed(self, text: str) -> None:
        """Takes what was printed, ANSI sequences included, in pieces of any size."""
        if not text:
            return
        if len(text) > _TAIL:
            self._drop_all()
            text = text[-_TAIL:]
        self._unread.append(text)
        self._length += len(text)
        while self._length - len(self._unread[0]) >= _TAIL:
            self._length -= len(self._unread.popleft())
            self._lost = True

    def lines(self) -> list[str]:
        """All rows, oldest first: up to 1,000 that have scrolled away, and the screen.

        Without blanks at the rows' ends, and without empty rows at the end.
        """
        lines = self._read().texts()
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def rows(self, count: int) -> list[str]:
        """The last `count` of the lines."""
        return self.lines()[-count:] if count > 0 else []

    def text(self) -> str:
        """All lines, with line breaks between them."""
        return "\n".join(self.lines())

    def resize(self, columns: int, rows: int) -> None:
        """Follows the terminal; what was printed before is wrapped as xterm.js does it."""
        size = _at_least_one_character(columns, rows)
        if size != self._size:
            emulator = self._read()
            self._size = size
            emulator.resize(columns=size[0], lines=size[1])

    def clear(self) -> None:
        """Forgets everything, as if the terminal were new."""
        self._drop_all()
        self._lost = False
        self._emulator = None

    def _drop_all(self) -> None:
        self._unread.clear()
        self._length = 0
        self._lost = True

    def _read(self) -> "Emulator":
        # Loaded here: most terminals of a script are never read.
        from gemini.terminal.emulator import Emulator

        text = "".join(self._unread)
        start = self._start_of_end(text)
        if self._lost or (start and not _MOVES.search(text, 0, start)):
            self._emulator, text = None, text[start:]
        if self._emulator is None:
            self._emulator = Emulator(*self._size, scrollback=_SCROLLBACK)
        self._emulator.feed(text)
        self._unread.clear()
        self._length = 0
        self._lost = False
        return self._emulator

    def _start_of_end(self, text: str) -> int:
        """Where the lines begin that can still show, unless something moves the cursor up; 0 for all.

        When the beginning of the text is lost, always at the start of a line, if there is one.
        """
        start = len(text)
        for _ in range(_SCROLLBACK + self._size[1]):
            start = text.rfind("\n", 0, start)
            if start < 0:
                return text.find("\n") + 1 if self._lost else 0
        return start + 1


def _at_least_one_character(columns: int, rows: int) -> tuple[int, int]:
    """The size, but with room for a wide character, as in every terminal."""
    return max(columns, 2), max(rows, 1)
