"""A bash of the Linux that runs one command after the other, and reports each one's end in a file of its own.

So no output can be mistaken for a report. Only an interactive bash survives an interrupt with its state.
"""

import asyncio
import os
import re
import shlex
import signal
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypedDict, TypeVar

from gemini.core import ffi
from gemini.python import process
from gemini.shell.backend import Finished, Write
from gemini.shell.embedded import SECRET
from gemini.shell.linux_network import LEADING, PORT, address
from gemini.shell.output import Stream

ENVIRONMENT = {
    "HOME": "/root",
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "USER": "root",
    "LOGNAME": "root",
    "SHELL": "/bin/bash",
    "TERM": "xterm-256color",
    # C.UTF-8 differs from C in this alone. With LANG, each program would look for twelve more files.
    "LC_CTYPE": "C.UTF-8",
}
# An interactive bash sets the modes of its terminal after a program that a signal ended, and complains if it has none.
# It takes its standard error for the terminal when it starts, so this is one that nothing else uses.
COMMAND = ["bash", "-c", "PS1= PS2= exec bash --noprofile --norc --noediting +H -i 202>&2 2<>/dev/ptmx"]
USE_ERRORS = "exec 2>&202 202>&-"
REPORT, BELL = 200, 201  # as in builder/linux/guest/terminals.c
# Of builtins only, because each program costs 10 ms, and without `shopt -p` and `set +o`, whose ninety lines are two
# variables of `declare -p`. The last one prints the positional parameters.
PRINT_STATE = (
    "declare -p; declare -f; alias -p; trap -p; "
    """printf 'set --'; [ $# = 0 ] || printf ' %q' "$@"; printf '\\0'"""
)
# Switches off the options of a new shell.
NO_OPTIONS = (
    "IFS=: eval 'shopt -u $BASHOPTS; for __option in $SHELLOPTS; do set +o $__option; done' 2>/dev/null"
)
# `declare -p` prints line breaks in values as $'\\n', so a variable is a line.
VARIABLE = re.compile(r"^declare -\S+ (\w+)(=.*)?\n", re.MULTILINE)
# The variables of this module, and those that can't be set.
OWN = re.compile(r"__\w+|BASHOPTS|BASHPID|BASH_VERSINFO|EUID|PPID|SHELLOPTS|UID|_")
# The address of a command's user, which no later one uses.
LEADS = re.compile(rf'="http://[\w-]+:linux@127\.0\.0\.1:{PORT}"')
OPTIONS = re.compile(r'^declare -\S+ (BASHOPTS|SHELLOPTS)="(.*)"\n', re.MULTILINE)
# Each command's programs name a user of their own to the proxy, unless the shell has another proxy.
LEAD = (
    "for __name in " + " ".join(LEADING) + "; do "
    '[ "${{!__name-}}" != "${{__lead-}}" ] || declare -gx "$__name={address}"; done 2>/dev/null; __lead={address}'
)
# Each command's end is reported by END, its number, and NULs after that, the exit code and the directory. The state
# takes bash longer than most commands, and follows by STATE, the number, and NULs after that and the state.
END, STATE = 1, 2
INTERRUPTED = 130
# Doubled each time, so that a slow machine can answer in between.
REPEAT_S = 0.2
# A command that ignores interrupts is killed, with its shell.
GRACE_S = 10.0
Ended = TypeVar("Ended")
STREAMS: dict[str, Stream] = {"output": "stdout", "errors": "stderr"}


def open_channel(
    machine: Any, command: Sequence[str], directory: str, environment: dict[str, str], **size: int
) -> Any:
    """Start a program of the machine, with a PTY if `size` has `rows` and `columns`; see web/linux/channel.js."""
    texts = [f"{name}={value}" for name, value in environment.items()]
    program = {"command": list(command), "directory": directory, "environment": texts, **size}
    return machine.open(ffi.to_js_object(program))


def _unless_left_out(declared: re.Match[str]) -> str:
    name, value = declared[1], declared[2] or ""
    is_left_out = OWN.fullmatch(name) or SECRET.search(name) or (name in LEADING and LEADS.fullmatch(value))
    return "" if is_left_out else declared[0]


