"""Host terminals, from the page's tools to the companion's shells."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gemini.computer.files.paths import require_directory, resolve
from gemini.computer.shell.host import HostBackend
from gemini.computer.terminal.manager import TerminalManager
from gemini.computer.terminal.terminal import MapTerminal
from gemini.computer.terminal.tools import TerminalTools
from gemini.core.events import EventLog
from gemini.errors import CapabilityMissing, Refused, TerminalClosed
from gemini.tools import Registry
from gemini_companion.host.policy import HostPolicy
from gemini_companion.host.secret_variables import HostSecrets
from gemini_companion.host.terminals import HostTerminals
from gemini_companion.secrets import Secrets
from tests.contract.bash import BashBackend
from tests.unit.companion.host.wire import Agrees, Wire, patience
from tests.unit.computer.terminal.conftest import Watcher

pytestmark = pytest.mark.usefixtures("empty_home")


@pytest.fixture
def consent() -> Agrees:
    return Agrees()


@pytest.fixture
async def machine(project: Path, consent: Agrees) -> AsyncIterator[HostTerminals]:
    terminals = HostTerminals(
        HostPolicy(allowed=True, directories=(project,), grace_s=0.5),
        consent,
        secrets=HostSecrets(Secrets(project), str),
    )
    yield terminals
    await terminals.close()


@pytest.fixture
def wire(machine: HostTerminals) -> Wire:
    return Wire(machine.handlers())


@pytest.fixture
def host(wire: Wire) -> HostBackend:
    host = HostBackend()
    host.request = wire.client.request
    return host


@pytest.fixture
def manager(backend: BashBackend, host: HostBackend, log: EventLog, project: Path) -> TerminalManager:
    def directory(path: str, working_dir: str) -> str:
        return require_directory(resolve(path, working_dir))

    return TerminalManager({"shell": backend, "host": host}, log, directory, str(project))


@pytest.fixture
async def terminal(manager: TerminalManager) -> AsyncIterator[MapTerminal]:
    terminal = manager.create(backend="host")
    await terminal.ready()
    yield terminal
    if not terminal.closed:
        await terminal.close()


@pytest.fixture
def registry(manager: TerminalManager) -> Registry:
    registry = Registry()
    registry.add_room(TerminalTools(manager, lambda _: [], lambda _: None))
    return registry


async def test_a_command_has_both_streams_and_is_shown(terminal: MapTerminal, watcher: Watcher) -> None:
    async with patience():
        result = await terminal.execute("echo out; echo err >&2; exit 3")
    assert (result.stdout, result.stderr, result.exit_code) == ("out\n", "err\n", 3)
    assert "echo out; echo err >&2; exit 3\r\n" in watcher.text
    assert "out" in terminal.lines and "err" in terminal.lines
    assert not terminal.busy


async def test_the_directory_and_exported_variables_persist(terminal: MapTerminal, project: Path) -> None:
    await terminal.execute("mkdir sub; cd sub; export SHOWN=yes")
    assert terminal.working_dir == str(project / "sub")
    assert (await terminal.execute("echo $SHOWN; basename $PWD")).stdout == "yes\nsub\n"


async def test_keys_reach_the_shell_and_its_output_is_drawn(terminal: MapTerminal, watcher: Watcher) -> None:
    async with patience():
        await terminal.input("echo $((40+2))x\r")
        await watcher.until("42x\r\n")
    assert "42x" in terminal.lines


async def test_a_resize_reaches_the_running_command(terminal: MapTerminal, watcher: Watcher) -> None:
    terminal.resize(91, 17)
    async with patience():
        await terminal.input("until [ \"$(stty size)\" = '17 91' ]; do sleep 0.05; done; echo re''sized\r")
        await watcher.until("resized")


async def test_an_interrupt_ends_called_and_typed_commands(terminal: MapTerminal, watcher: Watcher) -> None:
    async with patience():
        running = asyncio.ensure_future(terminal.execute("echo ready; sleep 100"))
        await watcher.until("\nready\r\n")
        assert terminal.busy
        terminal.interrupt()
        assert (await running).exit_code == 130
        # Wait for its output: an interrupt between bash's fork and exec is lost.
        await terminal.input("sh -c 'echo ty\"\"ped; exec sleep 100'\r")
        await watcher.until("typed\r\n")
        terminal.interrupt()
        await terminal.input("echo co''de $?\r")
        await watcher.until("code 130")


async def test_a_command_that_times_out_ends_with_124(terminal: MapTerminal) -> None:
    result = await terminal.execute("echo before; sleep 100", timeout_s=0.3)
    assert (result.exit_code, result.timed_out, result.stdout) == (124, True, "before\n")


async def test_the_end_of_a_shell_is_shown_and_a_key_starts_another(
    terminal: MapTerminal, watcher: Watcher
) -> None:
    async with patience():
        await terminal.input("exit 5\r")
        await watcher.until("ended with exit code 5")
        await terminal.typed("\r")
        await terminal.typed("echo a''gain\r")
        await watcher.until("again\r\n")
    assert (await terminal.execute("echo on")).stdout == "on\n"


async def test_closing_ends_the_running_command(terminal: MapTerminal, watcher: Watcher) -> None:
    running = asyncio.ensure_future(terminal.execute("echo ready; sleep 100"))
    async with patience():
        await watcher.until("\nready\r\n")
        await terminal.close()
        with pytest.raises(TerminalClosed):
            await running


async def test_without_a_companion_the_error_explains_how_to_start_one(
    manager: TerminalManager, host: HostBackend
) -> None:
    host.request = None
    with pytest.raises(CapabilityMissing) as raised:
        manager.create(backend="host")
    assert raised.value.hint is not None and "control-surface serve --allow-host" in raised.value.hint
    assert not manager.terminals


async def test_a_lost_connection_is_shown(terminal: MapTerminal, watcher: Watcher, wire: Wire) -> None:
    wire.client.close()
    async with patience():
        await watcher.until("the connection was closed")


async def test_a_refusal_of_the_companion_is_shown(
    terminal: MapTerminal, watcher: Watcher, consent: Agrees
) -> None:
    consent.agrees = False
    with pytest.raises(Refused):
        await terminal.execute("touch no")
    with pytest.raises(Refused):
        await terminal.input("touch no\r")
    await terminal.typed("x")
    assert "the user refused" in watcher.text
    consent.agrees = True
    assert (await terminal.execute("echo agreed")).stdout == "agreed\n"


async def test_the_companion_gets_the_caller(
    registry: Registry, manager: TerminalManager, consent: Agrees
) -> None:
    await registry.call("terminal_create", {"backend": "host"}, caller="webmcp")
    await registry.call(
        "terminal_execute", {"command": "echo hi", "terminal_id": "term-1"}, caller="mcp:probe"
    )
    await registry.call("terminal_input", {"terminal_id": "term-1", "text": "true\n"}, caller="webmcp")
    assert [(act.action, act.command, words["tool"], words["caller"]) for act, words in consent.asked] == [
        ("open", "bash", "terminal_create", "webmcp"),
        ("run", "echo hi", "terminal_execute", "mcp:probe"),
        ("type", "true\n", "terminal_input", "webmcp"),
    ]
    await manager.close("term-1")


async def test_a_terminal_in_the_page_needs_no_consent(registry: Registry) -> None:
    await registry.call("terminal_create", {}, caller="webmcp")
    ran = await registry.call("terminal_execute", {"command": "echo hi"}, caller="webmcp")
    assert ran["output"] == "hi\n"
    assert [row["effect"] for row in registry.log.rows()] == ["write"] * 2


async def test_a_refused_directory_opens_no_terminal(registry: Registry, manager: TerminalManager) -> None:
    answer = await registry.call_json(
        "terminal_create", {"backend": "host", "working_dir": "/"}, caller="webmcp"
    )
    assert json.loads(answer)["error"]["type"] == "PathOutsideTree"
    assert not manager.terminals


async def test_a_focused_host_terminal_does_not_change_the_working_directory_of_files(
    terminal: MapTerminal, manager: TerminalManager
) -> None:
    await terminal.execute("mkdir sub; cd sub")
    assert manager.active_terminal is terminal
    assert manager.working_dir == manager.home
