"""The interface of memory, which a room above implements."""

from typing import Any, Protocol


class Memory(Protocol):
    """The memories of all agents."""

    def pinned(self, agent: str) -> str:
        """Return the text that every run of an agent begins with; it is empty if there is none."""
        ...

    def remember(self, agent: str, text: str) -> Any:
        """Save a fact for an agent, and return its row."""
        ...
