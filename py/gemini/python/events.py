"""Events of the python."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event, Row


@dataclass(frozen=True)
class ConsoleChanged(Event):
    """Code began to run in the Python console, or ended."""

    type: ClassVar[str] = "console_changed"
    entry: Row


@dataclass(frozen=True)
class ConsolePrinted(Event):
    """It printed: `output` are pieces `{stream, text}` that come after those before."""

    type: ClassVar[str] = "console_printed"
    entry_id: int
    output: list[Row]


@dataclass(frozen=True)
class ConsoleCleared(Event):
    """All entries but these are forgotten."""

    type: ClassVar[str] = "console_cleared"
    kept: list[int]
