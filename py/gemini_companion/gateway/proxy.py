"""`/models/<provider>/…`: passes the page's requests on to language models, with keys that the page never sees."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from gemini_companion.gateway.counting import Counting, counted
from gemini_companion.gateway.errors import (
    GatewayProblem,
    KeyringUnavailable,
    KeyUnusable,
    ProviderBroken,
    ProviderRefused,
    ProviderSlow,
    ProviderUnknown,
    RequestTooLarge,
    RequestTooSlow,
    TooManyRequests,
)
from gemini_companion.gateway.keys import Key, Keys
from gemini_companion.gateway.limits import Limits, Throttle
from gemini_companion.gateway.model_request import parse_request
from gemini_companion.gateway.prices import Price, price_of
from gemini_companion.gateway.providers import Provider
from gemini_companion.gateway.tickets import Tickets
from gemini_companion.gateway.upstream import Answer, Call, Upstream, key_missing

log = logging.getLogger(__name__)

# The header that names a request's ticket.
TICKET = "x-model-ticket"
# The bytes of a list of models, and the characters of an error that are quoted.
LONGEST_LIST = 4 * 1024 * 1024
LONGEST_WORDS = 300
# A person is waiting for the result.
TEST_WITHIN_S = 30.0
FIRST_ERROR = 400


class Gateway:
    """Knows the providers, and passes requests on to them.

    The companion's guard stands in front of every route, and decides who may ask.

    Args:
        providers: By name, as `load_providers` returns them.
        keys: Finds and saves their keys.
        limits: The limits of each request.
    """

    def __init__(
        self, providers: Mapping[str, Provider], keys: Keys | None = None, limits: Limits | None = None
    ) -> None:
        self._providers = dict(providers)
        self._keys = keys or Keys()
        self._limits = limits or Limits()
        self.tickets = Tickets()
        self._upstream = Upstream(self._limits)
        self._throttles = {
            name: Throttle(name, each.requests_per_minute, each.concurrent)
            for name, each in self._providers.items()
        }

    @property
    def routes(self) -> list[Route]:
        """The routes that pass requests on."""
        return [Route("/models/{provider}/{path:path}", _Endpoint(self))]

    async def rows(self) -> list[dict[str, Any]]:
        """Return the providers for the page, never with a key.

        Each is `{name, kind, base_url, needs_key, takes_key, has_key, key_from, variables, problem}`; `key_from` is
        `environment`, `keyring`, `file` or null, `variables` are the environment variables that may hold the key, and
        `problem` says why a stored key can't be used.
        """
        return [await self._row(provider) for provider in self._providers.values()]

    async def choices(self) -> list[dict[str, Any]]:
        """Return the providers as the page's Python sees them; see `gemini_companion.gateway.access`."""
        return [_choice(provider, await self._row(provider)) for provider in self._providers.values()]

    @property
    def key_file(self) -> Path:
        """The file that stores keys where there is no keyring."""
        return self._keys.path

    async def set_key(self, name: str, key: str, *, in_file: bool = False) -> None:
        """Save a provider's key in the keyring; without one, if the person agreed, in a file.

        Raises:
            ProviderUnknown: There is no such provider.
            KeyUnusable, KeyringUnavailable, FolderUnusable: As in `Keys.set`.
        """
        await self._keys.set(self.provider(name), key, in_file=in_file)

    async def delete_key(self, name: str) -> bool:
        """Delete a provider's key from the keyring; return whether there was one. Raises as `Keys.delete` does."""
        return await self._keys.delete(self.provider(name))

    async def test(self, name: str) -> list[str]:
        """Ask a provider for its models, and return their names.

        Raises:
            GatewayProblem: There is no key, no connection or no list of models, or the provider refused.
        """
        provider = self.provider(name)
        path, list_, member = provider.kind.models
        with self._throttles[name].admitted():
            status, content = await self._fetched(provider, path)
        if status >= FIRST_ERROR:
            raise ProviderRefused(
                f"{name} answered {status}: {_words(content)}",
                hint="See the provider's documentation.",
            )
        try:
            return [str(each[member]) for each in json.loads(content)[list_]]
        except (ValueError, KeyError, TypeError):
            raise ProviderBroken(
                f"The server of {name} at {provider.host} returned no list of models.",
                hint="Check base_url and kind in the providers file.",
            ) from None

    async def aclose(self) -> None:
        """Close the connections to providers."""
        await self._upstream.aclose()

    async def pass_on(self, request: Request, page: _Page) -> None:
        """Answer one request of the page.

        Raises:
            TicketMissing, TicketForAnother, CeilingReached, RequestUnclear: The request isn't sent.
        """
        provider = self.provider(request.path_params["provider"])
        path = "/" + request.path_params["path"]
        self._refuse_long(request.headers.get("content-length", "0"))
        reads = request.method in ("GET", "HEAD")
        if not reads:
            provider.require_call(request.method, path)
        model_request = None if reads else parse_request(provider, path, await self._body(request))
        call = Call(
            request.method,
            path,
            tuple(request.query_params.multi_items()),
            {name: value for name, value in request.headers.items() if name != "content-length"},
            None if model_request is None else model_request.body,
        )
        if model_request is None:
            await self._send(provider, call, page)
            return
        reservation = self.tickets.reserve(request.headers.get(TICKET), provider.name, model_request)
        with counted(reservation) as counting:
            await self._send(provider, call, page, counting)

    async def _send(
        self, provider: Provider, call: Call, page: _Page, counting: Counting | None = None
    ) -> None:
        with self._throttles[provider.name].admitted():
            key = await self._key(provider)
            if counting is not None:
                counting.is_sent = True
            async with self._upstream.answer(provider, key, call) as answer:
                if counting is not None:
                    counting.begin(answer)
                await page.begin(answer)
                async for chunk in answer.chunks:
                    if counting is not None:
                        counting.feed(chunk)
                    await page.add(chunk)
                if counting is not None:
                    counting.is_whole = True
                await page.end()

    async def _fetched(self, provider: Provider, path: str) -> tuple[int, bytes]:
        key = await self._key(provider)
        try:
            async with (
                asyncio.timeout(min(TEST_WITHIN_S, self._limits.idle_s)),
                self._upstream.answer(provider, key, Call("GET", path)) as answer,
            ):
                return answer.status, await _whole(provider, answer)
        except TimeoutError:
            raise ProviderSlow(
                f"{provider.name} didn't list its models in time.", hint="Try again later."
            ) from None

    def price(self, provider: Provider, model: str) -> Price | None:
        """Return the price of a model; None if it is unknown."""
        return price_of(provider, model)

    def provider(self, name: str) -> Provider:
        """Return the provider of that name. Raises ProviderUnknown."""
        if name not in self._providers:
            raise ProviderUnknown(
                f"No provider {name!r} is configured.", hint=f"Configured: {', '.join(self._providers)}."
            )
        return self._providers[name]

    async def _key(self, provider: Provider) -> Key | None:
        key = await self._keys.find(provider)
        if key is None and provider.key == "needed":
            raise key_missing(provider)
        return key

    async def _row(self, provider: Provider) -> dict[str, Any]:
        key = problem = None
        try:
            key = await self._keys.find(provider)
        except (KeyUnusable, KeyringUnavailable) as error:
            problem = error.message
        return {
            "name": provider.name,
            "kind": provider.kind.name,
            "base_url": provider.base_url,
            "needs_key": provider.key == "needed",
            "takes_key": provider.key != "none",
            "has_key": key is not None,
            "key_from": key.origin if key else None,
            "variables": list(provider.variables),
            "problem": problem,
        }

    async def _body(self, request: Request) -> bytes:
        content = bytearray()
        chunks = request.stream()
        while True:
            try:
                async with asyncio.timeout(self._limits.idle_s):
                    chunk = await anext(chunks, None)
            except TimeoutError:
                raise RequestTooSlow(
                    "The request stopped before it was complete.", hint="Send it again."
                ) from None
            if chunk is None:
                return bytes(content)
            content += chunk
            self._refuse_long(str(len(content)))

    def _refuse_long(self, size: str) -> None:
        # The server has checked that it is a number.
        if int(size) > self._limits.body:
            raise RequestTooLarge(
                f"The request has more than {self._limits.body} bytes.",
                hint="Send less, such as smaller pictures.",
            )

    @property
    def idle_s(self) -> float:
        """The time in seconds that the page may take to read a chunk."""
        return self._limits.idle_s


