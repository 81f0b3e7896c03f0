"""A bash in Linux that runs commands in sequence, and reports the end of each in a separate file.

So no output can be mistaken for a report. Only an interactive bash survives an interrupt with its state.
"""

import asyncio
import os
import re
import signal
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypedDict, TypeVar

from gemini.computer.python import process
from gemini.computer.shell import linux_typed as typed
from gemini.computer.shell.backend import Finished, Write
from gemini.computer.shell.output import Stream
from gemini.core import ffi

INTERRUPTED = 130
# Doubled each time, so that a slow machine can answer in between.
REPEAT_S = 0.2
# A command that ignores interrupts is killed, with its shell.
GRACE_S = 10.0
Ended = TypeVar("Ended")
STREAMS: dict[str, Stream] = {"output": "stdout", "errors": "stderr"}
# The last line of a state.
EXIT = re.compile(r"\n?\(exit (\d+)\)\Z")


def open_channel(
    machine: Any, command: Sequence[str], directory: str, environment: dict[str, str], **size: int
) -> Any:
    """Start a program of the machine, with a PTY if `size` has `rows` and `columns`; see web/linux/channel.ts."""
    texts = [f"{name}={value}" for name, value in environment.items()]
    program = {"command": list(command), "directory": directory, "environment": texts, **size}
    return machine.open(ffi.to_js_object(program))


class SavedShell(TypedDict):
    """A command shell of a saved machine.

    Members:
        channel: The number of its channel; None if it hasn't started.
        number: The number of its last command.
        runs: That command runs.
        prints: Its state isn't printed yet.
        reported: The beginning of a report.
    """

    channel: int | None
    working_dir: str
    state: str
    number: int
    runs: bool
    prints: bool
    reported: list[int]


