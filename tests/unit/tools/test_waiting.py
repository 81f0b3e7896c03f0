"""Callers learn that their calls wait for the user's answer."""

import asyncio
from typing import Any

from gemini.tools import Registry, current_call
from gemini.tools.calls import Call as LoggedCall
from gemini.tools.calls import serving
from gemini.tools.consent import request_context
from gemini.tools.waiting import WaitingCalls
from tests.unit.tools.conftest import Add

TEXT = "Open pages: open pages of http://127.0.0.1:8000"


async def test_a_call_tells_its_caller_that_it_waits_and_when_it_no_longer_does(
    registry: Registry, add: Add
) -> None:
    gate, running = asyncio.Event(), asyncio.Event()
    contexts: list[dict[str, Any]] = []

    async def wait() -> str:
        """Wait."""
        contexts.append(request_context(current_call()))
        running.set()
        await gate.wait()
        return "waited"

    add(wait)
    reports: list[Any] = []
    waiting = WaitingCalls(registry.log)
    call = asyncio.ensure_future(
        registry.call_json("wait", {}, caller="mcp:a", progress=lambda *report: reports.append(report))
    )
    await running.wait()
    question = {"call": contexts[0]["call"], "text": TEXT}
    waiting.report([question])
    waiting.report([question, {"call": 999, "text": "of no call"}])
    assert reports == [(0, None, f"Waiting for the user's answer: {TEXT}")]
    waiting.report([])
    assert reports[1:] == [(0, None, "The user's answer is there")]
    waiting.report([question])
    gate.set()
    await call
    waiting.report([])
    assert len(reports) == 3


async def test_a_call_of_another_call_s_code_tells_that_one_s_caller(registry: Registry) -> None:
    reports: list[Any] = []
    outer = LoggedCall(1, "python_run", "mcp:a", "write", {}, progress=lambda *report: reports.append(report))
    inner = LoggedCall(2, "browser_navigate", "script", "write", {}, outer=outer)
    for call in (outer, inner):
        registry.log.begin(call, may_wait=True)
    with serving(inner):
        waiting = WaitingCalls(registry.log)
        waiting.report([{"call": request_context(current_call())["call"], "text": TEXT}])
    assert [message for *_, message in reports] == [f"Waiting for the user's answer: {TEXT}"]


async def test_invalid_entries_are_ignored(registry: Registry) -> None:
    waiting = WaitingCalls(registry.log)
    for given in (None, "x", [None, {}, {"call": "1", "text": "x"}, {"call": 1}, {"call": 1, "text": ""}]):
        waiting.report(given)
