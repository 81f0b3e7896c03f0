"""HTTP requests to ports of the page: from tabs, and from the kernel's fetch (web/kernel/local_servers.js)."""

from __future__ import annotations

import asyncio
import http.client
import io
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from gemini.core import ffi
from gemini.python import process
from gemini.servers import ports

CHUNK = 1 << 16
# Of the connection, not of the request.
HOP_BY_HOP = frozenset(["connection", "content-length", "host", "keep-alive", "transfer-encoding", "upgrade"])
# How zlib's window size selects a format (https://docs.python.org/3/library/zlib.html#zlib.decompress).
WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 15}

Headers = Sequence[tuple[str, str]]


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
        lines = [f"{self.method} {self.target or '/'} HTTP/1.1", f"Host: {host}"]
        lines += [f"{name}: {value}" for name, value in (*headers, ("Connection", "close"))]
        if any("\r" in line or "\n" in line for line in lines):
            raise ValueError("a request's path and headers can't contain line breaks")
        return "".join(f"{line}\r\n" for line in (*lines, "")).encode("latin-1", "replace") + self.body


@dataclass(frozen=True)
class Answer:
    """A complete answer, decompressed."""

    status: int
    reason: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        """Return the first header of that name, or ""."""
        return next((value for given, value in self.headers if given.lower() == name), "")


class NoAnswer(OSError):
    """The server closed the connection without an answer, or its answer isn't HTTP."""


async def send(request: Request) -> Answer:
    """Send a request and return the whole answer.

    Raises:
        ConnectionRefusedError: Nothing listens at the port.
        NoAnswer: The server sent no answer.
    """
    end = ports.connect(request.port)
    try:
        writing = asyncio.ensure_future(_write(end, request.text()))
        try:
            received = await _read(end)
        finally:
            writing.cancel()
    finally:
        end.close()
    return parse(received, request.method)


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


async def _read(end: ports.End) -> bytes:
    pieces: list[bytes] = []
    while True:
        while not end.is_readable:
            await end.changes.next()
        try:
            piece = end.read(CHUNK)
        except ConnectionResetError:
            # It closed its end with unread input, as servers do that refuse an upload.
            piece = b""
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


class _Received:
    """The interface of a socket that `http.client` reads an answer from."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, *_: Any, **__: Any) -> io.BytesIO:
        return io.BytesIO(self._data)


def parse(received: bytes, method: str) -> Answer:
    """Parse an answer of HTTP/1.

    Raises:
        NoAnswer: It is empty, broken off or no HTTP.
    """
    if not received:
        raise NoAnswer("the server closed the connection without an answer")
    response = http.client.HTTPResponse(_Received(received), method=method)  # type: ignore[arg-type]  # pyright: ignore
    try:
        response.begin()
        body = response.read()
    except (http.client.HTTPException, ValueError) as error:
        raise NoAnswer(f"the server's answer is not HTTP, or ends too early: {error!r}") from error
    headers = [(name, value) for name, value in response.getheaders() if name.lower() not in HOP_BY_HOP]
    encoding = (response.getheader("content-encoding") or "").strip().lower()
    if encoding in WINDOWS and body:
        try:
            body = zlib.decompress(body, WINDOWS[encoding])
        except zlib.error as error:
            raise NoAnswer(f"the server's answer can't be decompressed: {error}") from error
        headers = [(name, value) for name, value in headers if name.lower() != "content-encoding"]
    if method != "HEAD":
        headers.append(("Content-Length", str(len(body))))
    elif (length := response.getheader("content-length")) is not None:
        headers.append(("Content-Length", length))
    return Answer(response.status, response.reason, headers, body)


# --- The kernel's fetch ---


def answer_fetches() -> None:
    """Let requests of the kernel to ports of the page arrive here instead of at the network door."""
    ports.watchers.append(ffi.serve_local_requests(_start))


def _start(
    url: str, method: str, headers: list[tuple[str, str]], body: bytes
) -> asyncio.Task[dict[str, Any]]:
    # JavaScript waits for it, so it doesn't end with the program that sends the request.
    return asyncio.get_running_loop().create_task(
        _answer(url, method, headers, body), context=process.detached()
    )


async def _answer(url: str, method: str, headers: list[tuple[str, str]], body: bytes) -> dict[str, Any]:
    """Return the answer, or `{problem, message}`."""
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    named = [("Host", parts.netloc.rpartition("@")[2]), *headers]
    try:
        got = await send(Request(parts.port or 80, method, target, named, body))
    except ConnectionRefusedError:
        return {"problem": "HostUnreachable", "message": f"No server listens at {parts.netloc} any more."}
    except (NoAnswer, ValueError) as error:
        return {"problem": "HostBroken", "message": f"{parts.netloc}: {error}."}
    return {
        "status": got.status,
        "reason": got.reason,
        "headers": [list(pair) for pair in got.headers],
        "body": ffi.to_js_bytes(got.body),
    }
