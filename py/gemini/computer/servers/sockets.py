"""The methods of `socket.socket` for connections within the page, and `select`.

A method that has to wait suspends the program's stack. Sockets that were neither bound nor connected to this page keep
the methods that they had.
"""

from __future__ import annotations

import _socket
import asyncio
import errno
import os
import select as _select
import socket
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gemini.computer.python import process, tracebacks
from gemini.computer.servers import ports, requests
from gemini.computer.servers.ports import End, Listener
from gemini.core import ffi

tracebacks.hide_frames_of(__file__)
tracebacks.hide_frames_of(ports.__file__)
requests.answer_fetches()

_FAMILIES = (socket.AF_INET, socket.AF_INET6)
_NO_WAITING = (
    "waiting for a connection needs a browser that can suspend Python (Chromium 137 or newer). "
    "Show files with browser_navigate instead"
)


@dataclass
class _State:
    """The state of a socket within the page: bound or connected. Sockets of `fromfd` share it."""

    listener: Listener | None = None
    end: End | None = None
    sockets: int = 0


_states: weakref.WeakKeyDictionary[socket.socket, _State] = weakref.WeakKeyDictionary()
_releases: weakref.WeakKeyDictionary[socket.socket, Callable[[], object]] = weakref.WeakKeyDictionary()
_by_number: weakref.WeakValueDictionary[int, socket.socket] = weakref.WeakValueDictionary()
# The functions that `gemini.computer.servers.install` has replaced.
_original_select: Callable[..., Any] = getattr(_select.select, "__wrapped__", _select.select)
_original_connect: Callable[..., Any] = _socket.socket.connect
_original_fromfd: Callable[..., socket.socket] = getattr(socket.fromfd, "__wrapped__", socket.fromfd)
_original_close: Callable[..., Any] = _socket.socket.close


def _adopt(sock: socket.socket, state: _State) -> None:
    _states[sock] = state
    _by_number[sock.fileno()] = sock
    state.sockets += 1
    # It releases once, whichever comes first: closing, the end of the program, or the end of the object.
    _releases[sock] = release = weakref.finalize(sock, _release, state)
    owner = process.current()
    if owner is not None:
        # A program that ends without closing its sockets frees its ports, as an operating system does.
        owner.at_end.append(release)


def _release(state: _State) -> None:
    state.sockets -= 1
    if state.sockets:
        return
    if state.listener is not None:
        state.listener.close()
    if state.end is not None:
        state.end.close()


def _is_tcp(sock: socket.socket) -> bool:
    return sock.family in _FAMILIES and sock.type == socket.SOCK_STREAM


def listener_of(sock: socket.socket) -> Listener:
    """Return what a socket listens with.

    Raises:
        OSError: It is bound to no port of the page.
    """
    state = _states.get(sock)
    if state is None or state.listener is None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    return state.listener


def end_of(sock: socket.socket) -> End:
    """Return a socket's end of its connection.

    Raises:
        OSError: It isn't connected.
    """
    state = _states.get(sock)
    if state is None or state.end is None:
        raise OSError(errno.ENOTCONN, os.strerror(errno.ENOTCONN))
    return state.end


def _wait(sock: socket.socket, change: asyncio.Future[None]) -> None:
    timeout = sock.gettimeout()
    if timeout == 0:
        change.cancel()
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    if not ffi.can_wait():
        change.cancel()
        raise OSError(errno.ENOSYS, _NO_WAITING)
    ffi.wait(change if timeout is None else asyncio.wait_for(change, timeout))


def fromfd(number: int, family: int, kind: int, proto: int = 0) -> socket.socket:
    """Return another socket for the address that the descriptor's one is bound or connected to; see `socket.fromfd`."""
    sock = _by_number.get(number)
    if sock is None:
        return _original_fromfd(number, family, kind, proto)
    made = socket.socket(family, kind, proto)
    _adopt(made, _states[sock])
    return made


# --- Methods of socket.socket ---


def bind(sock: socket.socket, address: Any) -> None:
    """Reserve a port of the page."""
    if not _is_tcp(sock):
        _socket.socket.bind(sock, address)
        return
    if sock in _states:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    host = str(address[0])
    everywhere = "::" if sock.family == socket.AF_INET6 else "0.0.0.0"
    host = {"": everywhere, "localhost": ports.LOOPBACK}.get(host, host)
    _adopt(sock, _State(ports.bind(host, int(address[1]))))


def listen(sock: socket.socket, backlog: int = 0) -> None:
    """Accept connections from now on."""
    state = _states.get(sock)
    if state is None and _is_tcp(sock):
        state = _State(ports.bind("0.0.0.0", 0))
        _adopt(sock, state)
    if state is None or state.listener is None:
        _socket.socket.listen(sock, backlog)
    else:
        state.listener.listen()


def accept(sock: socket.socket) -> tuple[socket.socket, Any]:
    """Wait for a connection."""
    state = _states.get(sock)
    listener = state.listener if state else None
    if listener is None or not listener.listening:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    while not listener.waiting:
        _wait(sock, listener.changes.next())
        if listener.closed:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    end = listener.waiting.popleft()
    accepted = socket.socket(sock.family, sock.type, sock.proto)
    _adopt(accepted, _State(end=end))
    return accepted, _address(sock, end.peer_port)


def connect(sock: socket.socket, address: Any) -> None:
    """Connect to a server of the page."""
    if not _is_tcp(sock) or not ports.is_here(address[0]):
        _original_connect(sock, address)
        return
    _adopt(sock, _State(end=ports.connect(int(address[1]))))


