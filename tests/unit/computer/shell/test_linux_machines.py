"""Linux machines in the page: limits, names, states, and what a copy continues with."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from errno import EIO, ENOSPC
from types import SimpleNamespace
from typing import Any

import pytest

import gemini
from gemini.computer.files.downloads import Downloads
from gemini.computer.shell.backend import Tty, no_answer
from gemini.computer.shell.linux import LinuxBackend
from gemini.computer.shell.linux_machines import Machines
from gemini.computer.shell.machine_panel_tools import PanelMachineTools
from gemini.tools import Registry
from gemini.tools.writers import PERSON


class Channel:
    """A channel whose program waits, or prints its given output and ends."""

    def __init__(self, number: int, printed: bytes | None = None) -> None:
        self.number = number
        self.written: list[Any] = []
        self._pieces: asyncio.Queue[Any] = asyncio.Queue()
        if printed is not None:
            self._put("output", printed)
            self._put("exit", b"")

    def _put(self, stream: str, data: bytes) -> None:
        view = SimpleNamespace(to_bytes=lambda: data)
        self._pieces.put_nowait(SimpleNamespace(stream=stream, bytes=view, code=0))

    async def next(self) -> Any:
        return await self._pieces.get()

    def write(self, data: Any) -> None:
        self.written.append(data)

    def close(self) -> None:
        self._put("exit", b"")


class Worker:
    """A machine's other half."""

    memory = 1000
    ended = False

    def __init__(self, channels: dict[int, Channel], details: str = "", older: int = 0) -> None:
        self.channels = channels
        self.details, self.older = details, older
        self.actions: list[str] = []
        self.problem: OSError | None = None

    def channel(self, number: int) -> Channel | None:
        return self.channels.get(number)

    def open(self, program: Any) -> Channel:
        number = len(self.channels) + 1
        printed = b"" if program["command"][0].startswith("/bin/") else None
        self.channels[number] = Channel(number, printed)
        return self.channels[number]

    async def _act(self, action: str) -> None:
        self.actions.append(action)
        if self.problem is not None:
            raise self.problem

    def pause(self) -> Awaitable[None]:
        return self._act("pause")

    def resume(self) -> Awaitable[None]:
        return self._act("resume")

    def saveState(self, details: str) -> Awaitable[None]:  # noqa: N802 - JavaScript's name
        self.details = details
        return self._act("save")

    async def copy(self, name: str) -> Worker:
        await self._act(f"copy {name}")
        return self

    async def usage(self) -> Any:
        return SimpleNamespace(changes=4096, complete=True)

    def close(self) -> None:
        self.actions.append("close")


class Page:
    """Starts workers, and remembers what would be stored."""

    def __init__(self) -> None:
        self.workers: dict[str, Worker] = {}
        self.files: dict[str, dict[str, Any]] = {}
        self.older = 0
        self.problem: OSError | None = None

    async def start(self, folder: str, root: str, name: str, copy: Any = None) -> Worker:
        file = self.files.setdefault(name, {"name": name, "changes": 0, "savedAt": 0, "savedBytes": 0})
        details = file.get("details", "") if copy is None else ""
        numbers = range(1, 9) if details or copy else ()
        self.workers[name] = Worker({number: Channel(number) for number in numbers}, details, self.older)
        return self.workers[name]

    async def ask(self, answer: Awaitable[Any]) -> Any:
        return await answer

    async def stored(self) -> list[dict[str, Any]]:
        return list(self.files.values())

    async def delete(self, name: str, *, entirely: bool) -> None:
        if self.problem is not None:
            raise self.problem
        del self.files[name]

    async def roll_back(self, name: str) -> None:
        self.files[name]["details"] = self.workers[name].details

    async def export_disk(self, name: str, path: str) -> None:
        raise OSError(EIO, f"{name} can't be read")

    async def import_disk(self, name: str, path: str) -> None:
        raise OSError(EIO, f"{name} can't be written")


