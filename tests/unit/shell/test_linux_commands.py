"""The shell for commands of the Linux survives what ends its bash."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from gemini.core import ffi
from gemini.shell.linux_commands import CommandShell

PATIENCE_S = 30


@dataclass
class Bytes:
    data: bytes

    def to_bytes(self) -> bytes:
        return self.data


@dataclass
class Piece:
    stream: str
    bytes: Bytes = field(default_factory=lambda: Bytes(b""))
    code: int = 0


class Bash:
    """A bash that never ends `sleep`, and ends at the first line after an interrupt."""

    def __init__(self) -> None:
        self._pieces: asyncio.Queue[Piece] = asyncio.Queue()
        self._number = ""
        self.interrupted = False
        self.state = ""

    def write(self, text: str) -> None:
        found = re.search(r"\\001(\d+)\\0", text)
        if found is None:
            return
        self._number = found[1]
        if self.interrupted:
            self._pieces.put_nowait(Piece("exit", code=130))
        elif "sleep" not in text:
            self._report()

    def signal(self, number: int) -> None:
        self.interrupted = True
        self._report()

    def _report(self) -> None:
        self._pieces.put_nowait(Piece("status", Bytes(f"\1{self._number}\0{0}\0/\0{self.state}\0".encode())))

    def next(self) -> Any:
        return self._pieces.get()

    def close(self) -> None:
        self._pieces.put_nowait(Piece("exit"))


@dataclass
class Machine:
    started: list[Bash] = field(default_factory=list[Bash])

    def open(self, program: Any) -> Bash:
        self.started.append(Bash())
        return self.started[-1]


async def test_a_bash_that_an_interrupt_ends_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ffi, "to_js_object", lambda value: value)
    machine = Machine()
    shell = CommandShell(machine, lambda stream, data: None, "/", None, {})
    async with asyncio.timeout(PATIENCE_S):
        assert (await shell.run("sleep 9", 0.01, "first")).ended == "timed_out"
        assert (await shell.run("true", None, "second")).ended == "done"
    assert len(machine.started) == 2
    shell.close()


async def test_a_restored_shell_names_no_earlier_command_to_the_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ffi, "to_js_object", lambda value: value)
    machine = Machine()
    shell = CommandShell(machine, lambda stream, data: None, "/", None, {})
    async with asyncio.timeout(PATIENCE_S):
        await shell.run("true", None, "first")
        own = 'declare -x https_proxy="http://own:1"\n'
        machine.started[0].state = f'declare -x http_proxy="http://first:linux@127.0.0.1:3128"\n{own}'
        await shell.run("true", None, "second")
    assert own in shell.state and "first" not in shell.state
    shell.close()
