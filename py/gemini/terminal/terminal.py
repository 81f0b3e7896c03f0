"""A terminal: a place on the map, a screen, a history, and a shell that runs one command at a time."""

import asyncio
import codecs
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

from gemini.errors import GeminiError, ShellUnavailable, TerminalClosed
from gemini.shell.backend import Backend, Finished, RawSession, Session, Tty
from gemini.shell.output import Capture, Stream
from gemini.terminal.events import TerminalRow
from gemini.terminal.keyboard import LONGEST_ROW, Keyboard, LineKeyboard, RawKeyboard
from gemini.terminal.line_editor import LineEditor
from gemini.terminal.result import CommandResult, result_of
from gemini.terminal.saved import Kept
from gemini.terminal.screen import Screen
from gemini.terminal.tail import Tail
from gemini.tools.calls import current_call

INTERRUPTED = 130
OUTPUT_FOLDER = Path("/tmp/output")
SCRIPT_OUTPUT = 50_000_000
WIDTH, HEIGHT = 720, 420
COLUMNS, ROWS = 80, 24
MOST_REMEMBERED = 1_000
RESTORED = "Directory, variables, functions and history are as they were."
# Commands that a terminal remembers beyond its kernel.
KEPT_HISTORY = 200
# Characters that somebody who starts to watch is shown of what came before.
REPLAYED = 256 * 1024
# Tells whoever draws the terminal who runs the command whose line begins here: an operating system command, which
# others skip (ECMA-48, 8.3.89), of a number that xterm's list of them leaves free.
CALLER = "\x1b]7770;{}\x07"

Viewer = Callable[[str], None]


