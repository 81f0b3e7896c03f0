"""Completion of the typed command by the terminal's shell."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from gemini.core import ffi
from gemini.errors import ShellUnavailable, TerminalClosed
from gemini.python import process
from gemini.shell.backend import Session
from gemini.terminal.line_editor import LineEditor

TAB = "\t"


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
        self.editor: LineEditor | None = None
        self._loaded = False
        self._opening: asyncio.Task[None] | None = None

    def complete(self, text: str, cursor: int) -> list[str]:
        """Return the completions before the cursor; without a session, open one and then press Tab again."""
        session = self._session()
        if session is not None and self._loaded:
            return session.complete(text[:cursor])
        loop = asyncio.get_running_loop()
        self._opening = loop.create_task(self._complete_later(text), context=process.detached())
        return []

    async def _complete_later(self, text: str) -> None:
        # A shell that can't start shows its error with the next command.
        with suppress(ShellUnavailable, TerminalClosed, OSError):
            await self._open_session()
            await ffi.load_programs()
            self._loaded = True
            if self.editor is not None and self.editor.editing and self.editor.text == text:
                self.editor.feed(TAB)
