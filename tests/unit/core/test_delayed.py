import asyncio
from collections.abc import Callable

from gemini.core.delayed import Delayed


def recorder() -> tuple[list[int], Callable[[], object], asyncio.Event]:
    calls = list[int]()
    called = asyncio.Event()

    def act() -> None:
        calls.append(len(calls))
        called.set()

    return calls, act, called


async def test_several_requests_cause_one_call() -> None:
    calls, act, called = recorder()
    delayed = Delayed(act, 0.001)
    delayed.request()
    delayed.request()
    assert calls == []
    await called.wait()
    assert calls == [0]
    called.clear()
    delayed.request()
    await called.wait()
    assert calls == [0, 1]


async def test_a_call_without_the_delay_takes_the_planned_ones_place() -> None:
    calls, act, called = recorder()
    later, act_later, called_later = recorder()
    delayed = Delayed(act, 0.001)
    delayed.request()
    delayed.now()
    assert calls == [0]
    # A timer that was set later has run, so the planned call would have, too.
    Delayed(act_later, 0.002).request()
    await called_later.wait()
    assert calls == [0] and later == [0]
    assert called.is_set()
