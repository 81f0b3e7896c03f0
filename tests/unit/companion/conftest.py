"""A guarded server on a free port, and clients that do what browsers don't."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from gemini_companion.admission.guard import Guard, RefusalLog, admit_only, new_token
from gemini_companion.admission.identity import Identity
from gemini_companion.serving.connections import Limits
from gemini_companion.serving.policy import Policies, surface_headers
from gemini_companion.serving.server import Server, running
from gemini_companion.serving.static_files import Folder, StaticFiles

MEGABYTE = 1024 * 1024


@dataclass
class Seen:
    """Records what passes the guard to the applications behind it."""

    subprotocols: list[str] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)
    messages: list[int] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)


@dataclass
class Companion:
    server: Server
    token: str
    seen: Seen

    @property
    def host(self) -> str:
        return self.server.main.hosts[0]

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    def ask(self, path: str, method: str = "GET", body: Any = None, **headers: str) -> tuple[int, Any, bytes]:
        """Return status, headers and body; underscores in names of headers stand for hyphens."""
        with contextlib.closing(HTTPConnection(self.host, timeout=30)) as connection:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body=body, headers=named)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def raw(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.server.main.number), timeout=30)

    def say(self, *lines: str) -> int:
        """Send a head exactly as given, and return the answer's status."""
        with self.raw() as client:
            client.sendall("\r\n".join([*lines, "", ""]).encode("latin-1"))
            return int(client.makefile("rb").readline().split()[1])


def routes(seen: Seen, folder: Path) -> Starlette:
    async def mcp(request: Request) -> PlainTextResponse:
        return PlainTextResponse(str(len(await request.body())))

    async def stream(request: Request) -> StreamingResponse:
        async def endless() -> AsyncIterator[bytes]:
            yield b"first"
            await asyncio.Event().wait()

        return StreamingResponse(endless())

    async def page(socket: WebSocket) -> None:
        seen.subprotocols += socket.scope["subprotocols"]
        seen.headers.append(str(socket.scope["headers"]))
        await socket.accept()
        try:
            while True:
                text = await socket.receive_text()
                seen.messages.append(len(text))
                await socket.send_text(str(len(text)))
        except WebSocketDisconnect as left:
            seen.closed.append(left.code)

    files = StaticFiles(Folder(folder), Policies())
    return Starlette(
        routes=[
            Route("/mcp", mcp, methods=["GET", "POST"]),
            Route("/models/stream", stream),
            WebSocketRoute("/page", page),
            Mount("/", files),
        ]
    )


Start = Callable[..., Companion]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    dist = tmp_path / "dist"
    (dist / "examples").mkdir(parents=True)
    (dist / "index.html").write_text("<!doctype html><script>one()</script>", encoding="utf-8")
    (dist / "examples/index.html").write_text("examples", encoding="utf-8")
    (dist / "x.js").write_bytes(b"1")
    (dist / "large.wasm").write_bytes(bytes(3 * MEGABYTE))
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    return dist


@pytest.fixture
def start(folder: Path) -> Iterator[Start]:
    """`start(limits, largest_body=…)` starts a companion, which ends with the test.

    `clients` are names of clients, which are also their tokens.
    """
    with contextlib.ExitStack() as stack:

        def start(limits: Limits | None = None, clients: Iterable[str] = (), **options: Any) -> Companion:
            server = Server(0, limits=limits)
            seen, token = Seen(), new_token()
            admit = admit_only(token)
            known = set(clients)

            def door(given: str) -> object | None:
                return given if given in known else admit(given)

            guard = Guard(
                Identity(routes(seen, folder)),
                hosts=server.main.hosts,
                protected=dict.fromkeys(("/page", "/mcp", "/models"), door),
                headers=surface_headers(),
                log=RefusalLog(),
                **options,
            )
            stack.enter_context(running(server, guard))
            return Companion(server, token, seen)

        yield start


@pytest.fixture
def companion(start: Start) -> Companion:
    return start()
