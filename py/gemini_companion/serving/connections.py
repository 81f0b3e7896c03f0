"""HTTP connections with limits that uvicorn lacks: on time, on their number, and on answers that nobody reads.

Any process of the machine, of any user, can open connections. At the limit, strangers' are closed first, then
connections of the client that has the most. WebSockets of pages stay open.
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

from gemini_companion.admission.guard import (
    ADMITTED,
    COOKIES,
    CROWDED,
    MALFORMED,
    REFUSALS,
    SLOW,
    UNREAD,
    Refusal,
)
from gemini_companion.serving.long_cookies import LongHead

if sys.platform != "win32":
    import resource

# A hundred clients with ten concurrent calls each, and as many again.
MAX_CONNECTIONS = 2_048
# SO_LINGER, with a timeout of zero: https://man7.org/linux/man-pages/man7/socket.7.html
AT_ONCE = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
# For terminals, logs and libraries.
OTHER_FILES = 512


@dataclass(frozen=True)
class Limits:
    """The limits of one server; times in seconds, sizes in bytes."""

    request_s: float = 10
    """For a request's head to arrive, and again for its body."""
    idle_s: int = 60
    """For a connection to stay open between requests: longer than clients reuse one, often 5 s. Otherwise a request
    could arrive just as it closes."""
    ping_s: float = 20
    """Between pings of a WebSocket, and for the answer to each."""
    message: int = 64 * 1024 * 1024
    """The largest WebSocket message; a larger one is answered with code 1009."""
    unread_s: float = 30
    """For a client to read some of an answer that waits for it."""
    unread: int = 64
    """Answers that may wait for strangers to read them, each of which takes up to half a megabyte. A browser opens six
    connections to a host, and reads."""
    connections: int = 256
    """Below the 1,024 files that most systems let a process open; see `room_for_connections`."""


