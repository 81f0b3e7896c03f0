"""How much may pass, how often, and how long anybody is waited for."""

import contextlib
import math
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass

from gemini_companion.gateway.errors import TooManyRequests

# Enough for agents at work; one that runs wild is stopped before it has cost much.
REQUESTS_PER_MINUTE = 120
CONCURRENT = 8
# The share of a minute's requests that may come at once.
BURST = 4


@dataclass(frozen=True)
class Limits:
    """Sizes in bytes, times in seconds.

    Attributes:
        body: The longest request.
        connect_s: For a connection to a provider, TLS included.
        idle_s: Without a byte from the provider, or from and to the page. A model may think for minutes before its
            first.
    """

    body: int = 32 * 1024 * 1024
    connect_s: float = 10.0
    idle_s: float = 600.0


class Throttle:
    """A provider's token bucket, and the number of requests that are under way.

    Args:
        name: The provider's.
        per_minute: How fast the bucket fills; a quarter of it fits in.
        concurrent: How many requests may be under way.
        clock: Seconds that only grow.
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
        """Let one request through while the block runs.

        Raises:
            TooManyRequests: too many are under way, or came lately.
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
            hint=f"Try again in {wait} s. The limits are in the file of providers.",
            data={"retry_after_s": wait},
        )
