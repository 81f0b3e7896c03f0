"""What becomes of the keys that are typed into a terminal."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

from gemini.python import process
from gemini.shell.backend import RawSession
from gemini.terminal.line_editor import Entry, Interrupt, Line, LineEditor
from gemini.terminal.question import Question

CONTROL_L = "\x0c"
# Characters of an unfinished row that are drawn again.
LONGEST_ROW = 2_000


class Keyboard(Protocol):
    """Either edits lines or passes keys on."""

    async def feed(self, keys: str) -> None:
        """Take keys, as a terminal sends them."""
        ...

    def suspend(self) -> None:
        """A command that wasn't typed is about to be shown."""
        ...

    def resume(self, *, at_line_start: bool = True) -> None:
        """It has ended: whoever types can go on."""
        ...

    def message(self, text: str) -> None:
        """Show a message on lines of its own."""
        ...

    def redraw(self) -> None:
        """The screen was emptied."""
        ...

    def resize(self, columns: int, rows: int) -> None: ...

    def give_up(self) -> None:
        """There will be no answer to what a command asks for."""
        ...

    async def ask(self, row: str, prompt: str, hidden: bool) -> str | None:
        """Have somebody type a line behind what stands on the row."""
        ...


class LineKeyboard:
    """Edits lines, and has each run: for shells that have no operating system's terminal below them.

    Args:
        draw: Takes what the terminal shows.
        editor: The terminal's own.
        run: Runs a line.
        interrupt: Ends the running command.
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
        self._question: Question | None = None
        self._typed: set[asyncio.Task[None]] = set()
        editor.start()

    async def feed(self, keys: str) -> None:
        if self._question is None:
            self._obey(self._editor.feed(keys))
        elif self._question.feed(keys):
            self._interrupt()

    def suspend(self) -> None:
        self._editor.suspend()

    def resume(self, *, at_line_start: bool = True) -> None:
        self._obey(self._editor.resume(at_line_start=at_line_start))

    def message(self, text: str) -> None:
        self._editor.message(text)

    def redraw(self) -> None:
        if self._editor.editing:
            self._editor.feed(CONTROL_L)

    def resize(self, columns: int, rows: int) -> None:
        self._editor.resize(columns, rows)
        if self._question is not None:
            self._question.resize(columns, rows)

    def give_up(self) -> None:
        if self._question is not None:
            self._question.give_up()

    async def ask(self, row: str, prompt: str, hidden: bool) -> str | None:
        question = self._question = Question(self._editor, self._draw, row, prompt, hidden)
        try:
            return await question.ask()
        finally:
            self._question = None

    def _obey(self, entries: list[Entry]) -> None:
        """Do what was typed."""
        for entry in entries:
            if isinstance(entry, Line):
                # What is typed goes on when the script that typed it has ended.
                task = asyncio.get_running_loop().create_task(
                    self._run(entry.text), context=process.detached()
                )
                self._typed.add(task)
                task.add_done_callback(self._typed.discard)
            elif isinstance(entry, Interrupt):
                self._interrupt()


class RawKeyboard:
    """Passes keys on as they are: an operating system's terminal edits, echoes and interrupts.

    Args:
        draw: Takes what the terminal shows.
        session: Gives the session, which begins with the first key if there is none.
        resize: Tells the session's size, where there is one.
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
        # The row on which somebody types: the prompt, most of the time.
        self._row = ""
        self._alone = asyncio.Event()
        self._alone.set()

    async def show(self, text: str) -> None:
        """What the session draws; it waits while a command beside it prints, so that rows don't mix."""
        await self._alone.wait()
        _, line_break, row = text.rpartition("\n")
        self._row = row if line_break else (self._row + row)[-LONGEST_ROW:]
        self._draw(text)

    async def feed(self, keys: str) -> None:
        await (await self._session()).keys(keys)

    def suspend(self) -> None:
        self._alone.clear()
        self._draw("\r\n" if self._row else "")

    def resume(self, *, at_line_start: bool = True) -> None:
        self._alone.set()
        self._draw(("" if at_line_start else "\r\n") + self._row)

    def resize(self, columns: int, rows: int) -> None:
        self._resize(columns, rows)

    def message(self, text: str) -> None:
        shown = text.replace("\n", "\r\n")
        self._draw(f"\r\n\x1b[2m[{shown}]\x1b[0m\r\n")
        self._row = ""

    def redraw(self) -> None:
        self._draw(self._row)

    def give_up(self) -> None: ...

    async def ask(self, row: str, prompt: str, hidden: bool) -> str | None:
        return None
