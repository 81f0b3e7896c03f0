"""A terminal: a position on the map, a screen, a history, and a shell that runs one command at a time."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, cast

from gemini.computer.shell.backend import Backend, Finished, RawSession, Session, Tty
from gemini.computer.shell.output import Capture, Stream
from gemini.computer.terminal.completion import ShellCompletion
from gemini.computer.terminal.events import Offer, TerminalRow, row_of_terminal
from gemini.computer.terminal.input import TerminalInput
from gemini.computer.terminal.keyboard import CONTROL_C, Keyboard, LineKeyboard, RawKeyboard
from gemini.computer.terminal.line_editor import LineEditor
from gemini.computer.terminal.offers import offer_of
from gemini.computer.terminal.owners import Owner
from gemini.computer.terminal.printer import Printer
from gemini.computer.terminal.progress import reporting_lines
from gemini.computer.terminal.result import TEXTS, CommandResult, Text, busy_problem, result_of, result_so_far
from gemini.computer.terminal.saved import SavedTerminal
from gemini.computer.terminal.screen import Screen
from gemini.computer.terminal.turns import Turns
from gemini.computer.terminal.viewers import Viewer, Viewers
from gemini.core import interrupts, saved_code
from gemini.errors import GeminiError, ShellUnavailable, TerminalClosed
from gemini.tools.calls import current_call

INTERRUPTED = 130
OUTPUT_FOLDER = Path("/tmp/output")
SCRIPT_OUTPUT = 50_000_000
WIDTH, HEIGHT = 720, 420
COLUMNS, ROWS = 80, 24
MAX_HISTORY = 1_000
# The commands of the history that are saved.
SAVED_HISTORY = 200


class MapTerminal:
    """A terminal of the surface.

    Scripts use `execute`, `input`, `clear` and `get_state`. Positions and sizes are pixels of the map.

    Args:
        number: The terminal's number, part of its id.
        backend: The backend that opens its shell.
        x: Pixels from the left of the map.
        y: Pixels from the top of the map.
        working_dir: The initial directory, absolute.
        floating: Float over the panels instead of being docked.
        on_change: Called after each change of the terminal's state.
        before_program: Called before a Python program starts, which may never pause.
    """

    def __init__(
        self,
        number: int,
        backend: Backend,
        *,
        x: int,
        y: int,
        working_dir: str,
        floating: bool = False,
        on_change: Callable[["MapTerminal"], None],
        before_program: Callable[[], None],
    ) -> None:
        self.number = number
        self.term_id = f"term-{number}"
        self.backend = backend
        self.x, self.y, self.width, self.height, self.floating = x, y, WIDTH, HEIGHT, floating
        self.working_dir = working_dir
        self.focused = False
        self.owner: Owner | None = None
        self.closed = False
        self.command_history: list[str] = []
        self._shell_state: str | None = None
        self._state_is_stale = False  # a command has ended since it was read
        self._on_change = on_change
        self._before_program = before_program
        self._screen = Screen(COLUMNS, ROWS)
        self._viewers = Viewers()
        self._size = (COLUMNS, ROWS)
        self._session: Session | None = None
        self._opening = asyncio.Lock()
        self._interrupts = 0  # so far
        self._turns = Turns()
        self._capture: Capture | None = None
        self._running: str | None = None
        self.offer: Offer | None = None
        self._lacks: str | None = None
        self._caller: str | None = None
        self._printer = Printer(self._draw)
        self._files = count(1)
        self._keyboard = self._create_keyboard()
        self._input = TerminalInput(self._keyboard, self._printer)

    def _create_keyboard(self) -> Keyboard:
        if self.backend.raw:
            return RawKeyboard(self._draw, self._raw_session, self._resize_session)
        completion = ShellCompletion(lambda: self._session, self._open)
        editor = LineEditor(
            self._draw,
            self._prompt,
            self.command_history,
            *self._size,
            complete=completion.complete,
            is_complete=self.backend.is_complete,
        )
        keyboard = LineKeyboard(self._draw, editor, self._run_typed, self._interrupt)
        completion.completed = keyboard.completed
        return keyboard

    @property
    def busy(self) -> bool:
        """True while a command runs or waits for its turn."""
        return self._turns.busy

    @property
    def running(self) -> str | None:
        """The running command."""
        return self._running

    @property
    def lines(self) -> list[str]:
        """The screen and the scrollback as text, one entry for each row."""
        return self._screen.lines()

    def get_state(self) -> TerminalRow:
        """Return the terminal's row of `terminal_list`."""
        return row_of_terminal(self, self._caller)

    def place(self, x: int, y: int, width: int, height: int, *, floating: bool) -> None:
        """Move and resize: pixels from the map's top left, floating over the panels or docked."""
        before = (self.x, self.y, self.width, self.height, self.floating)
        self.x, self.y, self.width, self.height, self.floating = x, y, width, height, floating
        if before != (x, y, width, height, floating):
            self._on_change(self)

    def saved_state(self) -> SavedTerminal:
        """Return the state that is saved for the next kernel: position, directory, history, variables and functions."""
        if self._session is not None and self._state_is_stale:
            # Read here, since terminals may not be saved at all. A raw session's changes after the command's end.
            self._shell_state, self._state_is_stale = self._session.state(), self.backend.raw
        return SavedTerminal(
            x=self.x,
            y=self.y,
            width=self.width,
            height=self.height,
            backend=self.backend.name,
            working_dir=self.working_dir,
            focused=self.focused,
            history=self.command_history[-SAVED_HISTORY:],
            shell=self._shell_state,
            running=self._running,
            floating=self.floating,
            owner=None if self.owner is None else self.owner.caller,
            run=None if self.owner is None else self.owner.run,
        )

    def restore(self, saved: SavedTerminal) -> None:
        """Restore a saved state and report the command that was interrupted."""
        self.width, self.height = saved.width, saved.height
        self.command_history[:] = saved.history
        self._shell_state = saved.shell
        for note in saved.notes:
            self._keyboard.message(f"\x1b[2m[{note}]\x1b[0m")

    async def execute(
        self,
        command: str,
        *,
        timeout_s: float | None = None,
        max_output: int = SCRIPT_OUTPUT,
        until_input: bool = False,
        texts: Collection[Text] = TEXTS,
    ) -> CommandResult:
        """Run a shell command after the commands before it have ended.

        Args:
            command: A shell script of any number of lines.
            timeout_s: The time limit in seconds, after which the command ends with exit code 124; None for no limit.
            max_output: The bytes of each text in the result; the result's file has the rest.
            until_input: Return when it reads from the terminal, too; it continues. Otherwise it reads nothing.
            texts: The members of text to put in the result; the others are empty.

        Raises:
            TerminalClosed: The terminal is closed, or was closed in the meantime.
            TerminalProblem: An earlier command ran for all of `timeout_s`, or `until_input` and it waits for input.
        """
        self._check_open()
        capture = Capture(max_output, lambda: OUTPUT_FOLDER / f"{self.term_id}-{next(self._files)}.txt")
        if not until_input:
            return await self._execute(command, capture, timeout_s, texts, None)
        run = partial(self._execute, command, capture, timeout_s, texts)
        prompt, result = await self._input.until_asked(self.term_id, run)
        return result_so_far(self.term_id, capture, prompt, texts) if result is None else result

    async def _execute(
        self,
        command: str,
        capture: Capture,
        timeout_s: float | None,
        texts: Collection[Text],
        asked: Callable[[], None] | None,
    ) -> CommandResult:
        async with self._taking_turn(timeout_s):
            await self._start_raw_session()
            self._keyboard.suspend()
            # The editor adds typed commands itself.
            self.command_history.append(command)
            del self.command_history[:-MAX_HISTORY]
            call = current_call()
            self._caller = "script" if call is None else call.caller
            self._printer.show(f"{self._viewers.name_caller(self._caller)}{self._prompt()}{command}\n")
            try:
                with reporting_lines(capture):
                    finished = await self._run(command, capture, self._interrupts, timeout_s, asked)
            finally:
                self._caller = None
                capture.finish()
        return result_of(self.term_id, capture, finished, timeout_s, texts)

    async def input(self, text: str) -> None:
        r"""Type keys as a user would; `\r` or `\n` is Enter, `\x03` is Ctrl-C."""
        self._check_open()
        await self._keyboard.feed(text)

    async def typed(self, keys: str, stop: int = 0) -> None:
        """Handle keys that the user typed, with the interrupt `stop`, if any; show an error on the terminal."""
        # A key that has already stopped something is only shown, if nothing else runs.
        if stop and interrupts.receive(stop) and self.busy:
            keys = keys.replace(CONTROL_C, "", 1)
        try:
            await self.input(keys)
        except GeminiError as problem:
            if not self.closed:
                self._keyboard.message(problem.message)

    async def answered(self, text: str) -> None:
        """Pass the emulator's reply to a query on to a program of an operating system's terminal; it is never typed."""
        if self.backend.raw and self._session is not None and not self.closed:
            await cast(RawSession, self._session).answer(text)

    async def ready(self) -> None:
        """Open the session of a raw terminal; other sessions open with their first command.

        Raises:
            GeminiError: The session could not be opened.
        """
        self._check_open()
        await self._start_raw_session()

    def interrupt(self) -> None:
        """Interrupt the running command, as Ctrl-C does."""
        self._check_open()
        if not interrupts.receive(interrupts.request.get()):
            self._interrupt()

    def _interrupt(self) -> None:
        self._interrupts += 1
        if not self._keyboard.cancel_question(interrupt=True) and self._session is not None:
            self._session.interrupt()

    def clear(self) -> None:
        """Clear the screen except the prompt."""
        self._check_open()
        self._screen.clear()
        self._viewers.clear()
        self._printer.row = ""
        self._draw("\x1b[H\x1b[2J\x1b[3J")
        self._keyboard.redraw()

    def resize(self, columns: int, rows: int) -> None:
        """Change the size in characters."""
        self._size = columns, rows
        for part in (self._screen, self._keyboard):
            part.resize(columns, rows)

    @property
    def secret(self) -> str:
        """Starts the name of a caller in the output."""
        return self._viewers.secret

    def view(self, viewer: Viewer) -> Callable[[], None]:
        """Send `viewer` the recent output and all further output; return a function that stops this."""
        return self._viewers.add(viewer)

    async def close(self) -> None:
        """Close the terminal, its running command and its shell."""
        self._check_open()
        self.closed = True
        self._keyboard.cancel_question()
        if self._session is not None:
            await self._session.close()

    @asynccontextmanager
    async def _taking_turn(self, timeout_s: float | None = None) -> AsyncGenerator[None, None]:
        """Wait for the commands before this one; the terminal is busy meanwhile."""
        try:
            await self._turns.take(timeout_s, lambda: busy_problem(self.term_id, self._running))
            try:
                self._check_open()
                yield
            finally:
                self._turns.end()
        finally:
            if not self.closed:
                self._on_change(self)

    async def _run(
        self,
        command: str,
        capture: Capture | None,
        interrupts_before: int,
        timeout_s: float | None = None,
        asked: Callable[[], None] | None = None,
    ) -> Finished:
        """Run a typed command, or another's, whose output goes to `capture`; `asked` is called when it reads a line."""
        self._input.asked = asked
        self._running = command
        self._lacks = self.offer = None
        self._on_change(self)
        self._capture = capture
        self._printer.begin()
        try:
            finished = await self._session_run(command, interrupts_before, timeout_s)
        finally:
            self._running = None
            self._capture = None
            self._printer.end()
            if not self.closed:
                self._keyboard.resume(at_line_start=not self._printer.row)
        if self.closed:
            raise TerminalClosed(f"{self.term_id} was closed while it ran the command")
        return finished

    async def _session_run(self, command: str, interrupts_before: int, timeout_s: float | None) -> Finished:
        session = await self._open()
        if self._interrupts != interrupts_before:
            # Set `$?`.
            await session.run(f"(exit {INTERRUPTED})", None)
            return Finished(INTERRUPTED, self.working_dir, "interrupted")
        typed = self._capture is None
        attended = typed or self._input.asked is not None
        finished = await session.run(command, timeout_s, attended=attended, watched=typed)
        self.working_dir = finished.working_dir
        self._state_is_stale = True
        if typed and self._lacks is not None and finished.exit_code:
            self.offer = offer_of(self._lacks, command)
        return finished

    def _note_package(self, package: str) -> None:
        self._lacks = package

    async def _open(self) -> Session:
        """Return the session; open it if there is none."""
        saved_code.use()
        async with self._opening:
            if self._session is None:
                tty = Tty(self.number, self._receive, self._input.ask, read_line=self._input.read_line)
                display = self._input.display(lambda: self._size)
                tty = replace(tty, before_program=self._before_program, display=display)
                tty = replace(tty, state_changed=partial(self._on_change, self), offer=self._note_package)
                if isinstance(self._keyboard, RawKeyboard):
                    callbacks = {"draw": self._keyboard.show, "ended": self._session_ended}
                    tty = replace(tty, **callbacks, columns=self._size[0], rows=self._size[1])
                self._session = await self.backend.open(tty, self.working_dir, self._shell_state)
                if self.closed:
                    await self._session.close()
                    self._check_open()
                if self.backend.raw:  # Its size may have changed meanwhile.
                    self._resize_session(*self._size)
            return self._session

    async def _start_raw_session(self) -> None:
        if self.backend.raw:
            self.working_dir = (await self._raw_session()).working_dir

    async def _raw_session(self) -> RawSession:
        return cast(RawSession, await self._open())

    def _resize_session(self, columns: int, rows: int) -> None:
        if self._session is not None:
            cast(RawSession, self._session).resize(columns, rows)

    def _session_ended(self, message: str) -> None:
        """Show that a raw session has ended; the next key or command starts another."""
        self._session = None
        if not self.closed:
            self._keyboard.message(message)

    def _receive(self, stream: Stream, data: bytes) -> None:
        """Handle output of the running command."""
        if self._capture is not None:
            self._capture.add(stream, data)
        self._printer.receive(stream, data)

    def _draw(self, text: str) -> None:
        self._screen.feed(text)
        self._viewers.draw(text)

    def _prompt(self) -> str:
        return f"\x1b[32m{self.working_dir}\x1b[0m $ "

    def _run_typed(self, line: str) -> Coroutine[Any, Any, None]:
        # An interrupt counts from here on, although the task of the line starts later.
        return self._run_line(line, self._interrupts)

    async def _run_line(self, line: str, interrupts_before: int) -> None:
        self._printer.row = ""
        if not line.strip() and self._session is None:  # Later, the shell reports jobs that have ended.
            self._keyboard.resume()
            return
        # A closed terminal has no place to show the error.
        with suppress(TerminalClosed):
            async with self._taking_turn():
                # Another command may have shown the prompt in the meantime.
                self._keyboard.suspend()
                try:
                    await self._run(line, None, interrupts_before)
                except ShellUnavailable as problem:
                    self._keyboard.message(f"{problem.message}\n{problem.hint}")

    def _check_open(self) -> None:
        if self.closed:
            hint = "terminal_list shows open terminals; terminal_create opens one."
            raise TerminalClosed(f"{self.term_id} is closed", hint=hint)
