"""Events of the terminal."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event, Row


@dataclass(frozen=True)
class TerminalCreated(Event):
    type: ClassVar[str] = "terminal_created"
    terminal: Row


@dataclass(frozen=True)
class TerminalChanged(Event):
    type: ClassVar[str] = "terminal_changed"
    terminal: Row


@dataclass(frozen=True)
class TerminalClosed(Event):
    type: ClassVar[str] = "terminal_closed"
    terminal_id: str
