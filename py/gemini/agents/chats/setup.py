"""The chats with models and agents."""

from functools import partial
from typing import TYPE_CHECKING

from gemini.agents.chats.messages import Voice
from gemini.agents.chats.panel_tools import ChatTools
from gemini.core import ffi

if TYPE_CHECKING:
    from gemini.agents.chats.chats import Chats
    from gemini.kernel.kernel import Kernel


def setup(kernel: "Kernel") -> None:
    """Register the chat panel's actions."""
    kernel.registry.add_room(
        ChatTools(lambda: kernel.chats, kernel.events, kernel.downloads, ffi.fetch_upload, kernel.mentions)
    )


def create_chats(kernel: "Kernel") -> "Chats":
    """Create the chats. SQLite, which stores them, is loaded on first use."""
    from gemini.agents.chats.chats import Chats

    report = kernel.limitations.report
    chats = Chats(kernel.store.chats, kernel.events, kernel.registry, lambda: kernel.runs, report)
    chats.spent = lambda agent, spent: kernel.spending.add(agent, spent)  # noqa: PLW0108 - it loads on first use
    chats.voice = partial(_voice_of, kernel)
    return chats


async def _voice_of(kernel: "Kernel", name: str) -> Voice:
    """Return an agent as it answers in chats."""
    from gemini.agents.teamwork.files import is_provided

    found = (await kernel.teams.files.read()).get(name)
    origin = None if is_provided(found) else found.path
    return Voice(name, found.prompt, origin, found.model, found.tools, found.python == "own")
