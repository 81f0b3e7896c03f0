"""The events of the browser."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event
from gemini.pages.tabs.results import TabRow


@dataclass(frozen=True)
class TabChanged(Event):
    """A tab was opened or changed."""

    type: ClassVar[str] = "tab_changed"
    tab: TabRow


@dataclass(frozen=True)
class TabClosed(Event):
    """A tab was closed."""

    type: ClassVar[str] = "tab_closed"
    tab_id: str
