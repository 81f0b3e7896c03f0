"""HTTP/1.1 with a program that uses the proxy (RFC 9112), read and written by h11."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import h11

from gemini.computer.shell.linux_proxy.connections import Connection
from gemini_userland.http import NoAnswer, Response

T = TypeVar("T")
MAX_HEAD = 64 * 1024
# As much as the network door sends.
MAX_BODY = 64 * 1024 * 1024
# Of all programs of a machine: each may have many connections, and a body is read before its request is asked about.
MAX_BODIES = 2 * MAX_BODY
# These describe a connection; the door has others.
OF_CONNECTION = frozenset(
    ["connection", "keep-alive", "proxy-authenticate", "proxy-connection", "te", "trailer"]
    + ["transfer-encoding", "upgrade"]
)
# The codings that the browser decodes, which changes the length.
DECODED = frozenset(["gzip", "x-gzip", "deflate", "br", "zstd"])
OF_CODING = frozenset(["content-encoding", "content-length"])
MAX_REASON = 200


class Rejected(Exception):
    """A request that isn't sent.

    Args:
        status: The HTTP status of the answer.
        message: A sentence for the user of the program.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class Bodies:
    """The bodies of a machine's requests that are in memory.

    Attributes:
        size: Their bytes.
    """

    size: int = 0

    def take(self, size: int) -> None:
        """Count bytes that a request has read.

        Raises:
            Rejected: Its body would be one too many.
        """
        if self.size + size > MAX_BODIES:
            sentence = f"All programs of the Linux can send {MAX_BODIES >> 20} MiB at once. Try again."
            raise Rejected(503, sentence)
        self.size += size


class Client:
    """A program at the other end of a connection.

    Args:
        connection: The connection.
        bodies: The request bodies of its machine in memory.
    """

    def __init__(self, connection: Connection, bodies: Bodies) -> None:
        self._connection = connection
        self._bodies = bodies
        self._taken = 0
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD)
        self._method = b""

    async def request(self) -> h11.Request | None:
        """Return the next request; None if the program is done.

        Raises:
            Rejected: It isn't HTTP.
        """
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
        if self._http.our_state is not h11.IDLE:
            return None
        event = await self._event()
        if not isinstance(event, h11.Request):
            return None
        self._method = event.method
        return event

    @asynccontextmanager
    async def body(self) -> AsyncGenerator[bytes]:
        """Yield the body of the request, which is in memory until the block ends.

        Raises:
            Rejected: It isn't HTTP, or too long.
            ConnectionResetError: The program has gone.
        """
        try:
            yield await self._read_body()
        finally:
            self._bodies.size -= self._taken
            self._taken = 0

    async def _read_body(self) -> bytes:
        parts: list[bytes] = []
        length = 0
        while not isinstance(event := await self._event(), h11.EndOfMessage):
            if not isinstance(event, h11.Data):
                raise ConnectionResetError("the program has closed the connection")
            length += len(event.data)
            if length > MAX_BODY:
                raise Rejected(
                    413, f"A request can send {MAX_BODY >> 20} MiB at most. Send the data in parts."
                )
            self._bodies.take(len(event.data))
            self._taken += len(event.data)
            parts.append(bytes(event.data))
        return b"".join(parts)

    async def _event(self) -> Any:
        while (event := self._next()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                await self._send(h11.InformationalResponse(status_code=100, headers=[]))
            self._http.receive_data(await self._connection.read())
        return event

    def _next(self) -> Any:
        try:
            return self._http.next_event()
        except h11.RemoteProtocolError as error:
            raise Rejected(error.error_status_hint, f"The proxy can't read this request: {error}.") from error

    async def secure(self, host: str) -> None:
        """Accept CONNECT, and continue with the requests inside of its TLS.

        Raises:
            Rejected: The program didn't wait for the answer.
        """
        await self._event()
        if self._http.trailing_data[0]:
            raise Rejected(400, "A program must wait for the answer to CONNECT.")
        answer = h11.Response(status_code=200, headers=[], reason=b"Connection established")
        self._connection.secure(host, self._http.send(answer) or b"")
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD)

    async def unless_left(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of `work`; cancel it if the program closes its connection.

        Raises:
            ConnectionResetError: The program closed it.
        """
        task = asyncio.ensure_future(work)
        try:
            await asyncio.wait({task, self._connection.left}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise ConnectionResetError("the program has closed the connection")
            return task.result()
        finally:
            task.cancel()

    async def explain(self, status: int, message: str) -> None:
        """Answer with a sentence, also as the reason phrase, because apt and pip show only that; then close."""
        content = f"{message}\n".encode()
        headers = [("content-type", "text/plain; charset=utf-8"), ("connection", "close")]
        headers.append(("content-length", str(len(content))))
        await self._send(h11.Response(status_code=status, headers=headers, reason=_reason(message)))
        if self._method != b"HEAD":
            await self._send(h11.Data(data=content))
        await self._send(h11.EndOfMessage())

    async def pass_on(self, answer: Response) -> None:
        """Send an answer while it arrives.

        Raises:
            Rejected: It can't be written as HTTP/1.1.
            NoAnswer: It breaks off.
            ConnectionResetError: The program has gone.
        """
        rest = answer.rest
        try:
            try:
                head = h11.Response(
                    status_code=answer.status, headers=_passed(answer.headers), reason=_reason(answer.reason)
                )
                data = self._http.send(head)
            except h11.LocalProtocolError as error:
                raise Rejected(502, f"The answer can't be passed on: {error}.") from error
            await self._connection.write(data or b"")
            piece: bytes | None = answer.body
            while piece is not None:
                if piece:
                    await self._send(h11.Data(data=piece))
                piece = await self._piece(rest)
            await self._send(h11.EndOfMessage())
        except h11.LocalProtocolError as error:
            raise NoAnswer("broken", f"the answer has another length than it says: {error}") from error
        finally:
            if rest is not None:
                await rest.aclose()

    async def _piece(self, rest: AsyncGenerator[bytes] | None) -> bytes | None:
        """Return the next bytes, possibly none; None at the end."""
        return None if rest is None else await self.unless_left(_next_of(rest))

    async def _send(self, event: h11.Event) -> None:
        await self._connection.write(self._http.send(event) or b"")


async def _next_of(rest: AsyncGenerator[bytes]) -> bytes | None:
    return await anext(rest, None)


def _passed(headers: list[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    codings = {
        coding.strip().lower()
        for name, value in headers
        if name.lower() == "content-encoding"
        for coding in value.split(",")
    }
    left_out = OF_CONNECTION | OF_CODING if codings and codings <= DECODED else OF_CONNECTION
    return [
        (name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
        for name, value in headers
        if name.lower() not in left_out
    ]


def _reason(text: str) -> bytes:
    shown = "".join(letter if " " <= letter <= "~" else "?" for letter in text)
    return shown[:MAX_REASON].encode("ascii")
