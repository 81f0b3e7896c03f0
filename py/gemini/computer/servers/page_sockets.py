"""WebSockets of the pages in tabs to servers in the page (web/ui/panels/browser/page_sockets.ts)."""

from __future__ import annotations

import asyncio
import base64
import os
from typing import Any

from gemini.computer.servers import ports, requests, websocket
from gemini.computer.servers.websocket import Closed, Connection
from gemini.core.protocol import Params

SWITCHING = 101
# The time that a server has to answer the end.
CLOSE_S = 5.0


class PageSockets:
    """The open WebSockets of pages, by number."""

    def __init__(self) -> None:
        self._open: dict[int, Connection] = {}
        self._last = 0

    async def open(self, params: Params) -> dict[str, Any]:
        """Connect to a server.

        Args:
            params: `port`, `path` (with its query), `protocols` in the page's order, and `agent`, the browser's name.

        Returns:
            `socket`, its number, and `protocol`, which the server has chosen, or ""; or `problem`, if there is no
            server, or it refuses.
        """
        port, protocols = int(params["port"]), [str(name) for name in params["protocols"]]
        try:
            connection, protocol = await _opened(port, str(params["path"]), protocols, str(params["agent"]))
        except (OSError, ValueError) as error:
            return {"problem": f"{error}."}
        self._last += 1
        self._open[self._last] = connection
        return {"socket": self._last, "protocol": protocol}

    async def receive(self, params: Params) -> dict[str, Any]:
        """Wait for the next message of a socket.

        Returns:
            `text`, or `binary` in base64, or `code` and `reason` of its end.
        """
        number = int(params["socket"])
        connection = self._open.get(number)
        received = Closed(websocket.BROKEN_OFF) if connection is None else await connection.receive()
        if isinstance(received, str):
            return {"text": received}
        if isinstance(received, bytes):
            return {"binary": base64.b64encode(received).decode()}
        self._open.pop(number, None)
        return {"code": received.code, "reason": received.reason}

    async def send(self, params: Params) -> dict[str, Any]:
        """Send `text`, or `binary` in base64. A closed socket drops it, as `WebSocket.send` does."""
        connection = self._open.get(int(params["socket"]))
        text = params.get("text")
        message = base64.b64decode(params["binary"]) if text is None else str(text)
        if connection is not None:
            try:
                await connection.send(message)
            except BrokenPipeError:
                # The end is what `receive` returns next.
                return {}
        return {}

    async def close(self, params: Params) -> dict[str, Any]:
        """Ask the server for the end, with a `code`, or None, and a `reason`."""
        connection = self._open.get(int(params["socket"]))
        if connection is not None:
            code = params["code"]
            asyncio.get_running_loop().call_later(CLOSE_S, connection.abort)
            await connection.close(websocket.NO_STATUS if code is None else int(code), str(params["reason"]))
        return {}

    async def leave(self, params: Params) -> dict[str, Any]:
        """Close the socket of a page that is gone."""
        connection = self._open.pop(int(params["socket"]), None)
        if connection is not None:
            connection.abort()
        return {}


async def _opened(port: int, path: str, protocols: list[str], agent: str) -> tuple[Connection, str]:
    """Connect, and return the connection and its protocol.

    Raises:
        OSError: There is no server, or it refuses.
        ValueError: The path or a protocol has a line break.
    """
    key = base64.b64encode(os.urandom(16)).decode()
    text = _handshake(port, path, key, protocols, agent)
    answer = requests.Answer(ports.connect(port), "GET")
    try:
        await answer.begin(text)
        protocol = _check_handshake(answer, key, protocols)
    except BaseException:
        answer.close()
        raise
    return Connection(*answer.upgraded(), is_client=True), protocol


def _handshake(port: int, path: str, key: str, protocols: list[str], agent: str) -> bytes:
    host = f"localhost:{port}" if port != 80 else "localhost"
    headers = [
        ("Host", host), ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Origin", f"http://{host}"),
        ("User-Agent", agent), ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", key),
    ]  # fmt: skip
    if protocols:
        headers.append(("Sec-WebSocket-Protocol", ", ".join(protocols)))
    return requests.head(f"GET {path or '/'} HTTP/1.1", headers)


def _check_handshake(answer: requests.Answer, key: str, protocols: list[str]) -> str:
    """Return the protocol of an answer to the handshake (RFC 6455, 4.1).

    Raises:
        NoAnswer: The server refuses, or doesn't follow the protocol.
    """
    if answer.status != SWITCHING:
        raise requests.NoAnswer(f"the server refuses the WebSocket: {answer.status} {answer.reason}".rstrip())
    protocol = answer.header("sec-websocket-protocol")
    if answer.header("sec-websocket-accept").strip() != websocket.accepted(key):
        raise requests.NoAnswer("the server's answer is no handshake of a WebSocket")
    if protocol not in (protocols or [""]):
        raise requests.NoAnswer(f"the server chose the protocol {protocol!r}, not one of {protocols}")
    return protocol
