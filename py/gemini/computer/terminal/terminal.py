"""A terminal: a position on the map, a screen, a history, and a shell that runs one command at a time."""

from collections.abc import AsyncGenerator, Callable, Collection, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from gemini.computer.shell.backend import Backend, Finished, Tty
from gemini.computer.shell.output import Capture, Stream
from gemini.computer.terminal.events import Offer, TerminalRow, row_of_terminal
from gemini.computer.terminal.input import TerminalInput
from gemini.computer.terminal.keyboard import CONTROL_C, RawKeyboard
from gemini.computer.terminal.keyboards import create_keyboard
from gemini.computer.terminal.offers import offer_of
from gemini.computer.terminal.owners import Owner
from gemini.computer.terminal.printer import Printer
from gemini.computer.terminal.progress import reporting_lines
from gemini.computer.terminal.result import TEXTS, CommandResult, Text, busy_problem, result_of, result_so_far
from gemini.computer.terminal.saved import RESTORED, SavedTerminal, saved_of_terminal
from gemini.computer.terminal.saved_screens import lines_to_save, shown_again
from gemini.computer.terminal.screen import Screen
from gemini.computer.terminal.session import TerminalSession
from gemini.computer.terminal.turns import Turns
from gemini.computer.terminal.viewers import Viewer, Viewers
from gemini.core import interrupts
from gemini.errors import GeminiError, ShellUnavailable, TerminalClosed
from gemini.tools.calls import current_call

OUTPUT_FOLDER = Path("/tmp/output")
SCRIPT_OUTPUT = 50_000_000
WIDTH, HEIGHT = 720, 420
COLUMNS, ROWS = 80, 24
MAX_HISTORY = 1_000


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
        on_draw: Called after the screen has changed, once a session is open.
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
        on_draw: Callable[["MapTerminal"], None],
    ) -> None:
        self.number = number
        self.term_id = f"term-{number}"
        self.backend = backend
        self.x, self.y, self.width, self.height, self.floating = x, y, WIDTH, HEIGHT, floating
        self.focused = False
        self.owner: Owner | None = None
        self.closed = False
        self.command_history: list[str] = []
        self._on_change = on_change
        self._before_program = before_program
        self._on_draw = on_draw
        self._screen = Screen(COLUMNS, ROWS)
        self._viewers = Viewers()
        self._size = (COLUMNS, ROWS)
        self._session = TerminalSession(
            backend, working_dir, self._create_tty, self._check_open, lambda: self._size
        )
        self._interrupts = 0  # so far
        self._turns = Turns()
        self._capture: Capture | None = None
        self._running: str | None = None
        self.offer: Offer | None = None
        self._lacks: str | None = None
        self._caller: str | None = None
        self._printer = Printer(self._draw)
        self._files = count(1)
        self._keyboard = create_keyboard(
            backend,
            self._session,
            self._draw,
            self._prompt,
            self.command_history,
            self._size,
            self._run_typed,
            self._interrupt,
        )
        self._input = TerminalInput(self._keyboard, self._printer)

    @property
    def working_dir(self) -> str:
        """The shell's directory, absolute."""
        return self._session.working_dir

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
        return saved_of_terminal(self, self._session.state())

    def restore(self, saved: SavedTerminal) -> None:
        """Restore a saved state and report the command that was interrupted."""
        self.width, self.height = saved.width, saved.height
        self.command_history[:] = saved.history
        self._session.restore(saved.shell)
        if saved.screen:
            self._keyboard.message(shown_again(saved.screen))
        for note in saved.notes:
            self._keyboard.message(f"\x1b[2m[{note}]\x1b[0m")

    def screen_to_save(self) -> list[str]:
        """Return the lines that the next kernel shows."""
        return lines_to_save(self._screen.whole_lines(), f"{self.working_dir} $", [RESTORED])

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
            await self._session.start_raw()
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
        if not self.closed:
            await self._session.answer(text)

    async def ready(self) -> None:
        """Open the session of a raw terminal; other sessions open with their first command.

        Raises:
            GeminiError: The session could not be opened.
        """
        self._check_open()
        await self._session.start_raw()

    def interrupt(self) -> None:
        """Interrupt the running command, as Ctrl-C does."""
        self._check_open()
        if not interrupts.receive(interrupts.request.get()):
            self._interrupt()

    def _interrupt(self) -> None:
        self._interrupts += 1
        if not self._keyboard.cancel_question(interrupt=True):
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
        await self._session.open()
        if self._interrupts != interrupts_before:
            return await self._session.run_nothing()
        typed = self._capture is None
        attended = typed or self._input.asked is not None
        finished = await self._session.run(command, timeout_s, attended=attended, watched=typed)
        if typed and self._lacks is not None and finished.exit_code:
            self.offer = offer_of(self._lacks, command)
        return finished

    def _note_package(self, package: str) -> None:
        self._lacks = package

    def _create_tty(self) -> Tty:
        tty = Tty(
            self.number,
            self._receive,
            self._input.ask,
            before_program=self._before_program,
            read_line=self._input.read_line,
            display=self._input.display(lambda: self._size),
            state_changed=partial(self._on_change, self),
            offer=self._note_package,
        )
        if isinstance(self._keyboard, RawKeyboard):
            columns, rows = self._size
            draw, ended = self._keyboard.show, self._session_ended
            tty = replace(tty, draw=draw, ended=ended, columns=columns, rows=rows)
        return tty

    def _session_ended(self, message: str) -> None:
        """Show that a raw session has ended; the next key or command starts another."""
        self._session.end()
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
        if self._session.opened is not None:
            self._on_draw(self)

    def _prompt(self) -> str:
        return f"\x1b[32m{self.working_dir}\x1b[0m $ "

    def _run_typed(self, line: str) -> Coroutine[Any, Any, None]:
        # An interrupt counts from here on, although the task of the line starts later.
        return self._run_line(line, self._interrupts)

    async def _run_line(self, line: str, interrupts_before: int) -> None:
        self._printer.row = ""
        if (
            not line.strip() and self._session.opened is None
        ):  # Later, the shell reports jobs that have ended.
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
