"""Connections of aiohttp's client that use the browser's fetch.

aiohttp does all the rest: sessions, redirects, cookies, timeouts, streams. A connection takes one request as HTTP/1.1,
and returns the answer so. The browser decompresses answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from gemini.core import ffi

# These describe a connection, which the browser has instead.
OF_CONNECTION = frozenset(["connection", "keep-alive", "transfer-encoding"])
NO_WEB_SOCKETS = "WebSockets can't be used from the page's Python"
NO_PROXIES = "The page's requests can't use a proxy; the companion can (--network-proxy)"


def patch(module: Any) -> None:
    """Replace the method of `module.TCPConnector` that opens a connection."""

    async def create_connection(connector: Any, request: Any, *_: Any) -> Any:
        if request.proxy:
            raise module.ClientConnectionError(NO_PROXIES)
        protocol = connector._factory()
        protocol.connection_made(
            DoorTransport(str(request.url.origin()), protocol, module.ClientConnectionError)
        )
        return protocol

    module.TCPConnector._create_connection = create_connection


class DoorTransport(asyncio.Transport):
    """A connection that sends one request through the network door.

    Args:
        origin: The server's origin.
        protocol: aiohttp's protocol, which writes the request and reads the answer.
        failure: The class of the error if there is no answer.
    """

    def __init__(self, origin: str, protocol: Any, failure: type[Exception]) -> None:
        from aiohttp.base_protocol import BaseProtocol
        from aiohttp.http import HttpRequestParser

        super().__init__()
        self._origin = origin
        self._protocol = protocol
        self._failure = failure
        self._loop = asyncio.get_running_loop()
        limit = 2**16
        self._parser = HttpRequestParser(BaseProtocol(self._loop), self._loop, limit, auto_decompress=False)
        self._exchange: asyncio.Task[None] | None = None
        self._reading = asyncio.Event()
        self._reading.set()
        self._closing = False

    def write(self, data: Any) -> None:
        """Take a part of the request; its head starts the exchange."""
        messages, _, _ = self._parser.feed_data(bytes(data))
        for message, body in messages:
            self._exchange = self._loop.create_task(self._send(message, body))

    def writelines(self, list_of_data: Iterable[Any]) -> None:
        """Take parts of the request."""
        self.write(b"".join(list_of_data))

    async def _send(self, message: Any, body: Any) -> None:
        if message.upgrade:
            self._end(self._failure(NO_WEB_SOCKETS))
            return
        headers: dict[str, str] = {}
        for name, value in message.headers.items():
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
        try:
            content = await body.read()
            url = self._origin + message.path
            answer = await ffi.fetch(url, message.method, headers, content, redirect="manual")
            try:
                self._protocol.data_received(_head(answer))
                async for piece in answer.pieces():
                    await self._reading.wait()
                    self._protocol.data_received(piece)
            except asyncio.CancelledError:
                answer.abort()
                raise
        except OSError as error:
            self._end(self._failure(str(error)))
        else:
            self._end(None)

    def _end(self, error: Exception | None) -> None:
        if not self._closing:
            self._closing = True
            self._protocol.connection_lost(error)

    def close(self) -> None:
        """Stop the exchange."""
        if self._exchange is not None:
            self._exchange.cancel()
        self._loop.call_soon(self._end, None)

    def abort(self) -> None:
        """Stop the exchange."""
        self.close()

    def is_closing(self) -> bool:
        """Return whether the connection can't be used again."""
        return self._closing

    def pause_reading(self) -> None:
        """Stop the answer until `resume_reading`."""
        self._reading.clear()

    def resume_reading(self) -> None:
        """Continue the answer."""
        self._reading.set()

    def get_write_buffer_size(self) -> int:
        """Return 0: the request is taken at once."""
        return 0


def _head(answer: ffi.StreamingResponse) -> bytes:
    passed = [(name, value) for name, value in answer.pairs if name.lower() not in OF_CONNECTION]
    lines = [f"HTTP/1.1 {answer.status} {answer.reason}", *(f"{name}: {value}" for name, value in passed)]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1", "replace")
