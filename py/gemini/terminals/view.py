"""A terminal as somebody sees it through a message port, with flow control.

The viewer acknowledges what it has drawn. While more than `HIGH` characters are on their way, the rest waits here;
what waits longer than `LONGEST_WAIT` characters is cut at its beginning, as a terminal forgets what scrolled away.
"""

from collections.abc import Callable
from typing import Any

from gemini.terminals.terminal import MapTerminal

HIGH, LOW = 100_000, 10_000
LONGEST_WAIT = 1_000_000
PIECE = 50_000


class TerminalView:
    """Sends a terminal's output to `send`, and obeys the messages that come back.

    A message is text (keys that were typed) or an object: `{ack: n}` for characters drawn, `{cols, rows}` for a size.
    """

    def __init__(self, terminal: MapTerminal, send: Callable[[str], None], on_keys: Callable[[str], None]) -> None:
        self._terminal = terminal
        self._send = send
        self._on_keys = on_keys
        self._on_the_way = 0
        self._waiting = ""
        self._held = False
        self._detach = terminal.view(self._show)

    def receive(self, message: Any) -> None:
        """Take a message of the viewer's."""
        if isinstance(message, str):
            self._on_keys(message)
        elif "ack" in message:
            self._on_the_way = max(self._on_the_way - int(message["ack"]), 0)
            if self._held and self._on_the_way < LOW:
                self._held = False
            self._pump()
        elif "cols" in message:
            self._terminal.resize(int(message["cols"]), int(message["rows"]))

    def close(self) -> None:
        """Stop showing the terminal."""
        self._detach()

    def _show(self, text: str) -> None:
        self._waiting += text
        if len(self._waiting) > LONGEST_WAIT:
            cut = len(self._waiting) - LONGEST_WAIT // 2
            self._waiting = f"\x1b[0m\r\n[… {cut:,} characters not shown …]\r\n{self._waiting[cut:]}"
        self._pump()

    def _pump(self) -> None:
        while self._waiting and not self._held:
            piece, self._waiting = self._waiting[:PIECE], self._waiting[PIECE:]
            self._on_the_way += len(piece)
            self._held = self._on_the_way >= HIGH
            self._send(piece)
