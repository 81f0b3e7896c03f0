"""The memories of agents."""

from typing import TYPE_CHECKING

from gemini.agents.memory.memory import Memories
from gemini.agents.memory.panel_tools import PanelMemoryTools
from gemini.agents.memory.tools import MemoryTools

if TYPE_CHECKING:
    from gemini.agents.runs.runs import Runs
    from gemini.kernel.kernel import Kernel


def setup(kernel: "Kernel") -> None:
    """Create the memories, which runs read."""
    kernel.memories = memories = Memories(
        lambda: kernel.store.memories, kernel.registry.consent, kernel.events, lambda: kernel.embeddings
    )
    kernel.registry.add_room(MemoryTools(memories))
    kernel.registry.add_room(PanelMemoryTools(memories))

    def serve(runs: "Runs") -> None:
        runs.memory = memories

    kernel.on_runs(serve)
