"""Programs that the command `linux` of the embedded shell runs: whose requests they send, and how they wait."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from gemini.computer.shell.linux_network import MachineNetwork
from gemini.computer.shell.linux_program import run_program
from gemini.tools.calls import Call, serving
from gemini_userland.invocation import Invocation, Output
from gemini_userland.invocation import Machine as Host
from tests.unit.computer.shell.test_linux_proxy import READY
from tests.unit.computer.shell.test_linux_proxy import Machine as Wire

PATIENCE_S = 30
USER = re.compile(r"https_proxy=http://([^:]+):")


class Channel:
    """A channel whose program prints and ends as a test says."""

    def __init__(self, user: str) -> None:
        self.user = user
        self.pieces: asyncio.Queue[Any] = asyncio.Queue()
        self.asked = 0

    def put(self, stream: str, data: bytes = b"") -> None:
        view = SimpleNamespace(to_bytes=lambda: data)
        self.pieces.put_nowait(SimpleNamespace(stream=stream, bytes=view, code=0))

    def next(self) -> Awaitable[Any]:
        self.asked += 1
        return self.pieces.get()

    def end(self) -> None: ...

    def close(self) -> None: ...


@dataclass
class Machine:
    opened: asyncio.Queue[Channel] = field(default_factory=asyncio.Queue[Channel])

    def open(self, program: Any) -> Channel:
        [user] = {found[1] for each in program["environment"] if (found := USER.match(each))}
        channel = Channel(user)
        self.opened.put_nowait(channel)
        return channel


class Slow(Output):
    """Output whose reader is behind until it `has_read`."""

    def __init__(self) -> None:
        super().__init__()
        self.has_read = asyncio.Event()

    def writable(self) -> Awaitable[object] | None:
        return None if self.has_read.is_set() else self.has_read.wait()


@pytest.fixture
async def network(monkeypatch: pytest.MonkeyPatch) -> MachineNetwork:
    monkeypatch.setattr("gemini.core.ffi.to_js_object", lambda value: value)
    network = MachineNetwork(wire := Wire())
    network.start()
    wire.frame(0, READY)
    return network


def start(machine: Machine, network: MachineNetwork, stdout: Output | None = None) -> asyncio.Task[int]:
    invocation = Invocation(["linux", "curl"], cwd="/", stdout=stdout or Output(), machine=Host(terminal=3))
    return asyncio.ensure_future(run_program(machine, network, "", invocation))


async def test_a_program_in_the_background_stays_with_its_own_call(network: MachineNetwork) -> None:
    machine = Machine()
    calls = [Call(each, "terminal_execute", "agent", "write", {}, run=f"run-{each}") for each in (1, 2)]
    async with asyncio.timeout(PATIENCE_S):
        with serving(calls[0]):
            background = start(machine, network)
            channel = await machine.opened.get()
        with serving(calls[1]):
            later = start(machine, network)
            other = await machine.opened.get()
        assert network.call_of(channel.user).run == "run-1"
        assert network.call_of(other.user).run == "run-2"
        channel.put("exit")
        assert await background == 0
        # A program that it left running belongs to no call.
        assert network.call_of(channel.user).run is None
        # One that a user has typed has no call, whichever runs at the same time.
        typed = start(machine, network)
        assert network.call_of((await machine.opened.get()).user).run is None
        assert network.call_of(other.user).run == "run-2"
        for task in (typed, later):
            task.cancel()
        await asyncio.wait([typed, later])


async def test_a_program_waits_while_its_output_is_not_read(network: MachineNetwork) -> None:
    machine, output = Machine(), Slow()
    async with asyncio.timeout(PATIENCE_S):
        running = start(machine, network, output)
        channel = await machine.opened.get()
        channel.put("output", b"first ")
        channel.put("output", b"second")
        while not output.bytes():
            await asyncio.sleep(0)
        for _ in range(10):
            await asyncio.sleep(0)
        assert output.bytes() == b"first " and channel.asked == 1
        output.has_read.set()
        channel.put("exit")
        assert await running == 0
    assert output.bytes() == b"first second"