def room_for_connections() -> int:
    """Return how many connections this process may open, after raising the system's limit on files."""
    if sys.platform == "win32":
        return MAX_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(soft - OTHER_FILES, soft // 2)
    return MAX_CONNECTIONS


class LimitedConfig(uvicorn.Config):
    """uvicorn's configuration for an application with limits.

    Args:
        app: An ASGI application.
        limits: The limits of its connections.
    """

    def __init__(self, app: Any, limits: Limits) -> None:
        super().__init__(
            app,
            # uvicorn's lines would include paths with their queries, and strangers could fill the log.
            log_config=None,
            log_level="error",
            access_log=False,
            # asyncio's own loop and h11, whatever else is installed.
            loop="asyncio",
            http=LimitedHttp,
            # No compression: on loopback it costs time, and a small frame could expand into a large message.
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            ws_max_size=limits.message,
            ws_ping_interval=limits.ping_s,
            ws_ping_timeout=limits.ping_s,
            timeout_keep_alive=limits.idle_s,
            # No proxy stands in front, so headers that name a client's address are forged.
            proxy_headers=False,
            server_header=False,
        )
        self.limits = limits
        # Connections whose clients don't read, longest waiting first.
        self.unread: dict[LimitedHttp, None] = {}


class LimitedHttp(H11Protocol):
    """One connection: closed if a request doesn't arrive in time, or to make room for another connection."""

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
        self._read_timer: asyncio.TimerHandle | None = None
        self._awaited: tuple[str, RequestResponseCycle | None] | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._long_head: LongHead | None = None

    @property
    def is_idle(self) -> bool:
        """True while no answer is under way."""
        return self._current is None or self._current.response_complete

    @property
    def owner(self) -> object:
        """The identity that the guard admitted with the current request; None for strangers."""
        return None if self._current is None else self._current.scope.get(ADMITTED)

    @property
    def _current(self) -> RequestResponseCycle | None:
        # uvicorn has None there until the first request.
        return cast("RequestResponseCycle | None", self.cycle)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the deadline, or close the connection if there is no room."""
        has_room = self._make_room()
        super().connection_made(transport)
        self.since = self.loop.time()
        if has_room:
            self._update_deadline()
        else:
            self._abort(CROWDED)

    def data_received(self, data: bytes) -> None:
        """Pass the data on, and update the deadline."""
        if self._long_head is None:
            super().data_received(data)
        else:
            self._long_head.add(data)
            self._answer_long_head(self._long_head)
        self._update_deadline()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        # The next request may have started to arrive before the answer was complete.
        self._update_deadline()

    def pause_writing(self) -> None:
        """Start the time limit for a client that doesn't read."""
        super().pause_writing()
        self._unread[self] = None
        self._start_read_timer(self.transport.get_write_buffer_size())
        strangers = [each for each in self._unread if each.owner is None]
        if len(strangers) > self.limits.unread:
            strangers[0]._abort(UNREAD)

    def resume_writing(self) -> None:
        """Stop the time limit for reading."""
        self._stop_read_timer()
        super().resume_writing()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection to the WebSocket protocol, without a deadline or cookies: it limits a header to 8 kB."""
        self._stop_deadline()
        self.headers = [each for each in self.headers if each[0] != b"cookie"]
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers."""
        self._stop_deadline()
        self._stop_read_timer()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Log the refusal, and answer 400; or if cookies make the head too long, clear them when all of it is here."""
        self._long_head = LongHead.of(self.conn.trailing_data[0])
        if self._long_head is not None:
            REFUSALS.report(COOKIES, self._peer)
            self._answer_long_head(self._long_head)
            return
        REFUSALS.report(MALFORMED, self._peer)
        super().send_400_response(msg)

    def _answer_long_head(self, head: LongHead) -> None:
        if head.is_hopeless:
            self._abort(MALFORMED)
        elif head.is_complete:
            self.transport.write(head.answer())
            self.transport.close()

    @property
    def _peer(self) -> str:
        return self.client[0] if self.client else "unknown"

    def _make_room(self) -> bool:
        """Return whether there is room for another connection, after closing the longest idle one if necessary."""
        if len(self.connections) < self.limits.connections:
            return True
        mine = [each for each in self.connections if isinstance(each, LimitedHttp)]
        oldest = min(
            [each for each in mine if each.is_idle] or _of_busiest_owner(mine), key=_since, default=None
        )
        if oldest is None:
            return False
        # uvicorn removes it a moment later, when another connection may have arrived.
        self.connections.discard(oldest)
        oldest._abort(CROWDED)
        return True

    def _start_read_timer(self, waiting: int) -> None:
        """Close the connection if its client reads nothing of `waiting` bytes in time."""

        def check() -> None:
            left = self.transport.get_write_buffer_size()
            if left < waiting:
                self._start_read_timer(left)
            else:
                self._abort(UNREAD)

        self._read_timer = self.loop.call_later(self.limits.unread_s, check)

    def _stop_read_timer(self) -> None:
        self._unread.pop(self, None)
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None

    def _update_deadline(self) -> None:
        """Start a deadline for what must arrive next: for all of it, so that single bytes don't buy time."""
        awaited = self._awaited_part()
        if awaited == self._awaited:
            return
        self._stop_deadline()
        self._awaited = awaited
        if awaited is not None:
            self._deadline = self.loop.call_later(self.limits.request_s, self._on_deadline)

    def _awaited_part(self) -> tuple[str, RequestResponseCycle | None] | None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            # The WebSocket protocol has it now, and pings.
            return None
        if self._long_head is not None:
            return "head", self._current
        state = self.conn.their_state
        if state is h11.SEND_BODY:
            return "body", self._current
        # Between requests the limit on idle connections applies.
        started = self._current is None or bool(self.conn.trailing_data[0])
        return ("head", self._current) if state is h11.IDLE and started else None

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self._awaited = None

    def _on_deadline(self) -> None:
        if self.flow.read_paused and not self.is_idle:
            # The application hasn't read what has arrived.
            self._deadline = self.loop.call_later(self.limits.request_s, self._on_deadline)
            return
        # Browsers open connections ahead of need; that is no reason for a report.
        unused = self._current is None and not self.conn.trailing_data[0]
        self._abort(None if unused else SLOW)

    def _abort(self, refusal: Refusal | None) -> None:
        if refusal is not None:
            REFUSALS.report(refusal, self._peer)
        self._stop_deadline()
        self._stop_read_timer()
        if refusal is UNREAD:
            # Otherwise the system keeps offering the rest of the answer.
            connection_socket: socket.socket = self.transport.get_extra_info("socket")
            connection_socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        self.transport.abort()


def _since(connection: LimitedHttp) -> float:
    return connection.since


def _of_busiest_owner(connections: list[LimitedHttp]) -> list[LimitedHttp]:
    """Return the connections of the owner that has the most; strangers count as one owner."""
    owners = Counter(each.owner for each in connections)
    if not owners:
        return []
    most = max(owners, key=owners.__getitem__)
    return [each for each in connections if each.owner == most]
