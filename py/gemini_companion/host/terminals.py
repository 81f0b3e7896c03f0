"""What one page may ask of this machine, as handlers of its JSON-RPC connection.

Python in the page asks:

    host/open {columns, rows, working_dir?, press?, words?} -> {terminal, working_dir}        asks the person
    host/read {terminal, most?} -> {data, ended, exit_code?}          the PTY's text; waits until there is some
    host/write {terminal, data, words?} -> {}                                                 asks the person
    host/answer {terminal, data} -> {}                                what the terminal emulator answers to a program's
                                                                      output; a shell's prompt gets none
    host/resize {terminal, columns, rows} -> {}
    host/signal {terminal, signal} -> {}                              to the command that runs, or the foreground
    host/execute {terminal, command, timeout_s?, words?} -> {exit_code, working_dir, ended}   asks the person
    host/output {terminal, most?} -> {stdout, stderr, ended}          its output, base64; waits until there is some
    host/close {terminal} -> {}

The page itself asks, and Python can't (web/ui/companion/link.js):

    host/press {} -> {press}                       the person pressed for a terminal of their own: `host/open` with this
                                                   opens it unasked, once
    host/keys {press, data} -> {}                  the person's own keys in that terminal
    host/revoke {grant?} -> {}                     takes back one grant, or all

`words` are Python's, for the question. What isn't read stays in the system's pipes, so a program that nobody listens to
waits.
"""

import asyncio
import logging
import signal
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from gemini.core.protocol import Handler, Params
from gemini.errors import ProtocolError, Refused, TerminalMissing, TerminalProblem
from gemini_companion.host.answers import is_answer
from gemini_companion.host.consent import Act, Consent
from gemini_companion.host.policy import HostPolicy
from gemini_companion.host.presses import Presses
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


class Spoken(Asked):
    words: dict[str, Any] | None = None


class Open(Spoken):
    columns: Size = 80
    rows: Size = 24
    working_dir: str | None = None
    press: str | None = None


class Of(Asked):
    terminal: int


class Read(Of):
    most: Annotated[int, Field(ge=1)] = 256 * 1024


class Write(Of, Spoken):
    data: str


class Press(Asked): ...


class Keys(Asked):
    press: str
    data: str


class Answer(Of):
    data: str


class Resize(Of):
    columns: Size
    rows: Size


class Signal(Of):
    signal: Literal["INT", "QUIT", "TERM", "HUP", "KILL", "TSTP", "CONT"]


class Execute(Of, Spoken):
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
        self._presses = Presses()
        self._open: dict[int, HostTerminal] = {}
        self._starting = 0
        self._last = 0
        self._closed = False

    @property
    def count(self) -> int:
        """How many are open."""
        return len(self._open)

    def handlers(self) -> Mapping[str, Handler]:
        """The request methods, for `gemini.core.protocol.Connection`."""
        return {
            "host/press": taking(Press, self._press),
            "host/keys": taking(Keys, self._keys),
            "host/open": taking(Open, self._start),
            "host/read": taking(Read, lambda told: self._find(told).read(told.most)),
            "host/write": taking(Write, self._write),
            "host/answer": taking(Answer, self._answer),
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
        self._require_room()
        press = self._presses.use(asked.press)
        if press is None:
            await self._consent.require(Act("open", SHELL, working_dir), asked.words)
        self._require_room()
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
        if press is not None:
            self._presses.bind(press, self._last)
        self._on_change()
        return {"terminal": self._last, "working_dir": working_dir}

    def _require_room(self) -> None:
        if self._closed:
            raise TerminalProblem("the page has gone")
        if len(self._open) + self._starting >= self._policy.most_terminals:
            raise TerminalProblem(
                f"{self._policy.most_terminals} host terminals are open, which is the most",
                hint="Close one that isn't needed.",
            )

    async def _press(self, _: Press) -> Params:
        self._policy.require_allowed()
        return {"press": self._presses.add()}

    async def _keys(self, asked: Keys) -> Params:
        number = self._presses.terminal(asked.press)
        terminal = None if number is None else self._open.get(number)
        if terminal is None:
            raise TerminalMissing("the person's terminal has ended", hint="Open another one.")
        await terminal.write(asked.data)
        return {}

    async def _write(self, asked: Write) -> Params:
        terminal = self._find(asked)
        reader = terminal.reader()
        directory = reader.directory if reader else terminal.working_dir
        act = Act("type", asked.data, directory, reader.program if reader else None)
        asked_person = await self._consent.require(act, asked.words)
        now = self._find(asked).reader()
        if asked_person and (now and now.program) != (reader and reader.program):
            raise _changed("another program reads the keys")
        await terminal.write(asked.data)
        return {}

    async def _answer(self, asked: Answer) -> Params:
        terminal = self._find(asked)
        if not is_answer(asked.data):
            raise ProtocolError("host/answer takes one answer of a terminal emulator; host/write types")
        await terminal.answer(asked.data)
        return {}

    async def _resize(self, asked: Resize) -> Params:
        self._find(asked).resize(asked.columns, asked.rows)
        return {}

    async def _signal(self, asked: Signal) -> Params:
        terminal = self._find(asked)
        if self._presses.is_of_person(asked.terminal) and not terminal.runs_command:
            raise Refused(
                "what runs in a terminal of the person's own is theirs to stop",
                hint="They can press Ctrl+C there.",
            )
        terminal.signal(SIGNALS[asked.signal])
        return {}

    async def _execute(self, asked: Execute) -> Params:
        terminal = self._find(asked)
        working_dir = self._policy.directory(terminal.working_dir)
        state, program = terminal.state, terminal.program_of(asked.command)
        act = Act("run", asked.command, working_dir, program, coverable=program is not None)
        await self._consent.require(act, asked.words)
        if self._find(asked).state is not state:
            raise _changed("another command has run")
        log.info("host command in %s: %s", working_dir, asked.command)
        return await terminal.execute(asked.command, asked.timeout_s)

    async def _end(self, asked: Of) -> Params:
        terminal = self._find(asked)
        del self._open[asked.terminal]
        self._presses.forget(asked.terminal)
        self._on_change()
        await terminal.close()
        return {}

    def _find(self, asked: Of) -> HostTerminal:
        terminal = self._open.get(asked.terminal)
        if terminal is None:
            raise TerminalMissing(f"there is no host terminal {asked.terminal}", hint="host/open makes one.")
        return terminal


def _changed(what: str) -> Refused:
    """What was agreed to is no longer what would be done."""
    return Refused(f"{what} in this terminal since the person was asked", hint="Ask again.")
