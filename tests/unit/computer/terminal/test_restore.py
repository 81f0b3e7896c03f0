"""Restoring terminals in a new kernel: position, directory, variables, functions, history, interrupted command."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.files.paths import require_directory, resolve
from gemini.computer.terminal import saved, saved_screens
from gemini.computer.terminal.manager import TerminalManager
from gemini.computer.terminal.tools import TerminalTools
from gemini.core.events import EventLog
from gemini.tools import Registry
from tests.contract.bash import BashBackend
from tests.unit.computer.terminal.conftest import Watcher


class FakeStore:
    """A store that saves terminals as JSON, as a database does."""

    def __init__(self) -> None:
        self.rows: dict[str, str] = {}
        self.screens: dict[str, list[str]] = {}

    def save_screen(self, terminal_id: str, lines: list[str]) -> None:
        self.screens[terminal_id] = lines

    def save(self, terminal_id: str, state: dict[str, Any]) -> None:
        self.rows[terminal_id] = json.dumps(state)

    def forget(self, terminal_id: str) -> None:
        self.rows.pop(terminal_id, None)

    def load(self) -> list[tuple[str, dict[str, Any]]]:
        return [(id, {**json.loads(row), "screen": self.screens.get(id)}) for id, row in self.rows.items()]


@pytest.fixture
def store() -> FakeStore:
    return FakeStore()


def restored_manager(backend: BashBackend, project: Path, store: FakeStore) -> TerminalManager:
    """Return the terminals of a new kernel with the same files."""

    def directory(path: str, working_dir: str) -> str:
        return require_directory(resolve(path, working_dir))

    manager = TerminalManager({"bash": backend}, EventLog(), directory, str(project))
    manager.restore(store)
    return manager


@pytest.fixture
def manager(backend: BashBackend, project: Path, store: FakeStore) -> TerminalManager:
    return restored_manager(backend, project, store)


async def test_a_restored_terminal_has_its_state(
    backend: BashBackend, manager: TerminalManager, project: Path, store: FakeStore
) -> None:
    terminal = manager.create(x=30, y=40)
    await terminal.execute("mkdir sub; cd sub; x=5; f() { echo f$x; }")
    manager.save()

    restored = restored_manager(backend, project, store).terminals[terminal.term_id]

    assert restored.get_state() == terminal.get_state()
    assert (restored.x, restored.y, restored.working_dir) == (30, 40, str(project / "sub"))
    assert (await restored.execute("f; pwd")).stdout == f"f5\n{project}/sub\n"
    assert restored.command_history == [*terminal.command_history, "f; pwd"]


async def test_terminals_are_restored_in_order_with_focus_and_unused_ids(
    backend: BashBackend, manager: TerminalManager, project: Path, store: FakeStore
) -> None:
    ids = [manager.create().term_id for _ in range(3)]
    await manager.close(ids[1])
    manager.focus(ids[0])
    manager.save()

    restored = restored_manager(backend, project, store)

    assert list(restored.terminals) == [ids[0], ids[2]]
    assert restored.active_terminal is restored.terminals[ids[0]]
    assert restored.create().term_id == "term-4"


async def test_a_client_s_next_command_runs_in_the_terminal_that_it_chose_last(
    manager: TerminalManager, backend: BashBackend, project: Path, store: FakeStore
) -> None:
    async def call(manager: TerminalManager, tool: str, **arguments: Any) -> Any:
        registry = Registry()
        registry.add_room(TerminalTools(manager, lambda _: [], lambda _: None))
        return json.loads(await registry.call_json(tool, arguments, caller="webmcp"))

    mine = manager.create()
    for _ in range(2):
        await call(manager, "terminal_create", backend="bash")
    await call(manager, "terminal_execute", command="here=1")
    manager.save()

    restored = restored_manager(backend, project, store)
    ran = await call(restored, "terminal_execute", command="echo $here")
    assert (ran["terminal_id"], ran["output"]) == ("term-3", "1\n")

    # Also one that isn't its own.
    await call(restored, "terminal_focus", terminal_id=mine.term_id)
    restored.save()
    again = restored_manager(backend, project, store)
    assert (await call(again, "terminal_execute", command="true"))["terminal_id"] == mine.term_id


async def test_nothing_is_restored_from_an_empty_store(manager: TerminalManager) -> None:
    assert manager.terminals == {}
    assert manager.active_terminal is None


async def test_a_restored_terminal_names_the_command_that_was_running(
    backend: BashBackend, manager: TerminalManager, project: Path, store: FakeStore
) -> None:
    terminal = manager.create()
    await terminal.execute("x=value")
    watcher = Watcher(terminal)
    running = asyncio.create_task(terminal.execute("echo started; sleep 60"))
    await watcher.until("\nstarted")
    manager.save()

    restored = restored_manager(backend, project, store).terminals[terminal.term_id]

    assert "echo started; sleep 60" in "\n".join(restored.lines)
    assert not restored.busy
    assert (await restored.execute("echo $x")).stdout == "value\n"
    terminal.interrupt()
    await running


async def test_a_missing_directory_is_replaced_by_the_home(
    backend: BashBackend, manager: TerminalManager, project: Path, store: FakeStore
) -> None:
    terminal = manager.create()
    await terminal.execute("mkdir removed; cd removed; x=5")
    shutil.rmtree(project / "removed")
    manager.save()

    restored = restored_manager(backend, project, store).terminals[terminal.term_id]

    assert (await restored.execute("echo $x; pwd")).stdout == f"5\n{project}\n"


async def test_an_unused_terminal_is_restored(
    backend: BashBackend, manager: TerminalManager, project: Path, store: FakeStore
) -> None:
    manager.create()
    manager.save()
    [restored] = restored_manager(backend, project, store).terminals.values()
    assert (await restored.execute("echo on")).stdout == "on\n"


async def test_invalid_saved_states_are_dropped(
    backend: BashBackend, manager: TerminalManager, project: Path, store: FakeStore
) -> None:
    terminal = manager.create()
    manager.save()
    store.save("term-7", {"cwd": "/project"})
    store.save("term-8", {**json.loads(store.rows[terminal.term_id]), "x": "far"})
    store.save("odd", json.loads(store.rows[terminal.term_id]))

    restored = restored_manager(backend, project, store)

    assert list(restored.terminals) == [terminal.term_id]
    assert list(store.rows) == [terminal.term_id]


# --- the screen ---


async def test_a_restored_terminal_shows_its_screen(
    backend: BashBackend, manager: TerminalManager, project: Path, store: FakeStore
) -> None:
    terminal = manager.create()
    await terminal.execute("seq 1 300; printf '\\033[31mred\\033[0m\\n'")
    manager.save()
    manager.screens.save()

    [restored] = restored_manager(backend, project, store).terminals.values()

    shown = restored.lines
    assert shown[:2] == ["102", "103"]
    assert shown[199] == "red"
    assert shown[200] == f"[{saved_screens.ENDED}]"
    drawn: list[str] = []
    restored.view(drawn.append)
    assert "\x1b[2mred\x1b[0m" in "".join(drawn)


async def test_a_screen_shows_its_lines_once_after_several_reloads(
    backend: BashBackend, manager: TerminalManager, project: Path, store: FakeStore
) -> None:
    terminal = manager.create()
    await terminal.execute("echo first")
    manager.save()
    manager.screens.save()
    again = restored_manager(backend, project, store)
    await again.terminals[terminal.term_id].execute("echo second")
    again.screens.save()

    lines = store.screens[terminal.term_id]

    assert [line for line in lines if line in ("first", "second")] == ["first", "second"]
    assert not any("before the reload" in line or saved.RESTORED in line for line in lines)
    assert lines[-1] == "second"


async def test_saved_screens_hold_no_secrets_and_restored_ones_no_controls(
    backend: BashBackend, manager: TerminalManager, project: Path, store: FakeStore
) -> None:
    terminal = manager.create()
    await terminal.execute("echo token=abcdefgh")
    manager.save()
    manager.screens.save()
    assert "abcdefgh" not in "\n".join(store.screens[terminal.term_id])

    store.screens[terminal.term_id] = ["a\x1b]0;title\x07b", "\x9b2Jc"]
    [restored] = restored_manager(backend, project, store).terminals.values()
    drawn: list[str] = []
    restored.view(drawn.append)
    assert "\x1b]0;" not in "".join(drawn)
    assert restored.lines[:2] == ["a]0;titleb", "2Jc"]
