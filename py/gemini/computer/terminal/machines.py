"""The terminals as the Linux machines need them: to describe them, and to open them again."""

from contextlib import suppress
from typing import Any

from gemini.computer.terminal import saved
from gemini.computer.terminal.manager import TerminalManager
from gemini.errors import GeminiError


class MachineTerminals:
    """The terminals of machines.

    Args:
        manager: All terminals.
    """

    def __init__(self, manager: TerminalManager) -> None:
        self._manager = manager

    def describe(self, number: int) -> tuple[str, dict[str, Any]]:
        """Return a terminal's output so far, and its saved state."""
        terminal = self._manager.get(f"term-{number}")
        output: list[str] = []
        terminal.view(output.append)()
        return "".join(output), vars(terminal.saved_state())

    def place(self, number: int | None, backend: str, described: dict[str, Any]) -> int:
        """Return the number of a terminal with that number and backend, or of a new one."""
        found = self._manager.terminals.get(f"term-{number}")
        if found is not None and found.backend.name == backend:
            return found.number
        state = saved.read(described | {"backend": backend, "running": None})
        return self._manager.create_from(state, number if found is None else None, backend)

    async def ready(self, number: int) -> None:
        """Open the session of a terminal; do nothing if it was closed meanwhile."""
        terminal = self._manager.terminals.get(f"term-{number}")
        # The terminal then shows why it can't open.
        with suppress(GeminiError):
            if terminal is not None:
                await terminal.ready()

    async def close_all(self, backend: str) -> None:
        """Close all terminals of a backend."""
        for terminal in list(self._manager.terminals.values()):
            if terminal.backend.name == backend:
                await self._manager.close(terminal.term_id)
