"""The event of Source Control."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event, Row


@dataclass(frozen=True)
class SourceControlChanged(Event):
    """The repository shown, its branch or its changes differ from before."""

    type: ClassVar[str] = "source_control_changed"
    source_control: Row
