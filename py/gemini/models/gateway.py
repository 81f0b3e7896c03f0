"""Models that the companion passes requests on to, with keys that this page never sees (docs/models.md)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

from gemini.agents.tickets import current_tickets
from gemini.core.protocol import Params
from gemini.errors import GeminiError, ModelMissing, ModelRefused, NobodyToAsk, ProtocolError, Refused
from gemini.models.endpoint import Api, Endpoint

Ask = Callable[[str, Params], Awaitable[Any]]
MAX_PURPOSE_CHARS = 300
NOT_CONNECTED = "The companion, which has the keys, isn't connected."


@dataclass(frozen=True)
class Provider:
    """A provider of the gateway.

    Attributes:
        path: Below the companion's address.
        local: It is on the person's machine. What asks it costs isn't known: it may pass requests on.
        ready: It can be asked; otherwise `why` says what it lacks.
    """

    name: str
    api: Api
    path: str
    local: bool
    ready: bool
    why: str | None


class Gateway:
    """Args:
    ask: Asks the companion.
    origin: Where the companion answers Python.
    """

    def __init__(self, ask: Ask, origin: Callable[[], str]) -> None:
        self._ask = ask
        self._origin = origin
        self.providers: dict[str, Provider] = {}

    async def refresh(self) -> None:
        """Look anew which providers there are; none while no companion is connected."""
        try:
            await self._access()
        except NobodyToAsk:
            self.providers = {}

    async def endpoint(self, provider: str, model: str | None = None) -> Endpoint:
        """Where a provider is asked now.

        Args:
            model: The one that is asked, with a ticket that the person grants if there is none yet; None for what
                costs nothing, such as the list of models.

        Raises:
            ModelMissing: the companion isn't connected, has no such provider, or no key for it.
            ModelRefused: the person refused a ticket, or can't be asked.
        """
        try:
            token = await self._access()
        except NobodyToAsk:
            self.providers = {}
            hint = "Start it with `control-surface serve`, and open the page by the address that it tells."
            raise ModelMissing(NOT_CONNECTED.rstrip("."), hint=hint) from None
        providers = self.providers.get(provider)
        if providers is None:
            known = ", ".join(self.providers)
            raise ModelMissing(f"the companion knows no provider {provider!r}", hint=f"It knows {known}.")
        if not providers.ready:
            raise ModelMissing(f"{provider} can't be asked", hint=providers.why)
        sold_by = "" if providers.local else provider
        ticket = None if model is None else await self._ticket(provider, model)
        return Endpoint(
            providers.api, self._origin() + providers.path, token, sold_by, passed_on=True, ticket=ticket
        )

    async def _ticket(self, provider: str, model: str) -> str:
        async def ask(purpose: str) -> str:
            params = {"provider": provider, "model": model, "for": purpose[:MAX_PURPOSE_CHARS]}
            try:
                answer = cast("dict[str, Any]", await self._ask("models/ticket", params))
            except (Refused, NobodyToAsk, ProtocolError) as problem:
                raise _refused(provider, model, problem) from None
            return answer["ticket"]

        return await current_tickets().get(f"{provider}/{model}", ask)

    async def _access(self) -> str:
        answer = cast("dict[str, Any]", await self._ask("models/access", {}))
        self.providers = {row["name"]: Provider(**row) for row in answer["providers"]}
        return answer["token"]


def _refused(provider: str, model: str, problem: GeminiError) -> ModelRefused:
    return ModelRefused(
        f"{model} of {provider} can't be asked: {problem.message}",
        hint="Press Run or Send in the page, agree to the question there, or use another model.",
        data={"status": 402},
    )
