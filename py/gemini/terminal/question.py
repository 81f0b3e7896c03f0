"""A line that a running command asks the person at the terminal for, as `read` does."""

import asyncio
import re
from collections.abc import Callable, Sequence

from gemini.terminal.line_editor import EndOfFile, Entry, Interrupt, Line, LineEditor

# A row that holds more than text and colours can't be drawn again.
PLAIN_ROW = re.compile(r"(?:[^\x00-\x1f\x7f]|\x1b\[[0-9;]*m)*")


class Question:
    """The prompt of a `read` and what is typed behind it.

    Args:
        editor: The terminal's own, which is suspended while a command runs.
        write: Gets what the terminal is to draw.
        row: What the command has printed on the terminal's last row; the prompt continues it.
        prompt: Text to print there.
        hidden: Whether what is typed is not shown.
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
        """Show it and wait for the line; None where there won't be one."""
        if self._redraws:
            self._write("\r")
        self._terminal_editor.hand_over(self._editor)
        try:
            self._settle(self._editor.resume(at_line_start=self._at_line_start))
            return await self._answer
        finally:
            self._editor.suspend()
            self._editor.hand_over(self._terminal_editor)

    def feed(self, keys: str) -> bool:
        """Take keys; whether Ctrl-C is among them."""
        return self._settle(self._editor.feed(keys))

    def resize(self, columns: int, rows: int) -> None:
        self._editor.resize(columns, rows)

    def give_up(self) -> None:
        """There will be no line: the command is ended, or its terminal closed."""
        if not self._answer.done():
            self._answer.set_result(None)

    def _settle(self, entries: Sequence[Entry]) -> bool:
        for entry in entries:
            if isinstance(entry, (Line, EndOfFile, Interrupt)) and not self._answer.done():
                self._answer.set_result(entry.text if isinstance(entry, Line) else None)
        return any(isinstance(entry, Interrupt) for entry in entries)
