"""Tests for saving the activity log."""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini.errors import GeminiError
from gemini.kernel.kernel import Kernel
from gemini.storage.database import NAME
from gemini.tools import Registry, declare
from gemini.tools.calls import LOGGED_CALLS

Start = Callable[[], Kernel]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """A function that starts a kernel on the data of the previous one, which ends as a killed worker does."""
    kernels: list[Kernel] = []
    (tmp_path / "project").mkdir()
    storage = tmp_path / "storage"
    storage.mkdir()

    def start() -> Kernel:
        for before in kernels:
            # A killed worker releases its database without a write.
            before.store.database.close()
        kernel = Kernel(Registry(), str(tmp_path / "project"), storage)

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


async def test_calls_are_restored_and_their_numbers_continue(start: Start) -> None:
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


async def test_a_call_is_saved_soon_after_it_answers(start: Start) -> None:
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


async def test_calls_that_ran_when_the_kernel_ended_have_failed(start: Start) -> None:
    first = start()
    call = asyncio.create_task(first.registry.call("wait", {"number": -1}))
    await asyncio.sleep(0)
    first.store.history.flush()

    for _ in range(2):
        [row] = start().registry.log.rows()
        assert (row["tool"], row["ok"], row["duration_ms"]) == ("wait", False, None)
        assert json.loads(str(row["result_preview"]))["error"]["type"] == "KernelDied"
    call.cancel()


async def test_only_the_last_calls_are_saved(start: Start) -> None:
    first = start()
    for number in range(LOGGED_CALLS + 30):
        await first.registry.call("wait", {"number": number})
        if number % 100 == 0:
            first.store.history.flush()
    first.store.history.flush()
    assert first.store.database.rows("SELECT count(*) FROM calls") == [(LOGGED_CALLS,)]
    assert numbers(start()) == list(range(30, LOGGED_CALLS + 30))


async def test_failed_writes_are_reported_and_retried(start: Start, tmp_path: Path) -> None:
    first = start()
    first.store.database.connection.execute("PRAGMA query_only=1")
    await first.registry.call("wait", {"number": 1})
    first.store.history.flush()
    [missing] = [row for row in first.snapshot()["surface"]["missing"] if "database" in row["why"]]
    assert "readonly" in missing["why"]

    first.store.database.connection.execute("PRAGMA query_only=0")
    await first.registry.call("wait", {"number": 2})
    first.close()
    with sqlite3.connect(tmp_path / "storage" / NAME) as database:
        assert database.execute("SELECT id FROM calls").fetchall() == [(1,), (2,)]
    database.close()


async def test_a_damaged_database_is_reported_to_the_page(start: Start, tmp_path: Path) -> None:
    first = start()
    await first.registry.call("wait", {"number": 1})
    first.close()
    (tmp_path / "storage" / NAME).write_bytes(b"damaged" * 1_000)

    second = start()

    assert second.registry.log.rows() == []
    [missing] = [row for row in second.snapshot()["surface"]["missing"] if "damaged" in row["why"]]
    assert "set aside" in missing["why"]


async def test_files_open_in_the_editor_are_restored(start: Start) -> None:
    first = start()
    path = f"{first.terminals.home}/a.txt"
    Path(path).touch()
    await first.registry.call("panel_open", {"path": path}, caller="person")
    editors = first.snapshot()["editors"]
    assert [file["path"] for file in editors["files"]] == [path]

    assert start().snapshot()["editors"] == {**editors, "opened": 0}
