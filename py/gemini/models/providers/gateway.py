"""Models behind the companion's gateway, which adds keys that this page never sees (docs/models.md)."""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

from gemini.core.protocol import Params
from gemini.errors import (
    CompanionLost,
    CompanionProblem,
    GeminiError,
    ModelAway,
    ModelMissing,
    ModelProblem,
    ModelRefused,
    ProtocolError,
    Refused,
)
from gemini.models.interface.tickets import current_tickets
from gemini.models.providers.endpoint import Api, Endpoint
from gemini.models.providers.events import ProviderRow
from gemini.models.providers.forms import UNKNOWN, About
from gemini.tools.writers import current_run

Ask = Callable[[str, Params], Awaitable[Any]]
MAX_PURPOSE_CHARS = 300
# After a start, the page has connected within this time if there is a companion.
CONNECTS_WITHIN_S = 30.0
START_HINT = (
    "Start it with `control-surface serve` (in a source tree: `python3 build.py serve`), and open the page at the "
    "address that it prints."
)
NOT_CONNECTED = "The companion isn't connected, and it has the keys."


@dataclass(frozen=True)
class Provider:
    """A provider of the gateway.

    Attributes:
        path: The path below the companion's address.
        local: Whether it runs on this computer. Its costs are unknown, because it may forward requests.
        ready: Whether it can be used; otherwise `why` says what is missing.
    """

    name: str
    api: Api
    path: str
    local: bool
    ready: bool
    why: str | None

    def row(self) -> ProviderRow:
        """Return the provider as the page lists it."""
        return {
            "name": self.name,
            "api": self.api,
            "path": self.path,
            "local": self.local,
            "ready": self.ready,
            "why": self.why,
        }


class Gateway:
    """The companion's gateway to providers.

    Args:
        ask: Sends a request to the companion.
        origin: Returns the companion's origin.
        now: Returns a monotonic time in seconds.
    """

    def __init__(
        self, ask: Ask, origin: Callable[[], str], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._ask = ask
        self._origin = origin
        self._now = now
        self._expected_until = now() + CONNECTS_WITHIN_S
        self.providers: dict[str, Provider] = {}

    async def refresh(self) -> None:
        """Update the list of providers; it is empty while no companion is connected."""
        try:
            await self._access()
        except CompanionLost:
            self.providers = {}

    async def endpoint(self, provider: str, model: str | None = None) -> Endpoint:
        """Return the endpoint of a provider.

        Args:
            provider: The provider's name.
            model: The model to get a ticket for; None for requests that cost nothing, such as the list of models.

        Raises:
            ModelAway: The companion is starting, or was connected earlier.
            ModelMissing: There is no companion, or it has no such provider, or no key for it.
            ModelRefused: The user refused a ticket, or can't be asked.
        """
        try:
            token = await self._access()
        except CompanionLost:
            self.providers = {}
            raise self._away(waits=model is not None) from None
        found = self.providers.get(provider)
        if found is None:
            known = ", ".join(self.providers)
            raise ModelMissing(
                f"the companion has no provider {provider!r}", hint=f"Its providers are {known}."
            )
        if not found.ready:
            raise ModelMissing(f"{provider} isn't ready", hint=found.why)
        sold_by = "" if found.local else provider
        ticket = None if model is None else await self._ticket(provider, model)
        return Endpoint(found.api, self._origin() + found.path, token, sold_by, passed_on=True, ticket=ticket)

    async def about(self, provider: str, model: str) -> About:
        """Return what a model's server says about it; nothing if it can't be asked."""
        try:
            answer = await self._ask("models/about", {"provider": provider, "model": model})
        except (CompanionLost, CompanionProblem, ProtocolError):
            # The request to the model itself reports what is wrong.
            return UNKNOWN
        return About(**cast("dict[str, Any]", answer))

    async def _ticket(self, provider: str, model: str) -> str:
        tickets, key = current_tickets(), f"{provider}/{model}"

        async def ask(purpose: str) -> str:
            params: Params = {"provider": provider, "model": model, "for": purpose[:MAX_PURPOSE_CHARS]}
            if tickets.is_allowed(key):
                params["scheduled"] = True
            if (run := current_run.get()) is not None:
                # So that its task's slot is free while the question waits.
                params["words"] = {"run": run}
            try:
                answer = cast("dict[str, Any]", await self._ask("models/ticket", params))
            except CompanionLost:
                raise self._away() from None
            except (Refused, CompanionProblem, ProtocolError) as problem:
                raise _refusal(provider, model, problem) from None
            return answer["ticket"]

        return await tickets.get(key, ask)

    async def _access(self) -> str:
        answer = cast("dict[str, Any]", await self._ask("models/access", {}))
        self.providers = {row["name"]: Provider(**row) for row in answer["providers"]}
        self._expected_until = math.inf
        return answer["token"]

    def _away(self, *, waits: bool = True) -> ModelProblem:
        kind = ModelAway if waits and self._now() < self._expected_until else ModelMissing
        return kind("the companion isn't connected", hint=START_HINT)


def _refusal(provider: str, model: str, problem: GeminiError) -> ModelRefused:
    return ModelRefused(
        f"{model} of {provider} can't be used: {problem.message}",
        hint="Press Run or Send in the page, allow it when the page asks, or use another model.",
        data={"status": 402},
    )
