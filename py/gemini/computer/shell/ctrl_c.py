"""Ctrl-C in a terminal whose running program reads its keyboard."""

from __future__ import annotations

from collections.abc import Callable

from gemini.core import interrupts
from gemini_userland.invocation import Keyboard, LineRequest, ReadInterrupted, ReadLine


class CtrlC:
    """Decides what Ctrl-C ends: the shell's command, a statement of an interactive program, or a pending read.

    Args:
        number: The terminal's number in the memory that the page shares with the kernel.
        read: Reads a line from the terminal.
    """

    def __init__(self, number: int, read: ReadLine) -> None:
        self._number = number
        self._read = read
        self._handler: Callable[[], None] | None = None
        self._ended_read = False

    def keyboard(self) -> Keyboard:
        """Return the keyboard for a program."""
        return Keyboard(self._read_line, self._set_handler, self._take)

    def handle(self) -> bool:
        """Have the interactive program handle Ctrl-C; return whether there is one."""
        if self._handler is None:
            return False
        self._handler()
        return True

    def program_ended(self) -> bool:
        """Forget the program that had the keyboard; return whether Ctrl-C ended its last read."""
        ended, self._ended_read, self._handler = self._ended_read, False, None
        return ended

    async def _read_line(self, request: LineRequest) -> str | None:
        self._ended_read = False
        try:
            return await self._read(request)
        except ReadInterrupted:
            self._ended_read = True
            raise

    def _set_handler(self, handler: Callable[[], None] | None) -> None:
        self._handler = handler

    def _take(self) -> None:
        """End the interrupt in shared memory, which has ended a statement. Its key arrives later as a message."""
        page = interrupts.from_page()
        if page is not None:
            page.endInterrupt(self._number)