class Opened:
    """The terminals, each of which opens in its machine."""

    def __init__(self, backend: LinuxBackend) -> None:
        self.backend = backend
        self.screens: dict[int, str] = {}
        self.backends: dict[int, str] = {}

    async def open(self, number: int, backend: str = "linux") -> None:
        async def draw(text: str) -> None:
            self.screens[number] = self.screens.get(number, "") + text

        self.backends[number] = backend
        tty = Tty(number, lambda _stream, _data: None, no_answer, draw=draw)
        of = self.backend if backend == "linux" else self.backend.named(backend)
        assert of is not None
        await of.open(tty, "/project")

    def describe(self, number: int) -> tuple[str, dict[str, Any]]:
        return f"screen of {number}", {}

    def place(self, number: int | None, backend: str, described: dict[str, Any]) -> int:
        placed = max(self.backends) + 1 if number is None else number
        self.backends[placed] = backend
        return placed

    async def ready(self, number: int) -> None:
        await self.open(number, self.backends[number])

    async def close_all(self, backend: str) -> None:
        self.backends = {number: each for number, each in self.backends.items() if each != backend}


class Built(LinuxBackend):
    """A backend of a build that has a Linux."""

    def folder(self) -> str:
        return "/linux-1/"


class World:
    """Machines with their page and terminals."""

    def __init__(self) -> None:
        self.page = Page()
        self.backend = Built(lambda: self.machines)
        self.machines = Machines(self.page, self.backend)
        self.terminals = Opened(self.backend)
        self.backend.terminals = lambda: self.terminals


@pytest.fixture
async def world(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[World]:
    # Objects of JavaScript are plain ones here.
    monkeypatch.setattr("gemini.core.ffi.to_js_object", lambda value: value)
    monkeypatch.setattr("gemini.core.ffi.to_js_bytes", lambda value: value)
    world = World()
    yield world
    for info in await world.machines.list():
        await world.machines.throw_away(info.name)


async def states(world: World) -> dict[str, str]:
    return {info.name: info.state for info in await world.machines.list()}


async def test_a_machine_is_paused_resumed_and_stopped(world: World) -> None:
    assert await world.machines.list() == []
    await world.terminals.open(1)
    [info] = await world.machines.list()
    assert (info.name, info.state, info.memory, info.changes) == ("main", "running", 1000, 4096)
    assert info.terminals == ["term-1"]
    await world.machines.pause()
    await world.machines.pause()
    assert await states(world) == {"main": "paused"}
    await world.machines.resume()
    assert world.page.workers["main"].actions == ["pause", "resume"]
    await world.machines.stop()
    assert await states(world) == {"main": "stopped"}
    with pytest.raises(gemini.MachineStopped, match="no machine 'main' runs"):
        await world.machines.pause()


async def test_a_machine_that_has_ended_by_itself_starts_again(world: World) -> None:
    await world.terminals.open(1)
    broken = world.page.workers["main"]
    broken.ended = True
    assert await states(world) == {"main": "stopped"}
    with pytest.raises(gemini.MachineStopped):
        await world.machines.pause("main")
    await world.terminals.open(1)
    assert await states(world) == {"main": "running"} and world.page.workers["main"] is not broken


async def test_a_fork_has_terminals_of_its_own_and_counts_against_the_limit(world: World) -> None:
    await world.terminals.open(1)
    info = await world.machines.fork("work")
    assert (info.state, info.terminals) == ("running", ["term-2"])
    assert world.terminals.screens[2].endswith("screen of 1")
    # The original continued.
    assert world.page.workers["main"].actions == ["pause", "copy work", "resume"]
    with pytest.raises(gemini.MachineExists):
        await world.machines.fork("work")
    with pytest.raises(gemini.MachineLimit) as limited:
        await world.machines.fork("third")
    assert limited.value.data == {"machines": ["main", "work"], "limit": 2}
    saved: list[int] = []
    world.backend.save_limit = saved.append
    world.machines.limit = 3
    await world.machines.fork("third", "work")
    assert saved == [3]
    await world.machines.throw_away("work")
    assert await states(world) == {"main": "running", "third": "running"}
    assert world.terminals.backends == {1: "linux", 3: "linux:third"}


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda machines: machines.fork("Übung"), gemini.InvalidArguments),
        (lambda machines: machines.fork("../x"), gemini.InvalidArguments),
        (lambda machines: machines.throw_away("nothing"), gemini.MachineMissing),
        (lambda machines: machines.reset("nothing"), gemini.MachineMissing),
        (lambda machines: machines.started("nothing"), gemini.MachineMissing),
        (lambda machines: machines.restore(), gemini.MachineUnsaved),
        (lambda machines: machines.save("nothing"), gemini.MachineStopped),
    ],
)
async def test_what_cannot_be_done_says_what_to_do(
    world: World, call: Callable[[Machines], Awaitable[Any]], error: type[gemini.GeminiError]
) -> None:
    await world.terminals.open(1)
    with pytest.raises(error) as raised:
        await call(world.machines)
    assert raised.value.hint


