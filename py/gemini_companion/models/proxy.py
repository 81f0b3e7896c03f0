"""`/models/<provider>/…`: passes the page's requests on to language models, with keys that the page never sees."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from gemini.models.providers.forms import About
from gemini_companion.models.abouts import about_model
from gemini_companion.models.added import AddedServers, name_for, provider_at
from gemini_companion.models.allowances import Allowances
from gemini_companion.models.counting import Counting, counted
from gemini_companion.models.errors import (
    ConfigurationProblem,
    GatewayProblem,
    KeyringUnavailable,
    KeyUnusable,
    ProviderUnknown,
    RequestTooLarge,
    RequestTooSlow,
)
from gemini_companion.models.keys import Key, Keys
from gemini_companion.models.known_models import KnownModels
from gemini_companion.models.limits import Limits, Throttle
from gemini_companion.models.listing import answered, list_of
from gemini_companion.models.model_request import parse_request
from gemini_companion.models.page_side import PageSide
from gemini_companion.models.prices import Price, price_of
from gemini_companion.models.providers import Provider
from gemini_companion.models.tickets import Tickets
from gemini_companion.models.trials import Trial, candidates
from gemini_companion.models.upstream import Call, Upstream, key_missing

log = logging.getLogger(__name__)

# The header that names a request's ticket.
TICKET = "x-model-ticket"
# Google's switch between events and one answer.
QUERY = frozenset({("alt", "sse"), ("alt", "json")})


class Gateway:
    """Knows the providers, and passes requests on to them.

    The companion's guard stands in front of every route, and decides who may ask.

    Args:
        providers: By name, as `load_providers` returns them.
        keys: Finds and saves their keys.
        limits: The limits of each request.
        added: The servers that the user has added.
        allowances: The models that scheduled runs may use without a question.
    """

    def __init__(
        self,
        providers: Mapping[str, Provider],
        keys: Keys | None = None,
        limits: Limits | None = None,
        added: AddedServers | None = None,
        allowances: Allowances | None = None,
    ) -> None:
        self.allowances = allowances or Allowances()
        self._added = added or AddedServers()
        self._providers: dict[str, Provider] = {}
        self._keys = keys or Keys()
        self._limits = limits or Limits()
        self.tickets = Tickets()
        self._upstream = Upstream(self._limits)
        self._throttles: dict[str, Throttle] = {}
        self._known_models = KnownModels(self._list)
        for provider in {**self._added.providers(), **providers}.values():
            self._admit(provider)

    def _admit(self, provider: Provider) -> None:
        name = provider.name
        self._providers[name] = provider
        self._throttles[name] = Throttle(name, provider.requests_per_minute, provider.concurrent)

    @property
    def routes(self) -> list[Route]:
        """The routes that pass requests on."""
        return [Route("/models/{provider}/{path:path}", _Endpoint(self))]

    async def rows(self) -> list[dict[str, Any]]:
        """Return the providers for the page, never with a key.

        Each is `{name, label, kind, base_url, local, added, needs_key, takes_key, has_key, key_from, variables,
        problem}`; `key_from` is `environment`, `keyring`, `file` or null, `variables` are the environment variables
        that may hold the key, and `problem` says why a stored key can't be used.
        """
        return [await self._row(provider) for provider in self._providers.values()]

    async def choices(self) -> list[dict[str, Any]]:
        """Return the providers as the page's Python sees them; see `gemini_companion.models.access`."""
        return [_choice(provider, await self._row(provider)) for provider in self._providers.values()]

    @property
    def key_file(self) -> Path:
        """The file that stores keys where there is no keyring."""
        return self._keys.path

    async def set_key(self, name: str, key: str, *, in_file: bool = False) -> None:
        """Save a provider's key in the keyring; without one, if the user agreed, in a file.

        Raises:
            ProviderUnknown: There is no such provider.
            KeyUnusable, KeyringUnavailable, FolderUnusable: As in `Keys.set`.
        """
        await self._keys.set(self.provider(name), key, in_file=in_file)

    async def delete_key(self, name: str) -> bool:
        """Delete a provider's key from the keyring; return whether there was one. Raises as `Keys.delete` does."""
        return await self._keys.delete(self.provider(name))

    async def add(self, base_url: str, kind: str) -> str:
        """Add a server, and return its name, or the name of the provider that already has this address.

        Raises:
            ConfigurationProblem: The address is invalid.
            FolderUnusable: The file of added servers can't be written.
            KeyringUnavailable: The keyring doesn't delete a key that an earlier server had under this name.
        """
        wanted = provider_at(base_url, kind)
        known = self._find(wanted)
        if known is not wanted:
            return known.name
        provider = replace(wanted, name=name_for(wanted.base_url, self._providers))
        # No server gets the key of another one.
        await self._keys.delete(provider)
        self._added.add(provider)
        self._admit(provider)
        return provider.name

    async def remove(self, name: str) -> bool:
        """Remove a server that was added, with its key; return whether there was one. Raises as `add` does."""
        if not self.provider(name).added:
            return False
        await self._keys.delete(self.provider(name))
        del self._providers[name]
        return self._added.delete(name)

    def trial(self, name: str | None, address: str, api: str | None, key: str | None) -> Trial:
        """Return a trial of a provider, or of an address that isn't added.

        Args:
            name: The provider's name; None for an address.
            address: The address as the user typed it.
            api: `openai` or `anthropic`; None derives it from the address.
            key: The key to try; None for the saved one.

        Raises:
            ProviderUnknown: There is no such provider.
            ConfigurationProblem: The address is invalid, or the key would be sent unencrypted.
            KeyUnusable: The key can't be one.
        """
        typed = None if key is None else Key(key.strip(), "settings", "the dialog")
        tried = candidates(address, api) if name is None else [self.provider(name)]
        if typed is not None and any(each.key == "none" for each in tried):
            raise ConfigurationProblem(
                f"{tried[0].host} would get the key unencrypted.", hint="Use an https address, or no key."
            )
        return Trial(
            [self._find(each) for each in tried], self._upstream, self._saved_key, self._limits, typed
        )

    def _find(self, wanted: Provider) -> Provider:
        """Return the configured provider with the same API and address, or else `wanted`."""
        for known in self._providers.values():
            same_api = known.kind.client[0] == wanted.kind.client[0]
            if same_api and wanted.client_url in (known.client_url, known.base_url):
                return known
        return wanted

    async def _saved_key(self, provider: Provider) -> Key | None:
        """Return the key of a configured provider; None for an address that isn't added, whatever its name."""
        return await self._key(provider) if self.has(provider) else None

    def has(self, provider: Provider) -> bool:
        """Return whether this is a configured provider, and not only an address."""
        return self._providers.get(provider.name) is provider

    async def aclose(self) -> None:
        """Close the connections to providers."""
        await self._upstream.aclose()

    async def pass_on(self, request: Request, page: PageSide) -> None:
        """Answer one request of the page.

        Raises:
            TicketMissing, TicketForAnother, CeilingReached, RequestUnclear: The request isn't sent.
        """
        provider = self.provider(request.path_params["provider"])
        path = "/" + request.path_params["path"]
        self._refuse_long(request.headers.get("content-length", "0"))
        provider.require_call(request.method, path)
        if request.method in ("GET", "HEAD"):
            # Without a ticket, nothing of the request but its fixed path is sent.
            await self._send(provider, Call(request.method, path), page)
            return
        model_request = parse_request(provider, path, await self._body(request))
        call = Call(
            request.method,
            path,
            tuple(pair for pair in request.query_params.multi_items() if pair in QUERY),
            {name: value for name, value in request.headers.items() if name != "content-length"},
            model_request.body,
        )
        reservation = self.tickets.reserve(request.headers.get(TICKET), provider.name, model_request)
        with counted(reservation) as counting:
            await self._send(provider, call, page, counting)

    async def _send(
        self, provider: Provider, call: Call, page: PageSide, counting: Counting | None = None
    ) -> None:
        with self._throttles[provider.name].admitted():
            key = await self._key(provider)
            if counting is not None:
                counting.is_sent = True
            async with answered(self._upstream, provider, key, call) as answer:
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

    async def require_name(self, provider: Provider, model: str) -> bool | None:
        """Return whether a provider lists a model; None if it has no list, or doesn't answer.

        Raises:
            RequestUnclear: It isn't listed, and can't be the name of a model.
        """
        return await self._known_models.require_name(provider, model)

    async def _list(self, provider: Provider) -> bytes | None:
        with self._throttles[provider.name].admitted():
            return await list_of(self._upstream, provider, await self._key(provider))

    def price(self, provider: Provider, model: str) -> Price | None:
        """Return the price of a model; None if it is unknown."""
        return price_of(provider, model)

    async def about(self, name: str, model: str) -> About:
        """Return what a model's server says about it.

        Raises:
            ProviderUnknown: There is no such provider.
            TooManyRequests: The provider gets too many requests.
            KeyMissing, KeyUnusable, KeyringUnavailable: Its key is missing, or can't be read.
        """
        provider = self.provider(name)
        with self._throttles[name].admitted():
            return await about_model(self._upstream, provider, await self._key(provider), model)

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
            "label": provider.label,
            "kind": provider.kind.name,
            "base_url": provider.base_url,
            "local": provider.is_local,
            "added": provider.added,
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


class _Endpoint:
    """The ASGI endpoint: answers each request until it is done or the page has disconnected."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        page = PageSide(receive, send, self._gateway.idle_s)
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

    async def _answered(self, request: Request, page: PageSide) -> None:
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
