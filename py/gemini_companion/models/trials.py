"""Trying a server and a key: its list of models, and one short answer. Nothing is saved.

A problem's `data` has `unlisted`: whether the server may have models although it doesn't list them.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gemini.models.providers.answers import NoList, base_urls, is_page, names_in
from gemini_companion.models.added import address_of, provider_at
from gemini_companion.models.errors import (
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
from gemini_companion.models.upstream import Answer, Call, Upstream

# The bytes of an answer, and the characters of an error that are quoted.
LONGEST_ANSWER = 4 * 1024 * 1024
LONGEST_WORDS = 300
# A user is waiting. A server may first load a model to answer.
LIST_WITHIN_S, ANSWER_WITHIN_S = 15.0, 120.0
FIRST_ERROR, NOT_FOUND = 400, 404
REJECTED = (400, 422)
QUESTION = "Answer with the one word: ready"
# Leave room for reasoning before the answer.
ANSWER_TOKENS = 2_000
BASE_URL_HINT = "Copy the base URL of its API from its documentation; most end with /v1."


@dataclass(frozen=True)
class Found:
    """The provider that answered, and its models."""

    provider: Provider
    models: list[str]


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
        problem: ProviderRefused | ProviderBroken | None = None
        for provider in self._providers:
            try:
                return Found(provider, await self._list(provider))
            except (ProviderRefused, ProviderBroken) as error:
                # The first candidate's error is about the user's text.
                problem = problem or error
        if problem is None:
            raise ValueError("a trial without a provider")
        raise problem

    async def answer(self, model: str) -> str:
        """Ask a model for one word, and return its answer.

        Raises:
            GatewayProblem: There is no answer.
        """
        provider = self._providers[0]
        limit = "max_tokens" if provider.kind.client[0] == "anthropic" else "max_completion_tokens"
        status, content = await self._fetch(provider, _question(provider, model, limit), ANSWER_WITHIN_S)
        if status in REJECTED and limit != "max_tokens":
            # Some servers know only the older name.
            older = _question(provider, model, "max_tokens")
            status, content = await self._fetch(provider, older, ANSWER_WITHIN_S)
        if status >= FIRST_ERROR:
            raise _refused(provider, status, content)
        return _text_of(provider, content)

    async def _list(self, provider: Provider) -> list[str]:
        path, listed, member = provider.kind.models
        status, content = await self._fetch(provider, Call("GET", path), LIST_WITHIN_S)
        try:
            if status >= FIRST_ERROR:
                raise _refused(provider, status, content)
            return names_in(content, listed, member)
        except NoList as problem:
            found = "is a web page, not an API" if problem.is_page else "returned no list of models"
            raise ProviderBroken(
                f"{provider.base_url} {found}.", hint=_hint(provider), data={"unlisted": not problem.is_page}
            ) from None

    async def _fetch(self, provider: Provider, call: Call, within_s: float) -> tuple[int, bytes]:
        key = self._typed or await self._find_key(provider)
        try:
            async with (
                asyncio.timeout(min(within_s, self._limits.idle_s)),
                answered(self._upstream, provider, key, call) as answer,
            ):
                return answer.status, await _whole(provider, answer)
        except TimeoutError:
            raise ProviderSlow(f"{provider.host} didn't answer in time.", hint="Try again later.") from None
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


def _question(provider: Provider, model: str, limit: str) -> Call:
    api, below = provider.kind.client
    path = "/v1/messages" if api == "anthropic" else f"{below}/chat/completions"
    body = {"model": model, "messages": [{"role": "user", "content": QUESTION}], limit: ANSWER_TOKENS}
    return Call("POST", path, headers={"content-type": "application/json"}, body=json.dumps(body).encode())


def _text_of(provider: Provider, content: bytes) -> str:
    """Return the text of an answer of either API."""
    try:
        answer: Any = json.loads(content)
        if provider.kind.client[0] == "anthropic":
            return "".join(part.get("text", "") for part in answer["content"]).strip()
        return str(answer["choices"][0]["message"].get("content") or "").strip()
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise ProviderBroken(
            f"{provider.base_url} returned no answer of a model.", hint=_hint(provider)
        ) from None


def _refused(provider: Provider, status: int, content: bytes) -> ProviderRefused:
    if is_page(content):
        return ProviderRefused(
            f"{provider.base_url} is a web page, not an API (status {status}).", hint=_hint(provider)
        )
    hint = _hint(provider) if status == NOT_FOUND else "See the server's documentation."
    return ProviderRefused(
        f"{provider.host} answered {status}: {_words(content)}", hint=hint, data={"unlisted": True}
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
