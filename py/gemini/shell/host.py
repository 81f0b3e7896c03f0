"""The `host` backend: terminals of the person's machine, which the companion runs (`gemini_companion.host`)."""

import asyncio
import base64
from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from gemini.core import ffi
from gemini.core.protocol import Connection, Params, remote_error
from gemini.errors import (
    CapabilityMissing,
    GeminiError,
    NobodyToAsk,
    ProtocolError,
    TerminalMissing,
    TerminalProblem,
)
from gemini.python import process
from gemini.shell.backend import Finished, Tty
from gemini.shell.output import Stream
from gemini.tools.calls import current_call
from gemini.tools.consent import request_context

Request = Callable[[str, Params], Awaitable[Any]]
# The person's press for a terminal of their own, which the companion opens unasked.
_press: ContextVar[str | None] = ContextVar("gemini_host_press", default=None)
STREAMS: tuple[Stream, Stream] = ("stdout", "stderr")


class HostBackend:
    """Opens terminals through `request`, which is None while no companion is connected."""

    name = "host"
    raw = outside = True
    lacks: Mapping[str, str] = {}

    def __init__(self) -> None:
        self.request: Request | None = None
        self._connection: Connection | None = None
        self._listeners: list[Callable[[], None]] = []

    def on_attach(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever a companion comes or goes from now on."""
        self._listeners.append(listener)

    def attach(self, port: Any | None) -> None:
        """Reach the companion through a JavaScript MessagePort, and no longer through one before; None: it is gone."""
        if self._connection is not None:
            self._connection.close()
        self._connection, self.request = None, None
        if port is not None:
            connection = self._connection = Connection(port.postMessage, {})
            connection.on_close(ffi.listen(port, connection.receive))
            self.request = connection.request
        for listener in self._listeners:
            listener()

    def require(self) -> None:
        self._connected()

    async def ask_companion(self, method: str, params: Params) -> Any:
        """Ask the companion something that isn't about a terminal.

        Raises:
            NobodyToAsk: it, or whom it asks for us, has no answer; or it isn't connected.
        """
        if self.request is None:
            raise NobodyToAsk("the companion, by which MCP clients are asked, isn't connected")
        try:
            return await self.request(method, params)
        except ProtocolError as error:
            raise remote_error(error, NobodyToAsk) from None

    def is_complete(self, command: str) -> bool:
        return True

    async def open(self, tty: Tty, working_dir: str, state: str | None = None) -> "HostSession":
        request = self._connected()
        asked = {"columns": tty.columns, "rows": tty.rows, "working_dir": working_dir or None}
        told = await _ask(request, "host/open", {**asked, "press": _press.get(), "words": _words()})
        return HostSession(request, tty, told["terminal"], told["working_dir"])

    @contextmanager
    def pressed(self, press: str) -> Generator[None]:
        """Open terminals by a press of the person's while the block runs."""
        token = _press.set(press)
        try:
            yield
        finally:
            _press.reset(token)

    def _connected(self) -> Request:
        if self.request is None:
            raise CapabilityMissing(
                "the 'host' backend needs the companion on the person's machine, which isn't connected",
                hint="They can start it: control-surface serve --allow-host. The 'shell' backend is here without it.",
                data={"backend": self.name},
            )
        return self.request


class HostSession:
    """A PTY of the companion's, and the commands beside it."""

    def __init__(self, request: Request, tty: Tty, number: int, working_dir: str) -> None:
        self.working_dir = working_dir
        self._request = request
        self._tty = tty
        self._number = number
        self._telling: set[asyncio.Task[None]] = set()
        # It outlives the call that opened the terminal.
        self._reader = asyncio.get_running_loop().create_task(self._read(), context=process.detached())

    async def run(self, command: str, timeout_s: float | None, *, attended: bool = False) -> Finished:
        asked = {"command": command, "timeout_s": timeout_s, "words": _words()}
        running = asyncio.ensure_future(self._ask("host/execute", **asked))
        try:
            while not await self._pass_on(running):
                pass
            done = await running
        finally:
            running.cancel()
        self.working_dir = done["working_dir"]
        return Finished(done["exit_code"], self.working_dir, done["ended"])

    async def _pass_on(self, running: asyncio.Future[Any]) -> bool:
        """Print what the command has printed next; whether that was all, or the command was refused."""
        output = asyncio.ensure_future(self._ask("host/output"))
        try:
            await asyncio.wait([output, running], return_when=asyncio.FIRST_COMPLETED)
            if not output.done():
                return True
            told = await output
        finally:
            output.cancel()
        for stream in STREAMS:
            if told[stream]:
                self._tty.write(stream, base64.b64decode(told[stream]))
        return told["ended"]

    async def keys(self, text: str) -> None:
        await self._ask("host/write", data=text, words=_words())

    async def answer(self, text: str) -> None:
        await self._ask("host/answer", data=text)

    def interrupt(self) -> None:
        self._tell(self._ask("host/signal", signal="INT"))

    def resize(self, columns: int, rows: int) -> None:
        self._tell(self._ask("host/resize", columns=columns, rows=rows))

    def state(self) -> str:
        """Nothing: what runs on the machine ends with the page, and what it left there is there."""
        return ""

    async def close(self) -> None:
        self._reader.cancel()
        # Where the shell or the connection has ended there is nothing left to close.
        with suppress(TerminalMissing, ProtocolError):
            await self._ask("host/close")

    async def _read(self) -> None:
        try:
            told = await self._ask("host/read")
            while not told["ended"]:
                await self._tty.draw(told["data"])
                told = await self._ask("host/read")
        except GeminiError as problem:
            self._tty.ended(problem.message)
            return
        await self._let_go(told["exit_code"])

    async def _let_go(self, exit_code: int) -> None:
        """The shell has ended by itself: let go of what is left of its terminal, and say so."""
        with suppress(TerminalMissing, ProtocolError):
            await self._ask("host/close")
        self._tty.ended(f"The shell ended with exit code {exit_code}. A key starts another.")

    def _tell(self, request: Coroutine[Any, Any, Any]) -> None:
        """Ask for what nobody waits for; what is wrong with it is said on the terminal."""

        async def ask() -> None:
            try:
                await request
            except GeminiError as problem:
                await self._tty.draw(f"\r\n\x1b[2m[{problem.message}]\x1b[0m\r\n")

        task = asyncio.get_running_loop().create_task(ask(), context=process.detached())
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _ask(self, method: str, **params: Any) -> Any:
        return await _ask(self._request, method, {"terminal": self._number, **params})


def _words() -> dict[str, Any]:
    """What the person is told of who asks; the companion shows the rest by itself."""
    return request_context(current_call())


async def _ask(request: Request, method: str, params: Params) -> Any:
    try:
        return await request(method, params)
    except ProtocolError as error:
        raise remote_error(error, TerminalProblem) from error
