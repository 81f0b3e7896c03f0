"""A Linux terminal: a shell on a PTY for the user, and a separate shell for commands."""

import asyncio
import codecs
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NotRequired, TypedDict

from gemini.computer.python import process
from gemini.computer.shell.backend import Finished, Tty
from gemini.computer.shell.linux_commands import CommandShell, SavedShell, open_channel
from gemini.computer.shell.linux_machine_problems import paused
from gemini.computer.shell.linux_network import MachineNetwork
from gemini.computer.shell.linux_typed import ENVIRONMENT

# As a login shell it reads /etc/profile.
SHELL = ["bash", "-l"]
CLEAR = "\x1b[H\x1b[2J\x1b[3J"


def _do_nothing() -> None: ...


class SavedSession(TypedDict):
    """A terminal of a saved machine: the number of its channel, the user of its programs, and its command shell."""

    channel: int
    directory: str
    user: NotRequired[str]
    commands: SavedShell


class LinuxSession:
    """A terminal of the machine.

    Args:
        machine: The machine (web/linux/machine.ts).
        network: Its network.
        tty: The terminal.
        working_dir: The initial directory.
        state: The state of a command shell to restore.
        user: The user of its programs; by default it has its number.

    Attributes:
        paused: The name of the machine while it is paused, otherwise None.
        on_close: Called when it has ended.
    """

    def __init__(
        self,
        machine: Any,
        network: MachineNetwork,
        tty: Tty,
        working_dir: str,
        state: str | None,
        user: str | None = None,
    ) -> None:
        self.paused: str | None = None
        self.on_close: Callable[[], None] = _do_nothing
        self._machine = machine
        self._network = network
        self._tty = tty
        self._directory = working_dir
        self._user = user or f"terminal-{tty.number}"
        network.add_user(self._user, tty.number)
        self._environment = network.environment(self._user)
        shell = CommandShell(machine, tty.write, working_dir, state, self._environment, tty.state_changed)
        self._commands = shell
        self._channel: Any = None
        self._reader: asyncio.Task[None] | None = None

    @property
    def working_dir(self) -> str:
        """The directory of the command shell."""
        return self._commands.working_dir

    async def start(self) -> None:
        """Start the shell on the PTY."""
        size = {"rows": self._tty.rows, "columns": self._tty.columns}
        environment = {**ENVIRONMENT, **self._environment}
        self._listen(open_channel(self._machine, SHELL, self._directory, environment, **size))

    async def restore(self, saved: SavedSession, screen: str) -> None:
        """Continue the terminal of a saved machine.

        Args:
            saved: The terminal.
            screen: The output that it had.
        """
        channel = self._machine.channel(saved["channel"])
        if channel is None:
            await self.start()
            return
        self._commands.restore(saved["commands"])
        await self._tty.draw(CLEAR + screen)
        self._listen(channel)

    def save(self) -> SavedSession:
        """Return what a copy of the machine needs to continue the terminal."""
        return {
            "channel": int(self._channel.number),
            "directory": self._directory,
            "user": self._user,
            "commands": self._commands.save(),
        }

    def _listen(self, channel: Any) -> None:
        self._channel = channel
        # The reader outlives the call that opened the terminal.
        self._reader = asyncio.get_running_loop().create_task(self._read(), context=process.detached())

    async def run(
        self, command: str, timeout_s: float | None, *, attended: bool = False, watched: bool = False
    ) -> Finished:
        """Run a command separately from the PTY; see `Session.run`."""
        self._require_time()
        await self._network.prepared()
        with self._network.command(self._tty.number) as user:
            return await self._commands.run(command, timeout_s, user)

    def interrupt(self) -> None:
        """Interrupt the running command."""
        self._commands.interrupt()

    async def keys(self, text: str) -> None:
        """Type keys into the PTY.

        Raises:
            MachinePaused: The machine is paused.
        """
        self._require_time()
        self._channel.write(text)

    async def answer(self, text: str) -> None:
        """Send the PTY a reply of the terminal emulator."""
        self._channel.write(text)

    def resize(self, columns: int, rows: int) -> None:
        """Resize the PTY."""
        self._channel.resize(columns, rows)

    def complete(self, before: str) -> list[str]:
        """Return nothing: the shell does its own completion."""
        return []

    def state(self) -> str:
        """Return the state of the command shell."""
        return self._commands.state

    async def settled(self) -> None:
        """Wait until `state` has the last command's changes."""
        await self._commands.settled()

    async def close(self) -> None:
        """End both shells and what runs in them."""
        self.on_close()
        if self._reader is not None:
            self._reader.cancel()
            with suppress(asyncio.CancelledError):
                await self._reader
        self._channel.close()
        self._commands.close()

    def _require_time(self) -> None:
        if self.paused is not None:
            raise paused(self.paused)

    async def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        piece = await self._channel.next()
        while piece.stream != "exit":
            await self._tty.draw(decoder.decode(piece.bytes.to_bytes()))
            piece = await self._channel.next()
        self._commands.close()
        self.on_close()
        self._tty.ended(f"The shell ended with exit code {piece.code}. Press a key to start another.")
