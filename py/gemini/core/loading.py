"""Loading large packages when they are first needed, without making the page unresponsive."""

import asyncio
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import Any

# The pause between two imports. Zero would let messages through, but no timers.
PAUSE_S = 0.005


class SharedLoads:
    """Loads that concurrent callers share, by key. One that failed is tried again."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def run(self, key: str, load: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Wait for the load of `key`, which `load` starts unless it has ended or runs.

        Raises:
            Exception: The load failed, with its error.
        """
        task = self._tasks.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._tasks[key] = asyncio.ensure_future(load())
        # A cancelled caller must not stop the load for others.
        await asyncio.shield(task)


async def import_after_pause(name: str) -> None:
    """Import a module after a pause in which the page handles events."""
    await asyncio.sleep(PAUSE_S)
    import_module(name)
