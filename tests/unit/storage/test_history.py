"""Calls of earlier kernels are in the log, and a call doesn't wait for that."""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini.errors import GeminiError
from gemini.server.kernel import Kernel
from gemini.storage.database import NAME
from gemini.tools import Registry, declare
from gemini.tools.calls import LOGGED_CALLS

Start = Callable[[], Kernel]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """A kernel on what the one before has kept. It doesn't close that one, as a killed worker doesn't."""
    kernels: list[Kernel] = []
    (tmp_path / "project").mkdir()
    kept = tmp_path / "kept"
    kept.mkdir()

    def start() -> Kernel:
        for before in kernels:
            # What a killed one holds is let go, and nothing is written.
            before.store.database.close()
        kernel = Kernel(Registry(), str(tmp_path / "project"), kept)

        @declare()
        async def wait(number: int) -> int:
            """Wait."""
            while number < 0:
                await asyncio.sleep(60)
            return number

        kernel.registry.add(wait)
        kernel.restore()
        kernels.append(kernel)
        return kernel

    yield start
    for kernel in kernels:
        kernel.store.database.close()


def numbers(kernel: Kernel) -> list[Any]:
    return [row["arguments"]["number"] for row in kernel.registry.log.rows()]


async def test_calls_come_back_with_their_rows_and_numbers_go_on(start: Start) -> None:
    first = start()
    await first.registry.call("wait", {"number": 1}, caller="person")
    with pytest.raises(GeminiError):
        await first.registry.call("wait", {"number": "x"}, caller="webmcp")
    rows = first.registry.log.rows()
    first.store.history.flush()

    second = start()
    assert second.registry.log.rows() == rows
    assert second.snapshot()["calls"] == rows
    await second.registry.call("wait", {"number": 2})
    assert [row["id"] for row in second.registry.log.rows()] == [1, 2, 3]


async def test_a_call_is_kept_soon_and_not_before_it_answers(start: Start) -> None:
    first = start()
    queries: list[str] = []
    written = asyncio.Event()
    first.store.database.connection.set_trace_callback(
        lambda query: (queries.append(query), written.set() if query == "COMMIT" else None)
    )
    for number in range(20):
        await first.registry.call("wait", {"number": number})
    assert queries == []

    await asyncio.wait_for(written.wait(), 10)

    assert queries.count("COMMIT") == 1
    assert numbers(start()) == list(range(20))


async def test_what_ran_when_the_kernel_ended_has_failed(start: Start) -> None:
    first = start()
    call = asyncio.create_task(first.registry.call("wait", {"number": -1}))
    await asyncio.sleep(0)
    first.store.history.flush()

    for _ in range(2):
        [row] = start().registry.log.rows()
        assert (row["tool"], row["ok"], row["duration_ms"]) == ("wait", False, None)
        assert json.loads(row["result_preview"])["error"]["type"] == "KernelDied"
    call.cancel()


async def test_only_the_last_ones_are_kept(start: Start) -> None:
    first = start()
    for number in range(LOGGED_CALLS + 30):
        await first.registry.call("wait", {"number": number})
        if number % 100 == 0:
            first.store.history.flush()
    first.store.history.flush()
    assert first.store.database.rows("SELECT count(*) FROM calls") == [(LOGGED_CALLS,)]
    assert numbers(start()) == list(range(30, LOGGED_CALLS + 30))


async def test_calls_that_can_not_be_written_are_reported_and_tried_again(
    start: Start, tmp_path: Path
) -> None:
    first = start()
    first.store.database.connection.execute("PRAGMA query_only=1")
    await first.registry.call("wait", {"number": 1})
    first.store.history.flush()
    [told] = [row for row in first.snapshot()["surface"]["missing"] if "database" in row["why"]]
    assert "readonly" in told["why"]

    first.store.database.connection.execute("PRAGMA query_only=0")
    await first.registry.call("wait", {"number": 2})
    first.close()
    with sqlite3.connect(tmp_path / "kept" / NAME) as database:
        assert database.execute("SELECT id FROM calls").fetchall() == [(1,), (2,)]
    database.close()


async def test_a_damaged_database_is_told_to_the_page(start: Start, tmp_path: Path) -> None:
    first = start()
    await first.registry.call("wait", {"number": 1})
    first.close()
    (tmp_path / "kept" / NAME).write_bytes(b"damaged" * 1_000)

    second = start()

    assert second.registry.log.rows() == []
    [told] = [row for row in second.snapshot()["surface"]["missing"] if "damaged" in row["why"]]
    assert "set aside" in told["why"]


async def test_what_is_open_in_the_editor_is_open_again(start: Start) -> None:
    first = start()
    path = f"{first.terminals.home}/a.txt"
    Path(path).touch()
    await first.registry.call("panel_open", {"path": path}, caller="person")
    told = first.snapshot()["editors"]
    assert [file["path"] for file in told["files"]] == [path]

    assert start().snapshot()["editors"] == {**told, "opened": 0}
