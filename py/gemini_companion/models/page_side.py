"""The page's side of one request to a provider."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping

from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Send

from gemini_companion.models.errors import GatewayProblem, TooManyRequests
from gemini_companion.models.upstream import Answer


class PageSide:
    """The page's side of one request.

    Args:
        receive: As in ASGI; it also reports that the page has disconnected.
        send: As in ASGI.
        idle_s: How long the page may take to read a chunk, in seconds.
    """

    def __init__(self, receive: Receive, send: Send, idle_s: float) -> None:
        self._receive = receive
        self._send = send
        self._idle_s = idle_s
        self._answer: Answer | None = None
        self._uploaded = asyncio.Event()

    async def receive(self) -> Message:
        """Return the next part of the request."""
        message = await self._receive()
        if not message.get("more_body", False):
            self._uploaded.set()
        return message

    async def disconnected(self) -> None:
        """Wait until the page no longer wants the answer."""
        await self._uploaded.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def begin(self, answer: Answer) -> None:
        """Send the status and the headers."""
        self._answer = answer
        await self._start(answer.status, answer.headers)

    async def add(self, chunk: bytes) -> None:
        """Send a chunk of the body."""
        await self._write({"type": "http.response.body", "body": chunk, "more_body": True})

    async def end(self) -> None:
        """End the body."""
        await self._write({"type": "http.response.body", "body": b"", "more_body": False})

    async def fail(self, problem: GatewayProblem) -> None:
        """Report a problem: as the answer itself, as its last event, or else by aborting the answer."""
        body = json.dumps(problem.as_answer())
        if self._answer is None:
            headers = {"content-type": "application/json", "cache-control": "no-store"}
            if isinstance(problem, TooManyRequests):
                headers["retry-after"] = str(problem.data["retry_after_s"])
            await self._start(problem.status, headers)
            await self.add(body.encode())
            await self.end()
        elif self._answer.is_events:
            # Both common clients read an event of this name and form; the blank line ends an event that was cut off.
            event = json.dumps(problem.as_answer())
            await self.add(f"\n\nevent: error\ndata: {event}\n\n".encode())
            await self.end()

    async def _start(self, status: int, headers: Mapping[str, str]) -> None:
        # The rest of the request is no longer needed.
        self._uploaded.set()
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await self._write({"type": "http.response.start", "status": status, "headers": raw})

    async def _write(self, message: Message) -> None:
        try:
            async with asyncio.timeout(self._idle_s):
                await self._send(message)
        except TimeoutError:
            raise ClientDisconnect from None
