"""A terminal as somebody sees it through a message port, with flow control.

The viewer acknowledges what it has drawn. While more than `HIGH` characters are on their way, the rest waits
here; of more than `LONGEST_WAIT` characters that wait the first are dropped, as a terminal forgets what
scrolled away.
"""

from collections import deque
from collections.abc import Callable
from typing import Any

from gemini.terminal.terminal import MapTerminal

HIGH, LOW = 100_000, 10_000
LONGEST_WAIT = 1_000_000
PIECE = 50_000


class TerminalView:
    """Sends a terminal's output to `send`, and obeys the messages that come back.

    A message is text (keys that were typed) or an object: `{ack: n}` for characters drawn, `{cols, rows}` for
    a size, `{answer: text}` for what the viewer answers by itself to output that asks it something.
    """

    def __init__(
        self,
        terminal: MapTerminal,
        send: Callable[[str], None],
        on_keys: Callable[[str], None],
        on_answer: Callable[[str], None],
    ) -> None:
        self._terminal = terminal
        self._send = send
        self._on_keys = on_keys
        self._on_answer = on_answer
        self._on_the_way = 0
        self._held = False
        self._waiting: deque[str] = deque()
        self._length = 0
        self._dropped = 0
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
        elif "answer" in message:
            self._on_answer(str(message["answer"]))
        elif "cols" in message:
            self._terminal.resize(int(message["cols"]), int(message["rows"]))

    def close(self) -> None:
        """Stop showing the terminal."""
        self._detach()

    def _show(self, text: str) -> None:
        self._waiting.append(text[-LONGEST_WAIT:])
        self._length += len(self._waiting[-1])
        self._dropped += len(text) - len(self._waiting[-1])
        while self._length > LONGEST_WAIT:
            dropped = len(self._waiting.popleft())
            self._length -= dropped
            self._dropped += dropped
        self._pump()

    def _pump(self) -> None:
        while self._waiting and not self._held:
            piece = self._next_piece()
            self._on_the_way += len(piece)
            self._held = self._on_the_way >= HIGH
            self._send(piece)

    def _next_piece(self) -> str:
        pieces: list[str] = []
        size = 0
        while self._waiting and size < PIECE:
            pieces.append(self._waiting.popleft())
            size += len(pieces[-1])
        text = "".join(pieces)
        if size > PIECE:
            self._waiting.appendleft(text[PIECE:])
            text = text[:PIECE]
        self._length -= len(text)
        if self._dropped:
            # From the start of a line, so that nothing begins inside of an escape sequence.
            start = text.find("\n") + 1
            text = f"\x1b[0m\r\n[… {self._dropped + start:,} characters not shown …]\r\n{text[start:]}"
            self._dropped = 0
        return text
