"""`POST /network/<page's key>`: a request of a page's kernel to another origin, which waits for the user's answer.

The header `X-Network-Request` describes it (see `RequestDescription`), the body is the request's. The answer is 200
with the remote server's status, headers and URL in `X-Network-Answer`, or an error with the reason in
`X-Network-Problem`. The door refuses requests by which a browser loads a document, script, worker, style or image.
"""

from __future__ import annotations

import contextlib
import json
import logging
from collections import Counter
from collections.abc import Generator
from dataclasses import replace
from functools import partial
from typing import Protocol

from starlette.requests import ClientDisconnect
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from gemini_companion.network import headers as rules
from gemini_companion.network.credentials import Credentials
from gemini_companion.network.description import READS, RequestDescription
from gemini_companion.network.errors import (
    AnswerTooLarge,
    NetworkProblem,
    PageUnknown,
    RequestMalformed,
    TooManyRequests,
)
from gemini_companion.network.exchange import Exchange
from gemini_companion.network.fetching import Answer, Call, Fetcher
from gemini_companion.network.journey import Journey
from gemini_companion.network.placing import Placing
from gemini_companion.network.private_origins import PrivateOrigins
from gemini_companion.network.sign_in import Questions, SignIns
from gemini_companion.network.targets import Target
from gemini_companion.secrets import SecretAccess

PATH = "/network"
REQUEST, ANSWER, PROBLEM = "x-network-request", "x-network-answer", "x-network-problem"
# Fetch metadata (https://www.w3.org/TR/fetch-metadata/), which scripts can't change.
FETCHED = {
    "sec-fetch-site": ("same-origin",),
    "sec-fetch-dest": ("empty",),
    "sec-fetch-mode": ("cors", "same-origin"),
}
# An answer of the door is never shown, run or stored.
INERT = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
}

log = logging.getLogger(__name__)


class ConnectedPage(Protocol):
    """A page, as the door sees it."""

    @property
    def questions(self) -> Questions:
        """The questions to the user at the page."""
        ...


class FindPage(Protocol):
    """Returns the connected page with a key, or None."""

    def __call__(self, key: str, /) -> ConnectedPage | None:
        """Find the page with that key."""
        ...


