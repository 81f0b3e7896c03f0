"""The actions of the Memory panel. They go through the registry as all tools do, but only the user can call them."""

from typing_extensions import TypedDict

from gemini.agents.memory.memory import Memories, MemoryRow
from gemini.tools import Effect, declare


class PinnedRow(TypedDict):
    """The text that every run of an agent begins with."""

    agent: str
    text: str


class Remembering(TypedDict):
    """All memories, those that wait for approval first, and the pinned texts."""

    memories: list[MemoryRow]
    pinned: list[PinnedRow]


class Done(TypedDict):
    """The confirmation of an action."""

    success: bool


class PanelMemoryTools:
    """The actions of the Memory panel.

    Args:
        memories: The memories of all agents.
    """

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="list_memories")
    def memory_list(self) -> Remembering:
        """List all memories and pinned texts."""
        pinned: list[PinnedRow] = [
            {"agent": agent, "text": text} for agent, text in self._memories.all_pinned().items()
        ]
        return {"memories": self._memories.rows(), "pinned": pinned}

    @declare(person_only=True, action="add_memory")
    def memory_add(self, agent: str, text: str) -> MemoryRow:
        """Save a fact for an agent."""
        return self._memories.remember(agent, text)

    @declare(person_only=True, action="approve_memory")
    def memory_approve(self, memory: int) -> Done:
        """Approve a memory, so that its agent finds it."""
        self._memories.approve(memory)
        return {"success": True}

    @declare(person_only=True, action="forget_memory")
    def memory_forget(self, memory: int) -> Done:
        """Delete a memory."""
        self._memories.forget(memory)
        return {"success": True}

    @declare(person_only=True, action="pin_memory")
    def memory_pin(self, agent: str, text: str) -> Done:
        """Replace the text that every run of an agent begins with; an empty one deletes it."""
        self._memories.pin(agent, text)
        return {"success": True}
