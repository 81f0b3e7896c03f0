"""The shell for Linux commands survives what ends its bash, and prints its state after each command's end."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from gemini.computer.shell.backend import Finished
from gemini.computer.shell.linux_commands import CommandShell
from gemini.core import ffi

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
    """A bash that never ends `sleep`, and ends at the first line after an interrupt, unless it `survives`.

    It prints its state once it `may_print`.
    """

    def __init__(self, *, survives: bool = False) -> None:
        self._pieces: asyncio.Queue[Piece] = asyncio.Queue()
        self._number = ""
        self._survives = survives
        self.interrupts = 0
        self.typed: list[str] = []
        self.may_print = True
        self.state = ""

    def write(self, text: str) -> None:
        found = re.search(r"__end (\d+) ", text)
        if found is None:
            return
        self._number = found[1]
        self.typed.append(text)
        if self.interrupts and not self._survives:
            self._pieces.put_nowait(Piece("exit", code=130))
        elif "sleep" not in text:
            self.end()

    def signal(self, number: int) -> None:
        self.interrupts += 1
        self.end()

    def end(self) -> None:
        self._report(f"\1{self._number}\0{0}\0/\0")
        if self.may_print:
            self.print_state()

    def print_state(self, number: str | None = None) -> None:
        number = number or self._number
        self._report(f"\2{number}\0declare -- number={number!r}\n{self.state}\0")

    def _report(self, text: str) -> None:
        self._pieces.put_nowait(Piece("status", Bytes(text.encode())))

    def next(self) -> Any:
        return self._pieces.get()

    def close(self) -> None:
        self._pieces.put_nowait(Piece("exit"))


@dataclass
class Machine:
    survives: bool = False
    started: list[Bash] = field(default_factory=list[Bash])

    def open(self, program: Any) -> Bash:
        self.started.append(Bash(survives=self.survives))
        return self.started[-1]


@pytest.fixture(autouse=True)
def _plain_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ffi, "to_js_object", lambda value: value)


def shell_of(machine: Machine, state_changed: Callable[[], None] = lambda: None) -> CommandShell:
    return CommandShell(machine, lambda stream, data: None, "/", None, {}, state_changed)


async def begun(
    machine: Machine, state_changed: Callable[[], None] = lambda: None
) -> tuple[CommandShell, Bash]:
    """Return a shell whose first command has ended, with its state, and its bash."""
    shell = shell_of(machine, state_changed)
    async with asyncio.timeout(PATIENCE_S):
        await shell.run("true", None, "user")
        await shell.settled()
    [bash] = machine.started
    return shell, bash


async def waiting(shell: CommandShell, bash: Bash, timeout_s: float | None) -> asyncio.Future[Finished]:
    """Return a command that waits until the state of the one before is printed."""
    bash.may_print = False
    await shell.run("true", None, "user")
    following = asyncio.ensure_future(shell.run("echo next", timeout_s, "user"))
    await asyncio.sleep(0)
    return following


async def test_a_bash_that_an_interrupt_ends_is_started_again() -> None:
    machine = Machine()
    shell = shell_of(machine)
    async with asyncio.timeout(PATIENCE_S):
        assert (await shell.run("sleep 9", 0.01, "first")).ended == "timed_out"
        assert (await shell.run("true", None, "second")).ended == "done"
    assert len(machine.started) == 2
    shell.close()


async def test_a_command_ends_before_its_state_is_printed() -> None:
    changes: list[str] = []
    shell, bash = await begun(Machine(), lambda: changes.append(shell.state))
    async with asyncio.timeout(PATIENCE_S):
        bash.may_print = False
        assert (await shell.run("true", None, "user")).ended == "done"
        before = shell.state
        assert changes == []
        # The next command is typed after it.
        following = asyncio.ensure_future(shell.run("echo next", None, "user"))
        await asyncio.sleep(0)
        assert "echo next" not in bash.typed[-1]
        bash.may_print = True
        bash.print_state()
        assert (await following).ended == "done"
        assert "echo next" in bash.typed[-1]
    assert changes == [before.replace("number='2'", "number='3'")]
    shell.close()


async def test_an_interrupt_before_a_command_is_typed_ends_that_command() -> None:
    shell, bash = await begun(Machine(survives=True))
    async with asyncio.timeout(PATIENCE_S):
        following = await waiting(shell, bash, None)
        shell.interrupt()
        bash.may_print = True
        bash.print_state()
        assert (await following).ended == "interrupted"
        assert bash.interrupts == 0
        assert not [text for text in bash.typed if "echo next" in text]
        await shell.run("echo after", None, "user")
    # The next command sees its exit code.
    assert "__begin user 130; } >&203 2>&203 || eval 'echo after'" in bash.typed[-1]
    shell.close()


async def test_a_state_that_never_comes_takes_the_next_command_s_time() -> None:
    shell, bash = await begun(Machine(survives=True))
    async with asyncio.timeout(PATIENCE_S):
        following = await waiting(shell, bash, 0.01)
        while not bash.interrupts:
            await asyncio.sleep(0)
        bash.may_print = True
        bash.print_state()
        assert (await following).ended == "timed_out"
        assert (await shell.run("true", None, "user")).ended == "done"
    shell.close()


async def test_a_state_that_comes_twice_doesn_t_disturb_the_next_command() -> None:
    shell, bash = await begun(Machine(survives=True))
    async with asyncio.timeout(PATIENCE_S):
        following = asyncio.ensure_future(shell.run("sleep 9", None, "user"))
        while "sleep 9" not in bash.typed[-1]:
            await asyncio.sleep(0)
        bash.print_state("2")
        bash.end()
        assert (await following).ended == "done"
    shell.close()


async def test_a_shell_that_closes_ends_what_waits() -> None:
    shell, bash = await begun(Machine())
    async with asyncio.timeout(PATIENCE_S):
        bash.may_print = False
        await shell.run("true", None, "user")
        waiting = asyncio.ensure_future(shell.settled())
        await asyncio.sleep(0)
        shell.close()
        await waiting


async def test_a_restored_shell_names_no_earlier_command_to_the_proxy() -> None:
    machine = Machine()
    shell = shell_of(machine)
    async with asyncio.timeout(PATIENCE_S):
        await shell.run("true", None, "first")
        own = 'declare -x https_proxy="http://own:1"\n'
        machine.started[0].state = f'declare -x http_proxy="http://first:linux@127.0.0.1:3128"\n{own}'
        await shell.run("true", None, "second")
        await shell.settled()
    assert own in shell.state and "first" not in shell.state
    shell.close()


async def test_a_command_ends_with_the_machine_that_its_bash_starts_in() -> None:
    machine = Machine()
    shell = shell_of(machine)
    async with asyncio.timeout(PATIENCE_S):
        running = asyncio.ensure_future(shell.run("sleep 9", None, "user"))
        while not machine.started:
            await asyncio.sleep(0)
        machine.started[0].close()
        assert (await running).ended == "exited"
    shell.close()
