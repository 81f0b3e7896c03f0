"""Events of the Python console."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event, Row


@dataclass(frozen=True)
class ConsoleChanged(Event):
    """Code in the console started or ended."""

    type: ClassVar[str] = "console_changed"
    entry: Row


@dataclass(frozen=True)
class ConsolePrinted(Event):
    """Code in the console printed; `output` has the new pieces as `{stream, text}`."""

    type: ClassVar[str] = "console_printed"
    entry_id: int
    output: list[Row]


@dataclass(frozen=True)
class ConsoleCleared(Event):
    """Entries were removed; `remaining` has the ids of the others."""

    type: ClassVar[str] = "console_cleared"
    remaining: list[int]
