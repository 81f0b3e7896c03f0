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
        self._handled_early = False

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

    def forget(self) -> None:
        """Forget an interrupt whose key never arrived."""
        self._handled_early = False

    def take_handled(self) -> bool:
        """Return whether the Ctrl-C that arrives now has already ended a statement. It counts once."""
        handled, self._handled_early = self._handled_early, False
        return handled

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
        """Clear the interrupt in shared memory. The key that caused it arrives later as a message."""
        page = interrupts.from_page()
        if page is not None and page.isTerminalInterrupted(self._number):
            page.forgetTerminal(self._number)
            self._handled_early = True
