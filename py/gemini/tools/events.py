"""Events of the tools."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

from gemini.core.events import Event, Row


class HasRow(Protocol):
    """A tool call; its row is created when a listener reads it."""

    id: int
    ok: bool | None

    def row(self) -> Row:
        """Return the call as JSON values."""
        ...


@dataclass(frozen=True)
class CallChanged(Event):
    """A call has begun or ended; `ok` is None until it ends."""

    type: ClassVar[str] = "call_changed"
    call: HasRow

    def row(self) -> Row:
        """Return `{call}`, with the call's row."""
        return {"call": self.call.row()}

    def subject(self) -> HasRow:
        """Return the call: once it has ended, its first event needn't be sent."""
        return self.call


@dataclass(frozen=True)
class SettingsChanged(Event):
    """The user has switched a group of tools on or off."""

    type: ClassVar[str] = "settings_changed"
    settings: Row
