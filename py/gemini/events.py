"""What happened in the surface, for whoever draws or records it.

Each event is a small dataclass; its class attribute `type` is its name on the wire. `EventLog` numbers them, so
that a listener that missed one notices the gap in `seq` and asks for a snapshot again.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

Row = dict[str, Any]


@dataclass(frozen=True)
class TerminalCreated:
    type: ClassVar[str] = "terminal_created"
    terminal: Row


@dataclass(frozen=True)
class TerminalChanged:
    type: ClassVar[str] = "terminal_changed"
    terminal: Row


@dataclass(frozen=True)
class TerminalClosed:
    type: ClassVar[str] = "terminal_closed"
    terminal_id: str


@dataclass(frozen=True)
class FilesShown:
    type: ClassVar[str] = "files_shown"
    path: str
    entries: list[Row]
    truncated: bool = False


@dataclass(frozen=True)
class CallStarted:
    type: ClassVar[str] = "call_started"
    call: Row


@dataclass(frozen=True)
class CallFinished:
    type: ClassVar[str] = "call_finished"
    call_id: int
    ok: bool
    result_preview: str
    duration_ms: float


@dataclass(frozen=True)
class ApprovalRequested:
    type: ClassVar[str] = "approval_requested"
    approval: Row


@dataclass(frozen=True)
class ApprovalSettled:
    type: ClassVar[str] = "approval_settled"
    approval_id: int
    decision: str


Event = (
    TerminalCreated
    | TerminalChanged
    | TerminalClosed
    | FilesShown
    | CallStarted
    | CallFinished
    | ApprovalRequested
    | ApprovalSettled
)
Listener = Callable[[Row], None]


class EventLog:
    """Numbers events and hands each to every subscriber, in order.

    Events themselves are not kept: state is what the rooms hold, and a newcomer asks them for a snapshot.
    """

    def __init__(self) -> None:
        self.seq = 0
        self._listeners: list[Listener] = []

    def publish(self, event: Event) -> None:
        """Give `event` the next number and pass `{seq, type, …fields}` on."""
        self.seq += 1
        if not self._listeners:
            return
        row = {"seq": self.seq, "type": event.type, **asdict(event)}
        for listener in list(self._listeners):
            listener(row)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each event's row from now on; the returned function ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)
