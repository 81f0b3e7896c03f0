"""One request to a provider: the parts that are sent, and the parts of the answer that are returned."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import httpx2

from gemini_companion.models.errors import (
    CertificateUntrusted,
    GatewayProblem,
    KeyMissing,
    KeyRefused,
    ProviderBroken,
    ProviderSlow,
    ProviderUnreachable,
)
from gemini_companion.models.keys import Key
from gemini_companion.models.limits import Limits
from gemini_companion.models.providers import Provider
from gemini_companion.models.scrubbing import Scrubber

UNAUTHORIZED = 401
ASKED = frozenset({"accept", "content-type", "idempotency-key"})
ANSWERED = frozenset({"request-id", "x-request-id", "retry-after", "retry-after-ms", "x-should-retry"})
ANSWERED_PREFIXES = ("x-ratelimit-", "anthropic-ratelimit-")
# Types that a browser never treats as a page or a script, since the gateway answers on the page's own origin.
TYPES = ("application/json", "text/event-stream", "application/x-ndjson", "text/plain")
OTHER_TYPE = "application/octet-stream"


@dataclass(frozen=True)
class Call:
    """A request by the page, or by the gateway itself.

    Attributes:
        path: Decoded, with a leading slash; it is appended to the provider's base URL.
        query: Parameters, none of them with text of Python's.
        headers: Names in lowercase; only headers of an allow-list are sent.
        body: None if the method has none.
    """

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None


@dataclass(frozen=True)
class Answer:
    """The part of a provider's answer that may go to the page; `chunks` are passed on as they arrive."""

    status: int
    headers: dict[str, str]
    chunks: AsyncIterator[bytes]

    @property
    def is_events(self) -> bool:
        """True if it is a stream of server-sent events."""
        return self.headers["content-type"].startswith("text/event-stream")


class Upstream:
    """The connections to all providers.

    Args:
        limits: The limits of each request.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    @contextlib.asynccontextmanager
    async def answer(
        self, provider: Provider, key: Key | None, call: Call, *, at_origin: bool = False
    ) -> AsyncGenerator[Answer]:
        """Send a call, and yield its answer; leaving the block ends the request.

        Args:
            provider: The provider.
            key: Its key.
            call: A call of the provider's kind.
            at_origin: True for a call of the gateway's own, whose path begins at the server's root.

        Raises:
            PathRefused: The provider's kind has no such call.
            KeyMissing, KeyRefused: The provider answered 401.
            ProviderUnreachable, ProviderSlow, ProviderBroken: There is no answer to pass on.
        """
        request = self._request(provider, key, call, at_origin)
        with _provider_errors(provider):
            response = await self._client.send(request, stream=True, auth=None)
        try:
            _check(provider, key, response)
            scrubber = Scrubber(key)
            yield Answer(
                response.status_code, _headers(response, scrubber), _chunks(provider, response, scrubber)
            )
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    @cached_property
    def _client(self) -> httpx2.AsyncClient:
        limits = self._limits
        return httpx2.AsyncClient(
            timeout=httpx2.Timeout(limits.idle_s, connect=limits.connect_s, pool=limits.connect_s),
            # Each provider's throttle limits the number of requests.
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=16),
            follow_redirects=False,
            # A proxy that the environment names isn't for connections to this machine.
            mounts={f"all://{host}": None for host in ("localhost", "127.0.0.1", "[::1]")},
        )

    def _request(self, provider: Provider, key: Key | None, call: Call, at_origin: bool) -> httpx2.Request:
        if not at_origin:
            provider.require_call(call.method, call.path)
        kind = provider.kind
        passing = {name: value for name, value in call.headers.items() if name in ASKED | kind.headers}
        # A compressed answer would hide a key.
        headers = kind.defaults | passing | {"accept-encoding": "identity", "user-agent": "control-surface"}
        if key is not None:
            name, prefix = kind.header_of(call.path)
            headers[name] = prefix + key.reveal()
        # Not by the client's own method, which would add its headers and cookies.
        base = provider.origin if at_origin else provider.base_url
        url = httpx2.URL(base + call.path, params=list(call.query) or None)
        return httpx2.Request(call.method, url, headers=headers, content=call.body)


@contextlib.contextmanager
def _provider_errors(provider: Provider) -> Generator[None]:
    """Turn HTTP errors into errors with our own text, since the library's text may quote what was sent."""
    try:
        yield
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError) as error:
        raise (_untrusted(provider) if _is_untrusted(error) else _unreachable(provider)) from None
    except httpx2.TimeoutException:
        raise ProviderSlow(
            f"{provider.name} was silent for too long.", hint="Try again, or ask for a stream."
        ) from None
    except httpx2.HTTPError:
        raise ProviderBroken(
            f"The connection to {provider.name} broke off.", hint="Try again; its log may say why."
        ) from None


def _is_untrusted(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _untrusted(provider: Provider) -> GatewayProblem:
    plain = "use http, which is enough within this computer, or " if provider.is_local else ""
    return CertificateUntrusted(
        f"The certificate of {provider.host} isn't trusted on this computer, so nothing was sent.",
        hint=f"If it is your own server, {plain}start the companion with SSL_CERT_FILE, a file with its certificate.",
    )


def _unreachable(provider: Provider) -> GatewayProblem:
    started = f"Start it: nothing answers at {provider.host} on this machine."
    checked = "Check the network, the provider's certificate, and the variables HTTPS_PROXY and NO_PROXY."
    return ProviderUnreachable(
        f"{provider.name} can't be reached at {provider.host}.",
        hint=started if provider.is_local else checked,
    )


def _check(provider: Provider, key: Key | None, response: httpx2.Response) -> None:
    """Reject an answer that can't be passed on."""
    if response.status_code == UNAUTHORIZED:
        # Its text may contain a part of the key.
        raise key_missing(provider) if key is None else _key_refused(provider, key)
    if response.is_redirect:
        raise ProviderBroken(
            f"{provider.name} sent a redirect, which the gateway doesn't follow.",
            hint="Set its target as base_url in the providers file.",
        )
    if response.headers.get("content-encoding", "identity") != "identity":
        raise ProviderBroken(
            f"{provider.name} compressed its answer despite being asked not to.",
            hint="Turn compression off there, or in the proxy in front of it.",
        )


def key_missing(provider: Provider) -> KeyMissing:
    """Return the error for a provider that needs a key and has none."""
    named = " or ".join(provider.variables)
    return KeyMissing(
        f"There is no key for {provider.name}.",
        hint="Set one in the settings"
        + (f", or start the companion with it in the environment variable {named}." if named else "."),
    )


def _key_refused(provider: Provider, key: Key) -> KeyRefused:
    return KeyRefused(
        f"{provider.name} refused the key from the {key.origin}.",
        hint="Check that it is complete, valid, and for this provider.",
    )


def _headers(response: httpx2.Response, scrubber: Scrubber) -> dict[str, str]:
    passing = {
        name: scrubber.text(value)
        for name, value in response.headers.items()
        if name in ANSWERED or name.startswith(ANSWERED_PREFIXES)
    }
    type_ = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    charset = "; charset=utf-8" if type_.startswith("text/") else ""
    return passing | {
        "content-type": type_ + charset if type_ in TYPES else OTHER_TYPE,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }


async def _chunks(provider: Provider, response: httpx2.Response, scrubber: Scrubber) -> AsyncGenerator[bytes]:
    with _provider_errors(provider):
        async for chunk in response.aiter_raw():
            if passing := scrubber.feed(chunk):
                yield passing
    if rest := scrubber.finish():
        yield rest
