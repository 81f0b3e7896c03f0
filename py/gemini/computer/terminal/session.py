"""The shell of a terminal: opened with the first command, and saved for the next kernel."""

import asyncio
from collections.abc import Callable
from typing import cast

from gemini.computer.shell.backend import Backend, Finished, RawSession, Session, Tty
from gemini.core import saved_code
from gemini.errors import TerminalClosed

INTERRUPTED = 130


class TerminalSession:
    """The session of a terminal's shell.

    Args:
        backend: The backend that opens it.
        working_dir: The initial directory, absolute.
        create_tty: Returns the terminal as the shell sees it.
        check_open: Raises TerminalClosed if the terminal is closed.
        size: Returns the terminal's columns and rows.
    """

    def __init__(
        self,
        backend: Backend,
        working_dir: str,
        create_tty: Callable[[], Tty],
        check_open: Callable[[], None],
        size: Callable[[], tuple[int, int]],
    ) -> None:
        self.working_dir = working_dir
        self._backend = backend
        self._create_tty = create_tty
        self._check_open = check_open
        self._size = size
        self._opened: Session | None = None
        self._opening = asyncio.Lock()
        self._state: str | None = None
        self._state_is_stale = False  # a command has ended since it was read

    @property
    def opened(self) -> Session | None:
        """The open session; None if there is none."""
        return self._opened

    def state(self) -> str | None:
        """Return the variables and functions for the next kernel; None if no command has ended."""
        if self._opened is not None and self._state_is_stale:
            # Read here, since terminals may not be saved at all. A raw session's changes after the command's end.
            self._state, self._state_is_stale = self._opened.state(), self._backend.raw
        return self._state

    def restore(self, state: str | None) -> None:
        """Begin with a saved state."""
        self._state = state

    async def open(self) -> Session:
        """Return the session; open it if there is none.

        Raises:
            TerminalClosed: The terminal was closed meanwhile.
        """
        saved_code.use()
        async with self._opening:
            if self._opened is None:
                session = self._opened = await self._backend.open(
                    self._create_tty(), self.working_dir, self._state
                )
                try:
                    self._check_open()
                except TerminalClosed:
                    await session.close()
                    raise
                if self._backend.raw:  # Its size may have changed meanwhile.
                    self.resize(*self._size())
            return self._opened

    async def open_raw(self) -> RawSession:
        """Open the session of a raw terminal."""
        return cast(RawSession, await self.open())

    async def start_raw(self) -> None:
        """Open the session if the terminal is raw; other sessions open with their first command."""
        if self._backend.raw:
            self.working_dir = (await self.open_raw()).working_dir

    async def run(self, command: str, timeout_s: float | None, *, attended: bool, watched: bool) -> Finished:
        """Run a command as `Session.run` does, and note its directory."""
        session = await self.open()
        finished = await session.run(command, timeout_s, attended=attended, watched=watched)
        self.working_dir = finished.working_dir
        self._state_is_stale = True
        return finished

    async def run_nothing(self) -> Finished:
        """Return the end of a command that was interrupted before it began."""
        session = await self.open()
        # Set `$?`.
        await session.run(f"(exit {INTERRUPTED})", None)
        return Finished(INTERRUPTED, self.working_dir, "interrupted")

    async def answer(self, text: str) -> None:
        """Pass the emulator's reply to a query on to a raw session."""
        if self._backend.raw and self._opened is not None:
            await cast(RawSession, self._opened).answer(text)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of a raw session."""
        if self._opened is not None:
            cast(RawSession, self._opened).resize(columns, rows)

    def interrupt(self) -> None:
        """Interrupt the running command."""
        if self._opened is not None:
            self._opened.interrupt()

    def end(self) -> None:
        """Forget a raw session that has ended; the next key or command opens another."""
        self._opened = None

    async def close(self) -> None:
        """Close the session."""
        if self._opened is not None:
            await self._opened.close()
