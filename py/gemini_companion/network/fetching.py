"""One request to another origin and its answer: no cookies, no redirects, no connection that isn't checked."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Generator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import httpcore2
import httpx2

from gemini_companion.network.addresses import PinnedBackend, Reach
from gemini_companion.network.errors import (
    AnswerTooLarge,
    HostBroken,
    HostSlow,
    HostUnreachable,
    NetworkProblem,
)
from gemini_companion.network.headers import ACCEPTED_CODINGS, Headers
from gemini_companion.network.targets import Target

IDLE_CONNECTIONS, IDLE_S = 8, 10.0
USER_AGENT = "control-surface"


@dataclass(frozen=True)
class Limits:
    """Sizes in bytes, times in seconds.

    Attributes:
        request: The longest body that is sent.
        answer: The longest body that comes back, as it is transferred.
        connect_s: For a connection, look-up and TLS included.
        idle_s: Without a byte from the far side, or from and to the page.
        total_s: For an answer as a whole, from the person's consent on.
        at_once: Requests of one page that are under way, those that wait for the person included.
        redirects: That one request may follow.
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
    """What is sent: `size` is the body's, which `body` opens."""

    method: str
    target: Target
    headers: Headers
    size: int = 0
    body: AsyncIterator[bytes] | None = None


@dataclass(frozen=True)
class Answer:
    """What came back; `chunks` are as they were transferred, coded."""

    status: int
    reason: str
    headers: list[tuple[bytes, bytes]]
    chunks: AsyncIterator[bytes]


class Fetcher:
    """The connections to other origins.

    Args:
        reach: What may be connected to.
        limits: Of each request.
        proxy: The URL of an HTTP proxy that all requests go through. It looks names up, so nobody here knows which
            addresses they lead to.
    """

    def __init__(
        self, reach: Reach | None = None, limits: Limits | None = None, proxy: str | None = None
    ) -> None:
        self.reach = reach or Reach()
        self.limits = limits or Limits()
        self._proxy = proxy

    @contextlib.asynccontextmanager
    async def answer(self, call: Call) -> AsyncGenerator[Answer]:
        """Send a request, and have its answer while the block runs; leaving the block ends it.

        Raises:
            NetworkProblem: There is no answer, or none that may be read.
        """
        request = self._request(call)
        with _named(call.target):
            response = await self._pool.handle_async_request(request)
        try:
            extensions: dict[str, Any] = cast("Any", response).extensions
            reason: bytes = extensions.get("reason_phrase", b"")
            chunks = self._chunks(call.target, response)
            yield Answer(response.status, reason.decode("latin-1"), response.headers, chunks)
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()

    @cached_property
    def _pool(self) -> httpcore2.AsyncConnectionPool:
        # Reading the system's certificates takes a moment, which a start shouldn't.
        common: dict[str, Any] = {
            "ssl_context": httpx2.create_ssl_context(),
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
        with _named(target):
            async for chunk in response.aiter_stream():
                size += len(chunk)
                if size > self.limits.answer:
                    raise AnswerTooLarge(
                        f"the answer of {target.origin} has more than {self.limits.answer:,} bytes",
                        hint="Ask for a part of it (Range), or fetch it in a host terminal.",
                    )
                yield chunk


@contextlib.contextmanager
def _named(target: Target) -> Generator[None]:
    """Turn what the library raises into a problem of the door's, in words of our own."""
    try:
        yield
    except (httpcore2.ConnectTimeout, httpcore2.PoolTimeout):
        raise _unreachable(target, "it takes no connection in time") from None
    except (httpcore2.ConnectError, httpcore2.ProxyError) as error:
        # OpenSSL's words say what is wrong with a certificate.
        raise _unreachable(target, str(error)[:300] or "it takes no connection") from None
    except httpcore2.TimeoutException:
        raise HostSlow(f"{target.origin} was silent for too long", hint="Try again later.") from None
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.UnsupportedProtocol):
        raise HostBroken(f"the connection to {target.origin} broke off", hint="Try again.") from None


def _unreachable(target: Target, why: str) -> NetworkProblem:
    return HostUnreachable(
        f"{target.origin} can't be reached: {why}", hint="Check the address, and the network of this machine."
    )
