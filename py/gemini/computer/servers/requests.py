"""HTTP requests to ports of the page: from tabs, and from the kernel's fetch (web/kernel/local_servers.ts)."""

from __future__ import annotations

import asyncio
import http.client
import io
import re
import zlib
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from gemini.computer.python import process
from gemini.computer.servers import ports
from gemini.core import ffi

CHUNK = 1 << 16
# Of the connection, not of the request.
HOP_BY_HOP = frozenset(["connection", "content-length", "host", "keep-alive", "transfer-encoding", "upgrade"])
NOT_ANSWERED = HOP_BY_HOP - {"content-length"}
# Answers before the final one (RFC 9110, 15.2).
INTERIM = re.compile(rb"HTTP/\d\.\d 1(?!01)\d\d")
MAX_HEAD = 1 << 18
LINE_END, EMPTY_LINE = re.compile(rb"\n"), re.compile(rb"\n\r?\n")
# How zlib's window size selects a format (https://docs.python.org/3/library/zlib.html#zlib.decompress).
WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 15}

Headers = Sequence[tuple[str, str]]
T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """A request. `target` is a path with its query; without a header `Host`, it has the name `localhost`."""

    port: int
    method: str
    target: str
    headers: Headers = ()
    body: bytes = b""

    def text(self) -> bytes:
        """Return the request as HTTP/1.1 writes it."""
        given = {name.lower(): value for name, value in self.headers}
        host = given.get("host") or (f"localhost:{self.port}" if self.port != 80 else "localhost")
        headers = [(name, value) for name, value in self.headers if name.lower() not in HOP_BY_HOP]
        if self.body or self.method in ("POST", "PUT", "PATCH"):
            headers.append(("Content-Length", str(len(self.body))))
        line = f"{self.method} {self.target or '/'} HTTP/1.1"
        return head(line, [("Host", host), *headers, ("Connection", "close")]) + self.body


def head(line: str, headers: Headers) -> bytes:
    """Return the lines of a request before its body, beginning with `line`."""
    lines = [line, *(f"{name}: {value}" for name, value in headers)]
    if any("\r" in each or "\n" in each for each in lines):
        raise ValueError("a request's path and headers can't contain line breaks")
    return "".join(f"{each}\r\n" for each in (*lines, "")).encode("latin-1", "replace")


class NoAnswer(OSError):
    """The server closed the connection without an answer, or its answer isn't HTTP."""


class Answer:
    """An answer whose body is still arriving.

    Args:
        end: The connection.

    Attributes:
        status: The HTTP status.
        reason: Its text.
        headers: The headers that concern the content.
    """

    status: int
    reason: str
    headers: list[tuple[str, str]]

    def __init__(self, end: ports.End, method: str) -> None:
        self._end = end
        self._method = method
        self._received = bytearray()
        self._pieces: AsyncGenerator[bytes] = self._decode()
        self._writing: asyncio.Task[None] | None = None
        self._response: http.client.HTTPResponse

    async def begin(self, data: bytes) -> None:
        """Send the request, and wait for the head of the answer.

        Raises:
            NoAnswer: It isn't HTTP.
        """
        self._writing = asyncio.create_task(_write(self._end, data))
        head = await self._head()
        response = http.client.HTTPResponse(_Received(head), method=self._method)  # type: ignore[arg-type]  # pyright: ignore
        try:
            response.begin()
        except (http.client.HTTPException, ValueError) as error:
            raise NoAnswer(f"the server's answer is not HTTP: {error!r}") from error
        self.status, self.reason, self._response = response.status, response.reason, response
        skipped = {*NOT_ANSWERED, *(("content-encoding", "content-length") if self._window else ())}
        self.headers = [pair for pair in response.getheaders() if pair[0].lower() not in skipped]

    def header(self, name: str) -> str:
        """Return the first header of that name, or ""."""
        return next((value for given, value in self.headers if given.lower() == name), "")

    async def piece(self) -> bytes:
        """Wait for the next bytes of the body, decompressed, and return them; none at the end.

        Raises:
            NoAnswer: The body breaks off.
        """
        piece = await anext(self._pieces, b"")
        if not piece:
            self.close()
        return piece

    def close(self) -> None:
        """Close the connection; a pending `piece` ends."""
        if self._writing is not None:
            self._writing.cancel()
        self._end.close()

    def upgraded(self) -> tuple[ports.End, bytes]:
        """Return the connection for another protocol, and what has arrived of it, after the answer 101."""
        return self._end, bytes(self._received)

    @property
    def _window(self) -> int:
        """The window size of the compressed body as zlib's functions take it; 0 without compression."""
        if self._response.length == 0:
            return 0
        return WINDOWS.get((self._response.getheader("content-encoding") or "").strip().lower(), 0)

    async def _decode(self) -> AsyncGenerator[bytes]:
        window = self._window
        decompress = zlib.decompressobj(window) if window else None
        try:
            async for piece in self._unframe():
                if decoded := decompress.decompress(piece) if decompress else piece:
                    yield decoded
            if decompress and (rest := decompress.flush()):
                yield rest
        except (zlib.error, ValueError) as error:
            raise NoAnswer(f"the server's answer can't be decoded: {error}") from error

    async def _unframe(self) -> AsyncGenerator[bytes]:
        """Yield the body without its framing (RFC 9112, 6 and 7)."""
        response = self._response
        if not response.chunked:  # type: ignore[attr-defined]  # pyright: ignore
            async for piece in self._read_sized(response.length):
                yield piece
            return
        while size := int((await self._line()).partition(b";")[0], 16):
            async for piece in self._read_sized(size):
                yield piece
            await self._line()
        while (await self._line()).strip():
            pass

    async def _read_sized(self, left: int | None) -> AsyncGenerator[bytes]:
        """Yield that many bytes; None means all until the connection is closed."""
        while left is None or left > 0:
            if not self._received and not await self._more():
                if left is None:
                    return
                raise NoAnswer("the server's answer ends too early")
            piece = bytes(self._received[:left])
            del self._received[:left]
            left = None if left is None else left - len(piece)
            yield piece

    async def _head(self) -> bytes:
        while True:
            head = await self._until(EMPTY_LINE)
            if not INTERIM.match(head):
                return head

    async def _line(self) -> bytes:
        return await self._until(LINE_END)

    async def _until(self, mark: re.Pattern[bytes]) -> bytes:
        while (match := mark.search(self._received)) is None:
            if len(self._received) > MAX_HEAD:
                raise NoAnswer("the server's answer is not HTTP: a line is too long")
            if not await self._more():
                if not self._received:
                    raise NoAnswer("the server closed the connection without an answer")
                raise NoAnswer("the server's answer is not HTTP, or ends too early")
        found = bytes(self._received[: match.end()])
        del self._received[: len(found)]
        return found

    async def _more(self) -> bool:
        """Wait for bytes; return False at their end."""
        piece = await self._end.received(CHUNK)
        self._received += piece
        return bool(piece)


