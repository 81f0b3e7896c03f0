"""The events of teams."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event


@dataclass(frozen=True)
class TeamsChanged(Event):
    """A team was started, or a task of one has changed."""

    type: ClassVar[str] = "teams_changed"
