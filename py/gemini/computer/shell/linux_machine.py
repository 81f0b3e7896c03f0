"""A Linux machine that is in memory: its terminals, its network, its processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from errno import ENOSPC
from typing import TYPE_CHECKING, Any, TypedDict

from gemini.computer.shell.backend import Tty
from gemini.computer.shell.linux_commands import open_channel
from gemini.computer.shell.linux_machine_info import ProcessRow
from gemini.computer.shell.linux_machine_problems import paused
from gemini.computer.shell.linux_network import PROGRAM, ChannelWire, MachineNetwork
from gemini.computer.shell.linux_proxy.connections import SavedConnections
from gemini.computer.shell.linux_session import LinuxSession, SavedSession
from gemini.computer.shell.linux_typed import ENVIRONMENT

if TYPE_CHECKING:
    from gemini_userland.invocation import Invocation

# Prints /proc/PID/stat and the arguments of each process, without kernel threads and itself.
LIST = r"""
cd /proc
for id in [0-9]*; do
  [ $id != $$ ] && { read -r stat <$id/stat && mapfile -d '' -t words <$id/cmdline; } 2>/dev/null || continue
  line=${words[*]}
  [ "$line" ] && printf '%s\t%s\n' "$stat" "${line//$'\n'/ }"
done
"""
Describe = Callable[[int], tuple[str, dict[str, Any]]]
"""Returns a terminal's output so far, and what is needed to open it again."""
Ask = Callable[[Awaitable[Any]], Awaitable[Any]]
OLDER = (
    "A saved state of this machine is older than its disk or the page, so it has started with its newest disk. "
    "`await gemini.linux.restore({!r})` in Python or the panel Machines returns to that state."
)
TICKS_S = 100
PAGE = 4096
SYNC = ["/bin/sh", "-c", "sync"]
SYNC_S = 30


class SavedTerminal(TypedDict):
    """A terminal of a saved machine: its session, its output so far, and the data that terminals need to open it."""

    session: SavedSession
    screen: str
    terminal: dict[str, Any]


class SavedMachine(TypedDict):
    """The parts of a saved machine besides its memory: its terminals by number, and its network."""

    terminals: dict[str, SavedTerminal]
    network: SavedConnections
    network_channel: int


