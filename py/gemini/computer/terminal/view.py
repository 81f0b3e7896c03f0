"""A view of a terminal through a message port, with flow control.

The viewer acknowledges the characters that it has drawn. While more than `HIGH_WATER` characters are unacknowledged,
further output waits here. Beyond `MAX_WAITING` waiting characters, the oldest are dropped, as from a scrollback.
"""

from collections import deque
from collections.abc import Callable
from typing import Any

from gemini.computer.terminal.terminal import MapTerminal

HIGH_WATER, LOW_WATER = 100_000, 10_000
MAX_WAITING = 1_000_000
MAX_PIECE = 50_000


class TerminalView:
    """Sends a terminal's output to a viewer and handles the viewer's messages.

    A message is text (typed keys) or an object: `{ack: n}` for drawn characters, `{cols, rows}` for a new size,
    `{answer: text}` for the viewer's automatic reply to a terminal query, `{keys, stop}` for typed keys with the
    interrupt `stop`, which shared memory has, too.

    Args:
        terminal: The terminal to show.
        send: Sends output to the viewer.
        on_keys: Called with typed keys, and with the number of the interrupt that they contain.
        on_answer: Called with automatic replies.
    """

    def __init__(
        self,
        terminal: MapTerminal,
        send: Callable[[str], None],
        on_keys: Callable[..., None],
        on_answer: Callable[[str], None],
    ) -> None:
        self._terminal = terminal
        self._send = send
        self._on_keys = on_keys
        self._on_answer = on_answer
        self._in_flight = 0
        self._paused = False
        self._waiting: deque[str] = deque()
        self._length = 0
        self._dropped = 0
        self._detach = terminal.view(self._show)

    def receive(self, message: Any) -> None:
        """Handle a message of the viewer."""
        if isinstance(message, str):
            self._on_keys(message)
        elif "ack" in message:
            self._in_flight = max(self._in_flight - int(message["ack"]), 0)
            if self._paused and self._in_flight < LOW_WATER:
                self._paused = False
            self._send_waiting()
        elif "keys" in message:
            self._on_keys(str(message["keys"]), int(message["stop"]))
        elif "answer" in message:
            self._on_answer(str(message["answer"]))
        elif "cols" in message:
            self._terminal.resize(int(message["cols"]), int(message["rows"]))

    def close(self) -> None:
        """Stop showing the terminal."""
        self._detach()

    def _show(self, text: str) -> None:
        self._waiting.append(text[-MAX_WAITING:])
        self._length += len(self._waiting[-1])
        self._dropped += len(text) - len(self._waiting[-1])
        while self._length > MAX_WAITING:
            dropped = len(self._waiting.popleft())
            self._length -= dropped
            self._dropped += dropped
        self._send_waiting()

    def _send_waiting(self) -> None:
        while self._waiting and not self._paused:
            piece = self._next_piece()
            self._in_flight += len(piece)
            self._paused = self._in_flight >= HIGH_WATER
            self._send(piece)

    def _next_piece(self) -> str:
        pieces: list[str] = []
        size = 0
        while self._waiting and size < MAX_PIECE:
            pieces.append(self._waiting.popleft())
            size += len(pieces[-1])
        text = "".join(pieces)
        if size > MAX_PIECE:
            self._waiting.appendleft(text[MAX_PIECE:])
            text = text[:MAX_PIECE]
        self._length -= len(text)
        if self._dropped:
            # Start at a line, not inside an escape sequence.
            start = text.find("\n") + 1
            text = f"\x1b[0m\r\n[… {self._dropped + start:,} characters not shown …]\r\n{text[start:]}"
            self._dropped = 0
        return text
