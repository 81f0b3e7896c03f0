"""The table of listening ports, and connections to them. Nothing here waits: `Changes` says what to wait for."""

from __future__ import annotations

import asyncio
import errno
import os
from collections import deque
from collections.abc import Callable

from gemini.computer.python import process

LOOPBACK = "127.0.0.1"
NAMES = frozenset(["localhost", LOOPBACK, "::1", "0.0.0.0", "::", ""])
"""The hosts that mean this page, for servers and for clients."""

FIRST_EPHEMERAL = 49_152
LAST = 65_535
# The unread bytes of a connection after which its writer waits.
MAX_UNREAD = 1 << 18


def is_here(host: object) -> bool:
    """Return whether a host means this page: `localhost`, 127.0.0.1 and its like."""
    if isinstance(host, bytes | bytearray):
        host = bytes(host).decode("ascii", "replace")
    return isinstance(host, str) and host.lower() in NAMES


class Changes:
    """Notifies those that wait for the next change of an object."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []

    def next(self) -> asyncio.Future[None]:
        """Return a future that is done with the next change."""
        self._waiting = [each for each in self._waiting if not each.done()]
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        return future

    def notify(self) -> None:
        """End the waits."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)


class End:
    """One of the two ends of a connection.

    Args:
        port: The number of this end.
        peer_port: The number of the other end.

    Attributes:
        changes: Notifies of data, of room for it, and of the other end's closing.
    """

    def __init__(self, port: int, peer_port: int) -> None:
        self.port = port
        self.peer_port = peer_port
        self.changes = Changes()
        self._peer: End | None = None
        self._unread = bytearray()
        self._no_more = False
        self._closed = False
        self._reset = False

    def _join(self, peer: End) -> None:
        self._peer = peer

    @property
    def is_readable(self) -> bool:
        """Return whether there is data, or the end of it."""
        return bool(self._unread) or self._no_more or self._reset or self._closed

    @property
    def is_ended(self) -> bool:
        """Return whether the other end sends no more, and everything was read."""
        return not self._unread and (self._no_more or self._reset or self._closed)

    @property
    def is_writable(self) -> bool:
        """Return whether `write` would take data, or fail."""
        peer = self._peer
        return peer is None or peer._closed or peer._no_more or len(peer._unread) < MAX_UNREAD

    def read(self, count: int, *, keep: bool = False) -> bytes:
        """Return at most `count` bytes that are there; none at the end.

        Args:
            count: The most bytes.
            keep: Whether they can be read again.

        Raises:
            ConnectionResetError: The other end was closed before it had read everything.
        """
        data = bytes(self._unread[:count])
        if not data and self._reset:
            raise ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))
        if not keep:
            del self._unread[:count]
        if data and self._peer is not None:
            self._peer.changes.notify()
        return data

    async def received(self, count: int) -> bytes:
        """Wait for data and return at most `count` bytes; none at the end, also if the other end was closed early.

        Servers that refuse an upload close their end with unread input.
        """
        while not self.is_readable:
            await self.changes.next()
        try:
            return self.read(count)
        except ConnectionResetError:
            return b""

    def write(self, data: bytes | bytearray | memoryview) -> int:
        """Write as much as there is room for, and return its size in bytes.

        Raises:
            BrokenPipeError: The other end is closed, or this one doesn't write any more.
        """
        peer = self._peer
        if peer is None or peer._closed or peer._no_more:
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
        piece = memoryview(data).cast("B")[: MAX_UNREAD - len(peer._unread)]
        peer._unread += piece
        peer.changes.notify()
        return len(piece)

    def end(self) -> None:
        """Write no more; the other end reads to here."""
        if self._peer is not None:
            self._peer._no_more = True
            self._peer.changes.notify()

    def close(self) -> None:
        """Close this end."""
        if self._closed:
            return
        self._closed = True
        if self._unread and self._peer is not None:
            self._peer._reset = True
        self._unread.clear()
        self.end()
        self.changes.notify()


class Listener:
    """A port that is bound, and listens once `listen` was called.

    Args:
        host: The address it is bound to.
        port: Its number.

    Attributes:
        pid: The number of the shell's task that has bound it; 0 if none has.
    """

    def __init__(self, host: str, port: int) -> None:
        self.pid = process.job.get()
        self.host = host
        self.port = port
        self.listening = False
        self.changes = Changes()
        self.waiting: deque[End] = deque()
        """Connections that were not accepted yet."""
        self.closed = False

    def listen(self) -> None:
        """Accept connections from now on."""
        if not self.listening:
            self.listening = True
            _notify(self.port, True)

    def close(self) -> None:
        """Free the port, and refuse the connections that were not accepted."""
        if self.closed:
            return
        self.closed = True
        _bound.pop(self.port, None)
        if self.listening:
            self.listening = False
            _notify(self.port, False)
        while self.waiting:
            self.waiting.popleft().close()
        self.changes.notify()


_bound: dict[int, Listener] = {}
_last = FIRST_EPHEMERAL - 1
watchers: list[Callable[[int, bool], None]] = []
"""Called with a port, and whether it listens now."""


def _notify(port: int, listens: bool) -> None:
    for watcher in watchers:
        watcher(port, listens)


def _free_port() -> int:
    global _last  # noqa: PLW0603 - the page has one table of ports
    for _ in range(LAST - FIRST_EPHEMERAL + 1):
        _last = _last + 1 if _last < LAST else FIRST_EPHEMERAL
        if _last not in _bound:
            return _last
    raise OSError(errno.EADDRINUSE, "all ports are in use")


def bind(host: str, port: int) -> Listener:
    """Reserve a port; 0 chooses a free one.

    Raises:
        OSError: The port is in use (EADDRINUSE), or the host isn't this page (EADDRNOTAVAIL).
    """
    if not is_here(host):
        raise OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL))
    if not 0 <= port <= LAST:
        raise OverflowError("bind(): port must be 0-65535.")
    if port in _bound:
        raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
    listener = Listener(host, port or _free_port())
    _bound[listener.port] = listener
    return listener


def listening() -> list[Listener]:
    """Return the listening ports in order."""
    return [listener for _, listener in sorted(_bound.items()) if listener.listening]


def listens(port: int) -> bool:
    """Return whether something in the page listens at a port."""
    listener = _bound.get(port)
    return listener is not None and listener.listening


def connect(port: int) -> End:
    """Connect to a port and return this side's end.

    Raises:
        ConnectionRefusedError: Nothing listens there.
    """
    listener = _bound.get(port)
    if listener is None or not listener.listening:
        raise ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
    own = _free_port()
    here, there = End(own, port), End(port, own)
    here._join(there)  # pyright: ignore[reportPrivateUsage]
    there._join(here)  # pyright: ignore[reportPrivateUsage]
    listener.waiting.append(there)
    listener.changes.notify()
    return here
