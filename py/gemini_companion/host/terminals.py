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
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gemini.errors import InvalidArguments, TerminalMissing, TerminalProblem
from gemini.protocol import Handler, Params
from gemini_companion.host.consent import Consent
from gemini_companion.host.policy import HostPolicy
from gemini_companion.host.terminal import SHELL, HostTerminal, open_terminal

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


class Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


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


A = TypeVar("A", bound=Asked)


class HostTerminals:
    """The host terminals of one page; `close` ends them with it."""

    def __init__(self, policy: HostPolicy, consent: Consent) -> None:
        self._policy = policy
        self._consent = consent
        self._open: dict[int, HostTerminal] = {}
        self._starting = 0
        self._last = 0
        self._closed = False

    def handlers(self) -> Mapping[str, Handler]:
        """The request methods, for `gemini.protocol.Connection`."""
        return {
            "host/open": _asked(Open, self._start),
            "host/read": _asked(Read, lambda asked: self._find(asked).read(asked.most)),
            "host/write": _asked(Write, self._write),
            "host/resize": _asked(Resize, self._resize),
            "host/signal": _asked(Signal, self._signal),
            "host/execute": _asked(Execute, self._execute),
            "host/output": _asked(Read, lambda asked: self._find(asked).output(asked.most)),
            "host/close": _asked(Of, self._end),
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
        await terminal.close()
        return {}

    def _find(self, asked: Of) -> HostTerminal:
        terminal = self._open.get(asked.terminal)
        if terminal is None:
            raise TerminalMissing(f"there is no host terminal {asked.terminal}", hint="host/open makes one.")
        return terminal


def _asked(model: type[A], answer: Callable[[A], Awaitable[Params]]) -> Handler:
    """A handler that refuses parameters of the wrong shape."""

    def handle(params: Params) -> Awaitable[Any]:
        try:
            asked = model.model_validate(params)
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors(include_input=False)
            )
            raise InvalidArguments(f"parameters that don't fit: {problems}") from error
        return answer(asked)

    return handle
