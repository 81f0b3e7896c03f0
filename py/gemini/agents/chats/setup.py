"""The chats with models and agents."""

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from gemini.agents.chats.panel_tools import ChatTools
from gemini.core import ffi
from gemini.errors import StorageFull, StorageProblem

if TYPE_CHECKING:
    from gemini.agents.chats.chats import Chats
    from gemini.agents.chats.events import ChatRow
    from gemini.agents.chats.messages import Voice
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


def rows_of(kernel: "Kernel") -> "list[ChatRow]":
    """Return the rows of all chats. Their modules aren't loaded where no chat was saved."""
    # Loading the chats reports the problem.
    with suppress(StorageProblem, StorageFull):
        if "chats" not in vars(kernel) and kernel.store.chats.is_empty():
            return []
    return kernel.chats.rows()


async def _voice_of(kernel: "Kernel", name: str) -> "Voice":
    """Return an agent as it answers in chats."""
    from gemini.agents.chats.messages import Voice
    from gemini.agents.teamwork.files import is_provided

    found = (await kernel.teams.files.read()).get(name)
    origin = None if is_provided(found) else found.path
    return Voice(name, found.prompt, origin, found.model, found.tools, found.python == "own")
