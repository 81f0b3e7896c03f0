"""The terminal tools as agents call them."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.files.paths import require_directory, resolve
from gemini.computer.python.console import PythonConsole
from gemini.computer.python.tools import ConsoleTools
from gemini.computer.terminal import progress
from gemini.computer.terminal.manager import TerminalManager
from gemini.computer.terminal.tools import AGENT_OUTPUT, TerminalTools
from gemini.core.events import EventLog
from gemini.tools import Registry
from tests.contract.bash import BashBackend
from tests.unit.computer.terminal.conftest import Watcher

Call = Callable[..., Coroutine[Any, Any, Any]]


@pytest.fixture
def manager(backend: BashBackend, log: EventLog, project: Path) -> TerminalManager:
    """Return the kernel's manager with the system's bash instead of the embedded shell."""
    return TerminalManager(
        {"shell": backend}, log, lambda path, of: require_directory(resolve(path, of)), str(project)
    )


@pytest.fixture
def shown() -> list[str]:
    """Return the list of files opened in the user's editor."""
    return []


@pytest.fixture
def registry(manager: TerminalManager, project: Path, shown: list[str]) -> Registry:
    registry = Registry()
    found = lambda pattern: sorted(map(str, project.glob(pattern)))  # noqa: E731
    registry.add_room(TerminalTools(manager, found, shown.extend))
    registry.add_room(ConsoleTools(PythonConsole(), lambda name, value: None))
    return registry


@pytest.fixture
def call(registry: Registry) -> Call:
    async def call(tool: str, **arguments: Any) -> Any:
        return json.loads(await registry.call_json(tool, arguments, caller="webmcp"))

    return call


@pytest.mark.skipif(sys.platform == "win32", reason="needs a named pipe")
async def test_a_long_command_reports_its_lines(
    registry: Registry, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "EVERY_S", 0.01)
    reports: asyncio.Queue[tuple[float, str | None]] = asyncio.Queue()
    os.mkfifo(project / "pipe")
    running = asyncio.create_task(
        registry.call_json(
            "terminal_execute",
            {"command": "seq 3; cat pipe; seq 2"},
            caller="mcp",
            progress=lambda done, total, message: reports.put_nowait((done, message)),
        )
    )
    assert await reports.get() == (3, "3 lines so far")
    await asyncio.to_thread((project / "pipe").write_text, "written\n")
    assert json.loads(await running)["output"] == "1\n2\n3\nwritten\n1\n2\n"


async def test_a_terminal_is_created_and_listed(call: Call, project: Path) -> None:
    created = await call("terminal_create", x=5, y=6)
    assert created == {"terminal_id": "term-1", "x": 5, "y": 6, "backend": "bash", "lacks": []}
    [row] = await call("terminal_list")
    assert {"id", "working_dir", "focused", "x", "y", "width", "height", "backend", "busy"} <= set(row)
    assert (row["working_dir"], row["focused"], row["busy"]) == (str(project), True, False)


async def test_a_command_returns_output_and_exit_code(call: Call) -> None:
    command = "echo out; echo err >&2; (exit 4)"
    ended = {"exit_code": 4, "terminal_id": "term-1", "backend": "bash", "truncated": False}
    assert await call("terminal_execute", command=command) == {"output": "out\nerr\n", **ended}
    apart = await call("terminal_execute", command=command, streams=True)
    assert apart == {"stdout": "out\n", "stderr": "err\n", **ended}


async def test_a_command_runs_in_the_given_terminal(call: Call) -> None:
    await call("terminal_create")
    await call("terminal_execute", command="x=1")
    await call("terminal_create")
    assert (await call("terminal_execute", command="echo $x", terminal_id="term-1"))["output"] == "1\n"
    assert (await call("terminal_execute", command="echo $x"))["terminal_id"] == "term-2"


async def test_long_output_is_cut_and_its_file_named(call: Call) -> None:
    result = await call("terminal_execute", command="seq 100000")
    assert result["truncated"] is True
    assert len(result["output"]) < AGENT_OUTPUT + 100
    assert Path(result["output_file"]).read_text().endswith("\n100000\n")


