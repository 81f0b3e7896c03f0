"""A switch that turns something off, together with the work under way."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from gemini_companion.errors import McpOff

T = TypeVar("T")


class Switch:
    """A switch, on at first. Turning it off cancels the work under way, whose callers get McpOff."""

    def __init__(self) -> None:
        self.is_on = True
        self._under_way: set[asyncio.Task[Any]] = set()

    def require_on(self) -> None:
        """Check that it is on.

        Raises:
            McpOff: It is off.
        """
        if not self.is_on:
            raise self.off()

    def off(self) -> McpOff:
        """Return the error for callers while it is off."""
        return McpOff(
            "MCP is off: the user at the surface turned it off",
            hint="They can turn it on again in the surface's settings, under MCP clients.",
        )

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do some work while the switch is on.

        Raises:
            McpOff: It is off, or was turned off before the work was done.
        """
        if not self.is_on:
            work.close()
            raise self.off()
        # Not a separate task, since a short call would take a tenth longer.
        task = asyncio.current_task()
        assert task is not None
        self._under_way.add(task)
        try:
            return await work
        except asyncio.CancelledError:
            # The task may have been cancelled as well, for another reason.
            if not self.is_on and task.uncancel() == 0:
                raise self.off() from None
            raise
        finally:
            self._under_way.discard(task)

    async def settle(self, seconds: float) -> None:
        """Wait some time for the work under way to end on its own."""
        if self._under_way:
            await asyncio.wait(set(self._under_way), timeout=seconds)

    def turn_on(self) -> None:
        """Turn it on."""
        self.is_on = True

    def turn_off(self) -> None:
        """Turn it off, and cancel the work under way."""
        self.is_on = False
        for task in self._under_way:
            task.cancel()
