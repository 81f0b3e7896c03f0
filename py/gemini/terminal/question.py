"""A line of input that a running command requests from the person, as `read` does."""

import asyncio
import re
from collections.abc import Callable, Sequence

from gemini.terminal.line_editor import EndOfFile, Entry, Interrupt, Line, LineEditor

# Only a row of text and colors can be redrawn.
PLAIN_ROW = re.compile(r"(?:[^\x00-\x1f\x7f]|\x1b\[[0-9;]*m)*")


class Question:
    """The prompt of a `read` and the text typed after it.

    Args:
        editor: The terminal's line editor, which is suspended while a command runs.
        write: Receives the terminal output.
        row: The command's output on the last row; the prompt continues it.
        prompt: The text to print after it.
        hidden: Don't show the typed text.
    """

    def __init__(
        self, editor: LineEditor, write: Callable[[str], None], row: str, prompt: str, hidden: bool
    ) -> None:
        plain = PLAIN_ROW.fullmatch(row) is not None
        shown = row + prompt if plain else prompt
        self._answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._terminal_editor = editor
        self._editor = LineEditor(write, lambda: shown, [], *editor.size, hidden=hidden)
        self._write = write
        self._redraws = plain and bool(row)
        self._at_line_start = plain

    async def ask(self) -> str | None:
        """Show the prompt and wait for the line; return None if there won't be one."""
        if self._redraws:
            self._write("\r")
        self._terminal_editor.transfer_keys(self._editor)
        try:
            self._handle(self._editor.resume(at_line_start=self._at_line_start))
            return await self._answer
        finally:
            self._editor.suspend()
            self._editor.transfer_keys(self._terminal_editor)

    def feed(self, keys: str) -> bool:
        """Handle keys; return whether Ctrl-C was among them."""
        return self._handle(self._editor.feed(keys))

    def resize(self, columns: int, rows: int) -> None:
        """Redraw for the terminal's new size."""
        self._editor.resize(columns, rows)

    def cancel(self) -> None:
        """Return None from `ask`, because the command has ended or its terminal was closed."""
        if not self._answer.done():
            self._answer.set_result(None)

    def _handle(self, entries: Sequence[Entry]) -> bool:
        for entry in entries:
            if isinstance(entry, (Line, EndOfFile, Interrupt)) and not self._answer.done():
                self._answer.set_result(entry.text if isinstance(entry, Line) else None)
        return any(isinstance(entry, Interrupt) for entry in entries)