async def send(request: Request) -> Answer:
    """Send a request and return the answer once its head has arrived.

    Raises:
        ConnectionRefusedError: Nothing listens at the port.
        NoAnswer: The server sent no answer.
    """
    answer = Answer(ports.connect(request.port), request.method)
    try:
        await answer.begin(request.text())
    except BaseException:
        answer.close()
        raise
    return answer


async def _write(end: ports.End, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        while not end.is_writable:
            await end.changes.next()
        try:
            rest = rest[end.write(rest) :]
        except BrokenPipeError:
            # The server has answered without reading everything.
            return


class _Received:
    """The interface of a socket that `http.client` reads a head from."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, *_: Any, **__: Any) -> io.BytesIO:
        return io.BytesIO(self._data)


# --- The kernel's fetch ---


def answer_fetches() -> None:
    """Let requests of the kernel to ports of the page arrive here instead of at the network door."""
    ports.watchers.append(ffi.serve_local_requests(_start))


def _start(
    url: str, method: str, headers: list[tuple[str, str]], body: bytes
) -> asyncio.Task[dict[str, Any]]:
    return _detach(_answer(url, method, headers, body))


async def _answer(url: str, method: str, headers: list[tuple[str, str]], body: bytes) -> dict[str, Any]:
    """Return `{status, reason, headers, read, close}`, or `{problem, message}`."""
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    named = [("Host", parts.netloc.rpartition("@")[2]), *headers]
    try:
        got = await send(Request(parts.port or 80, method, target, named, body))
    except ConnectionRefusedError:
        return {"problem": "HostUnreachable", "message": f"No server listens at {parts.netloc} any more."}
    except (NoAnswer, ValueError) as error:
        return {"problem": "HostBroken", "message": f"{parts.netloc}: {error}."}

    async def reading(settle: Callable[[Any], object]) -> None:
        try:
            piece = ffi.to_js_bytes(await got.piece())
        except NoAnswer as error:
            piece = f"{parts.netloc}: {error}."
        settle(piece)

    def read(settle: Callable[[Any], object]) -> None:
        _detach(reading(settle))

    return {
        "status": got.status,
        "reason": got.reason,
        "headers": [list(pair) for pair in got.headers],
        "read": read,
        "close": got.close,
    }


def _detach(running: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Run what JavaScript waits for, so that it doesn't end with the program that sends the request."""
    return asyncio.get_running_loop().create_task(running, context=process.detached())
