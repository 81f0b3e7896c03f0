"""The methods by which a page uses this machine, as handlers of its JSON-RPC connection.

Python in the page sends:

    host/open {columns, rows, working_dir?, press?, words?} -> {terminal, working_dir}        asks the user
    host/read {terminal, most?} -> {data, ended, exit_code?}          the PTY's text; waits until there is some
    host/write {terminal, data, words?} -> {}                                                 asks the user
    host/answer {terminal, data} -> {}                                the terminal emulator's answer to a query in a
                                                                      program's output; dropped at a shell's prompt
    host/resize {terminal, columns, rows} -> {}
    host/signal {terminal, signal} -> {}                              to the command that runs, or the foreground
    host/execute {terminal, command, timeout_s?, words?} -> {exit_code, working_dir, ended}   asks the user
    host/output {terminal, most?} -> {stdout, stderr, ended}          its output, base64; waits until there is some
    host/close {terminal} -> {}

The page itself sends, and Python can't (web/ui/companion/link.ts):

    host/press {} -> {press}                       the user pressed for a terminal of their own: `host/open` with this
                                                   opens it without a question, once
    host/keys {press, data} -> {}                  the user's own keys in that terminal
    host/revoke {grant?} -> {}                     revokes one grant, or all

`words` are Python's, for the question. Unread output stays in the system's pipes, so its program waits.
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
from gemini_companion.host.consent import Consent, HostAction
from gemini_companion.host.policy import HostPolicy
from gemini_companion.host.presses import Presses
from gemini_companion.host.secret_variables import HostSecrets, divided
from gemini_companion.host.terminal import SHELL, HostTerminal, open_terminal
from gemini_companion.pages.parameters import MethodParams, NoParams, validated

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


class WithWords(MethodParams):
    """Parameters with Python's words for the question."""

    words: dict[str, Any] | None = None


class OpenParams(WithWords):
    """The parameters of `host/open`."""

    columns: Size = 80
    rows: Size = 24
    working_dir: str | None = None
    press: str | None = None


class TerminalParams(MethodParams):
    """The parameters of `host/close`, and the base of others that name a terminal."""

    terminal: int


class ReadParams(TerminalParams):
    """The parameters of `host/read` and `host/output`."""

    most: Annotated[int, Field(ge=1)] = 256 * 1024


class WriteParams(TerminalParams, WithWords):
    """The parameters of `host/write`."""

    data: str


class KeysParams(MethodParams):
    """The parameters of `host/keys`."""

    press: str
    data: str


class AnswerParams(TerminalParams):
    """The parameters of `host/answer`."""

    data: str


class ResizeParams(TerminalParams):
    """The parameters of `host/resize`."""

    columns: Size
    rows: Size


class SignalParams(TerminalParams):
    """The parameters of `host/signal`."""

    signal: Literal["INT", "QUIT", "TERM", "HUP", "KILL", "TSTP", "CONT"]


class ExecuteParams(TerminalParams, WithWords):
    """The parameters of `host/execute`."""

    command: str
    timeout_s: Annotated[float, Field(gt=0, le=86_400, strict=False)] | None = None


