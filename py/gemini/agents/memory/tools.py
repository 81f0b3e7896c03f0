"""The tools with which agents read and write their memory."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from gemini.agents.memory.memory import FOUND, Memories, MemoryRow, agent_of
from gemini.tools import Effect, current_call, declare


class Recalled(TypedDict):
    """The memories that were found, and the text that the user has pinned. `note` says what limited the search."""

    pinned: NotRequired[str]
    memories: list[MemoryRow]
    note: NotRequired[str]


class Remembered(TypedDict):
    """The id of a memory; if it `waits`, it is found once the user has approved it."""

    id: int
    waits: bool


class MemoryTools:
    """The memory of the agent that calls.

    Args:
        memories: The memories of all agents.
    """

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    @declare(effect=Effect.READ, untrusted=True)
    async def memory_read(
        self,
        query: str | None = None,
        agent: str | None = None,
        limit: Annotated[int, Field(ge=1, le=50)] = FOUND,
    ) -> Recalled:
        """Recall facts from earlier runs, each with its source.

        Args:
            query: What to find; without it, the newest.
            agent: Another agent, instead of you.
        """
        of = agent or agent_of(current_call())
        memories, note = await self._memories.recall(of, query, limit)
        found: Recalled = {"memories": memories}
        if note is not None:
            found["note"] = note
        if pinned := self._memories.pinned(of):
            found["pinned"] = pinned
        return found

    @declare(effect=Effect.WRITE)
    def memory_write(self, text: str, agent: str | None = None) -> Remembered:
        """Remember a fact for later runs. It waits for the user's approval if you have read text from outside.

        Args:
            text: One fact, in a sentence that is clear on its own.
            agent: Another agent, instead of you; this always waits.
        """
        row = self._memories.remember(agent or agent_of(current_call()), text)
        return {"id": row["id"], "waits": not row["approved"]}
