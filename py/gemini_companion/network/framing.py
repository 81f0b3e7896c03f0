"""`page/framing {url, ancestors} -> {forbidden_by}`: the header that forbids showing a page in a tab, or None.

The page asks about a URL that the user has allowed it to open, after the browser has loaded it into a frame, because
a browser doesn't reveal why a frame is empty. Python can't ask (web/ui/companion/link.ts). The answer is decided as in
browsers: https://html.spec.whatwg.org/#the-x-frame-options-header and https://www.w3.org/TR/CSP3/#frame-ancestors.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field

from gemini.core.protocol import Handler
from gemini_companion.network.errors import HostUnreachable, NetworkProblem, RedirectRefused
from gemini_companion.network.fetching import Call, Fetcher
from gemini_companion.network.targets import BLOCKED_PORTS, DEFAULT_PORTS, Target, parse, redirected
from gemini_companion.pages.parameters import MethodParams, validated

Header = Literal["X-Frame-Options", "frame-ancestors"]
# A server that doesn't know HEAD says nothing about its pages.
UNKNOWN_METHOD = {405, 501}
LONGEST_S = 5.0


class FramingParams(MethodParams):
    """The parameters of `page/framing`; `ancestors` are the origins of the documents around the frame."""

    url: Annotated[str, Field(max_length=8 * 1024)]
    ancestors: Annotated[list[Annotated[str, Field(max_length=300)]], Field(min_length=1, max_length=10)]


class Framing:
    """Reads the headers of pages.

    Args:
        fetcher: Sends the requests.
    """

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    def handlers(self) -> dict[str, Handler]:
        """Return the handler of the page's request."""
        return {"page/framing": validated(FramingParams, self._framing)}

    async def _framing(self, asked: FramingParams) -> Any:
        try:
            async with asyncio.timeout(LONGEST_S):
                return {
                    "forbidden_by": await self._forbidden_by(asked.url.partition("#")[0], asked.ancestors)
                }
        except TimeoutError:
            raise NetworkProblem(f"{asked.url[:200]!r} didn't answer within {LONGEST_S:g} s") from None

    async def _forbidden_by(self, url: str, ancestors: Sequence[str]) -> Header | None:
        if (port := urlsplit(url).port) in BLOCKED_PORTS:
            raise HostUnreachable(f"browsers open no pages of port {port}", hint="Use a web server's port.")
        if (local := parse(url, local=True)).is_loopback:
            await _require_listener(local)
        target = parse(url)
        for _ in range(self._fetcher.limits.redirects + 1):
            self._fetcher.reach.require_possible(target)
            # The body, and pages that can be opened only once, are for the frame.
            async with self._fetcher.answer(Call("HEAD", target, [("accept", "text/html")])) as answer:
                if answer.status in UNKNOWN_METHOD:
                    raise NetworkProblem(f"{target.origin} doesn't answer HEAD")
                if answer.location is None:
                    return forbidden_by(
                        target.origin,
                        ancestors,
                        policies=answer.values("content-security-policy"),
                        options=answer.values("x-frame-options"),
                    )
                target = redirected(target.url, answer.location)
        raise RedirectRefused(f"{target.origin} redirects too often")


async def _require_listener(target: Target) -> None:
    """Check that a program listens on a port of this computer, to which nothing is sent.

    The browser has just tried the same, with the user's consent.

    Raises:
        HostUnreachable: None does.
    """
    try:
        _, writer = await asyncio.open_connection(target.host, target.port)
    except OSError:
        raise HostUnreachable(
            f"nothing listens on {target.authority}", hint="Start its server, or check the port."
        ) from None
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


def forbidden_by(
    origin: str, ancestors: Sequence[str], *, policies: Sequence[str], options: Sequence[str]
) -> Header | None:
    """Return the header that forbids showing a page of an origin inside documents of other origins.

    Args:
        origin: The page's origin.
        ancestors: The origins of the documents around it.
        policies: The values of Content-Security-Policy.
        options: The values of X-Frame-Options.
    """
    sources = [found for policy in policies if (found := _frame_ancestors(policy)) is not None]
    if sources:
        allowed = all(
            any(_matches(source, ancestor, origin) for source in each)
            for each in sources
            for ancestor in ancestors
        )
        return None if allowed else "frame-ancestors"
    values = {each.lower() for each in options}
    if len(values) > 1:
        return "X-Frame-Options" if values & {"deny", "allowall", "sameorigin"} else None
    own = all(ancestor == origin for ancestor in ancestors)
    return "X-Frame-Options" if "deny" in values or ("sameorigin" in values and not own) else None


def _frame_ancestors(policy: str) -> list[str] | None:
    """Return the sources of a policy's first directive frame-ancestors."""
    for directive in policy.split(";"):
        name, *sources = directive.split() or [""]
        if name.lower() == "frame-ancestors":
            return [each.lower() for each in sources]
    return None


def _matches(source: str, ancestor: str, own: str) -> bool:
    """Return whether a source expression matches an origin (https://www.w3.org/TR/CSP3/#match-url-to-source-expression)."""
    url = urlsplit(ancestor)
    if source == "'self'":
        return ancestor == own
    if source == "*":
        return url.scheme in DEFAULT_PORTS
    if source.endswith(":") and "/" not in source:
        return _is_scheme(source[:-1], url.scheme)
    scheme, separator, rest = source.rpartition("://")
    host, _, port = rest.partition("/")[0].partition(":")
    return (
        _is_scheme(scheme if separator else urlsplit(own).scheme, url.scheme)
        and _is_host(host, url.hostname or "")
        and _is_port(port, url.port or DEFAULT_PORTS.get(url.scheme, 0), scheme or url.scheme)
    )


def _is_scheme(named: str, scheme: str) -> bool:
    return named == scheme or (named == "http" and scheme == "https")


def _is_host(pattern: str, host: str) -> bool:
    return host.endswith(pattern[1:]) if pattern.startswith("*.") else pattern in ("*", host)


def _is_port(named: str, port: int, scheme: str) -> bool:
    if named == "*":
        return True
    expected = int(named) if named.isdecimal() else DEFAULT_PORTS.get(scheme, 0)
    return port == expected or (expected == DEFAULT_PORTS["http"] and port == DEFAULT_PORTS["https"])
