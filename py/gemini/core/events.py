"""Events: what happened in the surface, for the page that draws it and for the log.

Each event is a small dataclass; its class attribute `type` is its name on the wire. `EventLog` numbers them,
so that a listener that missed one notices the gap in `seq` and asks for a snapshot again.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

Row = dict[str, Any]


@dataclass(frozen=True)
class Event:
    """Something that happened. Each room declares its own in its `events.py`.

    Attributes:
        type: The name on the wire.
        urgent: Whether it is sent at once, not in the next batch.
    """

    type: ClassVar[str]
    urgent: ClassVar[bool] = False

    def row(self) -> Row:
        """Return the event's fields as they go over the wire."""
        return dict(vars(self))

    def subject(self) -> object | None:
        """Return what the event describes in full, where it makes earlier events of the same subject superfluous."""
        return None

    def merged(self, later: "Event") -> "Event | None":
        """Return one event that stands for this one and the next, or None where they stay apart."""
        return None


Listener = Callable[[int, Event], None]


def row_of(seq: int, event: Event) -> Row:
    """Return an event as it goes over the wire: `{seq, type, …fields}`."""
    return {"seq": seq, "type": event.type, **event.row()}


class EventLog:
    """Numbers events and hands each to every subscriber, in order.

    Events themselves are not kept: state is what the rooms hold, and a newcomer asks them for a snapshot.
    """

    def __init__(self) -> None:
        self.seq = 0
        self._listeners: list[Listener] = []
        self._undelivered: deque[tuple[int, Event]] = deque()
        self._delivering = False

    def publish(self, event: Event) -> None:
        """Give `event` the next number and pass both on.

        What a listener publishes itself is passed on after the event that it listens to, to everybody.
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
        """Call `listener` with each event's number and the event from now on.

        The returned function ends that.
        """
        # A new list, so that a listener may come or go while one is called.
        self._listeners = [*self._listeners, listener]

        def end() -> None:
            self._listeners = [other for other in self._listeners if other is not listener]

        return end


@dataclass(frozen=True)
class Batch:
    """Events that happened one after the other; those that a later one of them makes worthless are left out.

    Attributes:
        first: The number of the first event, whether or not it is in `events`.
        last: The number of the last one.
        events: As `row_of` gives them, in order.
    """

    first: int
    last: int
    events: list[Row]


class EventFeed:
    """Passes events on in batches, so that a burst of calls costs its watcher a few messages and not thousands.

    Args:
        log: Where the events come from.
        send: Takes each batch.
        delay_s: How long an event may wait for others.
        rest_s: How long it may while one batch follows another.
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
        # Code that never pauses holds up the loop; who watches shall see what it does.
        if now > self._due + self._delay_s:
            self.flush()

    def close(self) -> None:
        """Watch no longer; what waits is still sent."""
        self._unsubscribe()

    def flush(self) -> None:
        """Send what waits, now."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            self._last_sent = time.monotonic()
            rows = [row_of(seq, event) for seq, event in _merged(_without_superseded(waiting))]
            self._send(Batch(waiting[0][0], waiting[-1][0], rows))


def _without_superseded(waiting: list[tuple[int, Event]]) -> list[tuple[int, Event]]:
    """Leave out events that a later one of the same subject supersedes."""
    last = {subject: seq for seq, event in waiting if (subject := event.subject()) is not None}
    return [
        (seq, event) for seq, event in waiting if (subject := event.subject()) is None or last[subject] == seq
    ]


def _merged(waiting: list[tuple[int, Event]]) -> list[tuple[int, Event]]:
    """Replace neighbours that can be merged by one event with the later number."""
    merged: list[tuple[int, Event]] = []
    for seq, event in waiting:
        both = merged[-1][1].merged(event) if merged else None
        if both is None:
            merged.append((seq, event))
        else:
            merged[-1] = (seq, both)
    return merged
