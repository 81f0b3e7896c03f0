"""Events of the tools."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NotRequired, Protocol

from typing_extensions import TypedDict

from gemini.core.events import Event

EffectName = Literal["read", "write", "outside", "spend"]


class CallRow(TypedDict):
    """A call; the last three are None while it runs. `started` is ISO 8601 in UTC, the preview is cut JSON text."""

    id: int
    tool: str
    caller: str
    effect: EffectName
    arguments: Any
    started: str
    ok: bool | None
    result_preview: str | None
    duration_ms: float | None


class CallChange(TypedDict):
    """The content of the event of a call."""

    call: CallRow


class ToolRow(TypedDict):
    """A tool as `tools/list` lists it.

    `interrupts` names the argument for the terminal whose command it ends, `needs` the abilities that an MCP client
    must have to call it. `lean` is there if clients that take few tools get it, `code` if only clients in code mode
    list it.
    """

    name: str
    description: str
    inputSchema: dict[str, Any]
    outputSchema: NotRequired[dict[str, Any]]
    annotations: dict[str, bool]
    effect: EffectName
    group: str
    interrupts: NotRequired[str]
    needs: NotRequired[list[str]]
    lean: NotRequired[bool]
    code: NotRequired[bool]


class SettingsRow(TypedDict):
    """The groups of tools that are switched off, their tools, and whether agents' tabs come to the front.

    `groups_extra` are off until the user switches them on. `tools_off` is empty until a moment after the start.
    """

    groups_off: list[str]
    groups_extra: list[str]
    tools_off: list[ToolRow]
    follow_agents: bool


class HasRow(Protocol):
    """A tool call; its row is created when a listener reads it."""

    id: int
    ok: bool | None

    def row(self) -> CallRow:
        """Return the call as JSON values."""
        ...


@dataclass(frozen=True)
class CallChanged(Event):
    """A call has begun or ended; `ok` is None until it ends."""

    type: ClassVar[str] = "call_changed"
    call: HasRow

    def row(self) -> CallChange:
        """Return `{call}`, with the call's row."""
        return {"call": self.call.row()}

    def subject(self) -> HasRow:
        """Return the call: once it has ended, its first event needn't be sent."""
        return self.call


@dataclass(frozen=True)
class SettingsChanged(Event):
    """The user has switched a group of tools on or off."""

    type: ClassVar[str] = "settings_changed"
    settings: SettingsRow
