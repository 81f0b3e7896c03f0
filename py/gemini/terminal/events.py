"""Events of the terminal."""

from dataclasses import dataclass
from typing import ClassVar

from typing_extensions import TypedDict

from gemini.core.events import Event


class TerminalRow(TypedDict):
    """A terminal as it is listed. Its place is in CSS pixels from the top left of the map."""

    id: str
    working_dir: str
    focused: bool
    x: int
    y: int
    width: int
    height: int
    backend: str
    busy: bool
    floating: bool
    caller: str | None
    title: str


@dataclass(frozen=True)
class TerminalCreated(Event):
    type: ClassVar[str] = "terminal_created"
    terminal: TerminalRow


@dataclass(frozen=True)
class TerminalChanged(Event):
    type: ClassVar[str] = "terminal_changed"
    terminal: TerminalRow

    def subject(self) -> str:
        """Return the terminal's id: only its latest row is sent."""
        return self.terminal["id"]


@dataclass(frozen=True)
class TerminalClosed(Event):
    type: ClassVar[str] = "terminal_closed"
    terminal_id: str
