"""The events of the inbox."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event


@dataclass(frozen=True)
class InboxChanged(Event):
    """The questions of powers' owners that are saved have changed."""

    type: ClassVar[str] = "inbox_changed"
