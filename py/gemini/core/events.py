"""The surface's events, for the page and other listeners.

Each event is a small dataclass; its class attribute `type` is its name on the wire. `EventLog` numbers events, so that
a listener that missed one sees the gap in `seq` and requests a new snapshot.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

Row = dict[str, Any]


@dataclass(frozen=True)
class Event:
    """An event. Each room declares its own in its `events.py`.

    Attributes:
        type: The name on the wire.
        urgent: Whether the event is sent in the next turn of the loop instead of in the next batch.
        immediate: Whether it is sent before its publisher continues, which may be code that never pauses.
    """

    type: ClassVar[str]
    urgent: ClassVar[bool] = False
    immediate: ClassVar[bool] = False

    def row(self) -> Mapping[str, Any]:
        """Return the event's fields as JSON values."""
        return dict(vars(self))

    def subject(self) -> object | None:
        """Return the object that the event describes in full, if it supersedes earlier events of this object."""
        return None

    def merged(self, later: "Event") -> "Event | None":
        """Return one event that replaces this one and the next, or None if they can't be merged."""
        return None


Listener = Callable[[int, Event], None]


def row_of(seq: int, event: Event) -> Row:
    """Return an event as it is sent: `{seq, type, …fields}`."""
    return {"seq": seq, "type": event.type, **event.row()}


class EventLog:
    """A publisher that numbers events and passes each to every subscriber, in order.

    It stores no events: the rooms hold the state, and new subscribers start from a snapshot.
    """

    def __init__(self) -> None:
        self.seq = 0
        self._listeners: list[Listener] = []
        self._undelivered: deque[tuple[int, Event]] = deque()
        self._delivering = False

    def publish(self, event: Event) -> None:
        """Number `event` and pass it to all listeners.

        An event that a listener publishes is delivered after the current one.
        """
        self.seq += 1
        if not self._listeners:
            return
        self._undelivered.append((self.seq, event))
        if self._delivering:
            return
        self._delivering = True
        try:
            while self._undelivered:
                seq, first = self._undelivered.popleft()
                for listener in self._listeners:
                    listener(seq, first)
        finally:
            self._delivering = False

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener(seq, event)` for each event from now on.

        The returned function unsubscribes it.
        """
        # A new list, because listeners may subscribe and unsubscribe during delivery.
        self._listeners = [*self._listeners, listener]

        def unsubscribe() -> None:
            self._listeners = [other for other in self._listeners if other is not listener]

        return unsubscribe


@dataclass(frozen=True)
class Batch:
    """Consecutive events, without those that a later one supersedes.

    Attributes:
        first: The number of the first event, even if it was left out.
        last: The number of the last event.
        events: The events as `row_of` returns them, in order.
    """

    first: int
    last: int
    events: list[Row]


class EventFeed:
    """A sender of events in batches, so that a burst of calls takes a few messages instead of thousands.

    Args:
        log: The source of the events.
        send: Sends a batch.
        delay_s: The maximum delay of an event after a pause.
        rest_s: The maximum delay while batches follow each other.
    """

    def __init__(
        self, log: EventLog, send: Callable[[Batch], None], delay_s: float = 0.02, rest_s: float = 0.1
    ) -> None:
        self._send = send
        self._delay_s = delay_s
        self._rest_s = rest_s
        self._last_sent = -rest_s
        self._due = 0.0
        self._waiting: list[tuple[int, Event]] = []
        self._unsubscribe = log.subscribe(self._take)

    def _take(self, seq: int, event: Event) -> None:
        now = time.monotonic()
        rested = now - self._last_sent >= self._rest_s
        due = now + (0 if event.urgent else self._delay_s if rested else self._rest_s)
        if not self._waiting or due < self._due:
            self._due = due
            asyncio.get_running_loop().call_later(due - now, self.flush)
        self._waiting.append((seq, event))
        # Code that never pauses blocks the timer; the page should still show its events.
        if event.immediate or now > self._due + self._delay_s:
            self.flush()

    def close(self) -> None:
        """Unsubscribe. Pending events are still sent."""
        self._unsubscribe()

    def flush(self) -> None:
        """Send pending events now."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            self._last_sent = time.monotonic()
            rows = [row_of(seq, event) for seq, event in _merge(_without_superseded(waiting))]
            self._send(Batch(waiting[0][0], waiting[-1][0], rows))


def _without_superseded(waiting: list[tuple[int, Event]]) -> list[tuple[int, Event]]:
    """Remove events that a later one of the same subject supersedes."""
    last = {subject: seq for seq, event in waiting if (subject := event.subject()) is not None}
    return [
        (seq, event) for seq, event in waiting if (subject := event.subject()) is None or last[subject] == seq
    ]


def _merge(waiting: list[tuple[int, Event]]) -> list[tuple[int, Event]]:
    """Merge neighbouring events where possible; the merged one has the later number."""
    merged: list[tuple[int, Event]] = []
    for seq, event in waiting:
        both = merged[-1][1].merged(event) if merged else None
        if both is None:
            merged.append((seq, event))
        else:
            merged[-1] = (seq, both)
    return merged