async def test_a_limit_is_a_number_of_machines(world: World) -> None:
    for limit in (0, 9):
        with pytest.raises(gemini.InvalidArguments, match="limit"):
            world.machines.limit = limit
    assert world.machines.limit == 2


async def test_the_storage_that_is_full_is_named(world: World) -> None:
    await world.terminals.open(1)
    worker = world.page.workers["main"]
    for number, error in ((ENOSPC, gemini.StorageFull), (EIO, gemini.MachineProblem)):
        worker.problem = OSError(number, "it says why")
        with pytest.raises(error):
            await world.machines.save()
    worker.problem = None
    await world.machines.save()


async def test_the_page_says_what_it_cannot_delete(world: World) -> None:
    await world.terminals.open(1)
    world.page.problem = OSError(EIO, "it says why")
    with pytest.raises(gemini.MachineProblem, match="can't reset the machine 'main'"):
        await world.machines.reset()
    with pytest.raises(gemini.MachineProblem, match="can't throw away the machine 'main'"):
        await world.machines.throw_away("main")
    world.page.problem = None


async def test_a_saved_machine_continues_its_terminals(world: World) -> None:
    await world.terminals.open(1)
    await world.terminals.open(4)
    await world.machines.save(stop=True)
    file = world.page.files["main"]
    details = world.page.workers["main"].details
    assert set(json.loads(details)["terminals"]) == {"1", "4"}
    file.update(savedAt=1, details=details)
    world.terminals.screens.clear()
    # One of its terminals opens after the reload, and brings the others back.
    await world.terminals.open(1)
    await asyncio.sleep(0)
    assert {
        number: text.endswith(f"screen of {number}") for number, text in world.terminals.screens.items()
    } == {
        1: True,
        4: True,
    }
    await world.machines.restore()
    assert [info.terminals for info in await world.machines.list()] == [["term-1", "term-4"]]


async def test_a_state_older_than_the_disk_is_named_in_the_terminal(world: World) -> None:
    world.page.older = 5
    await world.terminals.open(1)
    assert "older than its disk" in world.terminals.screens[1]
    world.page.files["main"].update(savedAt=5)
    with pytest.raises(gemini.MachineUnsaved, match="another build"):
        await world.machines.restore()


async def test_the_panel_lists_and_changes_machines(world: World) -> None:
    registry = Registry()
    offered: list[bytes] = []
    downloads = Downloads(lambda data, _: (offered.append(data), "blob")[1], lambda _: None)

    async def fetch(_: str) -> bytes:
        return offered[-1]

    registry.add_room(PanelMachineTools(world.backend, downloads.offer, fetch))
    await world.terminals.open(1)
    listed = json.loads(await registry.call_json("machine_list", {}, caller=PERSON))
    assert [(row["name"], row["state"], row["processes"]) for row in listed["machines"]] == [
        ("main", "running", [])
    ]
    await registry.call_json("machine_change", {"machine": "main", "change": "pause"}, caller=PERSON)
    assert await states(world) == {"main": "paused"}
    await registry.call_json("machine_limit", {"most": 4}, caller=PERSON)
    assert world.machines.limit == 4
