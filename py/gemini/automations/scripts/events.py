"""The events of automations."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event


@dataclass(frozen=True)
class AutomationsChanged(Event):
    """A run was saved as an automation."""

    type: ClassVar[str] = "automations_changed"
