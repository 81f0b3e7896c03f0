"""One terminal of this machine: a shell on a PTY and commands with separate streams."""

import asyncio
import codecs
import fcntl
import os
import pty
import secrets
import struct
import termios
from functools import partial
from typing import Any

from gemini.errors import FileProblem, TerminalClosed, TerminalProblem
from gemini_companion.host import command, processes, programs
from gemini_companion.host.answers import is_awaited
from gemini_companion.host.command import HostCommand, State
from gemini_companion.host.descriptors import Source, wait_readable, write
from gemini_companion.host.policy import HostPolicy
from gemini_companion.host.secret_variables import NOTHING, Given

# The shell of a user's terminal; its prompt, history and completion are bash's own.
SHELL = "bash"


class HostTerminal:
    """A PTY whose output stays in the system until it is read, and isn't stored here.

    Args:
        policy: The access to this machine.
        program: The shell.
        master: The descriptor of the PTY.
        mark: The value of `processes.MARK` in the environment of its processes.
        state: The state of the first command.
    """

    def __init__(
        self, policy: HostPolicy, program: processes.Program, master: int, mark: str, state: State
    ) -> None:
        self._policy = policy
        self._program = program
        self._source = Source(master)
        self._mark = mark
        self._began = state.environment
        self._state = state
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._reading, self._writing = asyncio.Lock(), asyncio.Lock()
        self._unwritten = 0
        self._command: HostCommand | None = None
        self._running: asyncio.Task[dict[str, Any]] | None = None
        self._starts = asyncio.Event()

    @property
    def working_dir(self) -> str:
        """The directory where the next command starts."""
        return self._state.working_dir

    @property
    def state(self) -> State:
        """The state that the last command left to the next one; another object after each command."""
        return self._state

    @property
    def runs_command(self) -> bool:
        """True while a command runs next to the shell."""
        return self._running is not None

    def program_of(self, text: str) -> str | None:
        """Return the one program that a command would run now; see `gemini_companion.host.programs`."""
        state = self._state
        return programs.program_of(text, state.working_dir, state.environment, self._began)

    def reader(self) -> processes.Reader | None:
        """Return the process that reads typed keys now; None if the system doesn't reveal it."""
        if self._program.ended.done():
            return None
        return processes.reader(os.tcgetpgrp(self._source.descriptor))

    async def read(self, most: int) -> dict[str, Any]:
        """Wait for output of the PTY; return `{data, ended, exit_code}`, text and at the end the shell's exit code."""
        async with self._reading:
            while True:
                # Checked before reading, since a program prints before it ends.
                over = self._program.ended.done()
                data = self._source.take(min(most, self._policy.max_read))
                text = self._decoder.decode(data, final=over and not data)
                if text or (over and not data):
                    break
                if self._source.ended:
                    await asyncio.wait([self._program.ended])
                else:
                    await wait_readable([self._source], self._program.ended)
        ended = over and not data
        return {"data": text, "ended": ended, "exit_code": self._program.ended.result() if ended else None}

    async def write(self, keys: str) -> None:
        """Type keys, and return when the terminal has accepted them.

        Raises:
            TerminalProblem: Too much waits for a program that doesn't read, or the shell has ended.
        """
        data = keys.encode("utf-8", "surrogatepass")
        if self._unwritten + len(data) > self._policy.max_unwritten:
            raise TerminalProblem(
                f"{self._unwritten:,} typed bytes are waiting for a program that doesn't read",
                hint="Interrupt it, or type less at a time.",
            )
        self._unwritten += len(data)
        try:
            async with self._writing:
                if not await write(self._source.descriptor, data, self._program.ended):
                    raise TerminalProblem(
                        "the terminal's shell has ended", hint="terminal_create opens another."
                    )
        finally:
            self._unwritten -= len(data)

    async def answer(self, text: str) -> None:
        """Pass on an answer of the terminal emulator if a program waits for one; a shell at its prompt doesn't."""
        if self._program.ended.done() or not is_awaited(self._source.descriptor, self._program.pid):
            return
        await self.write(text)

    def resize(self, columns: int, rows: int) -> None:
        """Set how many characters fit, and notify what runs (SIGWINCH)."""
        if not self._program.ended.done():
            set_size(self._source.descriptor, columns, rows)

    def signal(self, number: int) -> None:
        """Send a signal to the command that runs, or else to the PTY's foreground."""
        if self._command is not None:
            self._command.interrupt(number)
        elif not self._program.ended.done():
            processes.signal_group(os.tcgetpgrp(self._source.descriptor), number)

    async def execute(self, text: str, timeout_s: float | None, given: Given = NOTHING) -> dict[str, Any]:
        """Run a command outside the PTY; return `{exit_code, working_dir, ended}` once `output` returned everything.

        Args:
            text: The command.
            timeout_s: Its time limit; None for none.
            given: The secrets that it gets, and what is masked in its output.

        Raises:
            TerminalProblem: Another command runs, or this one can't be started.
            TerminalClosed: The terminal was closed.
        """
        if self._running is not None and self._running.cancelling():
            await asyncio.wait([self._running])
        if self._running is not None:
            raise TerminalProblem("a command runs in this terminal", hint="Wait for it, or interrupt it.")
        task = self._running = asyncio.get_running_loop().create_task(self._run(text, timeout_s, given))
        try:
            return await task
        except asyncio.CancelledError:
            caller = asyncio.current_task()
            if caller is not None and caller.cancelling():
                raise
            raise TerminalClosed("the terminal was closed while it ran the command") from None

    async def output(self, most: int) -> dict[str, Any]:
        """Wait for output of the running command; return `{stdout, stderr, ended}`, the streams in bytes."""
        await self._starts.wait()
        if self._command is None:
            return {"stdout": b"", "stderr": b"", "ended": True}
        return await self._command.read(min(most, self._policy.max_read))

    async def _run(self, text: str, timeout_s: float | None, given: Given) -> dict[str, Any]:
        running: HostCommand | None = None
        try:
            running = self._command = await command.run(text, self._state, self._mark, given)
            self._starts.set()
            exit_code = await running.finish(timeout_s, self._policy.grace_s)
            self._follow(running.state(), given)
            ending = running.ending
        except OSError as error:
            raise TerminalProblem(f"the command could not be started: {error}") from error
        finally:
            self._command = None
            self._starts.clear()
            if running is not None:
                await running.close()
            self._running = None
        return {"exit_code": exit_code, "working_dir": self.working_dir, "ended": ending}

    def _follow(self, state: State | None, given: Given) -> None:
        """Adopt the state that a command left without its secrets; its directory only if it is allowed and exists."""
        if state is None:
            return
        state = State(state.working_dir, given.without(state.environment, self._state.environment))
        try:
            working_dir = self._policy.directory(state.working_dir)
        except FileProblem:
            working_dir = self.working_dir
        self._state = State(working_dir, state.environment)

    async def close(self) -> None:
        """End everything that runs here."""
        if self._running is not None:
            self._running.cancel()
        await processes.end_all(self._mark, [self._program], self._policy.grace_s)
        async with self._reading, self._writing:
            self._source.close()


async def open_terminal(policy: HostPolicy, working_dir: str, columns: int, rows: int) -> HostTerminal:
    """Start a shell on a PTY.

    Raises:
        TerminalProblem: The system has no bash, or no free PTY.
    """
    mark = secrets.token_hex(16)
    state = State(working_dir, policy.variables())
    master, slave = pty.openpty()
    try:
        set_size(master, columns, rows)
        program = await processes.start(
            [SHELL, "-i"],
            working_dir,
            {**state.environment, processes.MARK: mark},
            streams=(slave, slave, slave),
            take_terminal=partial(fcntl.ioctl, slave, termios.TIOCSCTTY, 0),
        )
    except OSError as error:
        os.close(master)
        raise TerminalProblem(f"the shell could not be started: {error}") from error
    finally:
        os.close(slave)
    return HostTerminal(policy, program, master, mark, state)


def set_size(descriptor: int, columns: int, rows: int) -> None:
    """Set the size of a terminal in characters (`struct winsize`, tty_ioctl(4))."""
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
