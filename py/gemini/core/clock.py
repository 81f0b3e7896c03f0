"""The clock that waiting code uses, and a manual clock for tests."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

# The time of day when a manual clock starts: 2001-09-09T01:46:40Z.
FIRST_DAY_S = 1_000_000_000.0


class Clock:
    """The system clock."""

    def now(self) -> float:
        """Return a monotonic time in seconds."""
        return time.monotonic()

    def wall(self) -> float:
        """Return the time of day in seconds since the epoch, which outlives the page."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Sleep for a number of seconds."""
        await asyncio.sleep(seconds)

    def limit(self, seconds: float | None) -> AbstractAsyncContextManager[asyncio.Timeout]:
        """Return a context manager that raises TimeoutError after some seconds; None sets no limit."""
        return asyncio.timeout(seconds)


class ManualClock(Clock):
    """A clock that advances only when code sleeps or a test calls `advance`, so nothing really waits.

    Attributes:
        slept: The duration of each `sleep`, in seconds.
    """

    def __init__(self) -> None:
        self.slept: list[float] = []
        self._now = 0.0
        self._limits: list[tuple[float, asyncio.Timeout]] = []

    def now(self) -> float:
        """Return the clock's own time in seconds."""
        return self._now

    def wall(self) -> float:
        """Return a time of day that advances with the clock."""
        return FIRST_DAY_S + self._now

    async def sleep(self, seconds: float) -> None:
        """Advance the clock instead of waiting."""
        self.slept.append(seconds)
        self.advance(seconds)
        await asyncio.sleep(0)

    @asynccontextmanager
    async def limit(self, seconds: float | None) -> AsyncGenerator[asyncio.Timeout]:
        """Raise TimeoutError in the body once the clock has advanced this many seconds."""
        async with asyncio.timeout(None) as limit:
            entry = (float("inf") if seconds is None else self._now + seconds, limit)
            self._limits.append(entry)
            try:
                yield limit
            finally:
                if entry in self._limits:
                    self._limits.remove(entry)

    def advance(self, seconds: float) -> bool:
        """Advance the clock; limits that have expired take effect at once. Return whether there are any."""
        self._now += seconds
        expired = [entry for entry in self._limits if entry[0] <= self._now]
        for entry in expired:
            self._limits.remove(entry)
            entry[1].reschedule(asyncio.get_running_loop().time())
        return bool(expired)
