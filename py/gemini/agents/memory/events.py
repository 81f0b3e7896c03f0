"""The events of memory."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event


@dataclass(frozen=True)
class MemoriesChanged(Event):
    """Memories or pinned texts have changed."""

    type: ClassVar[str] = "memories_changed"
