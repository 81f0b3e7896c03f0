"""A terminal of the Linux: a shell on a PTY for the person, and beside it a shell for commands."""

import asyncio
import codecs
from contextlib import suppress
from typing import Any

from gemini.python import process
from gemini.shell.backend import Finished, Tty
from gemini.shell.linux_commands import ENVIRONMENT, CommandShell, open_channel
from gemini.shell.linux_network import MachineNetwork

# As a login shell it reads /etc/profile.
SHELL = ["bash", "-l"]


class LinuxSession:
    """A terminal of the machine.

    Args:
        machine: The machine (web/linux/machine.js).
        network: Its network.
        tty: The terminal.
        working_dir: The initial directory.
        state: The state of a command shell to restore.
    """

    def __init__(
        self, machine: Any, network: MachineNetwork, tty: Tty, working_dir: str, state: str | None
    ) -> None:
        self._machine = machine
        self._network = network
        self._tty = tty
        self._directory = working_dir
        for_commands = network.environment(tty.number, commands=True)
        self._commands = CommandShell(machine, tty.write, working_dir, state, for_commands)
        self._channel: Any = None
        self._reader: asyncio.Task[None] | None = None

    @property
    def working_dir(self) -> str:
        """The directory of the command shell."""
        return self._commands.working_dir

    async def start(self) -> None:
        """Start the shell on the PTY."""
        size = {"rows": self._tty.rows, "columns": self._tty.columns}
        environment = {**ENVIRONMENT, **self._network.environment(self._tty.number, commands=False)}
        self._channel = open_channel(self._machine, SHELL, self._directory, environment, **size)
        # The reader outlives the call that opened the terminal.
        self._reader = asyncio.get_running_loop().create_task(self._read(), context=process.detached())

    async def run(
        self, command: str, timeout_s: float | None, *, attended: bool = False, watched: bool = False
    ) -> Finished:
        """Run a command beside the PTY; see `Session.run`."""
        await self._network.prepared()
        with self._network.running_command(self._tty.number):
            return await self._commands.run(command, timeout_s)

    def interrupt(self) -> None:
        """Interrupt the running command."""
        self._commands.interrupt()

    async def keys(self, text: str) -> None:
        """Type keys into the PTY."""
        self._channel.write(text)

    async def answer(self, text: str) -> None:
        """Send the PTY a reply of the terminal emulator."""
        self._channel.write(text)

    def resize(self, columns: int, rows: int) -> None:
        """Resize the PTY."""
        self._channel.resize(columns, rows)

    def complete(self, before: str) -> list[str]:
        """Return nothing: the shell completes by itself."""
        return []

    def state(self) -> str:
        """Return the state of the command shell."""
        return self._commands.state

    async def close(self) -> None:
        """End both shells and what runs in them."""
        if self._reader is not None:
            self._reader.cancel()
            with suppress(asyncio.CancelledError):
                await self._reader
        self._channel.close()
        self._commands.close()

    async def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        piece = await self._channel.next()
        while piece.stream != "exit":
            await self._tty.draw(decoder.decode(piece.bytes.to_bytes()))
            piece = await self._channel.next()
        self._commands.close()
        self._tty.ended(f"The shell ended with exit code {piece.code}. Press a key to start another.")
