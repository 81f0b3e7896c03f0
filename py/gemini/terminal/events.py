"""Events of terminals."""

from dataclasses import dataclass
from typing import ClassVar

from typing_extensions import TypedDict

from gemini.core.events import Event


class TerminalRow(TypedDict):
    """A terminal as listed. Position and size are in CSS pixels from the top left of the map."""

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
    """A terminal was created."""

    type: ClassVar[str] = "terminal_created"
    terminal: TerminalRow


@dataclass(frozen=True)
class TerminalChanged(Event):
    """A terminal was changed: position, focus, working directory or running command."""

    type: ClassVar[str] = "terminal_changed"
    terminal: TerminalRow

    def subject(self) -> str:
        """Return the terminal's id: only its latest row is sent."""
        return self.terminal["id"]


@dataclass(frozen=True)
class TerminalClosed(Event):
    """A terminal was closed."""

    type: ClassVar[str] = "terminal_closed"
    terminal_id: str
