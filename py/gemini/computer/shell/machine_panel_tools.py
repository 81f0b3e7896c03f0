"""The actions of the Machines panel. They go through the registry as all tools do, but only the user can call them."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from gemini.computer.shell.linux import LinuxBackend
from gemini.computer.shell.linux_machine_info import MachineInfo, ProcessRow
from gemini.errors import MachineStopped
from gemini.tools import Effect, declare


class MachineShown(TypedDict):
    """A machine as `gemini.linux.list` describes it, and its processes."""

    name: str
    state: str
    memory: int
    changes: int
    saved_at: float | None
    saved_size: int
    terminals: list[str]
    processes: list[ProcessRow]


class MachinesShown(TypedDict):
    """All machines, and how many may be in memory at once."""

    machines: list[MachineShown]
    limit: int


class MachineChanged(TypedDict):
    """The confirmation of an action."""

    success: bool


class DiskExported(TypedDict):
    """A machine's disk as a file: the id of its bytes, its name, and its size."""

    blob: str
    name: str
    bytes: int


class PanelMachineTools:
    """The actions of the Machines panel.

    Args:
        linux: The backend of the machines.
        offer: Offers the page a file of that name and content.
        fetch: Returns the bytes of a file that the page offers by an id.
    """

    def __init__(
        self,
        linux: LinuxBackend,
        offer: Callable[[str, bytes], DiskExported],
        fetch: Callable[[str], Awaitable[bytes]],
    ) -> None:
        self._linux = linux
        self._offer = offer
        self._fetch = fetch

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="list_machines")
    async def machine_list(self) -> MachinesShown:
        """List the Linux machines in the page, with their processes."""
        machines = self._linux.machines
        rows = [await self._describe(info) for info in await machines.list()]
        return {"machines": rows, "limit": machines.limit}

    async def _describe(self, info: MachineInfo) -> MachineShown:
        processes: list[ProcessRow] = []
        # It may have ended meanwhile.
        with suppress(MachineStopped):
            if info.state == "running":
                processes = await self._linux.machines.processes(info.name)
        return {
            "name": info.name,
            "state": info.state,
            "memory": info.memory,
            "changes": info.changes,
            "saved_at": info.saved_at,
            "saved_size": info.saved_size,
            "terminals": info.terminals,
            "processes": processes,
        }

    @declare(person_only=True, action="change_machine")
    async def machine_change(
        self,
        machine: str,
        change: Literal["pause", "resume", "save", "restore", "stop", "reset", "throw_away"],
    ) -> MachineChanged:
        """Change a machine; see the methods of `gemini.linux`."""
        await getattr(self._linux.machines, change)(machine)
        return {"success": True}

    @declare(person_only=True, action="fork_machine")
    async def machine_fork(self, machine: str, name: str) -> MachineChanged:
        """Start a machine with that name from the state of another."""
        await self._linux.machines.fork(name, machine)
        return {"success": True}

    @declare(effect=Effect.READ, person_only=True, action="export_machine")
    async def machine_export(self, machine: str) -> DiskExported:
        """Offer a machine's disk as a file; see `gemini.linux.export_disk`."""
        with TemporaryDirectory() as folder:
            path = Path(folder, "disk")
            await self._linux.machines.export_disk(str(path), machine)
            return self._offer(f"{machine}.linux-disk.gz", path.read_bytes())

    @declare(person_only=True, action="import_machine")
    async def machine_import(self, machine: str, blob: str) -> MachineChanged:
        """Replace a machine's disk by such a file, which the page offers by an id."""
        data = await self._fetch(blob)
        with TemporaryDirectory() as folder:
            path = Path(folder, "disk")
            path.write_bytes(data)
            await self._linux.machines.import_disk(str(path), machine)
        return {"success": True}

    @declare(person_only=True, action="limit_machines")
    def machine_limit(self, most: Annotated[int, Field(ge=1, le=8)]) -> MachineChanged:
        """Set how many machines may be in memory at once."""
        self._linux.machines.limit = most
        return {"success": True}
