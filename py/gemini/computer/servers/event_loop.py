"""asyncio's servers and connections within the page, which Pyodide's event loop lacks."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable
from typing import Any

from gemini.computer.python import tracebacks, transports
from gemini.computer.servers import ports, sockets

tracebacks.hide_frames_of(__file__)

CHUNK = 1 << 16
_ELSEWHERE = (
    "a page has no sockets to other machines. Use urllib, requests or httpx, which take the network door"
)


class _Transport(transports.ReadingTransport):
    """One end of a connection.

    Args:
        loop: The event loop.
        protocol: Receives the data.
        end: The end.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, protocol: Any, end: ports.End) -> None:
        names = {"peername": (ports.LOOPBACK, end.peer_port), "sockname": (ports.LOOPBACK, end.port)}
        super().__init__(loop, protocol, names)
        self._end = end
        self._left = bytearray()
        self._writing: asyncio.Task[None] | None = None
        protocol.connection_made(self)
        self._reading = loop.create_task(self._read())

    async def _read(self) -> None:
        while not self._closing:
            await self._goes_on.wait()
            while not self._end.is_readable:
                await self._end.changes.next()
            try:
                data = self._end.read(CHUNK)
            except ConnectionResetError as error:
                self._finish(error)
                return
            if not data:
                if not self._protocol.eof_received():
                    self.close()
                return
            self._protocol.data_received(data)

    def write(self, data: Any) -> None:
        if self._closing:
            return
        self._left += data
        if self._writing is None and not self._send():
            self._protocol.pause_writing()
            self._writing = self._loop.create_task(self._drain())

    def _send(self) -> bool:
        """Write what there is room for; return whether nothing is left."""
        try:
            while self._left and self._end.is_writable:
                del self._left[: self._end.write(self._left)]
        except BrokenPipeError as error:
            self._left.clear()
            self._finish(error)
        return not self._left

    async def _drain(self) -> None:
        while not self._send():
            await self._end.changes.next()
        self._writing = None
        if self._closing:
            self._finish(None)
        else:
            self._protocol.resume_writing()

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self._end.end()

    def get_write_buffer_size(self) -> int:
        return len(self._left)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Ignore the limits: the connection has its own."""

    def close(self) -> None:
        """Close the connection once everything is written."""
        self._closing = True
        if self._writing is None:
            self._finish(None)

    def abort(self) -> None:
        self._left.clear()
        self._finish(None)

    def _finish(self, error: Exception | None) -> None:
        self._closing = True
        protocol, self._protocol = self._protocol, _Lost()
        self._end.close()
        if asyncio.current_task() is not self._reading:
            self._reading.cancel()
        if not isinstance(protocol, _Lost):
            self._loop.call_soon(protocol.connection_lost, error)


class _Lost(asyncio.Protocol):
    """The protocol of a connection that was lost."""


class _Server(asyncio.AbstractServer):
    """A server whose protocols are created by a function.

    Args:
        loop: The event loop.
        create: Creates the protocol of a connection.
        listening: The sockets that listen.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, create: Callable[[], Any], listening: list[socket.socket]
    ) -> None:
        self._loop = loop
        self._create = create
        self._sockets = listening
        self._accepting: list[asyncio.Task[None]] = []
        self._transports: list[_Transport] = []

    @property
    def sockets(self) -> tuple[socket.socket, ...]:
        return tuple(self._sockets)

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def is_serving(self) -> bool:
        return bool(self._accepting)

    async def start_serving(self) -> None:
        self.start()

    def start(self) -> None:
        """Accept connections from now on."""
        if self._accepting:
            return
        for each in self._sockets:
            each.listen()
            listener = sockets.listener_of(each)
            self._accepting.append(self._loop.create_task(self._accept(listener)))

    async def _accept(self, listener: ports.Listener) -> None:
        while not listener.closed:
            while not listener.waiting and not listener.closed:
                await listener.changes.next()
            while listener.waiting:
                transport = _Transport(self._loop, self._create(), listener.waiting.popleft())
                self._transports = [each for each in self._transports if not each.is_closing()]
                self._transports.append(transport)

    def close(self) -> None:
        for each in self._sockets:
            each.close()
        self._sockets, self._accepting = [], []

    def close_clients(self) -> None:
        for each in self._transports:
            each.close()

    def abort_clients(self) -> None:
        for each in self._transports:
            each.abort()

    async def wait_closed(self) -> None:
        """Return at once: closing needs no time."""

    async def serve_forever(self) -> None:
        self.start()
        try:
            await self._loop.create_future()
        finally:
            self.close()


async def create_server(
    loop: asyncio.AbstractEventLoop,
    protocol_factory: Callable[[], Any],
    host: Any = None,
    port: int | None = None,
    *,
    sock: socket.socket | None = None,
    ssl: Any = None,
    start_serving: bool = True,
    **_: Any,
) -> asyncio.AbstractServer:
    """Create a server at a port of the page; see `loop.create_server`.

    Raises:
        OSError: The port is in use.
        ValueError: `ssl` was passed.
    """
    if ssl:
        raise ValueError("servers in a page have no TLS. Pass ssl=None, and open http://localhost")
    if sock is None:
        first = host if isinstance(host, str) or not host else next(iter(host))
        sock = socket.socket(socket.AF_INET6 if ":" in (first or "") else socket.AF_INET, socket.SOCK_STREAM)
        try:
            sock.bind((first or "", port or 0))
        except OSError as error:
            sock.close()
            reason = f"error while attempting to bind on address {(first, port)!r}: {error.strerror}"
            raise OSError(error.errno, reason) from None
    server = _Server(loop, protocol_factory, [sock])
    if start_serving:
        server.start()
    return server


async def create_connection(
    loop: asyncio.AbstractEventLoop,
    protocol_factory: Callable[[], Any],
    host: Any = None,
    port: int | None = None,
    *,
    ssl: Any = None,
    **_: Any,
) -> tuple[asyncio.Transport, Any]:
    """Connect to a server in the page; see `loop.create_connection`.

    Raises:
        OSError: Nothing listens there, or it is another machine.
    """
    if ssl or port is None or not ports.is_here(host):
        raise OSError(errno.ENETUNREACH, _ELSEWHERE)
    end = ports.connect(port)
    protocol = protocol_factory()
    return _Transport(loop, protocol, end), protocol
