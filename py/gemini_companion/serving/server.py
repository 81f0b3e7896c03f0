"""The companion's server: uvicorn on three ports of loopback.

The second port is the sites', the third the kernel's, so that both have their own origins.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import errno
import os
import socket
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING

import uvicorn

from gemini.errors import GeminiError
from gemini_companion.admission.identity import port_owner
from gemini_companion.serving.chosen_port import DEFAULT_PORT, HOST, Retained
from gemini_companion.serving.connections import LimitedConfig, Limits, room_for_connections

if TYPE_CHECKING:
    from starlette.types import ASGIApp

# At a stop, how long answers under way may take, and then applications that clean up, in seconds.
FINISH_S, CLEAN_UP_S = 0.3, 0.3
BACKLOG = 128
# From the surface's port to the kernel's, which must stay the same, since stored files belong to its origin.
TO_KERNEL = 100
SEND_BUFFER = 256 * 1024


class PortUnavailable(GeminiError):
    """The port is taken or may not be opened; `data` has it as `port`."""


class StartFailed(GeminiError):
    """An application did not start; the log says why."""


@dataclass(frozen=True)
class Port:
    """An open port of loopback."""

    socket: socket.socket
    number: int

    @property
    def hosts(self) -> tuple[str, str]:
        """The names by which browsers may address it. All accepted hosts and origins come from these."""
        return f"{HOST}:{self.number}", f"localhost:{self.number}"

    @property
    def url(self) -> str:
        """The address of the port, with a slash at its end."""
        return f"http://{HOST}:{self.number}/"

    def again(self) -> Port:
        """Return the port with a separate socket: it stays open when this one is closed."""
        return Port(self.socket.dup(), self.number)


class Server:
    """Opens its ports at once, so that no other process can take them before the application exists.

    Args:
        port: The surface's port; 0 selects a free one. The kernel uses `port` plus `TO_KERNEL`, or any free one if
            `port` is 0. The sites use the next port, or any free one.
        limits: The limits of connections.
        retained: The ports that the surface has retained from earlier ones.

    Raises:
        PortUnavailable: The port can't be opened; the message names its owner, if known.
    """

    def __init__(
        self, port: int = DEFAULT_PORT, *, limits: Limits | None = None, retained: Retained | None = None
    ) -> None:
        retained = retained or Retained()
        self.limits = limits or Limits(connections=room_for_connections())
        self.main = _open(port)
        of_kernel = retained.kernel or (_kernel_port(self.main.number) if port else 0)
        try:
            self.kernel = _open(of_kernel)
        except PortUnavailable:
            self.main.socket.close()
            raise
        try:
            self.sites = _bind(retained.sites or self.main.number + 1)
        except (OverflowError, OSError):
            self.sites = _bind(0)
        # The number by which the surface's own files are named.
        self.first = retained.former[0] if retained.former else self.main.number
        self.former: tuple[Port, ...] = ()
        for number in retained.former:
            # Another program may have it now.
            with contextlib.suppress(OSError):
                self.former = (*self.former, _bind(number))

    @property
    def url(self) -> str:
        """The surface's address."""
        return self.main.url

    @property
    def retained(self) -> Retained:
        """The ports that the surface keeps at its next start."""
        former = tuple(dict.fromkeys((self.first, *(port.number for port in self.former))))
        others = tuple(number for number in former if number != self.main.number)
        return Retained(self.kernel.number, self.sites.number, others)

    def moved(self, port: int) -> Server:
        """Open another port for the surface, and return a server with it.

        Both have all other ports, so that no program can take one of them when this server ends. The port that the
        surface has now becomes a former one.

        Raises:
            PortUnavailable: The port can't be opened, or is one of this server's.
        """
        if port in (self.main.number, self.kernel.number, self.sites.number):
            raise PortUnavailable(
                f"Port {port} is one of this companion's own.",
                hint="Choose another one.",
                data={"port": port},
            )
        back = next((each for each in self.former if each.number == port), None)
        server = copy.copy(self)
        server.main = _open(port) if back is None else back.again()
        server.kernel, server.sites = self.kernel.again(), self.sites.again()
        earlier = [each for each in self.former if each is not back]
        server.former = tuple(each.again() for each in (*earlier, self.main))
        return server

    def close(self) -> None:
        """Close the ports."""
        for port in (self.main, self.kernel, self.sites, *self.former):
            port.socket.close()

    @contextlib.asynccontextmanager
    async def serving(
        self,
        app: ASGIApp,
        *,
        kernel: ASGIApp | None = None,
        sites: ASGIApp | None = None,
        former: Callable[[Port], ASGIApp] | None = None,
    ) -> AsyncGenerator[str]:
        """Run an application, and others on additional ports, while the block runs; yield the URL.

        `former` returns the application of a port that the surface had before.

        At the end, answers have a moment to finish, WebSockets are closed with code 1012, and the ports are free.

        Raises:
            StartFailed: An application's `lifespan` did not start.
        """
        async with contextlib.AsyncExitStack() as stack:
            stack.callback(self.close)
            await stack.enter_async_context(_listening(self.main, app, self.limits))
            for port, beside in ((self.kernel, kernel), (self.sites, sites)):
                if beside is not None:
                    await stack.enter_async_context(_listening(port, beside, self.limits))
            if former is not None:
                for port in self.former:
                    await stack.enter_async_context(_listening(port, former(port), self.limits))
            yield self.url