def connect_ex(sock: socket.socket, address: Any) -> int:
    """Connect, and return the error's number or 0."""
    try:
        connect(sock, address)
    except OSError as error:
        return error.errno or errno.EIO
    return 0


def recv(sock: socket.socket, size: int, flags: int = 0) -> bytes:
    """Wait for data and return it; nothing at the end."""
    end = end_of(sock)
    while size and not end.is_readable:
        _wait(sock, end.changes.next())
    return end.read(size, keep=bool(flags & socket.MSG_PEEK))


def recv_into(sock: socket.socket, buffer: Any, size: int = 0, flags: int = 0) -> int:
    """Wait for data, write it to a buffer, and return its size in bytes."""
    view = memoryview(buffer).cast("B")
    data = recv(sock, size or len(view), flags)
    view[: len(data)] = data
    return len(data)


def send(sock: socket.socket, data: Any, flags: int = 0) -> int:
    """Wait for room, and send as much as fits."""
    end = end_of(sock)
    while not end.is_writable:
        _wait(sock, end.changes.next())
    return end.write(data)


def sendall(sock: socket.socket, data: Any, flags: int = 0) -> None:
    """Send everything."""
    rest = memoryview(data).cast("B")
    while rest:
        rest = rest[send(sock, rest, flags) :]


def sendfile(sock: Any, file: Any, offset: int = 0, count: int | None = None) -> int:
    """Send a file."""
    return int(sock._sendfile_use_send(file, offset, count))


def shutdown(sock: socket.socket, how: int) -> None:
    """End the sending direction."""
    end = end_of(sock)
    if how != socket.SHUT_RD:
        end.end()


def getsockname(sock: socket.socket) -> Any:
    """Return this end's address."""
    state = _states.get(sock)
    if state is None:
        return _socket.socket.getsockname(sock)
    if state.listener is not None:
        return _address(sock, state.listener.port, state.listener.host)
    return _address(sock, end_of(sock).port)


def getpeername(sock: socket.socket) -> Any:
    """Return the other end's address."""
    return _address(sock, end_of(sock).peer_port)


def _address(sock: socket.socket, port: int, host: str = "") -> Any:
    if sock.family == socket.AF_INET6:
        return (host or "::1", port, 0, 0)
    return (host or ports.LOOPBACK, port)


def setsockopt(sock: socket.socket, level: int, option: int, *value: Any) -> None:
    """Ignore the options of connections: within the page they change nothing."""
    if not _is_tcp(sock):
        _socket.socket.setsockopt(sock, level, option, *value)


def getsockopt(sock: socket.socket, level: int, option: int, *size: Any) -> Any:
    """Return the type of the socket; other options are 0."""
    if not _is_tcp(sock):
        original: Any = _socket.socket.getsockopt
        return original(sock, level, option, *size)
    return int(sock.type) if (level, option) == (socket.SOL_SOCKET, socket.SO_TYPE) else 0


def real_close(sock: socket.socket) -> None:
    """Close the socket, when its streams are closed as well."""
    if _states.pop(sock, None) is not None:
        _by_number.pop(sock.fileno(), None)
        _releases.pop(sock)()
    _original_close(sock)


# --- select ---


def _number(item: Any) -> int:
    return item if isinstance(item, int) else int(item.fileno())


def _is_ready(number: int, *, writing: bool) -> bool:
    sock = _by_number.get(number)
    state = _states.get(sock) if sock is not None else None
    if state is None:
        return False
    if state.end is not None:
        return state.end.is_writable if writing else state.end.is_readable
    return (
        not writing and state.listener is not None and bool(state.listener.waiting or state.listener.closed)
    )


def _changes(numbers: Iterable[int]) -> list[asyncio.Future[None]]:
    states = [
        _states[sock]
        for number in numbers
        if (sock := _by_number.get(number)) in _states and sock is not None
    ]
    sources = [state.end or state.listener for state in states]
    return [source.changes.next() for source in sources if source is not None]


def select(
    readers: Sequence[Any], writers: Sequence[Any], failures: Sequence[Any] = (), timeout: float | None = None
) -> tuple[list[Any], list[Any], list[Any]]:
    """Wait until one of the sockets is ready; see `select.select`."""
    numbers = {_number(item) for item in (*readers, *writers)}
    if numbers and not any(number in _by_number for number in numbers):
        return _original_select(readers, writers, failures, timeout)
    clock = asyncio.get_running_loop().time
    deadline = None if timeout is None else clock() + timeout
    while True:
        ready: tuple[list[Any], list[Any], list[Any]] = (
            [item for item in readers if _is_ready(_number(item), writing=False)],
            [item for item in writers if _is_ready(_number(item), writing=True)],
            [],
        )
        left = None if deadline is None else deadline - clock()
        if any(ready) or (left is not None and left <= 0):
            return ready
        if not ffi.can_wait():
            raise OSError(errno.ENOSYS, _NO_WAITING)
        ffi.wait(_first(_changes(numbers), left))


async def _first(changes: list[asyncio.Future[None]], timeout: float | None) -> None:
    if not changes:
        await asyncio.sleep(timeout or 0)
        return
    try:
        await asyncio.wait(changes, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for change in changes:
            change.cancel()


def select_of_selector(
    _: Any, readers: Any, writers: Any, failures: Any, timeout: float | None = None
) -> Any:
    """Wait for the sockets of a `selectors.SelectSelector`."""
    return select(list(readers), list(writers), (), timeout)
