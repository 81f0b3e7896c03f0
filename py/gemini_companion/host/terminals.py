"""What one page may ask of this machine, as handlers of its JSON-RPC connection.

    host/open {columns, rows, working_dir?} -> {terminal, working_dir}
    host/read {terminal, most?} -> {data, ended, exit_code?}          the PTY's text; waits until there is some
    host/write {terminal, data} -> {}
    host/resize {terminal, columns, rows} -> {}
    host/signal {terminal, signal} -> {}                              to the command that runs, or the foreground
    host/execute {terminal, command, timeout_s?} -> {exit_code, working_dir, ended}
    host/output {terminal, most?} -> {stdout, stderr, ended}          its output, base64; waits until there is some
    host/close {terminal} -> {}

What isn't read stays in the system's pipes, so a program that nobody listens to waits.
"""

import asyncio
import logging
import signal
from collections.abc import Callable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from gemini.errors import TerminalMissing, TerminalProblem
from gemini.protocol import Handler, Params
from gemini_companion.host.consent import Consent
from gemini_companion.host.policy import HostPolicy
from gemini_companion.host.terminal import SHELL, HostTerminal, open_terminal
from gemini_companion.parameters import Asked, taking

log = logging.getLogger(__name__)

Size = Annotated[int, Field(ge=1, le=1_000)]
SIGNALS = {
    "INT": signal.SIGINT,
    "QUIT": signal.SIGQUIT,
    "TERM": signal.SIGTERM,
    "HUP": signal.SIGHUP,
    "KILL": signal.SIGKILL,
    "TSTP": signal.SIGTSTP,
    "CONT": signal.SIGCONT,
}


class Open(Asked):
    columns: Size = 80
    rows: Size = 24
    working_dir: str | None = None


class Of(Asked):
    terminal: int


class Read(Of):
    most: Annotated[int, Field(ge=1)] = 256 * 1024


class Write(Of):
    data: str


class Resize(Of):
    columns: Size
    rows: Size


class Signal(Of):
    signal: Literal["INT", "QUIT", "TERM", "HUP", "KILL", "TSTP", "CONT"]


class Execute(Of):
    command: str
    timeout_s: Annotated[float, Field(gt=0, le=86_400, strict=False)] | None = None


class HostTerminals:
    """The host terminals of one page; `close` ends them with it.

    Args:
        policy: What it may have of this machine.
        consent: What its person agreed to.
        on_change: Called whenever another number of them is open.
    """

    def __init__(
        self, policy: HostPolicy, consent: Consent, on_change: Callable[[], None] = lambda: None
    ) -> None:
        self._policy = policy
        self._consent = consent
        self._on_change = on_change
        self._open: dict[int, HostTerminal] = {}
        self._starting = 0
        self._last = 0
        self._closed = False

    @property
    def count(self) -> int:
        """How many are open."""
        return len(self._open)

    def handlers(self) -> Mapping[str, Handler]:
        """The request methods, for `gemini.protocol.Connection`."""
        return {
            "host/open": taking(Open, self._start),
            "host/read": taking(Read, lambda told: self._find(told).read(told.most)),
            "host/write": taking(Write, self._write),
            "host/resize": taking(Resize, self._resize),
            "host/signal": taking(Signal, self._signal),
            "host/execute": taking(Execute, self._execute),
            "host/output": taking(Read, lambda told: self._find(told).output(told.most)),
            "host/close": taking(Of, self._end),
        }

    async def close(self) -> None:
        """The page has gone: end all that runs for it, at the same time."""
        self._closed = True
        terminals = list(self._open.values())
        self._open.clear()
        await asyncio.gather(*(terminal.close() for terminal in terminals))

    async def _start(self, asked: Open) -> Params:
        self._policy.require_allowed()
        working_dir = self._policy.directory(asked.working_dir)
        if len(self._open) + self._starting >= self._policy.most_terminals:
            raise TerminalProblem(
                f"{self._policy.most_terminals} host terminals are open, which is the most",
                hint="Close one that isn't needed.",
            )
        self._consent.require("open", SHELL, working_dir)
        log.info("host terminal in %s", working_dir)
        self._starting += 1
        try:
            terminal = await open_terminal(self._policy, working_dir, asked.columns, asked.rows)
        finally:
            self._starting -= 1
        if self._closed:
            await terminal.close()
            raise TerminalProblem("the page has gone")
        self._last += 1
        self._open[self._last] = terminal
        self._on_change()
        return {"terminal": self._last, "working_dir": working_dir}

    async def _write(self, asked: Write) -> Params:
        terminal = self._find(asked)
        self._consent.require("type", asked.data, terminal.working_dir)
        await terminal.write(asked.data)
        return {}

    async def _resize(self, asked: Resize) -> Params:
        self._find(asked).resize(asked.columns, asked.rows)
        return {}

    async def _signal(self, asked: Signal) -> Params:
        self._find(asked).signal(SIGNALS[asked.signal])
        return {}

    async def _execute(self, asked: Execute) -> Params:
        terminal = self._find(asked)
        working_dir = self._policy.directory(terminal.working_dir)
        self._consent.require("execute", asked.command, working_dir)
        log.info("host command in %s: %s", working_dir, asked.command)
        return await terminal.execute(asked.command, asked.timeout_s)

    async def _end(self, asked: Of) -> Params:
        terminal = self._find(asked)
        del self._open[asked.terminal]
        self._on_change()
        await terminal.close()
        return {}

    def _find(self, asked: Of) -> HostTerminal:
        terminal = self._open.get(asked.terminal)
        if terminal is None:
            raise TerminalMissing(f"there is no host terminal {asked.terminal}", hint="host/open makes one.")
        return terminal
