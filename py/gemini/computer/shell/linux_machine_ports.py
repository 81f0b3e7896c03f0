"""The parts of the page, the terminals and the settings that Linux machines use."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

SHARED = "/project"
"""The folder that machines share with the surface."""


class Host(Protocol):
    """Starts machines, and has their stored data; see `gemini.core.ffi.linux.LinuxHost`."""

    async def start(self, folder: str, root: str, name: str, copy: Any = None) -> Any:
        """Start a machine."""
        ...

    async def ask(self, answer: Awaitable[Any]) -> Any:
        """Wait for an answer of a machine."""
        ...

    async def stored(self) -> list[dict[str, Any]]:
        """List the machines that have files."""
        ...

    async def delete(self, name: str, *, entirely: bool) -> None:
        """Delete the files of a machine."""
        ...

    async def roll_back(self, name: str) -> None:
        """Return to the disk of the saved state."""
        ...

    async def export_disk(self, name: str, path: str) -> None:
        """Write the file with the changes of a machine's disk to a path."""
        ...

    async def import_disk(self, name: str, path: str) -> None:
        """Replace the changes of a machine's disk."""
        ...


class Settings(Protocol):
    """The settings of all machines, and the build's machine; see `gemini.computer.shell.linux.LinuxBackend`."""

    limit: int
    save_limit: Callable[[int], None]
    terminals: "Callable[[], Terminals] | None"

    def require(self) -> None:
        """Raise CapabilityMissing if this build of the page has no Linux."""
        ...

    def folder(self) -> str:
        """Return the address of the build's machine."""
        ...


class Terminals(Protocol):
    """The terminals, as machines need them; see `gemini.computer.terminal.machines`."""

    def describe(self, number: int) -> tuple[str, dict[str, Any]]:
        """Return a terminal's output so far, and what `place` needs to open it again."""
        ...

    def place(self, number: int | None, backend: str, described: dict[str, Any]) -> int:
        """Show a terminal, with that number if no other has it, and return its number."""
        ...

    async def ready(self, number: int) -> None:
        """Open the session of a terminal."""
        ...

    async def close_all(self, backend: str) -> None:
        """Close all terminals of a backend."""
        ...
