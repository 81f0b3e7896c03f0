"""The events of skills."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event


@dataclass(frozen=True)
class SkillsChanged(Event):
    """The user has allowed a skill, or no longer does."""

    type: ClassVar[str] = "skills_changed"
