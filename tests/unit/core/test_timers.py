"""Long timers run at their time, in their context, and a cancelled one holds nothing."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Callable, Coroutine, Iterator
from contextvars import ContextVar, copy_context
from typing import Any

import pytest

from gemini.core import timers
from gemini.core.timers import CANCELLED, LongTimers

LONG_S = 0.01
Run = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]


class Held:
    """A thing that the context of a timer holds."""


held: ContextVar[Held | None] = ContextVar("held", default=None)


class Loop(asyncio.SelectorEventLoop):
    """A loop with long timers."""


long_timers = timers.install(Loop, LONG_S)


@pytest.fixture
def run() -> Iterator[Run]:
    loop = Loop()
    yield lambda act: loop.run_until_complete(act())
    loop.close()


def test_timers_run_in_order_and_in_their_contexts(run: Run) -> None:
    async def act() -> None:
        loop, found, last = asyncio.get_running_loop(), list[tuple[int, Held | None]](), asyncio.Event()
        things = [Held(), Held(), Held()]
        for number, delay in ((2, 0.06), (0, 0.02), (1, 0.04)):
            context = copy_context()
            context.run(held.set, things[number])
            loop.call_later(delay, lambda number=number: found.append((number, held.get())), context=context)
        loop.call_later(0.08, last.set)
        await last.wait()
        assert found == list(enumerate(things))
        assert len(long_timers) == 0

    run(act)


def test_a_limit_that_is_not_reached_holds_nothing(run: Run) -> None:
    async def act() -> None:
        async def limited() -> weakref.ref[Held]:
            thing = Held()
            token = held.set(thing)
            async with asyncio.timeout(3_600):
                await asyncio.sleep(0)
            held.reset(token)
            return weakref.ref(thing)

        gone = [await limited() for _ in range(10 * CANCELLED)]
        gc.collect()
        assert len(long_timers) <= 2 * CANCELLED
        assert sum(each() is not None for each in gone) <= 2 * CANCELLED

    run(act)


def test_a_timer_that_another_one_cancels_does_not_run(run: Run) -> None:
    async def act() -> None:
        loop, ran = asyncio.get_running_loop(), list[str]()
        second: Any = loop.call_later(2 * LONG_S, ran.append, "second")
        loop.call_later(LONG_S, second.cancel)
        # Both are due when the loop continues.
        while loop.time() < second.when():
            pass
        last = asyncio.Event()
        loop.call_later(LONG_S, last.set)
        await last.wait()
        assert ran == []

    run(act)


def test_short_and_endless_ones_are_the_loops_own() -> None:
    asked: list[float] = []
    held_timers = LongTimers(lambda loop, delay, *rest, context=None: asked.append(delay), LONG_S)  # type: ignore[func-returns-value]
    loop = Loop()
    for delay in (0, LONG_S / 2, float("inf")):
        held_timers.call_later(loop, delay, print)
    loop.close()
    assert (asked, len(held_timers)) == ([0, LONG_S / 2, float("inf")], 0)
