"""Time, as what waits sees it; and a double of it that passes at a word."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager


class Clock:
    """The system's own time."""

    def now(self) -> float:
        """Seconds since some moment; they never go back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    def limit(self, seconds: float | None) -> AbstractAsyncContextManager[asyncio.Timeout]:
        """An `async with` whose body gets a TimeoutError when it has taken so long; None sets no limit."""
        return asyncio.timeout(seconds)


class ManualClock(Clock):
    """Time that passes when somebody sleeps, or when a test says so: nothing ever really waits.

    Attributes:
        slept: How long each `sleep` was, in seconds.
    """

    def __init__(self) -> None:
        self.slept: list[float] = []
        self._now = 0.0
        self._limits: list[tuple[float, asyncio.Timeout]] = []

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(seconds)
        await asyncio.sleep(0)

    @asynccontextmanager
    async def limit(self, seconds: float | None) -> AsyncGenerator[asyncio.Timeout]:
        async with asyncio.timeout(None) as limit:
            entry = (float("inf") if seconds is None else self._now + seconds, limit)
            self._limits.append(entry)
            try:
                yield limit
            finally:
                self._limits.remove(entry)

    def advance(self, seconds: float) -> None:
        """Let time pass: limits that are over by then strike at once."""
        self._now += seconds
        for ends, limit in self._limits:
            if ends <= self._now:
                limit.reschedule(asyncio.get_running_loop().time())
