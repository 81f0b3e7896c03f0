"""Trying a server and a key: its list of models, and one short answer. Nothing is saved.

A problem's `data` has `unlisted`: whether the server may have models although it doesn't list them.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from gemini.models.providers.answers import NoList, base_urls, is_page, names_in
from gemini_companion.models.abouts import about_model
from gemini_companion.models.added import address_of, provider_at
from gemini_companion.models.errors import (
    CertificateUntrusted,
    KeyMissing,
    KeyRefused,
    ProviderBroken,
    ProviderRefused,
    ProviderSlow,
    ProviderUnreachable,
)
from gemini_companion.models.keys import Key
from gemini_companion.models.limits import Limits
from gemini_companion.models.listing import answered
from gemini_companion.models.providers import Provider
from gemini_companion.models.trying import (
    QUESTION,
    SCHEMA,
    TOOL,
    Words,
    are_embeddings,
    facts_of,
    first_words,
    follows_schema,
    question,
)
from gemini_companion.models.upstream import Answer, Call, Upstream

T = TypeVar("T")

# The bytes of an answer, and the characters of an error that are quoted.
LONGEST_ANSWER = 4 * 1024 * 1024
LONGEST_WORDS = 300
# A user is waiting. A server may first load a model to answer.
LIST_WITHIN_S, ANSWER_WITHIN_S, CHECK_WITHIN_S, LOADS_WITHIN_S = 15.0, 120.0, 20.0, 300.0
# While a server loads its model, as llama.cpp says with 503, it is asked again after this time.
AGAIN_S = 1.0
FIRST_ERROR, NOT_FOUND, LOADING = 400, 404, 503
REJECTED = (400, 422)
NOTHING: Mapping[str, Any] = {}
# For a server that lists no models.
UNNAMED = "default"
BASE_URL_HINT = "Copy the base URL of its API from its documentation; most end with /v1."


@dataclass(frozen=True)
class Found:
    """The provider that answered, and its models.

    Attributes:
        embeds: Whether the first model computes embeddings; None if that wasn't tried.
    """

    provider: Provider
    models: list[str]
    embeds: bool | None = None


@dataclass(frozen=True)
class Tried:
    """A model's answer, what an agent can expect of it, as sentences, and the milliseconds until the answer."""

    text: str
    facts: list[str]
    duration_ms: float


def candidates(address: str, api: str | None) -> list[Provider]:
    """Return the providers that an address may mean.

    Raises:
        ConfigurationProblem: It can't be an address.
    """
    url = address_of(address)
    kind = api or provider_at(url).kind.name
    return [provider_at(each, kind) for each in base_urls(url, kind)]


