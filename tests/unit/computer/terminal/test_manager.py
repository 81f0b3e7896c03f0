"""Creating, focusing and closing terminals, and the events of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gemini.computer.terminal.manager import TerminalManager
from gemini.errors import CapabilityMissing, FileMissing, NotADirectory, TerminalClosed, TerminalMissing
from tests.unit.computer.terminal.conftest import RecordedEvents, Watcher


async def test_a_new_terminal_has_a_position_and_the_focus(manager: TerminalManager, project: Path) -> None:
    first = manager.create()
    second = manager.create(x=300, y=40)
    assert (first.term_id, second.term_id) == ("term-1", "term-2")
    assert (second.x, second.y, second.working_dir) == (300, 40, str(project))
    assert (first.focused, second.focused) == (False, True)
    assert manager.active_terminal is second
    assert manager.terminals == {"term-1": first, "term-2": second}


async def test_a_terminal_may_start_in_another_directory(manager: TerminalManager, project: Path) -> None:
    (project / "sub").mkdir()
    terminal = manager.create(working_dir="sub")
    assert (await terminal.execute("pwd")).stdout == f"{project}/sub\n"


async def test_a_missing_working_directory_is_an_error(manager: TerminalManager, project: Path) -> None:
    (project / "file").touch()
    with pytest.raises(FileMissing):
        manager.create(working_dir="nowhere")
    with pytest.raises(NotADirectory):
        manager.create(working_dir="file")
    assert manager.terminals == {}


async def test_without_its_home_a_terminal_starts_in_the_root(
    manager: TerminalManager, project: Path
) -> None:
    project.rmdir()
    assert manager.create().working_dir == "/"


async def test_an_unknown_backend_is_an_error(manager: TerminalManager) -> None:
    with pytest.raises(CapabilityMissing, match="the 'teletype' backend doesn't exist") as missing:
        manager.create(backend="teletype")
    assert missing.value.hint == "Available backends: bash."


async def test_the_focus_moves(manager: TerminalManager) -> None:
    first, second = manager.create(), manager.create()
    manager.focus(first.term_id)
    assert (first.focused, second.focused) == (True, False)
    assert manager.get() is first


async def test_without_an_id_a_command_goes_to_the_focused_terminal(manager: TerminalManager) -> None:
    first, second = manager.create(), manager.create()
    await manager.run_command("x=second")
    assert (await manager.run_command("echo $x", second.term_id)).stdout == "second\n"
    assert (await manager.run_command("echo ${x-unset}", first.term_id)).stdout == "unset\n"


async def test_without_an_id_a_command_avoids_the_person_s_program(
    manager: TerminalManager, project: Path
) -> None:
    front = manager.create()
    watcher = Watcher(front)
    await front.input("echo ready; sleep 60\r")
    await watcher.until("ready\r\n")
    done = await manager.run_command("pwd")
    assert (done.terminal_id, done.stdout) == ("term-2", f"{project}\n")
    assert manager.active_terminal is front
    # The free terminal is used again.
    assert (await manager.run_command("true")).terminal_id == "term-2"
    front.interrupt()
    assert (await front.execute("echo over")).stdout == "over\n"
    assert (await manager.run_command("true")).terminal_id == "term-1"


async def test_without_an_id_commands_of_agents_wait_for_each_other(manager: TerminalManager) -> None:
    manager.create()
    first, second = await asyncio.gather(
        manager.run_command("sleep 0.01; echo 1"), manager.run_command("echo 2")
    )
    assert first.terminal_id == second.terminal_id == "term-1"


async def test_without_any_terminal_a_command_opens_one(manager: TerminalManager) -> None:
    assert (await manager.run_command("echo hello")).stdout == "hello\n"
    assert list(manager.terminals) == ["term-1"]


@pytest.mark.parametrize("term_id", ["term-9", "", "a b\n🐍", "\ud800"])
async def test_the_error_for_an_unknown_id_lists_open_terminals(
    manager: TerminalManager, term_id: str
) -> None:
    with pytest.raises(TerminalMissing) as missing:
        manager.get(term_id)
    assert "terminal_create" in str(missing.value.hint)
    manager.create()
    with pytest.raises(TerminalMissing) as missing:
        manager.focus(term_id)
    assert missing.value.hint == "Open terminals: term-1."


async def test_closing_the_focused_terminal_focuses_the_last_other_one(
    manager: TerminalManager,
) -> None:
    first, second, third = manager.create(), manager.create(), manager.create()
    await manager.close(third.term_id)
    assert (first.focused, second.focused) == (False, True)
    await manager.close(first.term_id)
    assert second.focused
    await manager.close(second.term_id)
    assert manager.active_terminal is None


async def test_ids_are_not_reused(manager: TerminalManager) -> None:
    await manager.close(manager.create().term_id)
    assert manager.create().term_id == "term-2"
    with pytest.raises(TerminalMissing):
        await manager.close("term-1")


async def test_closing_ends_the_command_and_other_terminals_continue(manager: TerminalManager) -> None:
    first, second = manager.create(), manager.create()
    watcher = Watcher(second)
    running = asyncio.create_task(second.execute("echo ready; sleep 1000"))
    await watcher.until("ready\r\n")
    closing = asyncio.create_task(manager.close(second.term_id))
    await asyncio.sleep(0)
    # During the close, commands go to the next terminal, not to a new one.
    assert (await manager.run_command("echo here")).stdout == "here\n"
    await closing
    with pytest.raises(TerminalClosed):
        await running
    assert list(manager.terminals) == [first.term_id]


async def test_rows_are_the_states_of_the_terminals(manager: TerminalManager) -> None:
    first, second = manager.create(), manager.create()
    assert manager.rows() == [first.get_state(), second.get_state()]


async def test_create_focus_and_close_publish_events(
    manager: TerminalManager, recorded: RecordedEvents
) -> None:
    first = manager.create()
    assert recorded.kinds() == ["terminal_created", "terminal_changed"]
    assert recorded.rows[0]["terminal"]["id"] == first.term_id
    assert recorded.rows[1]["terminal"]["focused"] is True
    recorded.clear()
    second = manager.create()
    assert [(row["type"], row["terminal"]["id"], row["terminal"]["focused"]) for row in recorded.rows] == [
        ("terminal_created", second.term_id, False),
        ("terminal_changed", first.term_id, False),
        ("terminal_changed", second.term_id, True),
    ]
    recorded.clear()
    manager.focus(second.term_id)
    assert recorded.rows == []
    await manager.close(second.term_id)
    assert recorded.kinds() == ["terminal_closed", "terminal_changed"]
    assert recorded.rows[0]["terminal_id"] == second.term_id
    assert (recorded.rows[1]["terminal"]["id"], recorded.rows[1]["terminal"]["focused"]) == (
        first.term_id,
        True,
    )


async def test_the_start_and_the_end_of_a_command_publish_events(
    manager: TerminalManager, recorded: RecordedEvents
) -> None:
    terminal = manager.create()
    recorded.clear()
    await terminal.execute("mkdir sub; cd sub")
    assert [(row["type"], row["terminal"]["busy"]) for row in recorded.rows] == [
        ("terminal_changed", True),
        ("terminal_changed", False),
    ]
    assert recorded.rows[-1]["terminal"]["working_dir"].endswith("/sub")


async def test_a_closed_terminal_publishes_no_events(
    manager: TerminalManager, recorded: RecordedEvents
) -> None:
    terminal = manager.create()
    watcher = Watcher(terminal)
    running = asyncio.create_task(terminal.execute("echo ready; sleep 1000"))
    await watcher.until("ready\r\n")
    recorded.clear()
    await manager.close(terminal.term_id)
    with pytest.raises(TerminalClosed):
        await running
    assert recorded.kinds() == ["terminal_closed"]