class Machine:
    """A machine.

    Args:
        name: Its name.
        machine: Its other half (web/linux/machine.ts).
        saved: What was saved of it, if it continues.
        ask: Waits for its other half's answer, and raises OSError if it has failed.

    Attributes:
        waiting: The terminals of the saved machine that aren't open yet, by number.
    """

    def __init__(self, name: str, machine: Any, saved: SavedMachine | None, ask: Ask) -> None:
        self.name = name
        self.waiting: dict[int, SavedTerminal] = {}
        self._machine = machine
        self._ask = ask
        self._sessions: dict[int, LinuxSession] = {}
        self._paused = False
        self._notice = OLDER.format(name) if self.older else ""
        self._changing = asyncio.Lock()
        proxy = None if saved is None else machine.channel(saved["network_channel"])
        if saved is not None:
            self.waiting = {int(number): each for number, each in saved["terminals"].items()}
        self._wire = ChannelWire(open_channel(machine, PROGRAM, "/", {}) if proxy is None else proxy)
        self._network = MachineNetwork(self._wire, saved["network"] if saved and proxy is not None else None)
        self._network.start()

    @property
    def paused(self) -> bool:
        """True while its processor is stopped."""
        return self._paused

    @property
    def ended(self) -> bool:
        """True once it has ended, also on its own: a program that writes to its console can cause that."""
        return bool(self._machine.ended)

    @property
    def memory(self) -> int:
        """The bytes of memory that it takes."""
        return int(self._machine.memory)

    @property
    def older(self) -> int:
        """When its saved state was made that it doesn't continue, as its disk has changed since; 0 if there is none."""
        return int(self._machine.older)

    @property
    def terminals(self) -> list[int]:
        """The numbers of its terminals."""
        return list(self._sessions)

    async def open(self, tty: Tty, working_dir: str, state: str | None) -> LinuxSession:
        """Open a terminal, or continue the saved machine's terminal with the same number."""
        saved = self.waiting.pop(tty.number, None)
        user = None if saved is None else saved["session"].get("user")
        session = LinuxSession(self._machine, self._network, tty, working_dir, state, user)
        session.paused = self.name if self._paused else None
        if self._notice:
            notice, self._notice = self._notice, ""
            await tty.draw(f"\x1b[2m[{notice}]\x1b[0m\r\n")
        if saved is None:
            await session.start()
        else:
            await session.restore(saved["session"], saved["screen"])
        self._sessions[tty.number] = session
        session.on_close = lambda: self._forget(tty.number, session)
        return session

    async def run_program(self, shared: str, invocation: Invocation) -> int:
        """Run a program for the command `linux` of the embedded shell; return its exit code.

        Raises:
            MachinePaused: The machine is paused.
        """
        from gemini.computer.shell.linux_program import run_program

        if self._paused:
            raise paused(self.name)
        return await run_program(self._machine, self._network, shared, invocation)

    def _forget(self, number: int, session: LinuxSession) -> None:
        if self._sessions.get(number) is session:
            del self._sessions[number]

    async def pause(self) -> None:
        """Stop its processor. Raises OSError."""
        async with self._changing:
            if not self._paused:
                await self._ask(self._machine.pause())
                self._set_paused(paused=True)

    async def resume(self) -> None:
        """Continue. Raises OSError."""
        async with self._changing:
            if self._paused:
                await self._ask(self._machine.resume())
                self._set_paused(paused=False)

    def _set_paused(self, *, paused: bool) -> None:
        self._paused = paused
        for session in self._sessions.values():
            session.paused = self.name if paused else None

    @asynccontextmanager
    async def _still(self) -> AsyncGenerator[None]:
        """Stop its processor for a moment."""
        async with self._changing:
            if not self._paused:
                await self._ask(self._machine.pause())
            try:
                yield
            finally:
                if not self._paused:
                    await self._ask(self._machine.resume())

    async def save(self, describe: Describe, encode: Callable[[SavedMachine], str]) -> None:
        """Save its state in the browser's storage. Raises OSError."""
        # Otherwise its kernel writes the disk a moment later, and the state no longer fits it.
        await self.flush()
        async with self._still():
            await self._ask(self._machine.saveState(encode(self._save(describe))))

    async def while_still(self, action: Callable[[], Awaitable[None]]) -> None:
        """Write what its disk has in memory, and stop its processor during an action. Raises OSError."""
        await self.flush()
        async with self._still():
            if not (await self._ask(self._machine.usage())).complete:
                raise OSError(ENOSPC, "its changes aren't saved any more")
            await action()

    async def copy(self, name: str, describe: Describe) -> tuple[Any, SavedMachine]:
        """Copy its state and its disk for a machine of that name. Raises OSError."""
        async with self._still():
            saved = self._save(describe)
            return await self._ask(self._machine.copy(name)), saved

    def _save(self, describe: Describe) -> SavedMachine:
        terminals: dict[str, SavedTerminal] = {str(number): each for number, each in self.waiting.items()}
        for number, session in self._sessions.items():
            screen, terminal = describe(number)
            terminals[str(number)] = {"session": session.save(), "screen": screen, "terminal": terminal}
        return {
            "terminals": terminals,
            "network": self._network.save(),
            "network_channel": self._wire.number,
        }

    async def changes(self) -> int:
        """Return the bytes of its disk's changes. Raises OSError."""
        return int((await self._ask(self._machine.usage())).changes)

    async def processes(self) -> list[ProcessRow]:
        """List its processes; none while it is paused, saved or copied, when it can't answer."""
        if self._paused or self._changing.locked():
            return []
        printed = await self._run(["/bin/bash", "-c", LIST])
        return [_process(line) for line in printed.splitlines() if "\t" in line]

    async def flush(self) -> None:
        """Write what its disk has in memory, unless that takes too long."""
        if not self._paused:
            try:
                async with asyncio.timeout(SYNC_S):
                    await self._run(SYNC)
            except TimeoutError:
                return

    async def _run(self, command: list[str]) -> str:
        channel = open_channel(self._machine, command, "/", ENVIRONMENT)
        printed = b""
        piece = await channel.next()
        while piece.stream != "exit":
            if piece.stream == "output":
                printed += piece.bytes.to_bytes()
            piece = await channel.next()
        return printed.decode(errors="replace")

    def close(self) -> None:
        """End it, and what runs in it."""
        self._machine.close()


def _process(line: str) -> ProcessRow:
    stat, _, command = line.partition("\t")
    # The name, in parentheses, may have any characters (proc(5)).
    number, _, rest = stat.partition(" (")
    fields = rest.rpartition(") ")[2].split()
    return {
        "pid": int(number),
        "command": command,
        "seconds": (int(fields[11]) + int(fields[12])) / TICKS_S,
        "memory": int(fields[21]) * PAGE,
    }
