"""The actions of the terminals panel that only the user can call."""

from functools import partial

from typing_extensions import TypedDict

from gemini import tools
from gemini.computer.shell.host import HostBackend
from gemini.computer.terminal.manager import TerminalManager
from gemini.errors import GeminiError

declare = partial(tools.declare, group="terminals")


class Opened(TypedDict):
    """A terminal that was opened."""

    terminal_id: str


class PanelTerminalTools:
    """The action that opens a terminal of the user's computer.

    Args:
        manager: The terminals.
        host: The backend of the user's computer.
    """

    def __init__(self, manager: TerminalManager, host: HostBackend) -> None:
        self._manager = manager
        self._host = host

    @declare(person_only=True, action="new_own_terminal")
    async def panel_terminal_own(self, press: str) -> Opened:
        """Open a terminal of this computer.

        Args:
            press: The companion's token for the user's button press; it opens one terminal.
        """
        with self._host.pressed(press):
            terminal = self._manager.create(backend=self._host.name)
            try:
                await terminal.ready()
            except GeminiError:
                await self._manager.close(terminal.term_id)
                raise
        return {"terminal_id": terminal.term_id}
