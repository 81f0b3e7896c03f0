"""One request to another origin and its answer: no cookies, no redirects, no unchecked connection."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, cast

import httpcore2
import httpx2

from gemini_companion.network.addresses import PinnedBackend, Reach
from gemini_companion.network.decoding import HEADER, codings, decoded
from gemini_companion.network.errors import (
    AnswerTooLarge,
    HostBroken,
    HostSlow,
    HostUnreachable,
    NetworkProblem,
    SecretRefused,
)
from gemini_companion.network.headers import ACCEPTED_CODINGS, Headers
from gemini_companion.network.targets import Target
from gemini_companion.secrets import Masked, Masker, SecretProblem, Secrets

IDLE_CONNECTIONS, IDLE_S = 8, 10.0
REDIRECTS = {301, 302, 303, 307, 308}
USER_AGENT = "control-surface"
# Lines of these types are shown as they arrive.
BY_LINE = ("text/event-stream", "application/x-ndjson", "application/jsonl")
# A secret in parts isn't found, so an origin that has received one is asked for all of its answer.
OF_PARTS = ("range", "if-range")


@dataclass(frozen=True)
class Limits:
    """Sizes in bytes, times in seconds.

    Attributes:
        request: The longest body of a request.
        answer: The longest body of an answer, as it is transferred.
        connect_s: For a connection, including look-up and TLS.
        idle_s: Without a byte from the remote server, or to or from the page.
        total_s: For a complete answer, from the user's consent on.
        at_once: Requests of one page under way, including those that wait for the user.
        redirects: How many redirects one request may follow.
    """

    request: int = 64 * 1024 * 1024
    answer: int = 1024 * 1024 * 1024
    connect_s: float = 15.0
    idle_s: float = 120.0
    total_s: float = 3600.0
    at_once: int = 16
    redirects: int = 10


@dataclass(frozen=True)
class Call:
    """A request to send.

    Attributes:
        size: The size of the body.
        body: Yields the body.
        placeholder: Returns the text in place of a secret's value in the answer, by the secret's name.
    """

    method: str
    target: Target
    headers: Headers
    size: int = 0
    body: AsyncIterator[bytes] | None = None
    placeholder: Callable[[str], str] | None = None


@dataclass(frozen=True)
class Answer:
    """The answer of the remote server; `chunks` are as they were transferred, with their content coding."""

    status: int
    reason: str
    headers: list[tuple[bytes, bytes]]
    chunks: AsyncIterator[bytes]

    @property
    def location(self) -> str | None:
        """The target of a redirect; None for other answers."""
        found = self._header("location") if self.status in REDIRECTS else []
        return found[0] if found else None

    def values(self, name: str) -> list[str]:
        """Return the values of a header that is a list, by its lowercase name."""
        return [each.strip() for line in self._header(name) for each in line.split(",")]

    def _header(self, name: str) -> list[str]:
        return [value.decode("latin-1") for key, value in self.headers if key.lower() == name.encode()]

    def masked(self, values: Sequence[Masked], method: str, largest: int) -> Answer:
        """Return the answer without secrets, and without its content coding.

        Args:
            values: What is replaced.
            method: The request's method.
            largest: The most bytes that the content may have when it is decoded.

        Raises:
            AnswerUnreadable: The content's coding can't be decoded.
        """
        masker = Masker(
            values, by_line=any(each.startswith(BY_LINE) for each in self._header("content-type"))
        )
        headers = [(masker.whole(name), masker.whole(value)) for name, value in self.headers]
        reason = masker.whole(self.reason.encode("latin-1", "replace")).decode("latin-1")
        if method == "HEAD":
            return Answer(self.status, reason, headers, self.chunks)
        chunks = self.chunks
        for coding in reversed(codings(self.headers)):
            chunks = decoded(chunks, coding, largest)
        stale = (HEADER, b"content-length")
        headers = [each for each in headers if each[0].lower() not in stale]
        return Answer(self.status, reason, headers, _mask(chunks, masker))


async def _mask(chunks: AsyncIterator[bytes], masker: Masker) -> AsyncGenerator[bytes]:
    async for chunk in chunks:
        if passing := masker.feed(chunk):
            yield passing
    if rest := masker.finish():
        yield rest


class Fetcher:
    """The connections to other origins.

    Args:
        reach: The addresses that may be reached.
        limits: The limits of each request.
        proxy: The URL of an HTTP proxy for all requests. The proxy resolves names, so their addresses can't be checked
            here.
        secrets: The user's secrets, which no answer has.
    """

    def __init__(
        self,
        reach: Reach | None = None,
        limits: Limits | None = None,
        proxy: str | None = None,
        secrets: Secrets | None = None,
    ) -> None:
        self.reach = reach or Reach()
        self.limits = limits or Limits()
        self._proxy = proxy
        self.secrets = secrets

    @property
    def has_proxy(self) -> bool:
        """True if a proxy sends the requests, which resolves their names."""
        return self._proxy is not None

    def varied(
        self, *, reach: Reach | None = None, limits: Limits | None = None, secrets: Secrets | None = None
    ) -> Fetcher:
        """Return another fetcher, with its own connections, that differs in the addresses, limits or secrets."""
        return Fetcher(reach or self.reach, limits or self.limits, self._proxy, secrets or self.secrets)

    @contextlib.asynccontextmanager
    async def answer(self, call: Call) -> AsyncGenerator[Answer]:
        """Send a request, and yield its answer; leaving the block ends the request.

        Raises:
            NetworkProblem: There is no answer, or it may not be read.
        """
        masks = await self._masks(call)
        request = self._request(self._whole(call))
        with _network_errors(call.target):
            response = await self._pool.handle_async_request(request)
        try:
            extensions: dict[str, Any] = cast("Any", response).extensions
            reason: bytes = extensions.get("reason_phrase", b"")
            chunks = self._chunks(call.target, response)
            answer = Answer(response.status, reason.decode("latin-1"), response.headers, chunks)
            yield answer.masked(masks, call.method, self.limits.answer) if masks else answer
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()

    async def _masks(self, call: Call) -> list[Masked]:
        if self.secrets is None:
            return []
        try:
            return await self.secrets.masks(call.placeholder)
        except SecretProblem as problem:
            # Without its value it can't be removed from the answer.
            raise SecretRefused(
                f"{call.method} {call.target.origin} was not sent: {problem.message}", hint=problem.hint
            ) from None

    def _whole(self, call: Call) -> Call:
        if self.secrets is None or not self.secrets.has_received(call.target.origin):
            return call
        return replace(call, headers=[each for each in call.headers if each[0] not in OF_PARTS])

    @cached_property
    def _pool(self) -> httpcore2.AsyncConnectionPool:
        # Created late, since reading the system's certificates takes a moment.
        common: dict[str, Any] = {
            "ssl_context": _ssl_context(),
            "max_connections": None,
            "max_keepalive_connections": IDLE_CONNECTIONS,
            "keepalive_expiry": IDLE_S,
        }
        if self._proxy is not None:
            return httpcore2.AsyncHTTPProxy(self._proxy, **common)
        return httpcore2.AsyncConnectionPool(network_backend=PinnedBackend(self.reach), **common)

    def _request(self, call: Call) -> httpcore2.Request:
        target = call.target
        headers = {"user-agent": USER_AGENT, "accept": "*/*", **dict(call.headers)}
        if headers.get("accept-encoding") != "identity":
            headers["accept-encoding"] = ACCEPTED_CODINGS
        raw = [(b"Host", target.authority.encode())]
        raw += [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        if call.body is not None:
            raw.append((b"content-length", str(call.size).encode()))
        limits = self.limits
        waits = {
            "connect": limits.connect_s,
            "read": limits.idle_s,
            "write": limits.idle_s,
            "pool": limits.connect_s,
        }
        return httpcore2.Request(
            call.method.encode(),
            httpcore2.URL(
                scheme=target.scheme.encode(),
                host=target.host.encode(),
                port=target.port,
                target=target.target.encode(),
            ),
            headers=raw,
            content=call.body,
            extensions={"timeout": waits},
        )

    async def _chunks(self, target: Target, response: httpcore2.Response) -> AsyncGenerator[bytes]:
        size = 0
        with _network_errors(target):
            async for chunk in response.aiter_stream():
                size += len(chunk)
                if size > self.limits.answer:
                    raise AnswerTooLarge(
                        f"the answer of {target.origin} has more than {self.limits.answer:,} bytes",
                        hint="Ask for a part of it (Range), or fetch it in a host terminal.",
                    )
                yield chunk


@cache
def _ssl_context() -> ssl.SSLContext:
    # All fetchers share it: reading the certificates takes a tenth of a second.
    return httpx2.create_ssl_context()


@contextlib.contextmanager
def _network_errors(target: Target) -> Generator[None]:
    """Turn the library's errors into errors of the door, with our own text."""
    try:
        yield
    except (httpcore2.ConnectTimeout, httpcore2.PoolTimeout):
        raise _unreachable(target, "it accepts no connection in time") from None
    except (httpcore2.ConnectError, httpcore2.ProxyError) as error:
        # OpenSSL's message says what is wrong with a certificate.
        raise _unreachable(target, str(error)[:300] or "it accepts no connection") from None
    except httpcore2.TimeoutException:
        raise HostSlow(f"{target.origin} was silent for too long", hint="Try again later.") from None
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.UnsupportedProtocol):
        raise HostBroken(f"the connection to {target.origin} broke off", hint="Try again.") from None


def _unreachable(target: Target, why: str) -> NetworkProblem:
    return HostUnreachable(
        f"{target.origin} can't be reached: {why}", hint="Check the address, and this machine's network."
    )