class Trial:
    """A trial of one provider, or of the providers that an address may mean.

    Args:
        providers: The candidates, the likeliest first.
        upstream: The connections to providers.
        find_key: Returns a provider's saved key.
        limits: The limits of each request.
        key: The key to try instead of the saved one.
    """

    def __init__(
        self,
        providers: Sequence[Provider],
        upstream: Upstream,
        find_key: Callable[[Provider], Awaitable[Key | None]],
        limits: Limits,
        key: Key | None,
    ) -> None:
        self._providers = providers
        self._upstream = upstream
        self._find_key = find_key
        self._limits = limits
        self._typed = key

    async def models(self) -> Found:
        """List the models of the first candidate that has a list.

        Raises:
            GatewayProblem: There is no key, no connection or no list of models, or the server refused.
        """
        return await self._first(self._with_models)

    async def embedding_models(self) -> Found:
        """List the models for embeddings of the first candidate that computes them in the form of OpenAI's API.

        A server may list its models at a base URL below which embeddings have another form: llama.cpp, without `/v1`.
        If the first of several models isn't for embeddings, another one may be; then `embeds` is False.

        Raises:
            GatewayProblem: There is no key, no connection or no list of models, or the server computes no embeddings.
        """
        return await self._first(self._with_embeddings)

    async def _first(self, look: Callable[[Provider], Awaitable[Found]]) -> Found:
        """Return what the first candidate that has it has."""
        problem: ProviderRefused | ProviderBroken | None = None
        for provider in self._providers:
            try:
                return await look(provider)
            except (ProviderRefused, ProviderBroken) as error:
                # The first candidate's error is about the user's text.
                problem = problem or error
        if problem is None:
            raise ValueError("a trial without a provider")
        raise problem

    async def _with_models(self, provider: Provider) -> Found:
        return Found(provider, await self._list(provider))

    async def _with_embeddings(self, provider: Provider) -> Found:
        unlisted: ProviderRefused | ProviderBroken | None = None
        try:
            models = await self._list(provider, embeddings=True)
        except (ProviderRefused, ProviderBroken) as problem:
            # A server of one model, such as text-embeddings-inference, may have no list.
            unlisted, models = problem, []
        path = f"{provider.kind.client[1]}/embeddings"
        body = json.dumps({"model": models[0] if models else UNNAMED, "input": [QUESTION]}).encode()
        call = Call("POST", path, headers={"content-type": "application/json"}, body=body)
        status, content = await self._fetch(provider, call, ANSWER_WITHIN_S, _whole)
        if status < FIRST_ERROR and are_embeddings(content):
            return Found(provider, models, embeds=True)
        if unlisted is not None:
            raise unlisted
        if status < FIRST_ERROR:
            raise ProviderBroken(
                f"{provider.base_url} returned no embeddings in the form of OpenAI's API.",
                hint=_hint(provider),
            )
        # Of several models, another one may be for embeddings.
        if status == NOT_FOUND or len(models) < 2:
            raise _refusal(provider, status, content)
        return Found(provider, models, embeds=False)

    async def answer(self, model: str) -> Tried:
        """Ask a model for one word, and find out what an agent can expect of it.

        Raises:
            GatewayProblem: There is no answer.
        """
        provider = self._providers[0]
        began = time.perf_counter()
        words = await self.first_words(model)
        duration_ms = round((time.perf_counter() - began) * 1000, 1)
        if provider.kind.client[0] != "openai" or not (provider.is_local or provider.added):
            return Tried(words.text, [], duration_ms)
        about = await about_model(self._upstream, provider, await self._key_for(provider), model)
        calls = about.tools is not False and await self._can(
            model, {"tools": [TOOL], "tool_choice": "required"}
        )
        form = {"type": "json_schema", "json_schema": {"name": "ready", "schema": SCHEMA}}
        schema = await self._can(model, {"response_format": form})
        return Tried(words.text, facts_of(about, words, calls, schema), duration_ms)

    async def first_words(self, model: str) -> Words:
        """Ask a model for one word; return the beginning of its answer.

        Raises:
            GatewayProblem: There is no answer.
        """
        return await self._ask(model)

    async def _can(self, model: str, more: dict[str, Any]) -> bool:
        """Return whether a model does what a request requires: call its tool, or follow its schema."""
        try:
            words = await self._ask(model, more, CHECK_WITHIN_S)
        except (ProviderRefused, ProviderBroken, ProviderSlow):
            return False
        return words.called if "tools" in more else follows_schema(words.text)

    async def _ask(
        self, model: str, more: Mapping[str, Any] = NOTHING, within_s: float = ANSWER_WITHIN_S
    ) -> Words:
        provider = self._providers[0]
        api, below = provider.kind.client
        path = "/v1/messages" if api == "anthropic" else f"{below}/chat/completions"
        limit = "max_tokens" if api == "anthropic" else "max_completion_tokens"
        status, answer = 0, b""
        # Some servers know only the older name.
        for name in dict.fromkeys((limit, "max_tokens")):
            body = json.dumps(question(model, name, more)).encode()
            call = Call("POST", path, headers={"content-type": "application/json"}, body=body)
            status, answer = await self._fetch(provider, call, within_s, _words_of)
            if isinstance(answer, Words):
                return answer
            if status not in REJECTED:
                break
        if status >= FIRST_ERROR:
            raise _refusal(provider, status, answer)
        raise ProviderBroken(f"{provider.base_url} returned no answer of a model.", hint=_hint(provider))

    async def _list(self, provider: Provider, *, embeddings: bool = False) -> list[str]:
        path, listed, member = provider.kind.models
        status, content = await self._fetch(provider, Call("GET", path), LIST_WITHIN_S, _whole)
        try:
            if status >= FIRST_ERROR:
                raise _refusal(provider, status, content)
            return names_in(content, listed, member, embeddings=embeddings)
        except NoList as problem:
            found = "is a web page, not an API" if problem.is_page else "returned no list of models"
            raise ProviderBroken(
                f"{provider.base_url} {found}.", hint=_hint(provider), data={"unlisted": not problem.is_page}
            ) from None

    async def _key_for(self, provider: Provider) -> Key | None:
        return self._typed or await self._find_key(provider)

    async def _fetch(
        self,
        provider: Provider,
        call: Call,
        within_s: float,
        read: Callable[[Provider, Answer], Awaitable[T]],
    ) -> tuple[int, T]:
        """Return the status and the answer; while the server loads its model, ask again."""
        try:
            async with asyncio.timeout(min(LOADS_WITHIN_S, self._limits.idle_s)):
                while True:
                    status, answer = await self._fetch_once(provider, call, within_s, read)
                    if status != LOADING or not isinstance(answer, bytes) or b"oading model" not in answer:
                        return status, answer
                    await asyncio.sleep(AGAIN_S)
        except TimeoutError:
            raise ProviderSlow(
                f"{provider.host} is still loading its model.", hint="Try again later."
            ) from None

    async def _fetch_once(
        self,
        provider: Provider,
        call: Call,
        within_s: float,
        read: Callable[[Provider, Answer], Awaitable[T]],
    ) -> tuple[int, T]:
        key = await self._key_for(provider)
        try:
            async with (
                asyncio.timeout(min(within_s, self._limits.idle_s)),
                answered(self._upstream, provider, key, call) as answer,
            ):
                return answer.status, await read(provider, answer)
        except TimeoutError:
            raise ProviderSlow(f"{provider.host} didn't answer in time.", hint="Try again later.") from None
        except CertificateUntrusted:
            raise
        except ProviderUnreachable:
            started = (
                "Start the server, and check the port."
                if provider.is_local
                else "Check the address and the network."
            )
            raise ProviderUnreachable(f"Nothing answers at {provider.host}.", hint=started) from None
        except KeyMissing:
            raise KeyMissing(f"{provider.host} needs a key.", hint="Paste it into the field below.") from None
        except KeyRefused:
            raise KeyRefused(
                f"{provider.host} refused the key.",
                hint="Check that it is complete, valid, and for this server.",
            ) from None