class HostTerminals:
    """The host terminals of one page; `close` ends them with it.

    Args:
        policy: The access to this machine.
        consent: Requires the user's consent.
        on_change: Called after each change of the number of open terminals.
        secrets: The secrets for commands.
    """

    def __init__(
        self,
        policy: HostPolicy,
        consent: Consent,
        on_change: Callable[[], None] = lambda: None,
        *,
        secrets: HostSecrets,
    ) -> None:
        self._policy = policy
        self._consent = consent
        self._on_change = on_change
        self._secrets = secrets
        self._presses = Presses()
        self._open: dict[int, HostTerminal] = {}
        self._starting = 0
        self._last = 0
        self._closed = False

    @property
    def count(self) -> int:
        """The number of open terminals."""
        return len(self._open)

    def handlers(self) -> Mapping[str, Handler]:
        """Return the request methods, for `gemini.core.protocol.Connection`."""
        return {
            "host/press": validated(NoParams, self._press),
            "host/keys": validated(KeysParams, self._keys),
            "host/open": validated(OpenParams, self._start),
            "host/read": validated(ReadParams, lambda params: self._find(params).read(params.most)),
            "host/write": validated(WriteParams, self._write),
            "host/answer": validated(AnswerParams, self._answer),
            "host/resize": validated(ResizeParams, self._resize),
            "host/signal": validated(SignalParams, self._signal),
            "host/execute": validated(ExecuteParams, self._execute),
            "host/output": validated(ReadParams, lambda params: self._find(params).output(params.most)),
            "host/close": validated(TerminalParams, self._end),
        }

    async def close(self) -> None:
        """End everything that runs for the page, all at once, since the page was closed."""
        self._closed = True
        terminals = list(self._open.values())
        self._open.clear()
        await asyncio.gather(*(terminal.close() for terminal in terminals))

    async def _start(self, params: OpenParams) -> Params:
        self._policy.require_allowed()
        working_dir = self._policy.directory(params.working_dir)
        self._require_room()
        press = self._presses.use(params.press)
        if press is None:
            await self._consent.require(HostAction("open", SHELL, working_dir), params.words)
        self._require_room()
        log.info("host terminal in %s", working_dir)
        self._starting += 1
        try:
            terminal = await open_terminal(self._policy, working_dir, params.columns, params.rows)
        finally:
            self._starting -= 1
        if self._closed:
            await terminal.close()
            raise TerminalProblem("the page was closed")
        self._last += 1
        self._open[self._last] = terminal
        if press is not None:
            self._presses.bind(press, self._last)
        self._on_change()
        return {"terminal": self._last, "working_dir": working_dir}

    def _require_room(self) -> None:
        if self._closed:
            raise TerminalProblem("the page was closed")
        if len(self._open) + self._starting >= self._policy.max_terminals:
            raise TerminalProblem(
                f"{self._policy.max_terminals} host terminals are open, which is the limit",
                hint="Close one that you don't need.",
            )

    async def _press(self, _: NoParams) -> Params:
        self._policy.require_allowed()
        return {"press": self._presses.add()}

    async def _keys(self, params: KeysParams) -> Params:
        number = self._presses.terminal(params.press)
        terminal = None if number is None else self._open.get(number)
        if terminal is None:
            raise TerminalMissing("the user's terminal has ended", hint="Open another one.")
        await terminal.write(params.data)
        return {}

    async def _write(self, params: WriteParams) -> Params:
        terminal = self._find(params)
        reader = terminal.reader()
        directory = reader.directory if reader else terminal.working_dir
        action = HostAction("type", params.data, directory, reader.program if reader else None)
        asked_person = await self._consent.require(action, params.words)
        now = self._find(params).reader()
        if asked_person and (now and now.program) != (reader and reader.program):
            raise _changed("another program reads the keys")
        await terminal.write(params.data)
        return {}

    async def _answer(self, params: AnswerParams) -> Params:
        terminal = self._find(params)
        if not is_answer(params.data):
            raise ProtocolError("host/answer takes one answer of a terminal emulator; use host/write to type")
        await terminal.answer(params.data)
        return {}

    async def _resize(self, params: ResizeParams) -> Params:
        self._find(params).resize(params.columns, params.rows)
        return {}

    async def _signal(self, params: SignalParams) -> Params:
        terminal = self._find(params)
        if self._presses.is_of_person(params.terminal) and not terminal.runs_command:
            raise Refused(
                "only the user can stop what runs in their own terminal",
                hint="They can press Ctrl+C there.",
            )
        terminal.signal(SIGNALS[params.signal])
        return {}

    async def _execute(self, params: ExecuteParams) -> Params:
        terminal = self._find(params)
        working_dir = self._policy.directory(terminal.working_dir)
        names, command = divided(params.command)
        self._secrets.require(names)
        state, program = terminal.state, terminal.program_of(params.command)
        coverable = program is not None
        action = HostAction("run", params.command, working_dir, program, coverable=coverable, secrets=names)
        await self._consent.require(action, params.words)
        given = await self._secrets.given(names)
        if self._find(params).state is not state:
            raise _changed("another command has run")
        log.info("host command in %s: %s", working_dir, params.command)
        return await terminal.execute(command, params.timeout_s, given)

    async def _end(self, params: TerminalParams) -> Params:
        terminal = self._find(params)
        del self._open[params.terminal]
        self._presses.forget(params.terminal)
        self._on_change()
        await terminal.close()
        return {}

    def _find(self, params: TerminalParams) -> HostTerminal:
        terminal = self._open.get(params.terminal)
        if terminal is None:
            raise TerminalMissing(f"there is no host terminal {params.terminal}", hint="host/open opens one.")
        return terminal


def _changed(what: str) -> Refused:
    """Return the error for an action that is no longer the one that was agreed to."""
    return Refused(f"{what} in this terminal since the user was asked", hint="Ask again.")