@contextlib.contextmanager
def running(
    server: Server,
    app: ASGIApp,
    *,
    kernel: ASGIApp | None = None,
    sites: ASGIApp | None = None,
    former: Callable[[Port], ASGIApp] | None = None,
) -> Generator[str]:
    """Run `Server.serving` on its own thread and loop, for callers without a loop; yield the URL."""
    started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def serve() -> None:
        async with server.serving(app, kernel=kernel, sites=sites, former=former):
            stop = asyncio.Event()
            started.set_result((asyncio.get_running_loop(), stop))
            await stop.wait()

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as problem:
            # Before the start, the error goes to the caller, who waits for it.
            if started.done():
                raise
            started.set_exception(problem)

    thread = threading.Thread(target=run, name="control-surface")
    thread.start()
    try:
        loop, stop = started.result()
        try:
            yield server.url
        finally:
            loop.call_soon_threadsafe(stop.set)
    finally:
        thread.join()


@contextlib.asynccontextmanager
async def _listening(port: Port, app: ASGIApp, limits: Limits) -> AsyncGenerator[None]:
    listener = _Listener(LimitedConfig(app, limits))
    running = asyncio.create_task(listener.run_on(port.socket))
    ready = asyncio.create_task(listener.ready.wait())
    await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED)
    ready.cancel()
    if running.done():
        await running
    try:
        yield
    finally:
        listener.should_exit = True
        await running


class _Listener(uvicorn.Server):
    """uvicorn's server, which reports when it is ready, leaves signals alone and stops in time."""

    def __init__(self, config: LimitedConfig) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def run_on(self, listening: socket.socket) -> None:
        """Serve on a socket until `should_exit` is set."""
        try:
            await self.serve([listening])
        except SystemExit:
            raise StartFailed("The server's application did not start; the log says why.") from None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and report that the server is ready."""
        await super().startup(sockets)
        self.ready.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals to the command line."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: let answers finish, then cut connections, then cancel the rest."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        await self._settle(FINISH_S)
        # This ends applications that wait for a client that has left, or for the rest of its request.
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await self._settle(CLEAN_UP_S)
        for task in self.server_state.tasks:
            task.cancel()
        await self._settle(CLEAN_UP_S)
        await self.lifespan.shutdown()

    async def _settle(self, seconds: float) -> None:
        # uvicorn handles the end of a connection at the loop's next turn.
        await asyncio.sleep(0)
        if self.server_state.tasks:
            await asyncio.wait(set(self.server_state.tasks), timeout=seconds)
        await asyncio.sleep(0)


def _open(port: int) -> Port:
    """Open a port. Raises PortUnavailable."""
    try:
        return _bind(port)
    except (OverflowError, OSError) as problem:
        raise _unavailable(port, problem) from None


def _bind(port: int) -> Port:
    # With an explicit protocol, asyncio turns off Nagle's algorithm, which would delay the second of two writes
    # by 40 ms.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name != "nt":
            # A recently used port is free. On Windows this option would let two servers share one.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Bounds the system's buffer of an unread answer, which would grow to megabytes. Connections inherit it.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listening.bind((HOST, port))
        listening.listen(BACKLOG)
    except BaseException:
        listening.close()
        raise
    return Port(listening, listening.getsockname()[1])


def _kernel_port(port: int) -> int:
    return port + TO_KERNEL if port + TO_KERNEL < 65_536 else port - TO_KERNEL


def _unavailable(port: int, problem: Exception) -> PortUnavailable:
    hint = "Choose another one: in the settings, or with --port at the start."
    if isinstance(problem, OverflowError):
        message = f"{port} isn't a port number between 0 and 65535."
    elif isinstance(problem, OSError) and problem.errno == errno.EADDRINUSE:
        owner = port_owner(port)
        message = f"Port {port} is in use{f' by {owner}' if owner else ''}."
        hint = "Stop it, or choose another port: in the settings, or with --port at the start."
    elif isinstance(problem, OSError) and problem.errno in (errno.EACCES, errno.EPERM):
        message = f"Port {port} can't be opened by this user: the system reserves it."
        hint = "Choose one above 1023."
    else:
        message = f"Port {port} can't be opened: {problem}."
    return PortUnavailable(message, hint=hint, data={"port": port})