class Door:
    """The route, for the kernel's port only.

    Args:
        find: Returns the page with a key.
        origins: The kernel's origins, such as `http://127.0.0.1:8767`.
        fetcher: Sends the requests.
        credentials: The saved credentials for git servers.
        private: The origins at private addresses that the user allows; None if they can't.
        secrets: The user's secrets, and the placeholders of pages; None if there are none.
    """

    def __init__(
        self,
        find: FindPage,
        origins: frozenset[str],
        fetcher: Fetcher | None = None,
        credentials: Credentials | None = None,
        private: PrivateOrigins | None = None,
        secrets: SecretAccess | None = None,
    ) -> None:
        self._find = find
        self._origins = origins
        fetcher = fetcher or Fetcher()
        # A proxy resolves names, so an answer couldn't be for addresses.
        if private is not None and not fetcher.has_proxy:
            fetcher = fetcher.varied(reach=replace(fetcher.reach, private=private))
        if secrets is not None and fetcher.secrets is None:
            fetcher = fetcher.varied(secrets=secrets.secrets)
        self._fetcher = fetcher
        self._secrets = secrets
        self._sign_ins = SignIns(credentials or Credentials())
        self._under_way: Counter[str] = Counter()
        self.route = Route(f"{PATH}/{{key}}", _Endpoint(self))

    async def aclose(self) -> None:
        """Close the connections to other origins."""
        await self._fetcher.aclose()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        limits = self._fetcher.limits
        async with Exchange(scope, receive, send, largest=limits.request, idle_s=limits.idle_s) as exchange:
            try:
                await exchange.run(self._answered(exchange))
            except NetworkProblem as problem:
                log.info("%s: %s", type(problem).__name__, problem.message)
                headers = INERT | {PROBLEM: problem.as_header(), "content-type": "application/json"}
                await exchange.fail(
                    problem.status, headers, json.dumps({"error": problem.as_answer()}).encode()
                )

    async def _answered(self, exchange: Exchange) -> None:
        self._require_kernel(exchange)
        description = RequestDescription.read(exchange.header(REQUEST) or "")
        target = description.target(local=self._fetcher.reach.private is not None)
        self._fetcher.reach.require_possible(target)
        key = exchange.key
        page = self._find(key)
        if page is None:
            raise PageUnknown(
                "the page is not connected to its companion, so you can't be asked",
                hint="Press Connect this browser in the page, or wait until it is connected, and try again.",
            )
        with self._admit(key):
            await exchange.uploaded()
            sign_in = self._sign_ins.of(page.questions, description.words)
            journey = Journey(
                self._fetcher,
                page.questions,
                description.words,
                description.redirect,
                sign_in,
                placing=self._placing(page, exchange),
            )
            use = partial(_pass_on, exchange, description.url)
            await journey.go(self._first(exchange, description, target), use, exchange.body)

    def _placing(self, page: ConnectedPage, exchange: Exchange) -> Placing | None:
        if self._secrets is None:
            return None
        return Placing(self._secrets.secrets, self._secrets.visits.of(page.questions), exchange.body)

    def _require_kernel(self, exchange: Exchange) -> None:
        if exchange.method != "POST":
            raise RequestMalformed("the door accepts POST only")
        if exchange.header("origin") not in self._origins:
            raise RequestMalformed("the door serves its own origin only")
        for name, expected in FETCHED.items():
            if exchange.header(name) not in expected:
                raise RequestMalformed(
                    f"the door serves fetch and XMLHttpRequest only, and {name} says otherwise"
                )
        if exchange.header("sec-purpose") is not None:
            raise RequestMalformed("the door doesn't prefetch")

    def _first(self, exchange: Exchange, description: RequestDescription, target: Target) -> Call:
        headers = rules.sent(description.pairs)
        own_type = exchange.header("content-type")
        if exchange.size and own_type and not any(name == "content-type" for name, _ in headers):
            # Only the browser knows a form's boundary.
            headers += rules.sent([("content-type", own_type)])
        if exchange.size and description.method in READS:
            raise RequestMalformed(f"{description.method} takes no body")
        return Call(description.method, target, headers, exchange.size)

    @contextlib.contextmanager
    def _admit(self, key: str) -> Generator[None]:
        if self._under_way[key] >= self._fetcher.limits.at_once:
            raise TooManyRequests(
                f"{self._fetcher.limits.at_once} requests of this page are under way, which is the limit",
                hint="Wait until some of them are answered.",
            )
        self._under_way[key] += 1
        try:
            yield
        finally:
            self._under_way[key] -= 1
            if not self._under_way[key]:
                del self._under_way[key]


class _Endpoint:
    """An ASGI application, since Starlette passes such a route every method."""

    def __init__(self, door: Door) -> None:
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with contextlib.suppress(ClientDisconnect):
            await self._door(scope, receive, send)


async def _pass_on(exchange: Exchange, asked_url: str, call: Call, answer: Answer) -> None:
    """Send the kernel an answer as it arrives."""
    coding = rules.coding(answer.headers) if call.method != "HEAD" else None
    headers = rules.answered(answer.headers, coding)
    url = call.target.url
    description = {
        "status": answer.status,
        "reason": answer.reason,
        "url": url,
        "redirected": url != asked_url,
        "headers": headers,
    }
    described = json.dumps(description)
    if len(described) > rules.MAX_ANSWERED:
        raise AnswerTooLarge(f"the headers of {call.target.origin}'s answer are too long")
    charset = rules.charset(headers)
    kind = f"application/octet-stream; charset={charset}" if charset else "application/octet-stream"
    own = {ANSWER: described, "content-type": kind} | ({"content-encoding": coding} if coding else {})
    await exchange.begin(200, INERT | own)
    if call.method != "HEAD":
        async for chunk in answer.chunks:
            await exchange.add(chunk)
    await exchange.end()
