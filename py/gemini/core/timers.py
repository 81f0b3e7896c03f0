"""Timers that free what they hold when they are cancelled.

Pyodide's event loop passes each timer to the browser, and holds a cancelled one with its context until its time: that of
a limit of an hour holds the run that ended after a second for an hour. So long timers wait in a heap, as in CPython's
own loop (asyncio.base_events), and the browser has only one for the earliest.
"""

from __future__ import annotations

import asyncio
import heapq
import math
from collections.abc import Callable
from contextvars import Context
from typing import Any

# Shorter ones are over before they could add up.
LONG_S = 1.0
# The heap is cleaned when it has this many cancelled timers, and they are the most.
CANCELLED = 50


class LongTimers:
    """The long timers of one event loop.

    Args:
        call_later: The loop's own `call_later`.
        long_s: Timers of at least so many seconds are held.
    """

    def __init__(self, call_later: Callable[..., asyncio.Handle], long_s: float = LONG_S) -> None:
        self._call_later = call_later
        self._long_s = long_s
        self._heap: list[asyncio.TimerHandle] = []
        self._cancelled = 0
        # The time of the loop's own timer.
        self._next = math.inf

    def __len__(self) -> int:
        return len(self._heap)

    def call_later(
        self,
        loop: asyncio.AbstractEventLoop,
        delay: float,
        callback: Callable[..., Any],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.Handle:
        """Call `callback` after some seconds; see `asyncio.loop.call_later`."""
        if not self._long_s <= delay < math.inf:
            return self._call_later(loop, delay, callback, *args, context=context)
        handle = asyncio.TimerHandle(loop.time() + delay, callback, args, loop, context)
        heapq.heappush(self._heap, handle)
        self._wait(loop)
        return handle

    def count_cancelled(self) -> None:
        """Count a cancelled timer."""
        self._cancelled += 1
        if self._cancelled >= CANCELLED and 2 * self._cancelled > len(self._heap):
            self._heap = [handle for handle in self._heap if not handle.cancelled()]
            heapq.heapify(self._heap)
            self._cancelled = 0

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._heap and self._heap[0].when() < self._next:
            self._next = self._heap[0].when()
            delay = max(0.0, self._next - loop.time())
            # It belongs to no call or program.
            self._call_later(loop, delay, self._fire, loop, self._next, context=Context())

    def _fire(self, loop: asyncio.AbstractEventLoop, at: float) -> None:
        if at == self._next:
            self._next = math.inf
        now = loop.time()
        while self._heap and (self._heap[0].cancelled() or self._heap[0].when() <= now):
            handle = heapq.heappop(self._heap)
            if handle.cancelled():
                self._cancelled = max(0, self._cancelled - 1)
            else:
                loop.call_soon(_run, handle, context=handle._context)  # pyright: ignore
        self._wait(loop)


def _run(handle: asyncio.TimerHandle) -> None:
    if not handle.cancelled():
        handle._callback(*handle._args)  # pyright: ignore


def install(kind: type[asyncio.AbstractEventLoop], long_s: float = LONG_S) -> LongTimers:
    """Have the loop of a class, of which there is one, hold long timers like this; return them."""
    timers = LongTimers(kind.call_later, long_s)

    def call_later(
        loop: asyncio.AbstractEventLoop,
        delay: float,
        callback: Callable[..., Any],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.Handle:
        return timers.call_later(loop, delay, callback, *args, context=context)

    def cancelled(loop: asyncio.AbstractEventLoop, handle: asyncio.TimerHandle) -> None:
        timers.count_cancelled()

    for name, method in (("call_later", call_later), ("_timer_handle_cancelled", cancelled)):
        setattr(kind, name, method)
    return timers
