"""Events of the Python console."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from gemini.computer.python.display import Display
from gemini.core.events import Event


class PrintedText(TypedDict):
    """A piece of output."""

    stream: Literal["stdout", "stderr"]
    text: str


class PrintedValue(TypedDict):
    """A value among the output."""

    stream: Literal["value"]
    display: Display


Printed = TypeAliasType("Printed", PrintedText | PrintedValue)


class ErrorRow(TypedDict):
    """An error; `hint` says what to do."""

    type: str
    message: str
    hint: NotRequired[str | None]
    data: NotRequired[Any]


class Question(TypedDict):
    """A line that code reads from the user; `hidden` for passwords."""

    prompt: str
    hidden: bool


class ConsoleEntry(TypedDict):
    """Code that was run. `source` is its file name in tracebacks, `started` is ISO 8601 in UTC.

    `asks` is the line that it waits for, `cell` the name of the notebook's cell that the code is from. An `earlier` one
    ran before the page was loaded; its id is below zero.
    """

    id: int
    code: str
    caller: str
    cell: str | None
    source: str | None
    started: str
    running: bool
    asks: Question | None
    output: list[Printed]
    display: Display | None
    error: ErrorRow | None
    earlier: bool


class ConsoleRow(TypedDict):
    """The console: the entries and the user's inputs, oldest first."""

    entries: list[ConsoleEntry]
    inputs: list[str]


@dataclass(frozen=True)
class ConsoleChanged(Event):
    """Code in the console started or ended."""

    type: ClassVar[str] = "console_changed"
    entry: ConsoleEntry


@dataclass(frozen=True)
class ConsolePrinted(Event):
    """Code in the console printed; `output` has the new pieces as `{stream, text}`."""

    type: ClassVar[str] = "console_printed"
    immediate: ClassVar[bool] = True
    entry_id: int
    output: list[Printed]


@dataclass(frozen=True)
class ConsoleCleared(Event):
    """Entries were removed; `remaining` has the ids of the others."""

    type: ClassVar[str] = "console_cleared"
    remaining: list[int]
