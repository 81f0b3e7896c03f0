"""HTTP connections with limits, which uvicorn has none of: on time, on how many there are, and on what nobody reads.

Any process of the machine, of any user, can open connections. So those of strangers make room for others first, then
those of the client that has most; the WebSockets of pages stay.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from gemini_companion.guard import ADMITTED, CROWDED, MALFORMED, REFUSALS, SLOW, UNREAD, Refusal

if sys.platform != "win32":
    import resource

# A hundred clients with ten calls each under way, and as many again.
MOST_CONNECTIONS = 2_048
# Of https://man7.org/linux/man-pages/man7/socket.7.html: linger, for no time.
AT_ONCE = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
# Terminals, logs, libraries.
OTHER_FILES = 512


@dataclass(frozen=True)
class Limits:
    """What one server takes; times in seconds, sizes in bytes."""

    request_s: float = 10
    """For a request's head to arrive, and again for its body."""
    idle_s: int = 60
    """For a connection on which the next request may come: longer than clients keep one, which is often 5 s, or else
    they ask when it is just being closed."""
    ping_s: float = 20
    """Between pings to a WebSocket, and for the answer to one."""
    message: int = 64 * 1024 * 1024
    """The largest message of a WebSocket; a larger one is answered with code 1009."""
    unread_s: float = 30
    """For a client to read some of an answer that waits for it."""
    unread: int = 64
    """Answers that wait for strangers to read them, each of which takes up to half a megabyte. A browser has six
    connections to a host, and reads."""
    connections: int = 256
    """Below the 1,024 files that a process may have open on most systems; see `room_for_connections`."""


def room_for_connections() -> int:
    """How many connections the system gives this process files for, after asking it for more."""
    if sys.platform == "win32":
        return MOST_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(soft - OTHER_FILES, soft // 2)
    return MOST_CONNECTIONS


class LimitedConfig(uvicorn.Config):
    """uvicorn's configuration for an application that is served with limits."""

    def __init__(self, app: Any, limits: Limits) -> None:
        super().__init__(
            app,
            # Lines by uvicorn would have paths with their queries, and as many as anybody likes.
            log_config=None,
            log_level="error",
            access_log=False,
            # asyncio's own loop and h11, whichever others happen to be installed.
            loop="asyncio",
            http=LimitedHttp,
            # Without compression: on loopback it costs time, and a small frame could become a large message.
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            ws_max_size=limits.message,
            ws_ping_interval=limits.ping_s,
            ws_ping_timeout=limits.ping_s,
            timeout_keep_alive=limits.idle_s,
            # Nothing stands before it, so nobody else can say who asks.
            proxy_headers=False,
            server_header=False,
        )
        self.limits = limits
        # Connections whose clients don't read, the one that waits longest first.
        self.unread: dict[LimitedHttp, None] = {}


class LimitedHttp(H11Protocol):
    """One connection: cut where a request doesn't arrive in time, or to make room for another connection."""

    def __init__(
        self,
        config: LimitedConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.limits = config.limits
        self.since = 0.0
        self._unread = config.unread
        self._stalled: asyncio.TimerHandle | None = None
        self._awaited: tuple[str, RequestResponseCycle | None] | None = None
        self._deadline: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nobody works on an answer."""
        return self._current is None or self._current.response_complete

    @property
    def owner(self) -> object:
        """Who was let in with the request that is answered, as the guard knows; None for strangers."""
        return None if self._current is None else self._current.scope.get(ADMITTED)

    @property
    def _current(self) -> RequestResponseCycle | None:
        # uvicorn has None there until the first request.
        return cast("RequestResponseCycle | None", self.cycle)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        has_room = self._make_room()
        super().connection_made(transport)
        self.since = self.loop.time()
        if has_room:
            self._watch()
        else:
            self._cut(CROWDED)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # The next request may have begun before the answer was there.
        self._watch()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread[self] = None
        self._wait_for_reader(self.transport.get_write_buffer_size())
        strangers = [each for each in self._unread if each.owner is None]
        if len(strangers) > self.limits.unread:
            strangers[0]._cut(UNREAD)

    def resume_writing(self) -> None:
        self._read()
        super().resume_writing()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._unwatch()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._unwatch()
        self._read()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        REFUSALS.tell(MALFORMED, self._peer)
        super().send_400_response(msg)

    @property
    def _peer(self) -> str:
        return self.client[0] if self.client else "unknown"

    def _make_room(self) -> bool:
        """Whether there is room for another connection, if need be in place of the one that has been idle longest."""
        if len(self.connections) < self.limits.connections:
            return True
        mine = [each for each in self.connections if isinstance(each, LimitedHttp)]
        oldest = min([each for each in mine if each.is_idle] or _of_most(mine), key=_since, default=None)
        if oldest is None:
            return False
        # Told of the end a moment later, when another one may have come already.
        self.connections.discard(oldest)
        oldest._cut(CROWDED)
        return True

    def _wait_for_reader(self, waiting: int) -> None:
        """Cuts the connection where its client has read nothing of `waiting` bytes when the time is over."""

        def look() -> None:
            left = self.transport.get_write_buffer_size()
            if left < waiting:
                self._wait_for_reader(left)
            else:
                self._cut(UNREAD)

        self._stalled = self.loop.call_later(self.limits.unread_s, look)

    def _read(self) -> None:
        self._unread.pop(self, None)
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _watch(self) -> None:
        """Has a deadline run for what is awaited now: every byte of it, so that single ones don't buy time."""
        awaited = self._await()
        if awaited == self._awaited:
            return
        self._unwatch()
        self._awaited = awaited
        if awaited is not None:
            self._deadline = self.loop.call_later(self.limits.request_s, self._too_late)

    def _await(self) -> tuple[str, RequestResponseCycle | None] | None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            # A WebSocket has it now, and pings.
            return None
        state = self.conn.their_state
        if state is h11.SEND_BODY:
            return "body", self._current
        # Between requests the limit on idle connections holds.
        begun = self._current is None or bool(self.conn.trailing_data[0])
        return ("head", self._current) if state is h11.IDLE and begun else None

    def _unwatch(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self._awaited = None

    def _too_late(self) -> None:
        if self.flow.read_paused and not self.is_idle:
            # The application hasn't taken what is here.
            self._deadline = self.loop.call_later(self.limits.request_s, self._too_late)
            return
        # Browsers open connections ahead of need, and that is nothing to report.
        unused = self._current is None and not self.conn.trailing_data[0]
        self._cut(None if unused else SLOW)

    def _cut(self, refusal: Refusal | None) -> None:
        if refusal is not None:
            REFUSALS.tell(refusal, self._peer)
        self._unwatch()
        self._read()
        if refusal is UNREAD:
            # Else the system goes on offering what it has of the answer.
            held: socket.socket = self.transport.get_extra_info("socket")
            held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        self.transport.abort()


def _since(connection: LimitedHttp) -> float:
    return connection.since


def _of_most(connections: list[LimitedHttp]) -> list[LimitedHttp]:
    """Those of the client, or of strangers, that have most of them."""
    owners = Counter(each.owner for each in connections)
    if not owners:
        return []
    most = max(owners, key=owners.__getitem__)
    return [each for each in connections if each.owner == most]
