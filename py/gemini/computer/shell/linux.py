"""The `linux` backend: terminals of a Linux in the page, whose folder /project is the surface's own (web/linux)."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gemini.computer.shell.backend import Tty
from gemini.computer.shell.linux_machine_names import MAIN, NAME, backend_of
from gemini.computer.shell.linux_machine_ports import SHARED
from gemini.core import ffi
from gemini.errors import CapabilityMissing

if TYPE_CHECKING:
    from gemini.computer.shell.linux_machines import Machines
    from gemini.computer.shell.linux_session import LinuxSession
    from gemini_userland.invocation import Invocation

LIMIT = "linux_machines"
"""The setting with the number of machines that may be in memory at once."""


def _save_nothing(_: int) -> None: ...


class LinuxBackend:
    """The backend for Linux machines in the page.

    Args:
        machines: Returns the machines; by default, these are its own.
        machine: The machine of its terminals.

    Attributes:
        limit: The number of machines that may be in memory at once.
        save_limit: Saves it.
        terminals: Returns the terminals, of which machines are copied and restored (`linux_machines.Terminals`).
    """

    raw = True
    outside = False
    lacks: Mapping[str, str] = {}

    def __init__(self, machines: "Callable[[], Machines] | None" = None, machine: str = MAIN) -> None:
        self.name = backend_of(machine)
        self.limit = 2
        self.save_limit: Callable[[int], None] = _save_nothing
        self.terminals: Callable[[], Any] | None = None
        self._machine = machine
        self._shared = machines

    @cached_property
    def machines(self) -> "Machines":
        """The machines. Their modules are loaded on first use."""
        if self._shared is not None:
            return self._shared()
        from gemini.computer.shell.linux_machines import Machines
        from gemini.core.ffi.linux import LinuxHost

        return Machines(LinuxHost(), self)

    def named(self, name: str) -> "LinuxBackend | None":
        """Return the backend of another machine by its full name, such as `linux:work`; None if it isn't one."""
        kind, _, machine = name.partition(":")
        if kind != "linux" or not NAME.fullmatch(machine):
            return None
        return LinuxBackend(lambda: self.machines, machine)

    def require(self) -> None:
        """Raise CapabilityMissing if this build of the page has no Linux."""
        self.folder()

    def is_complete(self, command: str) -> bool:
        """Return True: the shell reads incomplete lines itself."""
        return True

    async def open(self, tty: Tty, working_dir: str, state: str | None = None) -> "LinuxSession":
        """Open a terminal; start the machine if it doesn't run.

        Raises:
            CapabilityMissing: This build of the page has no Linux.
            ShellUnavailable: The machine could not be started.
            MachineProblem: There is no such machine, or too many run.
        """
        machine = await self.machines.started(self._machine)
        return await machine.open(tty, working_dir, state)

    async def run_program(self, invocation: "Invocation") -> int:
        """Run a program for the command `linux` of the embedded shell; start the first machine if it doesn't run.

        Raises:
            CapabilityMissing: This build of the page has no Linux.
            ShellUnavailable: The machine could not be started.
            MachineProblem: The machine is paused, or too many run.
        """
        machine = await self.machines.started(self._machine)
        return await machine.run_program(SHARED, invocation)

    def folder(self) -> str:
        """Return the address of the build's machine.

        Raises:
            CapabilityMissing: This build of the page has no Linux.
        """
        folder = ffi.linux_folder()
        if folder is None:
            raise CapabilityMissing(
                "the 'linux' backend needs a Linux, which this build of the page doesn't have",
                hint="`python3 build.py linux` adds it. The 'shell' backend works without it.",
                data={"backend": "linux"},
            )
        return folder
