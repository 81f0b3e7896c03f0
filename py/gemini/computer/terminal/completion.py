"""Completion of the typed command by the terminal's shell."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from gemini.computer.python import process
from gemini.computer.shell.backend import Session
from gemini.core import ffi
from gemini.errors import ShellUnavailable, TerminalClosed


class ShellCompletion:
    """Completes the text of a terminal's line editor.

    Args:
        session: Returns the session if it is open.
        open_session: Opens the session.
    """

    def __init__(
        self, session: Callable[[], Session | None], open_session: Callable[[], Awaitable[Session]]
    ) -> None:
        self._session = session
        self._open_session = open_session
        self.completed: Callable[[], None] = lambda: None
        """Called when the shell can complete, or can't start, after `complete` has returned None."""
        self._loaded = False
        self._failed = False
        self._opening: asyncio.Task[None] | None = None

    def complete(self, text: str, cursor: int) -> list[str] | None:
        """Return the completions before the cursor, or None and open the session, if there is none."""
        session = self._session()
        if session is not None and self._loaded:
            return session.complete(text[:cursor])
        if self._failed:
            self._failed = False
            return []
        if self._opening is None:
            loop = asyncio.get_running_loop()
            self._opening = loop.create_task(self._open(), context=process.detached())
        return None

    async def _open(self) -> None:
        try:
            # A shell that can't start shows its error with the next command.
            with suppress(ShellUnavailable, TerminalClosed, OSError):
                await self._open_session()
                await ffi.load_programs()
                self._loaded = True
        finally:
            self._failed = not self._loaded
            self._opening = None
            self.completed()
