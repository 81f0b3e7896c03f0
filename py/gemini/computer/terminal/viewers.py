"""The viewers of a terminal and the recent output that a new one gets."""

import secrets
from collections import deque
from collections.abc import Callable

# The characters of recent output that a new viewer gets.
MAX_REPLAY = 256 * 1024
# Names the caller of the command on this row to viewers: an operating system command (ECMA-48, 8.3.89), which other
# terminals skip, with a number that xterm doesn't use.
CALLER = "\x1b]7770;{};{}\x07"

Viewer = Callable[[str], None]


class Viewers:
    """The functions that receive a terminal's output.

    Attributes:
        secret: Starts the name of a caller. Viewers ignore names without it: a program's output could hold one.
    """

    def __init__(self) -> None:
        self.secret = secrets.token_hex(8)
        self._viewers: list[Viewer] = []
        self._recent: deque[str] = deque()
        self._length = 0
        self._truncated = False

    def add(self, viewer: Viewer) -> Callable[[], None]:
        """Send `viewer` the recent output and all further output; return a function that stops this."""
        viewer(self._replay())
        self._viewers.append(viewer)
        return lambda: self._viewers.remove(viewer)

    def draw(self, text: str) -> None:
        """Send output to all viewers."""
        self._store(text)
        for viewer in list(self._viewers):
            viewer(text)

    def name_caller(self, caller: str) -> str:
        """Return the text that names the caller of the command on its row."""
        return CALLER.format(self.secret, caller)

    def clear(self) -> None:
        """Drop the recent output."""
        self._recent.clear()
        self._length = 0
        self._truncated = False

    def _store(self, text: str) -> None:
        self._recent.append(text[-MAX_REPLAY:])
        self._length += len(self._recent[-1])
        while self._length - len(self._recent[0]) >= MAX_REPLAY:
            self._length -= len(self._recent.popleft())
            self._truncated = True

    def _replay(self) -> str:
        """Return the recent output; if its beginning was dropped, from the start of a line."""
        text = "".join(self._recent)
        return text[text.find("\n") + 1 :] if self._truncated else text
