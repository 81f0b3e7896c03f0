"""The `linux` backend: terminals of a Linux in the page, whose folder /project is the surface's own (web/linux)."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from gemini.core import ffi
from gemini.errors import CapabilityMissing, ShellUnavailable
from gemini.python import process
from gemini.shell.backend import Tty

if TYPE_CHECKING:
    from gemini.shell.linux_network import MachineNetwork
    from gemini.shell.linux_session import LinuxSession
    from gemini_userland.invocation import Invocation

SHARED = "/project"


class LinuxBackend:
    """The backend of the Linux in the page. The machine starts with the first terminal."""

    name = "linux"
    raw = True
    outside = False
    lacks: Mapping[str, str] = {}

    def __init__(self) -> None:
        self._machine: asyncio.Task[tuple[Any, MachineNetwork]] | None = None

    def require(self) -> None:
        """Raise CapabilityMissing if this build of the page has no Linux."""
        self._folder()

    def is_complete(self, command: str) -> bool:
        """Return True: the shell reads incomplete lines itself."""
        return True

    async def open(self, tty: Tty, working_dir: str, state: str | None = None) -> "LinuxSession":
        """Open a terminal; start the machine if it doesn't run.

        Raises:
            CapabilityMissing: This build of the page has no Linux.
            ShellUnavailable: The machine could not be started.
        """
        from gemini.shell.linux_session import LinuxSession

        machine, network = await self._started()
        session = LinuxSession(machine, network, tty, working_dir, state)
        await session.start()
        return session

    async def run_program(self, invocation: "Invocation") -> int:
        """Run a program for the command `linux` of the embedded shell; start the machine if it doesn't run.

        Raises:
            CapabilityMissing: This build of the page has no Linux.
            ShellUnavailable: The machine could not be started.
        """
        from gemini.shell.linux_program import run_program

        machine, network = await self._started()
        return await run_program(machine, network, SHARED, invocation)

    async def reset_disk(self) -> None:
        """Delete all changes to the system disk, such as installed packages. /project is not on it.

        The machine ends, with what runs in its terminals; the next terminal starts another.

        Raises:
            CapabilityMissing: This build of the page has no Linux.
            ShellUnavailable: The browser's storage can't be opened.
        """
        self.require()
        machine, self._machine = self._machine, None
        # One that didn't start can't be ended.
        with suppress(OSError):
            if machine is not None:
                (await asyncio.shield(machine))[0].close()
        try:
            await ffi.reset_linux_disk()
        except OSError as error:
            raise ShellUnavailable(
                f"the system disk of the Linux can't be reset: {error}",
                hint="Close other tabs of this page and try again.",
            ) from error

    async def _started(self) -> "tuple[Any, MachineNetwork]":
        folder = self._folder()
        if self._machine is None:
            # The machine outlives the call that starts it.
            starting = _start(folder)
            self._machine = asyncio.get_running_loop().create_task(starting, context=process.detached())
        try:
            return await asyncio.shield(self._machine)
        except OSError as error:
            # The next terminal tries again.
            self._machine = None
            raise ShellUnavailable(
                f"the Linux could not be started: {error}",
                hint="Check the connection to the page's server and try again, or use the 'shell' backend.",
            ) from error

    def _folder(self) -> str:
        folder = ffi.linux_folder()
        if folder is None:
            raise CapabilityMissing(
                "the 'linux' backend needs a Linux, which this build of the page doesn't have",
                hint="`python3 build.py linux` adds it. The 'shell' backend works without it.",
                data={"backend": self.name},
            )
        return folder


async def _start(folder: str) -> "tuple[Any, MachineNetwork]":
    from gemini.shell.linux_commands import open_channel
    from gemini.shell.linux_network import PROGRAM, ChannelWire, MachineNetwork

    machine = await ffi.start_linux(folder, SHARED)
    network = MachineNetwork(ChannelWire(open_channel(machine, PROGRAM, "/", {})))
    network.start()
    return machine, network