class MapTerminal:
    """One terminal.

    Scripts use `execute`, `input`, `clear`, `get_state`; positions and sizes are pixels of the map.
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
        self.x, self.y, self.width, self.height = x, y, WIDTH, HEIGHT
        self.floating = floating
        self.working_dir = working_dir
        self.focused = False
        self.closed = False
        self.command_history: list[str] = []
        self._shell_state: str | None = None
        # Whether a command has ended since the state was asked for.
        self._has_run = False
        self._on_change = on_change
        self._before_program = before_program
        self._screen = Screen(COLUMNS, ROWS)
        self._shown = Tail(REPLAYED)
        self._viewers: list[Viewer] = []
        self._size = (COLUMNS, ROWS)
        self._session: Session | None = None
        self._opening = asyncio.Lock()
        # While the first command waits for its shell to start.
        self._interrupted_early = False
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._capture: Capture | None = None
        self._running: str | None = None
        self._caller: str | None = None
        self._decoders: dict[Stream, codecs.IncrementalDecoder] = {}
        self._files = 0
        # What was printed since the last line break.
        self._row = ""
        self._keyboard: Keyboard = self._raw_keyboard() if backend.raw else self._line_keyboard()

    def _line_keyboard(self) -> LineKeyboard:
        complete = self.backend.is_complete
        editor = LineEditor(self._draw, self._prompt, self.command_history, *self._size, is_complete=complete)
        return LineKeyboard(self._draw, editor, self._run_typed, self._interrupt)

    def _raw_keyboard(self) -> RawKeyboard:
        return RawKeyboard(self._draw, self._raw_session, self._resize_session)

    @property
    def busy(self) -> bool:
        """Whether a command runs or waits for its turn."""
        return self._waiting > 0

    @property
    def lines(self) -> list[str]:
        """The screen and what scrolled off it, as text."""
        return self._screen.lines()

    def get_state(self) -> TerminalRow:
        """A row of `terminal_list`."""
        return {
            "id": self.term_id,
            "working_dir": self.working_dir,
            "focused": self.focused,
            "x": self.x,
            "y": self.y,
            "width": self.width,
            "height": self.height,
            "backend": self.backend.name,
            "busy": self.busy,
            "floating": self.floating,
            "caller": self._caller,
            "title": f"{self.term_id} — {self.working_dir}",
        }

    def place(self, x: int, y: int, width: int, height: int, *, floating: bool) -> None:
        """Be where somebody moved it: pixels from the map's top left, over the panels or docked beside them."""
        before = (self.x, self.y, self.width, self.height, self.floating)
        self.x, self.y, self.width, self.height, self.floating = x, y, width, height, floating
        if before != (x, y, width, height, floating):
            self._on_change(self)

    def kept(self) -> Kept:
        """What outlasts the kernel: place, directory, history, and the shell's variables and functions."""
        if self._session is not None and self._has_run:
            # Here and not after each command: where nobody keeps terminals it is never asked for.
            self._shell_state, self._has_run = self._session.state(), False
        return Kept(
            x=self.x,
            y=self.y,
            width=self.width,
            height=self.height,
            backend=self.backend.name,
            working_dir=self.working_dir,
            focused=self.focused,
            history=self.command_history[-KEPT_HISTORY:],
            shell=self._shell_state,
            running=self._running,
            floating=self.floating,
        )

    def restore(self, kept: Kept) -> None:
        """Be as the terminal was that gave `kept`, but for what ran in it, which has ended."""
        self.width, self.height = kept.width, kept.height
        self.command_history[:] = kept.history
        self._shell_state = kept.shell
        told = [RESTORED] if kept.shell else []
        if kept.running is not None:
            told.append(f"What ran has ended with its kernel: {kept.running}")
        if told:
            self._keyboard.message(f"\x1b[2m[{' '.join(told)}]\x1b[0m")

    async def execute(
        self, command: str, *, timeout_s: float | None = None, most_output: int = SCRIPT_OUTPUT
    ) -> CommandResult:
        """Run a shell command once those before it have ended.

        Args:
            command: Shell script, of any number of lines.
            timeout_s: Seconds after which it is ended with exit code 124; None lets it run.
            most_output: Bytes kept of each text of the result; the rest is in the file that the result names.

        Raises:
            TerminalClosed: the terminal is closed, or was closed meanwhile.
        """
        self._check_open()
        async with self._taking_turn():
            await self._begin()
            self._keyboard.suspend()
            self._remember(command)
            self._caller = caller = _caller()
            self._show_text(f"{CALLER.format(caller)}{self._prompt()}{command}\n")
            capture = Capture(most_output, self._new_file)
            try:
                finished = await self._run(command, capture, timeout_s)
            finally:
                self._caller = None
                capture.finish()
        return result_of(self.term_id, capture, finished, timeout_s)

    async def input(self, text: str) -> None:
        """Send keys, as a person would type them; `\\r` or `\\n` is Enter, `\\x03` is Ctrl-C."""
        self._check_open()
        await self._keyboard.feed(text)

    async def typed(self, keys: str) -> None:
        """Send the keys of a person at the terminal, who is told there if they can't be typed."""
        try:
            await self.input(keys)
        except GeminiError as problem:
            if not self.closed:
                self._keyboard.message(problem.message)

    async def answered(self, text: str) -> None:
        """Take what the terminal emulator answers to output that asks it something.

        Only a program of an operating system may want that. Nothing here types it, and it opens no session.
        """
        if self.backend.raw and self._session is not None and not self.closed:
            await cast(RawSession, self._session).answer(text)

    async def ready(self) -> None:
        """Open the session of a raw terminal; others begin with their first command.

        Raises:
            GeminiError: it can't be opened.
        """
        self._check_open()
        await self._begin()

    def interrupt(self) -> None:
        """End the running command, as Ctrl-C does."""
        self._check_open()
        self._interrupt()

    def _interrupt(self) -> None:
        self._keyboard.give_up()
        if self._session is not None:
            self._session.interrupt()
        else:
            self._interrupted_early = True

    def clear(self) -> None:
        """Empty the screen, but for a prompt."""
        self._check_open()
        self._screen.clear()
        self._shown.clear()
        self._row = ""
        self._draw("\x1b[H\x1b[2J\x1b[3J")
        self._keyboard.redraw()

    def resize(self, columns: int, rows: int) -> None:
        """Tell what runs in the terminal how many characters fit."""
        self._size = (columns, rows)
        self._screen.resize(columns, rows)
        self._keyboard.resize(columns, rows)

    def view(self, viewer: Viewer) -> Callable[[], None]:
        """Give `viewer` what is on the terminal now and all that comes; the returned function ends that."""
        viewer(self._shown.text())
        self._viewers.append(viewer)
        return lambda: self._viewers.remove(viewer)

    async def close(self) -> None:
        """End the running command and the shell."""
        self._check_open()
        self.closed = True
        self._keyboard.give_up()
        if self._session is not None:
            await self._session.close()

    @asynccontextmanager
    async def _taking_turn(self) -> AsyncGenerator[None, None]:
        """Wait for the commands before this one; the terminal is busy meanwhile."""
        self._waiting += 1
        try:
            async with self._turn:
                self._check_open()
                yield
        finally:
            self._waiting -= 1
            if not self.closed:
                self._on_change(self)

    async def _run(self, command: str, capture: Capture | None, timeout_s: float | None = None) -> Finished:
        """Run a command of an agent or a script, whose output `capture` takes, or one that a person typed."""
        self._running = command
        self._on_change(self)
        self._capture = capture
        self._decoders = {
            stream: codecs.getincrementaldecoder("utf-8")("replace") for stream in ("stdout", "stderr")
        }
        try:
            finished = await self._session_run(command, timeout_s)
        finally:
            self._running = None
            self._capture = None
            self._decoders.clear()
            if not self.closed:
                self._keyboard.resume(at_line_start=not self._row)
        if self.closed:
            raise TerminalClosed(f"{self.term_id} was closed while it ran the command")
        return finished

    async def _session_run(self, command: str, timeout_s: float | None) -> Finished:
        if self._session is None:
            self._interrupted_early = False
            session = await self._open()
            if self._interrupted_early:
                # So that `$?` tells of it.
                await session.run(f"(exit {INTERRUPTED})", None)
                return Finished(INTERRUPTED, self.working_dir, "interrupted")
        session = await self._open()
        finished = await session.run(command, timeout_s, attended=self._capture is None)
        self.working_dir = finished.working_dir
        self._has_run = True
        return finished

    async def _open(self) -> Session:
        """The session, which is opened where there is none."""
        async with self._opening:
            if self._session is None:
                tty = Tty(self.number, self._receive, self._ask, before_program=self._before_program)
                if isinstance(self._keyboard, RawKeyboard):
                    shown = {"draw": self._keyboard.show, "ended": self._session_ended}
                    tty = replace(tty, **shown, columns=self._size[0], rows=self._size[1])
                self._session = await self.backend.open(tty, self.working_dir, self._shell_state)
                if self.closed:
                    await self._session.close()
                    self._check_open()
            return self._session

    async def _begin(self) -> None:
        if self.backend.raw:
            self.working_dir = (await self._raw_session()).working_dir

    async def _raw_session(self) -> RawSession:
        return cast(RawSession, await self._open())

    def _resize_session(self, columns: int, rows: int) -> None:
        if self._session is not None:
            cast(RawSession, self._session).resize(columns, rows)

    def _session_ended(self, how: str) -> None:
        """A raw session is over; the next key or command begins another."""
        self._session = None
        if not self.closed:
            self._keyboard.message(how)

    async def _ask(self, prompt: str, hidden: bool) -> str | None:
        """Have the person type a line for the running command."""
        try:
            return await self._keyboard.ask(self._row, prompt, hidden)
        finally:
            self._row = ""

    def _receive(self, stream: Stream, data: bytes) -> None:
        """What the running command prints."""
        if self._capture is not None:
            self._capture.add(stream, data)
        if self._decoders:
            self._show_text(self._decoders[stream].decode(data))

    def _show_text(self, text: str) -> None:
        if text:
            _, line_break, row = text.rpartition("\n")
            self._row = row if line_break else (self._row + row)[-LONGEST_ROW:]
            self._draw(text.replace("\r\n", "\n").replace("\n", "\r\n"))

    def _draw(self, text: str) -> None:
        self._screen.feed(text)
        self._shown.feed(text)
        for viewer in list(self._viewers):
            viewer(text)

    def _prompt(self) -> str:
        return f"\x1b[32m{self.working_dir}\x1b[0m $ "

    async def _run_typed(self, line: str) -> None:
        self._row = ""
        if not line.strip():
            self._keyboard.resume()
            return
        # A terminal that is closed under the person who types has nobody left to tell.
        with suppress(TerminalClosed):
            async with self._taking_turn():
                # A prompt is there if another command came in between.
                self._keyboard.suspend()
                try:
                    await self._run(line, None)
                except ShellUnavailable as problem:
                    self._keyboard.message(f"{problem.message}\n{problem.hint}")

    def _remember(self, command: str) -> None:
        """Add to the history what wasn't typed; the editor adds what was."""
        self.command_history.append(command)
        del self.command_history[:-MOST_REMEMBERED]

    def _new_file(self) -> Path:
        self._files += 1
        return OUTPUT_FOLDER / f"{self.term_id}-{self._files}.txt"

    def _check_open(self) -> None:
        if self.closed:
            raise TerminalClosed(
                f"{self.term_id} is closed",
                hint="terminal_list shows the open ones, terminal_create makes one.",
            )


def _caller() -> str:
    call = current_call()
    return "script" if call is None else call.caller
