"""A fake provider, and a server for applications, on real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field

import uvicorn
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send

KEY = "sk-test-Zq8+mN/3vW_7xY=kL2pR9"


@contextlib.asynccontextmanager
async def served(app: ASGIApp) -> AsyncGenerator[str]:
    """Serve an application on a free port of loopback while the block runs, and yield its URL."""
    # asyncio turns Nagle's algorithm off only if the protocol is explicit.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = server.force_exit = True
            await serving


class BrokenOff(Exception):
    """The provider stops in the middle of an answer."""


Answering = Callable[[Request], Awaitable[Response]]


@dataclass
class Seen:
    """A request as the provider received it."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


async def models(request: Request) -> Response:
    """Answer with two models."""
    return JSONResponse({"data": [{"id": "small"}, {"id": "large"}]})


@dataclass
class FakeProvider:
    """A provider that records its requests, and answers as a test demands."""

    answering: Answering = models
    seen: list[Seen] = field(default_factory=list[Seen])
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client has left before its answer was complete."""
    silent: bool = False
    """True to never answer."""
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a request arrives that gets no answer."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            body = await request.body()
        except ClientDisconnect:
            self.left.set()
            return
        path = scope["raw_path"].decode()
        target = f"{path}?{request.url.query}" if request.url.query else path
        self.seen.append(Seen(request.method, target, dict(request.headers), body))
        if self.silent:
            self.asked.set()
            while (await receive())["type"] != "http.disconnect":
                pass
            self.left.set()
            return
        # The server cuts the connection of an application that returns in the middle of an answer.
        with contextlib.suppress(BrokenOff):
            await (await self.answering(request))(scope, receive, send)

    def streams(self, type_: str = "text/event-stream", status: int = 200) -> asyncio.Queue[bytes | None]:
        """Answer with what a test puts into the queue, as it arrives; None ends it, an empty chunk breaks it off."""
        queue: asyncio.Queue[bytes | None] = asyncio.Queue()

        async def chunks() -> AsyncGenerator[bytes]:
            try:
                while (chunk := await queue.get()) is not None:
                    if not chunk:
                        raise BrokenOff
                    yield chunk
            finally:
                self.left.set()

        async def answering(request: Request) -> Response:
            return StreamingResponse(chunks(), status, media_type=type_)

        self.answering = answering
        return queue

    def says(self, content: bytes, status: int = 200, **headers: str) -> None:
        """Answer with this from now on."""

        async def answering(request: Request) -> Response:
            return Response(content, status, {name.replace("_", "-"): text for name, text in headers.items()})

        self.answering = answering


def error_of(content: bytes) -> dict[str, str]:
    return json.loads(content)["error"]
