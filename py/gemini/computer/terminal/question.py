"""The input that a running command requests: a line, as `read` and Python's `input()` do, or keys."""

import asyncio
import re
from collections.abc import Callable, Sequence

from gemini.computer.terminal.keys import Key
from gemini.computer.terminal.line_editor import EndOfFile, Entry, Interrupt, Line, LineEditor
from gemini_userland.invocation import LineRequest, ReadInterrupted

# Only a row of text and colors can be redrawn.
PLAIN_ROW = re.compile(r"(?:[^\x00-\x1f\x7f]|\x1b\[[0-9;]*m)*")


class KeysRequest:
    """A request of a full-screen program for the next keys.

    Args:
        editor: The terminal's line editor, which is suspended while a command runs and saves keys.
    """

    handles_interrupt = False

    def __init__(self, editor: LineEditor) -> None:
        self._editor = editor
        self._keys: asyncio.Future[list[Key] | None] = asyncio.get_running_loop().create_future()

    async def read(self) -> list[str] | None:
        """Return the next keys, as `Display.read_keys` does."""
        keys = self._editor.take_keys() or await self._keys
        if keys is None:
            return None
        return [name for key in keys for name in (key.text or [key.name])]

    def interrupt(self) -> None:
        """Do nothing: Ctrl-C ends the program."""

    def feed(self, keys: str) -> bool:
        """Handle keys; return whether Ctrl-C was among them."""
        interrupted = bool(self._editor.feed(keys))
        if not self._keys.done() and (taken := self._editor.take_keys()):
            self._keys.set_result(taken)
        return interrupted

    def resize(self, columns: int, rows: int) -> None:
        """Return no keys from `read`."""
        if not self._keys.done():
            self._keys.set_result([])

    def cancel(self) -> None:
        """Return None from `read`."""
        if not self._keys.done():
            self._keys.set_result(None)


class Question:
    """The prompt of a request and the text typed after it.

    Args:
        editor: The terminal's line editor, which is suspended while a command runs.
        write: Receives the terminal output.
        row: The command's output on the last row; the prompt continues it.
        request: The prompt to print after it, and how to edit the line.
        handles_interrupt: The command handles Ctrl-C itself, so `ask` raises ReadInterrupted.
    """

    def __init__(
        self,
        editor: LineEditor,
        write: Callable[[str], None],
        row: str,
        request: LineRequest,
        *,
        handles_interrupt: bool = False,
    ) -> None:
        plain = PLAIN_ROW.fullmatch(row) is not None
        shown = row + request.prompt if plain else request.prompt
        self.handles_interrupt = handles_interrupt
        self._answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._terminal_editor = editor
        self._editor = LineEditor(
            write,
            lambda: shown,
            [] if request.history is None or request.hidden else request.history,
            *editor.size,
            complete=request.complete,
            is_complete=request.is_complete,
            continuation=request.continuation,
            hidden=request.hidden,
            once=True,
        )
        self._write = write
        self._redraws = plain and bool(row)
        self._at_line_start = plain

    async def ask(self) -> str | None:
        """Show the prompt and wait for the line; return None if there won't be one.

        Raises:
            ReadInterrupted: Ctrl-C was pressed, and the command handles it.
        """
        if self._redraws:
            self._write("\r")
        self._terminal_editor.transfer_keys(self._editor)
        try:
            self._handle(self._editor.resume(at_line_start=self._at_line_start))
            return await self._answer
        finally:
            self._editor.suspend()
            self._editor.transfer_keys(self._terminal_editor)

    def interrupt(self) -> None:
        """Raise ReadInterrupted in `ask`."""
        self._editor.suspend()
        if not self._answer.done():
            self._answer.set_exception(ReadInterrupted())

    def feed(self, keys: str) -> bool:
        """Handle keys; return whether Ctrl-C was among them."""
        return self._handle(self._editor.feed(keys))

    def resize(self, columns: int, rows: int) -> None:
        """Redraw for the terminal's new size."""
        self._editor.resize(columns, rows)

    def cancel(self) -> None:
        """Return None from `ask`, because the command has ended or its terminal was closed."""
        self._editor.suspend()
        if not self._answer.done():
            self._answer.set_result(None)

    def _handle(self, entries: Sequence[Entry]) -> bool:
        for entry in entries:
            if isinstance(entry, Interrupt) and self.handles_interrupt:
                self.interrupt()
            elif isinstance(entry, (Line, EndOfFile, Interrupt)) and not self._answer.done():
                self._answer.set_result(entry.text if isinstance(entry, Line) else None)
        return any(isinstance(entry, Interrupt) for entry in entries)
