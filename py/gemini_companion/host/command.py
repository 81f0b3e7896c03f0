"""One command in its own bash, with separate stdout and stderr."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gemini_companion.host import processes
from gemini_companion.host.descriptors import PIECE, Source, wait_readable
from gemini_companion.host.secret_variables import NOTHING, Given
from gemini_companion.secrets import Masked, Masker

# The trap reports directory and exported variables on a descriptor that the command doesn't know. A command that
# replaces the trap, or bash itself by `exec`, changes neither.
SCRIPT = r"""trap '{ printf "%s\0" "$PWD"; env -0; } >&{} 2>/dev/null' EXIT; eval "$1" """
# An interrupt is lost on a child of bash that is between fork and exec, so it is sent twice.
AGAIN_S = 0.2
MAX_STATE = 1_000_000
# The variables that bash sets in every process.
PER_PROCESS = ("_", "SHLVL", "PWD", processes.MARK)
STREAMS = ("stdout", "stderr")
Ending = Literal["done", "interrupted", "timed_out"]


@dataclass(frozen=True)
class State:
    """The state that a command leaves to the next one."""

    working_dir: str
    environment: Mapping[str, str]


class HostCommand:
    """A running command. Its output must be read, or it stops.

    Args:
        program: Its process.
        stdout, stderr, state: What is read of it.
        masks: What is replaced in its output.
    """

    def __init__(
        self,
        program: processes.Program,
        stdout: Source,
        stderr: Source,
        state: Source,
        masks: Sequence[Masked] = (),
    ) -> None:
        self._program = program
        # No more than a line is held back, as long as the user waits for it.
        self._maskers = {name: Masker(masks, by_line=True) for name in STREAMS} if masks else {}
        self._sources = dict(zip(STREAMS, (stdout, stderr), strict=True))
        self._state = state
        self._reported = b""
        self._reading = asyncio.Lock()
        self._drained: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.ending: Ending = "done"

    async def read(self, most: int) -> dict[str, Any]:
        """Wait for output; return `{stdout, stderr, ended}`, the streams in bytes."""
        async with self._reading:
            return await self._read(most)

    async def _read(self, most: int) -> dict[str, Any]:
        pipes = list(self._sources.values())
        while True:
            # Checked before reading, since a program prints before it ends.
            over = self._program.ended.done()
            taken = {name: source.take(most) for name, source in self._sources.items()}
            ended = not any(taken.values()) and (over or all(source.ended for source in pipes))
            if ended or any(taken.values()):
                break
            await wait_readable(pipes, self._program.ended)
        if ended and not self._drained.done():
            self._drained.set_result(None)
        for name, masker in self._maskers.items():
            taken[name] = masker.feed(taken[name]) + (masker.finish() if ended else b"")
        return {**taken, "ended": ended}

    async def finish(self, timeout_s: float | None, grace_s: float) -> int:
        """Wait until it has ended and its output is read; after the timeout it is interrupted, then killed."""
        reporting = asyncio.get_running_loop().create_task(self._read_state())
        try:
            await self._limited(timeout_s, grace_s)
            await reporting
            await self._drained
        finally:
            reporting.cancel()
        return await self._program.ended

    async def _limited(self, timeout_s: float | None, grace_s: float) -> None:
        try:
            async with asyncio.timeout(timeout_s):
                await asyncio.shield(self._program.ended)
        except TimeoutError:
            self.ending = "timed_out"
            self._interrupt_twice()
            await asyncio.wait([self._program.ended], timeout=grace_s)
            self._program.signal(signal.SIGKILL)
            await asyncio.shield(self._program.ended)

    def interrupt(self, number: int) -> None:
        """Send a signal to the command; the first interrupt is sent twice."""
        if number == signal.SIGINT and self.ending == "done":
            self.ending = "interrupted"
            self._interrupt_twice()
        else:
            self._program.signal(number)

    def _interrupt_twice(self) -> None:
        self._program.signal(signal.SIGINT)
        asyncio.get_running_loop().call_later(AGAIN_S, self._program.signal, signal.SIGINT)

    async def _read_state(self) -> None:
        while not self._state.ended:
            over = self._program.ended.done()
            data = self._state.take(PIECE)
            # A report that is too long is read to its end, so that the command ends, and then ignored.
            self._reported = (self._reported + data)[: MAX_STATE + 1]
            if over and not data:
                return
            if not data:
                await wait_readable([self._state], self._program.ended)

    def state(self) -> State | None:
        """Return the state that the command left; None if it reported none, or one that is too long."""
        if not self._reported.endswith(b"\0") or len(self._reported) > MAX_STATE:
            return None
        directory, *pairs = os.fsdecode(self._reported[:-1]).split("\0")
        variables = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
        return State(directory, {name: value for name, value in variables.items() if name not in PER_PROCESS})

    async def close(self) -> None:
        """Kill the command if it still runs, and close its pipes when nobody reads them."""
        self._program.signal(signal.SIGKILL)
        await asyncio.wait([self._program.ended])
        async with self._reading:
            for source in (*self._sources.values(), self._state):
                source.close()


async def run(command: str, before: State, mark: str, given: Given = NOTHING) -> HostCommand:
    """Start a command in the directory and with the variables that the previous one left.

    Args:
        command: Shell script.
        before: The state that the previous command left.
        mark: The terminal's mark, for the environment (`processes.MARK`).
        given: The secrets that it gets, and what is masked in its output.

    Raises:
        OSError: The command can't be started.
    """
    pipes = [os.pipe() for _ in range(3)]
    report_fd = pipes[2][1]
    with open(os.devnull, "rb") as nothing:
        try:
            program = await processes.start(
                [
                    "bash",
                    "--noprofile",
                    "--norc",
                    "-c",
                    SCRIPT.replace("{}", str(report_fd)),
                    "bash",
                    command,
                ],
                before.working_dir,
                {**before.environment, **given.variables, processes.MARK: mark},
                streams=(nothing.fileno(), pipes[0][1], pipes[1][1]),
                pass_fds=[report_fd],
            )
        except OSError:
            for reading, _ in pipes:
                os.close(reading)
            raise
        finally:
            for _, writing in pipes:
                os.close(writing)
    return HostCommand(program, *(Source(reading) for reading, _ in pipes), masks=given.masks)