async def _words_of(provider: Provider, answer: Answer) -> Words | bytes:
    """Return the first words of an answer, or else its content."""
    if answer.status >= FIRST_ERROR:
        return await _whole(provider, answer)
    try:
        return await first_words(answer.chunks, is_events=answer.is_events)
    except ValueError:
        return b""


def _refusal(provider: Provider, status: int, content: bytes) -> ProviderRefused:
    if is_page(content):
        return ProviderRefused(
            f"{provider.base_url} is a web page, not an API (status {status}).", hint=_hint(provider)
        )
    hint = _hint(provider) if status == NOT_FOUND else "See the server's documentation."
    return ProviderRefused(
        f"{provider.host} answered {status}: {_words(content).rstrip('.')}.",
        hint=hint,
        data={"unlisted": True},
    )


def _hint(provider: Provider) -> str:
    return BASE_URL_HINT if provider.added else "Check base_url and kind in the providers file."


async def _whole(provider: Provider, answer: Answer) -> bytes:
    content = b""
    async for chunk in answer.chunks:
        content += chunk
        if len(content) > LONGEST_ANSWER:
            raise ProviderBroken(f"The answer of {provider.host} is too long.", hint=_hint(provider))
    return content


def _words(content: bytes) -> str:
    """Return the beginning of an error, for a user, on one line."""
    text = content.decode(errors="replace")
    with contextlib.suppress(ValueError, KeyError, TypeError):
        text = str(json.loads(content)["error"]["message"])
    return " ".join(text.split())[:LONGEST_WORDS]
