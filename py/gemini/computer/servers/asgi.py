"""ASGI applications (https://asgi.readthedocs.io/en/stable/specs/main.html) on the library's HTTP server."""

from __future__ import annotations

import asyncio
import traceback
from http.server import BaseHTTPRequestHandler
from typing import Any, cast
from urllib.parse import unquote

from gemini.computer.servers import sockets
from gemini.computer.servers.asgi_types import Application, Message
from gemini.core import ffi

VERSION = {"version": "3.0", "spec_version": "2.3"}


class Lifespan:
    """The start and the end of an application, which prepares and frees what its requests share.

    Args:
        application: The application.
    """

    def __init__(self, application: Application) -> None:
        self.state: dict[str, Any] = {}
        self._application = application
        self._received: asyncio.Queue[Message] = asyncio.Queue()
        self._sent: asyncio.Queue[Message] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Let the application start; one that knows no lifespan continues without it.

        Raises:
            RuntimeError: The application says that it can't start.
        """
        scope = {"type": "lifespan", "asgi": VERSION, "state": self.state}
        running = self._application(scope, self._received.get, self._sent.put)
        self._task = asyncio.ensure_future(running)  # type: ignore[assignment]
        await self._step("startup")

    async def stop(self) -> None:
        """Let the application free its prepared state."""
        if self._task is not None and not self._task.done():
            await self._step("shutdown")

    async def _step(self, name: str) -> None:
        self._received.put_nowait({"type": f"lifespan.{name}"})
        answering = asyncio.ensure_future(self._sent.get())
        await asyncio.wait(
            {answering, cast("asyncio.Task[Any]", self._task)}, return_when=asyncio.FIRST_COMPLETED
        )
        if not answering.done():
            # It raised an error or returned: by the specification, it has no lifespan.
            answering.cancel()
            return
        message = answering.result()
        if message["type"] == f"lifespan.{name}.failed":
            raise RuntimeError(message.get("message") or f"the application's {name} failed")


def handler_of(application: Application, lifespan: Lifespan) -> type[BaseHTTPRequestHandler]:
    """Return the class that handles the requests of an application."""

    class Handler(BaseHTTPRequestHandler):
        server_version = "serve"

        def handle_request(self) -> None:
            """Pass the request to the application, and wait until it has answered."""
            scope = _scope(self, lifespan.state)
            if self.headers.get("upgrade", "").lower() == "websocket":
                # Imported on first use, because few applications have one.
                from gemini.computer.servers import asgi_websocket

                ffi.wait(asgi_websocket.Exchange(self, application, scope).run())
            else:
                ffi.wait(_Exchange(self, application, scope).run())

    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        setattr(Handler, f"do_{method}", Handler.handle_request)
    return Handler


def _scope(handler: BaseHTTPRequestHandler, state: Message) -> Message:
    """Return a request's scope for an application. `state` is the application's prepared state."""
    path, _, query = handler.path.partition("?")
    server: Any = handler.server.server_address
    return {
        "type": "http",
        "asgi": VERSION,
        "http_version": "1.1",
        "method": handler.command,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "root_path": "",
        "headers": [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in handler.headers.items()
        ],
        "client": handler.client_address[:2],
        "server": server[:2],
        "state": dict(state),
    }


class _Exchange:
    """A request and its answer.

    Args:
        handler: The connection.
        application: Answers the request.
        scope: The request's scope for the application.
    """

    def __init__(self, handler: BaseHTTPRequestHandler, application: Application, scope: Message) -> None:
        self._handler = handler
        self._application = application
        self._scope = scope
        self._end = sockets.end_of(handler.connection)
        self._is_read = False
        self._start: Message | None = None
        self._has_begun = False
        self._is_complete = False

    async def run(self) -> None:
        try:
            await self._application(self._scope, self._receive, self._send)
        except Exception:
            # An error after the client has left is only the consequence.
            if not self._end.is_ended:
                traceback.print_exc()
        if not self._has_begun and not self._end.is_ended:
            self._handler.send_error(500)
        self._complete()

    def _complete(self) -> None:
        self._is_complete = True
        self._end.changes.notify()

    async def _receive(self) -> Message:
        if not self._is_read:
            self._is_read = True
            size = int(self._handler.headers.get("content-length") or 0)
            return {"type": "http.request", "body": self._handler.rfile.read(size), "more_body": False}
        while not self._is_complete and not self._end.is_ended:
            await self._end.changes.next()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
        elif message["type"] == "http.response.body":
            self._begin()
            if self._handler.command != "HEAD":
                self._handler.wfile.write(message.get("body", b""))
            if not message.get("more_body", False):
                self._complete()
        else:
            raise RuntimeError(f"unexpected ASGI message {message['type']!r}")

    def _begin(self) -> None:
        if self._has_begun:
            return
        if self._start is None:
            raise RuntimeError("the application sent a body before it started its response")
        self._has_begun = True
        self._handler.send_response(self._start["status"])
        for name, value in self._start.get("headers", ()):
            self._handler.send_header(bytes(name).decode("latin-1"), bytes(value).decode("latin-1"))
        self._handler.end_headers()