class _Page:
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
        self._answer = answer
        await self._start(answer.status, answer.headers)

    async def add(self, chunk: bytes) -> None:
        await self._write({"type": "http.response.body", "body": chunk, "more_body": True})

    async def end(self) -> None:
        await self._write({"type": "http.response.body", "body": b"", "more_body": False})

    async def fail(self, problem: GatewayProblem) -> None:
        """Report a problem: as the whole answer, as a last event, or else by breaking the answer off."""
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


class _Endpoint:
    """The ASGI endpoint: answers each request until it is done or the page has disconnected."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        page = _Page(receive, send, self._gateway.idle_s)
        request = Request(scope, page.receive)
        if request.method in ("GET", "HEAD"):
            await page.receive()
        tasks = [
            asyncio.create_task(self._answered(request, page)),
            asyncio.create_task(page.disconnected()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result

    async def _answered(self, request: Request, page: _Page) -> None:
        try:
            await self._gateway.pass_on(request, page)
        except GatewayProblem as problem:
            log.warning("%s: %s", type(problem).__name__, problem.message)
            try:
                await page.fail(problem)
            except ClientDisconnect:
                return
        except ClientDisconnect:
            return


async def _whole(provider: Provider, answer: Answer) -> bytes:
    content = b""
    async for chunk in answer.chunks:
        content += chunk
        if len(content) > LONGEST_LIST:
            raise ProviderBroken(
                f"The list of {provider.name}'s models is too long.",
                hint="Check base_url in the providers file.",
            )
    return content


def _words(content: bytes) -> str:
    """Return the beginning of an answer, for a person, on one line."""
    return " ".join(content.decode(errors="replace").split())[:LONGEST_WORDS]


def _choice(provider: Provider, row: Mapping[str, Any]) -> dict[str, Any]:
    why: str | None = row["problem"]
    if why is None and row["needs_key"] and not row["has_key"]:
        why = f"There is no key for {provider.name}. Set one in the settings."
    api, below = provider.kind.client
    return {
        "name": provider.name,
        "api": api,
        "path": f"/models/{provider.name}{below}",
        "local": provider.is_local,
        "ready": why is None,
        "why": why,
    }
