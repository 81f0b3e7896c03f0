"""Events of the tools."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

from gemini.core.events import Event, Row


class HasRow(Protocol):
    """A call of a tool; its row is made when a listener reads it."""

    id: int
    ok: bool | None

    def row(self) -> Row: ...


@dataclass(frozen=True)
class CallChanged(Event):
    """A call began or ended; `ok` is None in between."""

    type: ClassVar[str] = "call_changed"
    call: HasRow

    def row(self) -> Row:
        return {"call": self.call.row()}

    def subject(self) -> HasRow:
        # A call's row has all of it when it is read, so its beginning needn't be sent once it has ended.
        return self.call


@dataclass(frozen=True)
class SettingsChanged(Event):
    """The person gave or took back a standing grant, or switched a group of tools."""

    type: ClassVar[str] = "settings_changed"
    settings: Row
