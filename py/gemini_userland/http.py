"""The requests of `curl` and `wget`, and the function that sends them, which the shell's owner provides."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, replace
from urllib.parse import urljoin, urlsplit

MOVED = {301, 302, 303, 307, 308}
# Requests after these become GET, as in browsers.
CHANGE_METHOD = {301, 302, 303}
MAX_URL = 8 * 1024


@dataclass(frozen=True)
class Request:
    """A request to send: redirects are returned, not followed."""

    url: str
    method: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    def redirected(self, answer: Response, *, keep_method: bool = False) -> Request:
        """Return the request that follows a redirect; headers that could be secret stay with their origin."""
        url = urljoin(self.url, answer.header("location") or "").partition("#")[0]
        headers = self.headers
        if urlsplit(url)[:2] != urlsplit(self.url)[:2]:
            headers = tuple(pair for pair in headers if pair[0].lower() not in ("authorization", "cookie"))
        if answer.status not in CHANGE_METHOD or self.method in ("GET", "HEAD") or keep_method:
            return Request(url, self.method, headers, self.body)
        headers = tuple(pair for pair in headers if pair[0].lower() != "content-type")
        return Request(url, "GET", headers)


@dataclass(frozen=True)
class Response:
    """An answer; header names are lowercase, in the server's order. `rest` continues `body` while that arrives."""

    status: int
    reason: str
    headers: list[tuple[str, str]]
    body: bytes
    rest: AsyncGenerator[bytes] | None = None

    async def completed(self) -> Response:
        """Return the answer with its complete body.

        Raises:
            NoAnswer: It breaks off.
        """
        if self.rest is None:
            return self
        pieces = [piece async for piece in self.rest]
        return replace(self, body=b"".join((self.body, *pieces)), rest=None)

    def header(self, name: str) -> str | None:
        """Return the first header of that name (lowercase)."""
        return next((value for given, value in self.headers if given == name), None)

    @property
    def redirects(self) -> bool:
        """True for a redirect that says where to."""
        return self.status in MOVED and self.header("location") is not None

    def head(self) -> bytes:
        """Return the status line and the headers as HTTP/1.1 writes them."""
        lines = [f"HTTP/1.1 {self.status} {self.reason}".rstrip()]
        lines += [f"{name.title()}: {value}" for name, value in self.headers]
        return "".join(f"{line}\r\n" for line in [*lines, ""]).encode("latin-1", "replace")


class NoAnswer(Exception):
    """A request without an answer.

    Args:
        kind: "unknown host", "no connection", "certificate", "slow", "refused" or "broken".
        message: A sentence for the user.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


Send = Callable[[Request], Awaitable[Response]]
"""Sends a request, and raises NoAnswer."""


async def within(seconds: float | None, send: Send, request: Request, *, partly: bool = False) -> Response:
    """Send a request; raise NoAnswer ("slow") if the answer isn't complete in time, or its head with `partly`."""
    try:
        async with asyncio.timeout(seconds):
            answer = await send(request)
            return answer if partly else await answer.completed()
    except TimeoutError as late:
        raise NoAnswer("slow", f"no answer within {seconds:g} seconds") from late


def with_scheme(url: str) -> str:
    """Return the URL with `http://` in front if it has no scheme."""
    return url if "://" in url else f"http://{url}"


def file_name(url: str) -> str:
    """Return the last part of a URL's path, or ""."""
    return urlsplit(url).path.rpartition("/")[2]


def disposition_name(answer: Response) -> str:
    """Return the file name of an answer's Content-Disposition, or "" (RFC 6266)."""
    for part in (answer.header("content-disposition") or "").split(";")[1:]:
        name, _, value = part.strip().partition("=")
        if name.lower() == "filename":
            return value.strip().strip('"').replace("\\", "/").rpartition("/")[2]
    return ""