class CommandShell:
    """The bash. It starts with the first command, and again after one that ended it.

    Args:
        machine: The machine.
        write: Receives the output.
        working_dir: The initial directory.
        state: The state to restore.
        network: The variables that lead to the network.
        state_changed: Called when the shell has printed the state after `state` was read.
    """

    def __init__(
        self,
        machine: Any,
        write: Write,
        working_dir: str,
        state: str | None,
        network: dict[str, str],
        state_changed: Callable[[], None],
    ) -> None:
        self.working_dir = working_dir
        # The script that restores the state, what was printed since of the state, and the last command's exit code.
        self._script = EXIT.sub("", state or "")
        self._printed: bytes | None = None
        self._exit_code = int(found[1]) if (found := EXIT.search(state or "")) else 0
        self._is_read_early = False
        self._state_changed = state_changed
        self._machine = machine
        self._network = network
        self._write = write
        self._channel: Any = None
        self._reader: asyncio.Task[None] | None = None
        self._number = 0
        self._repeat_s = REPEAT_S
        self._reported = b""
        self._quiet = self._interrupted = False
        # Of the last command: its end, and after that the end of its printed state.
        self._ended: asyncio.Future[Finished] | None = None
        self._settled: asyncio.Future[None] | None = None
        # A command waits for the end of the one before; an interrupt came for it.
        self._waits = self._ends_early = False

    @property
    def state(self) -> str:
        """The script that restores the shell's state, which is that before the last command until it is printed.

        Its last line has the last command's exit code.
        """
        self._is_read_early = self._settled is not None
        if self._printed is not None:
            self._script, self._printed = typed.restoring(self._printed), None
        return f"{self._script}\n(exit {self._exit_code})"

    def save(self) -> SavedShell:
        """Return what a copy of the machine needs to continue the shell."""
        return {
            "channel": None if self._channel is None else int(self._channel.number),
            "working_dir": self.working_dir,
            "state": self.state,
            "number": self._number,
            "runs": self._ended is not None,
            "prints": self._settled is not None,
            "reported": list(self._reported),
        }

    def restore(self, saved: SavedShell) -> None:
        """Continue the shell of a saved machine. What a command prints that runs since then is lost."""
        channel = None if saved["channel"] is None else self._machine.channel(saved["channel"])
        if channel is None:
            return
        self._number, self._reported = saved["number"], bytes(saved["reported"])
        if saved["runs"]:
            self._quiet = True
            self._ended = asyncio.get_running_loop().create_future()
        if saved["prints"]:
            self._settled = asyncio.get_running_loop().create_future()
        self._listen(channel)
        # An earlier version of the surface may have started it.
        self._type(f"\n{typed.FUNCTIONS}")

    async def run(self, command: str, timeout_s: float | None, user: str) -> Finished:
        """Run a command, whose programs name the user to the proxy; see `Session.run`."""
        if self._settled is not None and (why := await self._wait(self._settled, timeout_s)):
            return Finished(INTERRUPTED, self.working_dir, why)
        if self._channel is not None and self._interrupted:
            # Bash prints a line break for each interrupt that came after the command's end. The last may end it.
            await self._submit_quietly("")
        if self._channel is None:
            await self._start()
        if self._channel is None:
            # The machine has ended since.
            return Finished(INTERRUPTED, self.working_dir, "exited")
        ended = self._submit(typed.command(command, user, self._exit_code), '"$?"')
        try:
            async with asyncio.timeout(timeout_s):
                return await asyncio.shield(ended)
        except TimeoutError:
            done = await self._stop(ended)
            return Finished(done.exit_code, done.working_dir, "timed_out")
        except asyncio.CancelledError:
            await self._stop(ended)
            raise

    async def settled(self) -> None:
        """Wait until `state` has the last command's changes."""
        if self._settled is not None:
            await asyncio.shield(self._settled)

    def interrupt(self) -> None:
        """Interrupt the running command; do nothing if none runs."""
        self._ends_early = self._waits
        if self._ended is not None:
            self._signal()

    def close(self) -> None:
        """End the shell and its programs."""
        channel, self._channel = self._channel, None
        if self._reader is not None:
            self._reader.cancel()
        if channel is not None:
            channel.close()
        self._end(Finished(INTERRUPTED, self.working_dir, "interrupted"))
        self._settle()

    async def _wait(
        self, settled: asyncio.Future[None], timeout_s: float | None
    ) -> Literal["interrupted", "timed_out"] | None:
        """Wait for the command before this one: for its state, or its end if it runs since the machine was saved.

        Returns:
            The reason why this one must not run.
        """
        self._waits, self._ends_early = True, False
        try:
            async with asyncio.timeout(timeout_s):
                await asyncio.shield(settled)
        except TimeoutError:
            await self._stop(settled)
            return "timed_out"
        finally:
            self._waits = False
        if not self._ends_early:
            return None
        # The next command sees it.
        self._exit_code = INTERRUPTED
        return "interrupted"

    async def _stop(self, ending: asyncio.Future[Ended]) -> Ended:
        """Interrupt the command and return how it ended."""
        if not ending.done():
            self._signal()
        try:
            async with asyncio.timeout(GRACE_S):
                return await asyncio.shield(ending)
        except TimeoutError:
            self.close()
            return await ending

    def _signal(self) -> None:
        self._interrupted = True
        self._channel.signal(int(signal.SIGINT))
        self._repeat_later()

    def _repeat_later(self) -> None:
        asyncio.get_running_loop().call_later(self._repeat_s, self._repeat, self._settled)
        self._repeat_s *= 2

    def _repeat(self, settled: asyncio.Future[None] | None) -> None:
        """Interrupt the command again, as a child between fork and exec loses the signal; ask again for its end."""
        if settled is None or settled is not self._settled:
            return
        if self._interrupted:
            self._channel.signal(int(signal.SIGINT))
        # The signal makes bash drop the line that it reads, or prints the state in, and sometimes the next character.
        code = INTERRUPTED if self._interrupted else self._exit_code
        self._type(f"\n{typed.ending(self._number, str(code))}")
        self._repeat_later()

    async def _start(self) -> None:
        environment = {**typed.ENVIRONMENT, **self._network}
        self._listen(open_channel(self._machine, typed.COMMAND, self.working_dir, environment))
        await self._submit_quietly(f"{typed.START}{self._script}")

    def _listen(self, channel: Any) -> None:
        self._channel = channel
        reading = self._read(channel)
        self._reader = asyncio.get_running_loop().create_task(reading, context=process.detached())

    async def _submit_quietly(self, lines: str) -> None:
        self._quiet = True
        ended = self._submit(lines, str(self._exit_code))
        # The signal of an earlier interrupt may still come.
        self._repeat_later()
        await ended
        await self.settled()

    def _submit(self, lines: str, code: str) -> asyncio.Future[Finished]:
        """Type lines, and those that report their end with an exit code."""
        self._interrupted, self._repeat_s = False, REPEAT_S
        self._ended = asyncio.get_running_loop().create_future()
        self._settled = asyncio.get_running_loop().create_future()
        self._number += 1
        self._type(f"{lines}\n{typed.ending(self._number, code)}")
        return self._ended

    def _type(self, lines: str) -> None:
        if self._channel is not None:
            self._channel.write(lines)

    async def _read(self, channel: Any) -> None:
        piece = await channel.next()
        while piece.stream != "exit":
            data = piece.bytes.to_bytes()
            if piece.stream == "status":
                self._receive_report(data)
            elif not self._quiet:
                self._write(STREAMS[piece.stream], data)
            piece = await channel.next()
        self._channel = None
        self._script, self._printed, self._reported, self._exit_code = "", None, b"", 0
        self._end(Finished(int(piece.code), self.working_dir, "exited"))
        self._settle()

    def _receive_report(self, data: bytes) -> None:
        self._reported += data
        # An interrupt may cut a report, which then follows as a whole, or twice, also while the next command runs.
        _, begun, end = self._reported.rpartition(b"%c%d\0" % (typed.END, self._number))
        if not begun or end.count(b"\0") < 2:
            return
        code, directory, rest = end.split(b"\0", 2)
        self.working_dir, self._exit_code = os.fsdecode(directory), int(code)
        if self._ended is not None:
            self._quiet = self._interrupted
            how = "interrupted" if self._interrupted else "done"
            self._end(Finished(self._exit_code, self.working_dir, how))
        _, begun, state = rest.rpartition(b"%c%d\0" % (typed.STATE, self._number))
        if self._settled is not None and begun and state.endswith(b"\0"):
            self._reported = b""
            self._printed = state[:-1]
            self._settle()
            if self._is_read_early:
                self._state_changed()

    def _end(self, finished: Finished) -> None:
        ended, self._ended = self._ended, None
        if ended is not None and not ended.done():
            ended.set_result(finished)

    def _settle(self) -> None:
        settled, self._settled = self._settled, None
        self._quiet = False
        if settled is not None and not settled.done():
            settled.set_result(None)
