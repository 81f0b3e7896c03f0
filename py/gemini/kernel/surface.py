"""The running surface, as scripts use it."""

from typing import TYPE_CHECKING

from gemini.computer.files.browser import FileBrowser
from gemini.computer.terminal.manager import TerminalManager
from gemini.kernel import kernel
from gemini.kernel.kernel import HOME, Kernel
from gemini.models.providers.models import Models
from gemini.pages.tabs.browser import Browser
from gemini.tools import Registry

if TYPE_CHECKING:
    from gemini.agents.chats.chats import Chats
    from gemini.agents.runs.runs import Runs


class Surface:
    """The rooms of the running surface.

    Attributes:
        terminals: Opens, finds and closes terminals.
        files: Lists, finds, reads and writes files.
        browser: Opens, reads and controls tabs.
        models: The language models that the user has set up.
        tools: The tools by name; `await surface.tools.call(name, arguments)` calls one.
    """

    def __init__(self, running: Kernel) -> None:
        self._kernel = running
        self.terminals: TerminalManager = running.terminals
        self.files: FileBrowser = running.files
        self.browser: Browser = running.browser
        self.models: Models = running.models
        self.tools: Registry = running.registry

    @property
    def agents(self) -> "Runs":
        """The agents' runs: starts and lists them. Loaded on first use."""
        return self._kernel.runs

    @property
    def chats(self) -> "Chats":
        """The chats with models. Loaded on first use."""
        return self._kernel.chats

    def __repr__(self) -> str:
        return f"<gemini.Surface: {len(self.terminals.terminals)} terminals, {len(self.browser.tabs)} tabs>"


_surface: Surface | None = None


async def start(*, home: str = HOME, fresh_files: bool = False) -> Surface:
    """Start the surface, if it isn't running yet, and return it.

    Args:
        home: The directory that terminals and the file browser start in. Created if it doesn't exist.
        fresh_files: True on a first visit: writes the welcome files if `home` is empty.
    """
    global _surface  # noqa: PLW0603 - an interpreter has one surface
    running = await kernel.start(home=home, fresh_files=fresh_files)
    if _surface is None:
        _surface = Surface(running)
    return _surface