def _restoring(printed: bytes, exit_code: int) -> str:
    """Return the script that restores what PRINT_STATE printed."""
    text = printed.decode(errors="surrogateescape")
    options = {name: names.split(":") for name, names in OPTIONS.findall(text)}
    shopt = f"shopt -s {' '.join(options.get('BASHOPTS', []))} 2>/dev/null"
    # The last lines, because `set -e` would end the shell with what follows. `extglob` comes before the functions.
    lasting = [f"set -o {name}" for name in options.get("SHELLOPTS", [])]
    variables = VARIABLE.sub(_unless_left_out, text)
    return "\n".join([NO_OPTIONS, shopt, variables, *lasting, f"(exit {exit_code})"])


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
        self._state = state or ""
        # What was printed of the state, until it is read, and the exit code.
        self._printed: tuple[bytes, int] | None = None
        self._exit_code = 0
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
        # Of the last command: its end, and after that the end of what it prints of the state.
        self._ended: asyncio.Future[Finished] | None = None
        self._settled: asyncio.Future[None] | None = None
        # A command waits for the end of the one before; an interrupt came for it.
        self._waits = self._ends_early = False

    @property
    def state(self) -> str:
        """The script that restores the shell's state, which is that before the last command until it is printed."""
        self._is_read_early = self._settled is not None
        if self._printed is not None:
            self._state, self._printed = _restoring(*self._printed), None
        return self._state

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

    async def run(self, command: str, timeout_s: float | None, user: str) -> Finished:
        """Run a command, whose programs name the user to the proxy; see `Session.run`."""
        if self._settled is not None and (why := await self._wait(self._settled, timeout_s)):
            return Finished(INTERRUPTED, self.working_dir, why)
        if self._channel is not None and self._interrupted:
            # Bash prints a line break for each interrupt that came after the command's end. The last may end it.
            await self._submit_quietly("")
        if self._channel is None:
            await self._start()
        # Standard input is where bash reads its commands.
        lead = LEAD.format(address=address(user))
        ended = self._submit(f"eval {shlex.quote(command)} </dev/null", lead)
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
        """Wait until `state` has what the last command changed."""
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
        await self._submit_quietly(f"(exit {INTERRUPTED})")
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
        self._type(f"\n{self._ending(str(INTERRUPTED) if self._interrupted else '$?')}")
        self._repeat_later()

    async def _start(self) -> None:
        environment = {**ENVIRONMENT, **self._network}
        self._listen(open_channel(self._machine, COMMAND, self.working_dir, environment))
        await self._submit_quietly(f"{USE_ERRORS}\n__lead=$http_proxy\n{self.state}")

    def _listen(self, channel: Any) -> None:
        self._channel = channel
        reading = self._read(channel)
        self._reader = asyncio.get_running_loop().create_task(reading, context=process.detached())

    async def _submit_quietly(self, line: str) -> None:
        self._quiet = True
        ended = self._submit(line)
        # The signal of an earlier interrupt may still come.
        self._repeat_later()
        await ended
        await self.settled()

    def _submit(self, line: str, lead: str = ":") -> asyncio.Future[Finished]:
        """Type a line that prepares a command, the command, and what reports its end."""
        self._interrupted, self._repeat_s = False, REPEAT_S
        self._ended = asyncio.get_running_loop().create_future()
        self._settled = asyncio.get_running_loop().create_future()
        self._number += 1
        self._type(f'{lead}; [ "${{__code:-0}}" = 0 ] || (exit $__code)\n{line}\n{self._ending()}')
        return self._ended

    def _ending(self, code: str = "$?") -> str:
        """Return the lines that report the last command's end, and then its state, which takes as long to parse."""
        number = self._number
        end = f"printf '\\{END:03}{number}\\0%s\\0%s\\0' $__code \"$PWD\"; echo >&{BELL}"
        state = f"printf '\\{STATE:03}{number}\\0'; {PRINT_STATE}; echo >&{BELL}"
        # The next command sees the exit code of this one. A signal may make bash drop the beginning of the line with
        # `__last`, whose rest then reports nothing. After a syntax error bash takes no brace as a first word.
        return (
            f'__last={number}:{code}; {{ [ "${{__number:-}}" = {number} ] || [ "${{__last%:*}}" != {number} ] || '
            f"{{ __code=${{__last#*:}}; {end}; __number={number}; }}; }} "
            f">&{REPORT} 2>/dev/null\n: && {{ {state}; }} >&{REPORT} 2>/dev/null"
        )

    def _type(self, lines: str) -> None:
        if self._channel is not None:
            self._channel.write(f"{lines}\n")

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
        self._state, self._printed, self._reported = "", None, b""
        self._end(Finished(int(piece.code), self.working_dir, "exited"))
        self._settle()

    def _receive_report(self, data: bytes) -> None:
        self._reported += data
        # An interrupt may cut a report, which then follows as a whole, or twice, also while the next command runs.
        _, begun, end = self._reported.rpartition(b"%c%d\0" % (END, self._number))
        if not begun or end.count(b"\0") < 2:
            return
        code, directory, rest = end.split(b"\0", 2)
        self.working_dir, self._exit_code = os.fsdecode(directory), int(code)
        if self._ended is not None:
            self._quiet = self._interrupted
            how = "interrupted" if self._interrupted else "done"
            self._end(Finished(self._exit_code, self.working_dir, how))
        _, begun, state = rest.rpartition(b"%c%d\0" % (STATE, self._number))
        if self._settled is not None and begun and state.endswith(b"\0"):
            self._reported = b""
            self._printed = state[:-1], self._exit_code
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
