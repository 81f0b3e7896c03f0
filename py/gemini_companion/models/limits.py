"""Limits on the size and rate of requests, and on waiting times."""

import contextlib
import math
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass

from gemini_companion.models.errors import TooManyRequests

# Enough for agents at work. A runaway agent is stopped before it costs much.
REQUESTS_PER_MINUTE = 120
CONCURRENT = 8
# A quarter of a minute's requests may come at once.
BURST = 4


@dataclass(frozen=True)
class Limits:
    """Sizes in bytes, times in seconds.

    Attributes:
        body: The longest request.
        connect_s: For a connection to a provider, including TLS.
        idle_s: Without a byte from the provider, or to or from the page. A model may think for minutes first.
    """

    body: int = 32 * 1024 * 1024
    connect_s: float = 10.0
    idle_s: float = 600.0


class Throttle:
    """A provider's token bucket, and its number of concurrent requests.

    Args:
        name: The provider's name.
        per_minute: How fast the bucket fills; it holds a quarter of that.
        concurrent: How many requests may be under way.
        clock: Returns monotonic seconds.
    """

    def __init__(
        self, name: str, per_minute: int, concurrent: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._name = name
        self._per_s = per_minute / 60
        self._size = max(1.0, per_minute / BURST)
        self._tokens = self._size
        self._concurrent = concurrent
        self._under_way = 0
        self._clock = clock
        self._filled = clock()

    @contextlib.contextmanager
    def admitted(self) -> Generator[None]:
        """Admit one request while the block runs.

        Raises:
            TooManyRequests: Too many requests are under way, or came recently.
        """
        if self._under_way >= self._concurrent:
            raise self._too_many(f"{self._under_way} requests to {self._name} are under way", 1)
        now = self._clock()
        self._tokens = min(self._size, self._tokens + (now - self._filled) * self._per_s)
        self._filled = now
        if self._tokens < 1:
            wait = math.ceil((1 - self._tokens) / self._per_s)
            raise self._too_many(f"{self._name} was asked too often", wait)
        self._tokens -= 1
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1

    def _too_many(self, what: str, wait: int) -> TooManyRequests:
        return TooManyRequests(
            f"The model gateway's limit is reached: {what}.",
            hint=f"Try again in {wait} s. The limits are in the providers file.",
            data={"retry_after_s": wait},
        )
