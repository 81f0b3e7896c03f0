"""Calls: concurrency, progress, cancellation, the log and its events."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import pytest

import gemini
from gemini.core.events import Event, row_of
from gemini.errors import ToolFailed
from gemini.tools import Effect, Registry, current_call, report_progress
from gemini.tools.events import CallChanged
from tests.unit.tools.conftest import Add, Call


@pytest.fixture
def published(registry: Registry) -> list[dict[str, Any]]:
    """The rows of the events that the registry published."""
    rows: list[dict[str, Any]] = []

    def record(seq: int, event: Event) -> None:
        # A call's row changes until the call ends.
        rows.append(json.loads(json.dumps(row_of(seq, event))))

    registry.events.subscribe(record)
    return rows


async def test_a_thousand_calls_at_once_lose_none(registry: Registry, add: Add, call: Call) -> None:
    async def square(number: int) -> int:
        """Square."""
        await asyncio.sleep(0.001 * (number % 7))
        return number * number

    add(square)
    answers = await asyncio.gather(*(call("square", {"number": number}) for number in range(1_000)))
    assert answers == [number * number for number in range(1_000)]
    assert all(row["ok"] for row in registry.log.rows())


async def test_waiting_calls_run_concurrently(add: Add, call: Call) -> None:
    gate = asyncio.Event()

    async def wait() -> str:
        """Wait."""
        await gate.wait()
        return "waited"

    def open_gate() -> str:
        """Open."""
        gate.set()
        return "opened"

    add(wait)
    add(open_gate)
    assert await asyncio.gather(call("wait"), call("open_gate")) == ["waited", "opened"]


async def test_progress_reaches_the_caller(add: Add, call: Call) -> None:
    async def walk(steps: int) -> str:
        """Walk."""
        for step in range(steps):
            report_progress(step + 1, steps, f"step {step + 1}")
            await asyncio.sleep(0)
        report_progress(steps)
        return "there"

    add(walk)
    reports: dict[str, list[Any]] = {"a": [], "b": []}

    def listener(name: str) -> Any:
        return lambda *report: reports[name].append(report)

    await asyncio.gather(
        call("walk", {"steps": 1}, progress=listener("a")), call("walk", {"steps": 2}, progress=listener("b"))
    )
    assert reports["a"] == [(1, 1, "step 1"), (1, None, None)]
    assert reports["b"] == [(1, 2, "step 1"), (2, 2, "step 2"), (2, None, None)]


async def test_progress_without_a_listener_is_ignored(add: Add, call: Call) -> None:
    def act() -> None:
        """Act."""
        report_progress(1)

    add(act)
    assert await call("act") is None
    report_progress(1)


async def test_a_tool_can_get_its_current_call(registry: Registry, add: Add, call: Call) -> None:
    async def inspect() -> list[str]:
        """Inspect the current call."""
        running = current_call()
        assert running is not None
        return [running.tool, running.caller, running.effect]

    async def outer() -> list[Any]:
        """Call another."""
        inner = await registry.call("inspect", caller="agent")
        running = current_call()
        return [inner, running.tool if running else None]

    add(inspect, effect=Effect.READ)
    add(outer)
    assert await call("inspect", caller="person") == ["inspect", "person", "read"]
    assert await call("outer") == [["inspect", "agent", "read"], "outer"]


async def test_there_is_no_current_call_after_a_script_called_a_tool(registry: Registry, add: Add) -> None:
    def act(fail: bool) -> None:
        """Act."""
        if fail:
            raise ValueError

    add(act)
    await registry.call("act", {"fail": False})
    assert gemini.current_call() is None
    with pytest.raises(ToolFailed):
        await registry.call("act", {"fail": True})
    assert gemini.current_call() is None


async def test_a_cancelled_call_ends_its_tool(registry: Registry, add: Add) -> None:
    seen: list[str] = []

    async def stay() -> None:
        """Stay."""
        try:
            await asyncio.Event().wait()
        finally:
            seen.append("tidied up")

    add(stay)
    task = asyncio.create_task(registry.call_json("stay", {}, caller="test"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen == ["tidied up"]
    [row] = registry.log.rows()
    assert row["ok"] is False
    assert json.loads(str(row["result_preview"]))["error"]["type"] == "Cancelled"


async def test_a_tool_that_cancels_itself_has_failed(add: Add, call: Call) -> None:
    async def act() -> None:
        """Act."""
        task = asyncio.create_task(asyncio.sleep(100))
        task.cancel()
        await task

    add(act)
    answer = await call("act")
    assert answer["error"]["type"] == "ToolFailed"
    assert answer["error"]["message"].startswith("act raised CancelledError")


async def test_a_tool_that_never_returns_can_time_out(registry: Registry, add: Add) -> None:
    async def stay() -> None:
        """Stay."""
        await asyncio.Event().wait()

    add(stay)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(registry.call("stay"), 0.01)
    assert registry.log.rows()[0]["ok"] is False


async def test_every_call_is_in_the_log(registry: Registry, add: Add, call: Call) -> None:
    def divide(a: int, b: int) -> float:
        """Divide."""
        return a / b

    add(divide, effect="read")
    before = datetime.now(UTC)
    await call("divide", {"a": 1, "b": 2}, caller="person")
    await call("divide", {"a": 1, "b": 0}, caller="webmcp")
    await call("divide", {"a": "x"})
    logged, bad, wrong = registry.log.rows()
    good: dict[str, Any] = {**logged}
    assert before.timestamp() - 1 <= datetime.fromisoformat(good.pop("started")).timestamp()
    assert good.pop("duration_ms") >= 0
    assert good == {
        "id": good["id"],
        "tool": "divide",
        "caller": "person",
        "effect": "read",
        "arguments": {"a": 1, "b": 2},
        "ok": True,
        "result_preview": "0.5",
    }
    assert (bad["caller"], bad["ok"]) == ("webmcp", False)
    assert json.loads(str(bad["result_preview"]))["error"]["type"] == "ToolFailed"
    assert json.loads(str(wrong["result_preview"]))["error"]["type"] == "InvalidArguments"
    assert len({good["id"], bad["id"], wrong["id"]}) == 3


async def test_the_log_shows_a_call_while_it_runs(registry: Registry, add: Add, call: Call) -> None:
    def read_log() -> list[Any]:
        """Read the log."""
        [row] = registry.log.rows()
        return [row["tool"], row["ok"], row["result_preview"], row["duration_ms"]]

    add(read_log)
    assert await call("read_log") == ["read_log", None, None, None]


async def test_each_call_publishes_events(published: list[dict[str, Any]], add: Add, call: Call) -> None:
    async def act(text: str) -> str:
        """Act."""
        return text

    add(act)
    await call("act", {"text": "a"})
    started, finished = published
    assert started["type"] == finished["type"] == CallChanged.type
    assert started["call"]["arguments"] == {"text": "a"}
    assert started["call"]["ok"] is None
    ended = finished["call"]
    assert (ended["id"], ended["ok"], ended["result_preview"]) == (started["call"]["id"], True, '"a"')
    assert [row["seq"] for row in published] == [1, 2]


async def test_a_call_that_never_waits_publishes_one_event(
    published: list[dict[str, Any]], add: Add, call: Call
) -> None:
    def act() -> int:
        """Act."""
        return 1

    add(act)
    await call("act", {})
    [ended] = published
    assert (ended["call"]["ok"], ended["seq"]) == (True, 1)


@pytest.mark.parametrize(
    "arguments",
    [
        {"value": "x" * 1_000_000},
        {"value": ["x" * 100] * 10_000},
        {"value": {"k" * 1_000 + str(n): n for n in range(1_000)}},
        {"value": {str(n): n for n in range(100_000)}},
        {"value": {"a": {"b": "\x00" * 1_000_000}}},
    ],
    ids=["text", "list", "names", "object", "inside"],
)
async def test_long_arguments_and_results_are_shortened_in_the_log(
    registry: Registry, published: list[dict[str, Any]], add: Add, call: Call, arguments: Any
) -> None:
    def echo(value: Any) -> Any:
        """Return the value."""
        return value

    add(echo)
    assert await call("echo", arguments) == arguments["value"]
    [row] = registry.log.rows()
    assert len(json.dumps(row["arguments"], ensure_ascii=False)) < 30_000
    assert "[cut: " in json.dumps(row["arguments"], ensure_ascii=False)
    assert len(str(row["result_preview"])) == 2_000
    assert len(json.dumps(published)) < 100_000


async def test_deeply_nested_arguments_are_shortened_in_the_log(
    registry: Registry, add: Add, call: Call
) -> None:
    def measure(value: Any) -> int:
        """Measure."""
        depth = 0
        while value:
            value, depth = value[0], depth + 1
        return depth

    add(measure)
    deep: Any = []
    for _ in range(900):
        deep = [deep]
    assert await call("measure", {"value": deep}) == 900
    assert "nested deeper" in json.dumps(registry.log.rows())


async def test_python_callers_may_pass_values_outside_json(
    registry: Registry, published: list[dict[str, Any]], add: Add
) -> None:
    lock = asyncio.Lock()

    def act(value: Any) -> bool:
        """Act."""
        return value is lock

    add(act)
    assert await registry.call("act", {"value": lock}) is True
    assert "Lock object" in registry.log.rows()[0]["arguments"]["value"]
    assert len(published) == 1


async def test_the_log_holds_the_latest_five_hundred_calls(registry: Registry, add: Add, call: Call) -> None:
    def act(number: int) -> int:
        """Act."""
        return number

    add(act)
    for number in range(510):
        await call("act", {"number": number})
    rows = registry.log.rows()
    assert [row["arguments"]["number"] for row in rows] == list(range(10, 510))
