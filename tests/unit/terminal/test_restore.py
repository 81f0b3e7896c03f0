"""Terminals outlast their kernel: place, directory, variables, functions, history, and word of what was ended."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from gemini.core.events import EventLog
from gemini.files.paths import require_directory, resolve
from gemini.terminal.manager import TerminalManager
from tests.contract.bash import BashBackend
from tests.unit.terminal.conftest import Watcher


class Drawer:
    """Keeps terminals as a database does: as JSON."""

    def __init__(self) -> None:
        self.rows: dict[str, str] = {}

    def save(self, terminal_id: str, state: dict[str, Any]) -> None:
        self.rows[terminal_id] = json.dumps(state)

    def forget(self, terminal_id: str) -> None:
        del self.rows[terminal_id]

    def load(self) -> list[tuple[str, dict[str, Any]]]:
        return [(terminal_id, json.loads(row)) for terminal_id, row in self.rows.items()]


@pytest.fixture
def drawer() -> Drawer:
    return Drawer()


def begin(backend: BashBackend, project: Path, drawer: Drawer) -> TerminalManager:
    """The terminals of another kernel with the same files."""

    def directory(path: str, working_dir: str) -> str:
        return require_directory(resolve(path, working_dir))

    manager = TerminalManager({"bash": backend}, EventLog(), directory, str(project))
    manager.restore(drawer)
    return manager


@pytest.fixture
def manager(backend: BashBackend, project: Path, drawer: Drawer) -> TerminalManager:
    return begin(backend, project, drawer)


async def test_a_terminal_goes_on_where_it_was(
    backend: BashBackend, manager: TerminalManager, project: Path, drawer: Drawer
) -> None:
    terminal = manager.create(x=30, y=40)
    await terminal.execute("mkdir sub; cd sub; x=5; f() { echo f$x; }")

    again = begin(backend, project, drawer).terminals[terminal.term_id]

    assert again.get_state() == terminal.get_state()
    assert (again.x, again.y, again.working_dir) == (30, 40, str(project / "sub"))
    assert (await again.execute("f; pwd")).stdout == f"f5\n{project}/sub\n"
    assert again.command_history == [*terminal.command_history, "f; pwd"]


async def test_several_come_back_in_order_with_their_focus_and_new_ones_get_new_ids(
    backend: BashBackend, manager: TerminalManager, project: Path, drawer: Drawer
) -> None:
    ids = [manager.create().term_id for _ in range(3)]
    await manager.close(ids[1])
    manager.focus(ids[0])

    again = begin(backend, project, drawer)

    assert list(again.terminals) == [ids[0], ids[2]]
    assert again.active_terminal is again.terminals[ids[0]]
    assert again.create().term_id == "term-4"


async def test_nothing_is_restored_where_nothing_was_kept(manager: TerminalManager) -> None:
    assert manager.terminals == {}
    assert manager.active_terminal is None


async def test_a_command_that_ran_is_named_and_its_terminal_is_free(
    backend: BashBackend, manager: TerminalManager, project: Path, drawer: Drawer
) -> None:
    terminal = manager.create()
    await terminal.execute("x=kept")
    watcher = Watcher(terminal)
    running = asyncio.create_task(terminal.execute("echo begun; sleep 60"))
    await watcher.until("\nbegun")

    again = begin(backend, project, drawer).terminals[terminal.term_id]

    assert "echo begun; sleep 60" in "\n".join(again.lines)
    assert not again.busy
    assert (await again.execute("echo $x")).stdout == "kept\n"
    terminal.interrupt()
    await running


async def test_a_directory_that_is_gone_is_replaced_by_the_home(
    backend: BashBackend, manager: TerminalManager, project: Path, drawer: Drawer
) -> None:
    terminal = manager.create()
    await terminal.execute("mkdir gone; cd gone; x=5")
    shutil.rmtree(project / "gone")

    again = begin(backend, project, drawer).terminals[terminal.term_id]

    assert (await again.execute("echo $x; pwd")).stdout == f"5\n{project}\n"


async def test_a_terminal_that_never_ran_anything_comes_back_empty(
    backend: BashBackend, manager: TerminalManager, project: Path, drawer: Drawer
) -> None:
    manager.create()
    [again] = begin(backend, project, drawer).terminals.values()
    assert (await again.execute("echo on")).stdout == "on\n"


async def test_a_state_that_is_none_of_a_terminal_is_dropped_and_the_others_come_back(
    backend: BashBackend, manager: TerminalManager, project: Path, drawer: Drawer
) -> None:
    terminal = manager.create()
    drawer.save("term-7", {"cwd": "/project"})
    drawer.save("term-8", {**json.loads(drawer.rows[terminal.term_id]), "x": "far"})
    drawer.save("odd", json.loads(drawer.rows[terminal.term_id]))

    again = begin(backend, project, drawer)

    assert list(again.terminals) == [terminal.term_id]
    assert list(drawer.rows) == [terminal.term_id]
