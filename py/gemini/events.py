"""What happened in the surface, for whoever draws or records it.

Each event is a small dataclass; its class attribute `type` is its name on the wire. `EventLog` numbers them,
so that a listener that missed one notices the gap in `seq` and asks for a snapshot again.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
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
        self._undelivered: deque[Row] = deque()
        self._delivering = False

    def publish(self, event: Event) -> None:
        """Give `event` the next number and pass `{seq, type, …fields}` on.

        What a listener publishes itself is passed on after the event that it listens to, to everybody.
        """
        self.seq += 1
        if not self._listeners:
            return
        self._undelivered.append({"seq": self.seq, "type": event.type, **vars(event)})
        if self._delivering:
            return
        self._delivering = True
        try:
            while self._undelivered:
                row = self._undelivered.popleft()
                for listener in list(self._listeners):
                    listener(row)
        finally:
            self._delivering = False

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each event's row from now on; the returned function ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)


class EventFeed:
    """Passes events on in batches, so that a burst of calls costs its watcher one message and not thousands.

    Args:
        log: Where the events come from.
        send: Takes a batch, in order.
        delay_s: How long an event may wait for others.
    """

    def __init__(self, log: EventLog, send: Callable[[list[Row]], None], delay_s: float = 0.02) -> None:
        self._send = send
        self._delay_s = delay_s
        self._waiting: list[Row] = []
        log.subscribe(self._take)

    def _take(self, row: Row) -> None:
        if not self._waiting:
            asyncio.get_running_loop().call_later(self._delay_s, self.flush)
        self._waiting.append(row)

    def flush(self) -> None:
        """Send what waits, now."""
        if self._waiting:
            batch, self._waiting = self._waiting, []
            self._send(batch)
