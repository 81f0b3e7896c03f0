"""A standard input that asks for each line at the terminal."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from gemini_userland.invocation import LineRequest

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Read = Callable[[LineRequest], str | None]
"""Reads a line and waits for it; None at the end of the input. Raises KeyboardInterrupt."""


class TerminalReader(io.RawIOBase):
    """The raw layer of a standard input that is a terminal.

    Args:
        read: Reads a line.
        flush: Writes buffered output, which the question follows.
    """

    name = "<stdin>"
    mode = "rb"

    def __init__(self, read: Read, flush: Callable[[], None]) -> None:
        super().__init__()
        self.read_line = read
        self._flush = flush
        self._rest = b""
        # As with readline in CPython, all lines of one program share a history, which ends with it.
        self._history: list[str] = []

    def readable(self) -> bool:
        """Return True."""
        return True

    def isatty(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read part of a line; return 0 at the end of the input."""
        if not self._rest:
            self._flush()
            line = self.read_line(LineRequest(history=self._history))
            if line is None:
                return 0
            self._rest = f"{line}\n".encode("utf-8", "surrogateescape")
        view = memoryview(buffer).cast("B")
        count = min(len(view), len(self._rest))
        view[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count
