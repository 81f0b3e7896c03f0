"""Counts what a request takes of its ticket, however the request ends."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

from gemini_companion.models.errors import (
    KeyMissing,
    KeyRefused,
    PathRefused,
    ProviderUnreachable,
    TooManyRequests,
)
from gemini_companion.models.tickets import Reservation
from gemini_companion.models.upstream import Answer
from gemini_companion.models.usage import Meter

FIRST_ERROR = 400
# With these errors, no model was asked.
UNSENT = (KeyMissing, KeyRefused, PathRefused, ProviderUnreachable, TooManyRequests)


class Counting:
    """The accounting of one request under way.

    Attributes:
        is_sent: Whether the provider may have received it.
        is_whole: Whether its answer was complete.
    """

    def __init__(self) -> None:
        self.is_sent = False
        self.is_whole = False
        self._is_refused = False
        self._meter = Meter(is_lines=False)

    def begin(self, answer: Answer) -> None:
        """Start to read the provider's answer."""
        self._is_refused = answer.status >= FIRST_ERROR
        self._meter = Meter(is_lines=not answer.headers["content-type"].startswith("application/json"))

    def feed(self, chunk: bytes) -> None:
        """Read the next bytes of the answer."""
        self._meter.feed(chunk)

    def end(self, reservation: Reservation) -> None:
        """Count the request, if it was sent."""
        if not self.is_sent:
            reservation.release()
        elif self._is_refused:
            reservation.count_refused()
        else:
            reservation.settle(self._meter, whole=self.is_whole)


@contextlib.contextmanager
def counted(reservation: Reservation) -> Generator[Counting]:
    """Count a request that is sent while the block runs."""
    counting = Counting()
    try:
        yield counting
    except UNSENT:
        counting.is_sent = False
        raise
    finally:
        counting.end(reservation)