async def test_a_timeout_is_reported(call: Call) -> None:
    result = await call("terminal_execute", command="echo before; sleep 1000", timeout_s=0.3)
    assert (result["exit_code"], result["timed_out"]) == (124, True)
    assert result["output"].startswith("before\n")
    assert result["output"].endswith("\n[timed out after 0.3 s]\n")


@pytest.mark.parametrize("timeout_s", [0, -1, 1e9, "soon"])
async def test_an_invalid_timeout_is_rejected(call: Call, timeout_s: Any) -> None:
    answer = await call("terminal_execute", command="true", timeout_s=timeout_s)
    assert answer["error"]["data"][0]["path"] == "timeout_s"


async def test_an_unterminated_quote_is_a_shell_error(call: Call) -> None:
    result = await call("terminal_execute", command="echo 'oops")
    assert result["exit_code"] == 2
    assert "unexpected EOF" in result["output"]


async def test_the_screen_as_text(call: Call, project: Path) -> None:
    await call("terminal_execute", command="seq 3")
    assert await call("terminal_read", terminal_id="term-1") == {
        "text": f"{project} $ seq 3\n1\n2\n3\n{project} $",
        "rows": 5,
    }
    assert await call("terminal_read", terminal_id="term-1", lines=2) == {
        "text": f"3\n{project} $",
        "rows": 2,
    }


async def test_input_and_interrupt(call: Call, manager: TerminalManager) -> None:
    await call("terminal_create")
    watcher = Watcher(manager.get("term-1"))
    assert await call("terminal_input", terminal_id="term-1", text="echo typed; sleep 1000\n") == {
        "success": True
    }
    await watcher.until("\ntyped\r\n")
    assert (await call("terminal_list"))[0]["busy"] is True
    assert await call("terminal_interrupt", terminal_id="term-1") == {"success": True}
    assert (await call("terminal_execute", command="echo on"))["output"] == "on\n"


async def test_focus_and_close(call: Call) -> None:
    await call("terminal_create")
    await call("terminal_create")
    assert await call("terminal_focus", terminal_id="term-1") == {"success": True}
    assert [row["focused"] for row in await call("terminal_list")] == [True, False]
    assert await call("terminal_close", terminal_id="term-1") == {"success": True}
    assert [row["id"] for row in await call("terminal_list")] == ["term-2"]
    answer = await call("terminal_execute", command="true", terminal_id="term-1")
    assert answer["error"]["type"] == "TerminalMissing"


async def test_closing_a_terminal_during_a_command_is_an_error(call: Call, manager: TerminalManager) -> None:
    await call("terminal_create")
    watcher = Watcher(manager.get("term-1"))
    running = asyncio.create_task(call("terminal_execute", command="echo ready; sleep 1000"))
    await watcher.until("ready\r\n")
    await call("terminal_close", terminal_id="term-1")
    assert (await running)["error"]["type"] == "TerminalClosed"


async def test_run_in_new_terminal(call: Call) -> None:
    await call("terminal_create")
    result = await call("run_in_new_terminal", command="echo new")
    assert (result["terminal_id"], result["output"], result["exit_code"]) == ("term-2", "new\n", 0)


async def test_found_files_are_opened(
    call: Call, manager: TerminalManager, project: Path, shown: list[str]
) -> None:
    for name in ("a b.txt", "c.txt", "d.md"):
        (project / name).write_text(f"text of {name}\n")
    opened = await call("find_and_edit", pattern="*.txt", editor="head -n 1 -q")
    assert opened == {"files_found": [f"{project}/a b.txt", f"{project}/c.txt"], "terminal_id": "term-1"}
    assert {"text of a b.txt", "text of c.txt"} <= set(manager.get("term-1").lines)
    assert shown == opened["files_found"]
    nothing = await call("find_and_edit", pattern="*.nothing")
    assert (nothing["files_found"], nothing["terminal_id"]) == ([], "term-2")


async def test_python_runs_in_the_console(call: Call) -> None:
    assert await call("python_run", code="print('out')\n6 * 7") == {
        "result": 42,
        "stdout": "out\n",
        "stderr": "",
    }


async def test_an_open_quote_in_the_editor_argument_is_rejected(call: Call, project: Path) -> None:
    (project / "a.txt").touch()
    answer = await call("find_and_edit", pattern="*.txt", editor="head '")
    assert answer["error"]["type"] == "InvalidArguments"
