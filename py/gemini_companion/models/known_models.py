"""The names of models that providers list, for questions: Python's name of a model is checked against them."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

from gemini_companion.models.addresses import is_address
from gemini_companion.models.errors import GatewayProblem, RequestUnclear
from gemini_companion.models.providers import Provider

# A user waits for the question.
WITHIN_S = 3.0
# How long a list is used: one with the name, and any other, since a server may have got a model.
KEEP_S, KEEP_OTHER_S = 600.0, 10.0
# A name that the provider doesn't list has no spaces, so that it can't be a sentence.
LONGEST_NAME = 200
NAME = re.compile(rf"[A-Za-z0-9@~/.][A-Za-z0-9._:/\\@+~-]{{0,{LONGEST_NAME - 1}}}")


@dataclass(frozen=True)
class _Listed:
    """A provider's list at a time; None if it has none, or it can't be had."""

    base_url: str
    names: frozenset[str] | None
    at: float


class KnownModels:
    """The names of the models that each provider lists.

    Args:
        fetch: Returns a provider's list, as its API has it.
        clock: Returns monotonic seconds.
    """

    def __init__(
        self,
        fetch: Callable[[Provider], Awaitable[bytes | None]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fetch = fetch
        self._clock = clock
        self._lists: dict[str, _Listed] = {}
        self._fetching = asyncio.Lock()

    async def has(self, provider: Provider, model: str) -> bool | None:
        """Return whether a provider lists a model; None if there is no list."""
        async with self._fetching:
            found = self._lists.get(provider.name)
            if found is None or self._is_stale(found, provider, model):
                found = _Listed(provider.base_url, await self._names(provider), self._clock())
                self._lists[provider.name] = found
        return None if found.names is None else not found.names.isdisjoint(_spellings(provider, model))

    async def require_name(self, provider: Provider, model: str) -> bool | None:
        """Return what `has` does, for a text that can be the name of a model.

        Raises:
            RequestUnclear: The provider doesn't list it, and it can't be a name.
        """
        listed = await self.has(provider, model)
        if listed is not True and (NAME.fullmatch(model) is None or is_address(model)):
            raise RequestUnclear(
                f"{model[:60]!r} can't be the name of a model.",
                hint=f"List the models of {provider.name}, and use the name of one.",
            )
        return listed

    def _is_stale(self, found: _Listed, provider: Provider, model: str) -> bool:
        has = found.names is not None and not found.names.isdisjoint(_spellings(provider, model))
        return found.base_url != provider.base_url or self._clock() - found.at > (
            KEEP_S if has else KEEP_OTHER_S
        )

    async def _names(self, provider: Provider) -> frozenset[str] | None:
        _, listed, member = provider.kind.models
        try:
            async with asyncio.timeout(WITHIN_S):
                content = await self._fetch(provider)
            rows: Any = None if content is None else json.loads(content)[listed]
        except (GatewayProblem, TimeoutError, ValueError, KeyError, TypeError, RecursionError):
            return None
        if not isinstance(rows, list):
            return None
        objects = [cast("dict[str, Any]", row) for row in cast("list[Any]", rows) if isinstance(row, dict)]
        names = [row.get(member) for row in objects]
        return frozenset(name for name in names if isinstance(name, str) and name.isprintable())


def _spellings(provider: Provider, model: str) -> set[str]:
    """Return the names under which a list may have a model."""
    names = {model, f"models/{model}", model.removeprefix("models/")}
    return names | {f"{model}:latest"} if provider.kind.name == "ollama" else names
