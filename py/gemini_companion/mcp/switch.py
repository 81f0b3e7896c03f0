"""What can be turned off, with all that is under way."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from gemini_companion.errors import McpOff

T = TypeVar("T")


class Switch:
    """On at first. What is under way when it is turned off is cancelled, and raises McpOff where it is awaited."""

    def __init__(self) -> None:
        self.is_on = True
        self._under_way: set[asyncio.Task[Any]] = set()

    def require_on(self) -> None:
        """Raises McpOff where it is off."""
        if not self.is_on:
            raise McpOff(
                "MCP is off: the person at the surface turned it off",
                hint="They can turn it on again in the surface's settings, under MCP clients.",
            )

    async def during(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something for as long as it is on.

        Raises:
            McpOff: It is off, or was turned off before the work was done.
        """
        task = asyncio.ensure_future(work)
        if not self.is_on:
            task.cancel()
        self._under_way.add(task)
        try:
            return await task
        except asyncio.CancelledError:
            waits = asyncio.current_task()
            # Whoever waits may have been cancelled as well, for a reason of their own.
            if waits is None or waits.cancelling() == 0:
                self.require_on()
            raise
        finally:
            self._under_way.discard(task)

    async def settle(self, seconds: float) -> None:
        """Give what is under way some time to end by itself."""
        if self._under_way:
            await asyncio.wait(set(self._under_way), timeout=seconds)

    def turn_on(self) -> None:
        self.is_on = True

    def turn_off(self) -> None:
        self.is_on = False
        for task in self._under_way:
            task.cancel()
