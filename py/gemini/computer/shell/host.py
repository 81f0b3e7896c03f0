"""The `host` backend: terminals of the user's machine, which the companion runs (`gemini_companion.host`)."""

import asyncio
import base64
from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from gemini.computer.python import process
from gemini.computer.shell.backend import Finished, Tty
from gemini.computer.shell.output import Stream
from gemini.core import ffi
from gemini.core.protocol import Connection, Params, remote_error
from gemini.errors import (
    CapabilityMissing,
    CompanionLost,
    CompanionProblem,
    GeminiError,
    ProtocolError,
    TerminalMissing,
    TerminalProblem,
)
from gemini.tools.calls import current_call
from gemini.tools.consent import request_context

Request = Callable[[str, Params], Awaitable[Any]]
# Proof that the user pressed the button for a new terminal; the companion then opens it without asking.
_press: ContextVar[str | None] = ContextVar("gemini_host_press", default=None)
STREAMS: tuple[Stream, Stream] = ("stdout", "stderr")


class HostBackend:
    """The backend of the host. Its `request` is None while no companion is connected."""

    name = "host"
    raw = outside = True
    lacks: Mapping[str, str] = {}

    def __init__(self) -> None:
        self.request: Request | None = None
        self._connection: Connection | None = None
        self._listeners: list[Callable[[], None]] = []
        self._notices: dict[str, Callable[[Params], None]] = {}

    def on_attach(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever a companion connects or disconnects."""
        self._listeners.append(listener)

    def on_notice(self, method: str, listener: Callable[[Params], None]) -> None:
        """Call `listener` with the parameters of each notification of that method, of any companion."""
        self._notices[method] = listener

    def attach(self, port: Any | None) -> None:
        """Connect to the companion through a MessagePort, or disconnect if it is None; close the previous port."""
        if self._connection is not None:
            self._connection.close()
        self._connection, self.request = None, None
        if port is not None:
            connection = self._connection = Connection(port.postMessage, {}, listeners=self._notices)
            connection.on_close(ffi.listen(port, connection.receive))
            self.request = connection.request
        for listener in self._listeners:
            listener()

    def require(self) -> None:
        """Raise CapabilityMissing if no companion is connected."""
        self._connect()

    async def ask_companion(
        self, method: str, params: Params, problem: type[GeminiError] = CompanionProblem
    ) -> Any:
        """Send the companion a request that isn't about a terminal, and return the result.

        Args:
            method: The name of the request.
            params: Its parameters.
            problem: The kind of the errors that only the companion knows.

        Raises:
            CompanionLost: The companion isn't connected, or disconnects before it answers.
            NobodyToAsk: The client that the companion asks doesn't answer.
            GeminiError: The companion refused or failed. `type` names its error, whose kind is `problem` if only the
                companion knows it.
        """
        request = self.request
        if request is None:
            raise CompanionLost("the companion, which asks MCP clients, isn't connected")
        try:
            return await request(method, params)
        except ProtocolError as error:
            if self.request is not request:
                raise CompanionLost("the companion disconnected before it answered") from None
            raise remote_error(error, problem) from None

    def is_complete(self, command: str) -> bool:
        """Return True: the host's shell reads incomplete lines itself."""
        return True

    async def open(self, tty: Tty, working_dir: str, state: str | None = None) -> "HostSession":
        """Open a terminal on the host.

        Raises:
            CapabilityMissing: No companion is connected.
            TerminalProblem: The companion could not open it.
        """
        request = self._connect()
        asked = {"columns": tty.columns, "rows": tty.rows, "working_dir": working_dir or None}
        reply = await _ask(request, "host/open", {**asked, "press": _press.get(), "words": _caller_context()})
        return HostSession(request, tty, reply["terminal"], reply["working_dir"])

    @contextmanager
    def pressed(self, press: str) -> Generator[None]:
        """Open terminals with the user's press while the block runs."""
        token = _press.set(press)
        try:
            yield
        finally:
            _press.reset(token)

    def _connect(self) -> Request:
        if self.request is None:
            raise CapabilityMissing(
                "the 'host' backend needs the companion on the user's machine, which isn't connected",
                hint="They can start it: control-surface serve --allow-host (in a source tree: python3 build.py serve "
                "--allow-host). The 'shell' backend works without it.",
                data={"backend": self.name},
            )
        return self.request


class HostSession:
    """A PTY of the companion, and commands that run separately from it.

    Args:
        request: Sends requests to the companion.
        tty: The shell's terminal.
        number: The companion's number of the terminal.
        working_dir: The initial directory.
    """

    def __init__(self, request: Request, tty: Tty, number: int, working_dir: str) -> None:
        self.working_dir = working_dir
        self._request = request
        self._tty = tty
        self._number = number
        self._background: set[asyncio.Task[None]] = set()
        # The reader outlives the call that opened the terminal.
        self._reader = asyncio.get_running_loop().create_task(self._read(), context=process.detached())

    async def run(
        self, command: str, timeout_s: float | None, *, attended: bool = False, watched: bool = False
    ) -> Finished:
        """Run a command separately from the PTY; see `Session.run`."""
        asked = {"command": command, "timeout_s": timeout_s, "words": _caller_context()}
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
        """Print the command's next output; return True if that was all, or if the command was refused."""
        output = asyncio.ensure_future(self._ask("host/output"))
        try:
            await asyncio.wait([output, running], return_when=asyncio.FIRST_COMPLETED)
            if not output.done():
                return True
            reply = await output
        finally:
            output.cancel()
        for stream in STREAMS:
            if reply[stream]:
                self._tty.write(stream, base64.b64decode(reply[stream]))
        return reply["ended"]

    async def keys(self, text: str) -> None:
        """Type keys into the PTY."""
        await self._ask("host/write", data=text, words=_caller_context())

    async def answer(self, text: str) -> None:
        """Send the PTY a reply of the terminal emulator."""
        await self._ask("host/answer", data=text)

    def interrupt(self) -> None:
        """Send SIGINT without waiting."""
        self._send(self._ask("host/signal", signal="INT"))

    def resize(self, columns: int, rows: int) -> None:
        """Resize the PTY without waiting."""
        self._send(self._ask("host/resize", columns=columns, rows=rows))

    def complete(self, before: str) -> list[str]:
        """Return nothing: the host's shell does its own completion."""
        return []

    def state(self) -> str:
        """Return an empty state: the session ends with the page."""
        return ""

    async def settled(self) -> None:
        """Do nothing: there is no state."""

    async def close(self) -> None:
        """Close the PTY and end its commands."""
        self._reader.cancel()
        # After the shell or the connection has ended, there is nothing left to close.
        with suppress(TerminalMissing, ProtocolError):
            await self._ask("host/close")

    async def _read(self) -> None:
        try:
            reply = await self._ask("host/read")
            while not reply["ended"]:
                await self._tty.draw(reply["data"])
                reply = await self._ask("host/read")
        except GeminiError as problem:
            self._tty.ended(problem.message)
            return
        await self._report_exit(reply["exit_code"])

    async def _report_exit(self, exit_code: int) -> None:
        """Close the PTY after its shell ended on its own, and report the end."""
        with suppress(TerminalMissing, ProtocolError):
            await self._ask("host/close")
        self._tty.ended(f"The shell ended with exit code {exit_code}. Press a key to start another.")

    def _send(self, request: Coroutine[Any, Any, Any]) -> None:
        """Send a request without waiting; show its error on the terminal."""

        async def ask() -> None:
            try:
                await request
            except GeminiError as problem:
                await self._tty.draw(f"\r\n\x1b[2m[{problem.message}]\x1b[0m\r\n")

        task = asyncio.get_running_loop().create_task(ask(), context=process.detached())
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        # A task that is cancelled before its first step has never awaited the request.
        task.add_done_callback(lambda _: request.close())

    async def _ask(self, method: str, **params: Any) -> Any:
        return await _ask(self._request, method, {"terminal": self._number, **params})


def _caller_context() -> dict[str, Any]:
    """Return the caller's description for the consent prompt; the companion adds the rest."""
    return request_context(current_call())


async def _ask(request: Request, method: str, params: Params) -> Any:
    try:
        return await request(method, params)
    except ProtocolError as error:
        raise remote_error(error, TerminalProblem) from error
