"""The own terminals of agents and clients: the user's terminals keep their directory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.terminal.manager import TerminalManager
from gemini.computer.terminal.tools import TerminalTools
from gemini.tools import Registry, declare
from tests.unit.computer.terminal.conftest import Watcher

As = Callable[..., Coroutine[Any, Any, Any]]


@pytest.fixture
def call(manager: TerminalManager) -> As:
    """Return a function that calls a tool as a caller: `await call("agent:a", tool, run="run-1", …)`."""
    registry = Registry()
    registry.add_room(TerminalTools(manager, lambda _: [], lambda _: None))

    async def call(caller: str, tool: str, *, run: str | None = None, **arguments: Any) -> Any:
        return json.loads(await registry.call_json(tool, arguments, caller=caller, run=run))

    return call


async def test_an_agent_leaves_the_user_s_terminal_alone(
    manager: TerminalManager, call: As, project: Path
) -> None:
    mine = manager.create()
    (project / "shop").mkdir()
    ran = await call("agent:a", "terminal_execute", run="run-1", command="cd shop && x=1")
    assert ran["terminal_id"] == "term-2"
    assert (mine.working_dir, mine.focused, mine.command_history) == (str(project), True, [])
    # Directory and variables stay, and so does the terminal.
    again = await call("agent:a", "terminal_execute", run="run-1", command="pwd; echo $x")
    assert (again["terminal_id"], again["output"]) == ("term-2", f"{project}/shop\n1\n")
    assert [row["owner"] for row in manager.rows()] == [None, "agent:a"]


async def test_each_client_has_its_own_terminal(manager: TerminalManager, call: As) -> None:
    manager.create()
    ids = [
        (await call(caller, "terminal_execute", command="true"))["terminal_id"]
        for caller in ("webmcp", "mcp:Claude", "webmcp", "mcp:Cursor", "script")
    ]
    assert ids == ["term-2", "term-3", "term-2", "term-4", "term-1"]


async def test_runs_at_the_same_time_have_a_terminal_each_and_later_ones_take_it_over(
    manager: TerminalManager, call: As
) -> None:
    live = {"run-1", "run-2"}
    manager.is_live = live.__contains__
    first = await call("agent:a", "terminal_execute", run="run-1", command="x=1")
    second = await call("agent:a", "terminal_execute", run="run-2", command="true")
    assert first["terminal_id"] != second["terminal_id"]
    live.clear()
    third = await call("agent:a", "terminal_execute", run="run-3", command="echo $x")
    assert (third["terminal_id"], third["output"]) == (first["terminal_id"], "1\n")
    other = await call("agent:b", "terminal_execute", run="run-4", command="true")
    assert other["terminal_id"] not in (first["terminal_id"], second["terminal_id"])


async def test_an_agent_s_commands_go_to_the_terminal_that_it_chose_last(
    manager: TerminalManager, call: As
) -> None:
    mine = manager.create()
    made = (await call("webmcp", "terminal_create", backend="bash"))["terminal_id"]
    assert (await call("webmcp", "terminal_execute", command="true"))["terminal_id"] == made
    await call("webmcp", "terminal_focus", terminal_id=mine.term_id)
    assert (await call("webmcp", "terminal_execute", command="true"))["terminal_id"] == mine.term_id
    await call("webmcp", "terminal_close", terminal_id=mine.term_id)
    assert (await call("webmcp", "terminal_execute", command="true"))["terminal_id"] == made


async def test_a_user_types_in_an_agent_s_terminal_meanwhile(manager: TerminalManager, call: As) -> None:
    manager.create()
    await call("webmcp", "terminal_execute", command="true")
    own = manager.get("term-2")
    watcher = Watcher(own)
    await own.input("echo ready; sleep 60\r")
    await watcher.until("ready\r\n")
    assert (await call("webmcp", "terminal_execute", command="echo 1"))["terminal_id"] == "term-3"
    own.interrupt()
    await watcher.until(lambda: not own.busy)
    assert manager.active_terminal is manager.get("term-1")


async def test_commands_of_one_agent_wait_for_each_other(manager: TerminalManager, call: As) -> None:
    manager.create()
    ran = await asyncio.gather(
        *(call("webmcp", "terminal_execute", command=command) for command in ("sleep 0.01; echo 1", "echo 2"))
    )
    assert [each["terminal_id"] for each in ran] == ["term-2", "term-2"]


async def test_relative_paths_start_from_the_caller_s_own_terminal(
    manager: TerminalManager, call: As, project: Path
) -> None:
    (project / "mine").mkdir()
    (project / "its").mkdir()
    await manager.create().execute("cd mine")
    registry = Registry()

    @declare(effect="read")
    def where() -> str:
        """Return the directory."""
        return manager.working_dir

    registry.add(where)
    assert json.loads(await registry.call_json("where", {}, caller="webmcp")) == str(project)
    await call("webmcp", "terminal_execute", command="cd its")
    assert json.loads(await registry.call_json("where", {}, caller="webmcp")) == f"{project}/its"
    assert json.loads(await registry.call_json("where", {}, caller="person")) == f"{project}/mine"
