"""One HTTP request to the door: its body is read at once, and all work for it ends when its client disconnects."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Coroutine, Mapping
from typing import Any, Self

from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope, Send

from gemini_companion.network.errors import RequestTooLarge

IN_MEMORY = 1024 * 1024
PIECE = 64 * 1024


class Exchange:
    """The kernel's side of a request.

    Args:
        scope, receive, send: As in ASGI.
        largest: The longest body, in bytes.
        idle_s: How long the page may take to read a chunk, in seconds.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send, *, largest: int, idle_s: float) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._largest = largest
        self._idle_s = idle_s
        # A long body waits on disk for the user's answer.
        self._body = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        self._uploaded: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._reading: asyncio.Task[None] | None = None
        self._began = False
        self.size = 0

    async def __aenter__(self) -> Self:
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        # Any caller that waited for it has its result, or was cancelled.
        self._uploaded.cancel()
        self._body.close()

    @property
    def method(self) -> str:
        """The HTTP method."""
        return self._scope["method"]

    @property
    def key(self) -> str:
        """The page's key, from the path."""
        return self._scope["path_params"]["key"]

    def header(self, name: str) -> str | None:
        """Return a header's value; None if there is none, or several."""
        found = [value for key, value in self._scope["headers"] if key.lower() == name.encode()]
        return found[0].decode("latin-1") if len(found) == 1 else None

    async def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run some work while the client is connected.

        Raises:
            ClientDisconnect: The client has disconnected.
        """
        assert self._reading is not None
        working = asyncio.create_task(work)
        try:
            await asyncio.wait({working, self._reading}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise ClientDisconnect
        finally:
            if not working.done():
                working.cancel()
                await asyncio.gather(working, return_exceptions=True)
        await working

    async def uploaded(self) -> None:
        """Wait for the complete body.

        Raises:
            RequestTooLarge: It is too long.
        """
        await self._uploaded

    async def body(self) -> AsyncGenerator[bytes]:
        """Yield the body's pieces; may be called several times."""
        self._body.seek(0)
        while piece := self._body.read(PIECE):
            yield piece

    async def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """Start the answer."""
        self._began = True
        raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        await self._write({"type": "http.response.start", "status": status, "headers": raw})

    async def add(self, chunk: bytes) -> None:
        """Send the next part of the answer."""
        await self._write({"type": "http.response.body", "body": chunk, "more_body": True})

    async def end(self) -> None:
        """End the answer."""
        await self._write({"type": "http.response.body", "body": b"", "more_body": False})

    async def fail(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        """Answer with an error. An answer that has started stays incomplete, which the browser reports."""
        if self._began:
            return
        # The rest of the request isn't read.
        await self.begin(status, {**headers, "content-length": str(len(content))})
        await self.add(content)
        await self.end()

    async def _read(self) -> None:
        """Read the body, and return when the client has disconnected."""
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                return
            if not self._uploaded.done():
                self._take(message)

    def _take(self, message: Message) -> None:
        piece: bytes = message.get("body", b"")
        self.size += len(piece)
        if self.size > self._largest:
            self._uploaded.set_exception(
                RequestTooLarge(
                    f"the request has more than {self._largest:,} bytes", hint="Send it in parts."
                )
            )
            # Retrieved here, since possibly no task waits for it.
            self._uploaded.exception()
            return
        self._body.write(piece)
        if not message.get("more_body", False):
            self._uploaded.set_result(None)

    async def _write(self, message: Message) -> None:
        try:
            async with asyncio.timeout(self._idle_s):
                await self._send(message)
        except TimeoutError:
            raise ClientDisconnect from None
