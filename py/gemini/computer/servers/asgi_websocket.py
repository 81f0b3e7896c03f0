"""WebSockets of ASGI applications (https://asgi.readthedocs.io/en/stable/specs/www.html#websocket)."""

from __future__ import annotations

import asyncio
import http
import traceback
from http.server import BaseHTTPRequestHandler
from typing import Any

from gemini.computer.servers import sockets, websocket
from gemini.computer.servers.asgi_types import Application, Message
from gemini.computer.servers.websocket import Closed, Connection

VERSION = "13"
# Unread messages after which no more are read of the connection.
MAX_WAITING = 32
# The time that the other side has to answer the end.
CLOSE_S = 5.0


class Exchange:
    """A WebSocket of an application.

    Args:
        handler: The connection, with the request.
        application: Answers it.
        scope: The request's HTTP scope, for the application.
    """

    def __init__(self, handler: BaseHTTPRequestHandler, application: Application, scope: Message) -> None:
        self._handler = handler
        self._application = application
        offered = handler.headers.get("sec-websocket-protocol", "")
        protocols = [name.strip() for name in offered.split(",") if name.strip()]
        self._scope = {**scope, "type": "websocket", "scheme": "ws", "subprotocols": protocols}
        del self._scope["method"]
        self._waiting: asyncio.Queue[Message] = asyncio.Queue(MAX_WAITING)
        self._waiting.put_nowait({"type": "websocket.connect"})
        self._connection: Connection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._is_refused = False

    async def run(self) -> None:
        """Let the application talk, until both sides have closed the connection."""
        key = self._handler.headers.get("sec-websocket-key")
        if not key or self._handler.headers.get("sec-websocket-version") != VERSION:
            self._handler.send_error(http.HTTPStatus.BAD_REQUEST, "This is no handshake of a WebSocket")
            return
        code = websocket.NORMAL
        try:
            await self._application(self._scope, self._waiting.get, self._send)
        except Exception:
            traceback.print_exc()
            code = websocket.FAILED
        if self._connection is None:
            if not self._is_refused:
                self._handler.send_error(http.HTTPStatus.INTERNAL_SERVER_ERROR)
            return
        await self._connection.close(code)
        await self._end()

    async def _end(self) -> None:
        assert self._connection is not None and self._reading is not None
        # Nobody takes what arrives now, which must not stop the reading.
        while not self._reading.done():
            taking = asyncio.ensure_future(self._waiting.get())
            done, _ = await asyncio.wait(
                {taking, self._reading}, timeout=CLOSE_S, return_when=asyncio.FIRST_COMPLETED
            )
            taking.cancel()
            if not done:
                self._connection.abort()

    async def _send(self, message: Message) -> None:
        kind = message["type"]
        if self._connection is None:
            self._begin(message)
        elif kind == "websocket.send":
            text, data = message.get("text"), message.get("bytes")
            await self._connection.send(bytes(data or b"") if text is None else text)
        elif kind == "websocket.close":
            await self._connection.close(message.get("code") or websocket.NORMAL, message.get("reason") or "")
        else:
            raise RuntimeError(f"unexpected ASGI message {kind!r}")

    def _begin(self, message: Message) -> None:
        handler = self._handler
        if message["type"] == "websocket.close" and not self._is_refused:
            self._is_refused = True
            handler.send_error(http.HTTPStatus.FORBIDDEN)
        elif message["type"] == "websocket.accept" and not self._is_refused:
            # The class's own version is for answers with an end.
            handler.protocol_version = "HTTP/1.1"
            handler.send_response(http.HTTPStatus.SWITCHING_PROTOCOLS)
            for pair in self._headers(message):
                handler.send_header(*pair)
            handler.end_headers()
            self._connection = Connection(sockets.end_of(handler.connection), is_client=False)
            self._reading = asyncio.create_task(self._read(self._connection))
        else:
            raise RuntimeError(f"unexpected ASGI message {message['type']!r}")

    def _headers(self, message: Message) -> list[tuple[str, str]]:
        key = self._handler.headers["sec-websocket-key"]
        headers = [
            ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", websocket.accepted(key)),
        ]  # fmt: skip
        if protocol := message.get("subprotocol"):
            headers.append(("Sec-WebSocket-Protocol", protocol))
        given: Any = message.get("headers", ())
        return headers + [
            (bytes(name).decode("latin-1"), bytes(value).decode("latin-1")) for name, value in given
        ]

    async def _read(self, connection: Connection) -> None:
        while True:
            received = await connection.receive()
            if isinstance(received, Closed):
                disconnect = {
                    "type": "websocket.disconnect",
                    "code": received.code,
                    "reason": received.reason,
                }
                await self._waiting.put(disconnect)
                return
            kind = "text" if isinstance(received, str) else "bytes"
            await self._waiting.put({"type": "websocket.receive", kind: received})
