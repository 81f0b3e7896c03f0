"""Handle the keys that are typed into a terminal."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

from gemini.computer.python import process
from gemini.computer.shell.backend import RawSession
from gemini.computer.terminal.line_editor import Entry, Interrupt, Line, LineEditor
from gemini.computer.terminal.question import KeysRequest, Question
from gemini_userland.invocation import LineRequest

CONTROL_C = "\x03"
CONTROL_L = "\x0c"
# The characters of an unfinished row that are redrawn.
MAX_ROW = 2_000


class Keyboard(Protocol):
    """A terminal's keyboard, which edits lines or passes keys on."""

    async def feed(self, keys: str) -> None:
        """Handle keys as a terminal sends them."""
        ...

    def suspend(self) -> None:
        """Hide the prompt before a command runs that wasn't typed."""
        ...

    def resume(self, *, at_line_start: bool = True) -> None:
        """Show the prompt again after such a command.

        Args:
            at_line_start: False if the terminal's cursor is not in the first column.
        """
        ...

    def message(self, text: str) -> None:
        """Show a message on separate lines."""
        ...

    def redraw(self) -> None:
        """Redraw the prompt after the screen was cleared."""
        ...

    def resize(self, columns: int, rows: int) -> None:
        """Adapt to the terminal's new size."""
        ...

    def cancel_question(self, *, interrupt: bool = False) -> bool:
        """Cancel the question of the running command, if any.

        Args:
            interrupt: Interrupt the command instead, if it handles that itself; return True if it does.
        """
        ...

    async def ask(self, row: str, request: LineRequest, *, handles_interrupt: bool = False) -> str | None:
        """Ask for a line; return None if there won't be one.

        Args:
            row: The command's output on the last row; the prompt continues it.
            request: The prompt, and how to edit the line.
            handles_interrupt: Raise ReadInterrupted for Ctrl-C.
        """
        ...

    async def read_keys(self) -> list[str] | None:
        """Read keys for a full-screen program; see `Display.read_keys`."""
        ...


class LineKeyboard:
    """A keyboard that edits lines and runs them, for shells without an operating system's terminal.

    Args:
        draw: Receives the terminal output.
        editor: The terminal's line editor.
        run: Runs a line.
        interrupt: Interrupts the running command.
    """

    def __init__(
        self,
        draw: Callable[[str], None],
        editor: LineEditor,
        run: Callable[[str], Coroutine[Any, Any, None]],
        interrupt: Callable[[], None],
    ) -> None:
        self._draw = draw
        self._editor = editor
        self._run = run
        self._interrupt = interrupt
        self._question: Question | KeysRequest | None = None
        self._typed_commands: set[asyncio.Task[None]] = set()
        editor.start()

    async def feed(self, keys: str) -> None:
        """Pass keys to the editor, or to the question of the running command."""
        if self._question is None:
            self._handle(self._editor.feed(keys))
        else:
            question = self._question
            if question.feed(keys) and not question.handles_interrupt:
                self._interrupt()

    def completed(self) -> None:
        """Continue the line that waits for its completion."""
        self._handle(self._editor.completed())

    def suspend(self) -> None:
        """Suspend the editor."""
        self._editor.suspend()

    def resume(self, *, at_line_start: bool = True) -> None:
        """Resume the editor and run the lines typed in the meantime."""
        self._handle(self._editor.resume(at_line_start=at_line_start))

    def message(self, text: str) -> None:
        """Show a message above the prompt."""
        self._editor.message(text)

    def redraw(self) -> None:
        """Redraw the prompt and the line."""
        if self._editor.editing:
            self._editor.feed(CONTROL_L)

    def resize(self, columns: int, rows: int) -> None:
        """Resize the editor and the question."""
        self._editor.resize(columns, rows)
        if self._question is not None:
            self._question.resize(columns, rows)

    def cancel_question(self, *, interrupt: bool = False) -> bool:
        """Cancel or interrupt the question of the running command, if any."""
        question = self._question
        if question is None:
            return False
        if interrupt and question.handles_interrupt:
            question.interrupt()
            return True
        question.cancel()
        return False

    async def ask(self, row: str, request: LineRequest, *, handles_interrupt: bool = False) -> str | None:
        """Ask a question on the terminal and return the typed line."""
        question = self._question = Question(
            self._editor, self._draw, row, request, handles_interrupt=handles_interrupt
        )
        try:
            return await question.ask()
        finally:
            self._question = None

    async def read_keys(self) -> list[str] | None:
        """Read keys for the running command."""
        request = self._question = KeysRequest(self._editor)
        try:
            return await request.read()
        finally:
            self._question = None

    def _handle(self, entries: list[Entry]) -> None:
        """Run lines and interrupt the command."""
        for entry in entries:
            if isinstance(entry, Line):
                # A typed command continues after the script that typed it has ended.
                task = asyncio.get_running_loop().create_task(
                    self._run(entry.text), context=process.detached()
                )
                self._typed_commands.add(task)
                task.add_done_callback(self._typed_commands.discard)
            elif isinstance(entry, Interrupt):
                self._interrupt()


class RawKeyboard:
    """A keyboard that passes keys to a session whose own terminal edits, echoes and interrupts.

    Args:
        draw: Receives the terminal output.
        session: Returns the session; the first key starts one.
        resize: Resizes the session, if there is one.
    """

    def __init__(
        self,
        draw: Callable[[str], None],
        session: Callable[[], Awaitable[RawSession]],
        resize: Callable[[int, int], None],
    ) -> None:
        self._draw = draw
        self._session = session
        self._resize = resize
        # The row that is being typed on, usually the prompt.
        self._row = ""
        self._may_draw = asyncio.Event()
        self._may_draw.set()

    async def show(self, text: str) -> None:
        """Draw the session's output; wait while another command prints, so that rows don't mix."""
        await self._may_draw.wait()
        _, line_break, row = text.rpartition("\n")
        self._row = row if line_break else (self._row + row)[-MAX_ROW:]
        self._draw(text)

    async def feed(self, keys: str) -> None:
        """Send keys to the session."""
        await (await self._session()).keys(keys)

    def suspend(self) -> None:
        """Hold the session's output back and leave the current row."""
        self._may_draw.clear()
        self._draw("\r\n" if self._row else "")

    def resume(self, *, at_line_start: bool = True) -> None:
        """Draw the current row again and continue with the session's output."""
        self._may_draw.set()
        self._draw(("" if at_line_start else "\r\n") + self._row)

    def resize(self, columns: int, rows: int) -> None:
        """Resize the session."""
        self._resize(columns, rows)

    def message(self, text: str) -> None:
        """Show a message on separate lines."""
        shown = text.replace("\n", "\r\n")
        self._draw(f"\r\n\x1b[2m[{shown}]\x1b[0m\r\n")
        self._row = ""

    def redraw(self) -> None:
        """Draw the current row again."""
        self._draw(self._row)

    def cancel_question(self, *, interrupt: bool = False) -> bool:
        """Do nothing: the session asks for input itself."""
        return False

    async def ask(self, row: str, request: LineRequest, *, handles_interrupt: bool = False) -> str | None:
        """Return None: the session asks for input itself."""
        return None

    async def read_keys(self) -> list[str] | None:
        """Return None: the session's programs read its own terminal."""
        return None
