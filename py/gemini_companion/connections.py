"""HTTP connections with limits, which uvicorn has none of: on time, and on how many there are."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import Any, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from gemini_companion.guard import CROWDED, MALFORMED, REFUSALS, SLOW, Refusal

if sys.platform != "win32":
    import resource

# A hundred clients with ten calls each under way, and as many again.
MOST_CONNECTIONS = 2_048
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
        self._awaited: tuple[str, RequestResponseCycle | None] | None = None
        self._deadline: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nobody works on an answer."""
        return self._current is None or self._current.response_complete

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

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._unwatch()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._unwatch()
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
        idle = [each for each in self.connections if isinstance(each, LimitedHttp) and each.is_idle]
        if not idle:
            return False
        oldest = min(idle, key=lambda each: each.since)
        # Told of the end a moment later, when another one may have come already.
        self.connections.discard(oldest)
        oldest._cut(CROWDED)
        return True

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
        self.transport.abort()
