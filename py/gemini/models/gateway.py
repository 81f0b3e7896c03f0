"""Models that the companion passes requests on to, with keys that this page never sees (docs/models.md)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

from gemini.errors import ModelMissing, NobodyToAsk
from gemini.models.endpoint import Api, Endpoint
from gemini.protocol import Params

Ask = Callable[[str, Params], Awaitable[Any]]
NOT_CONNECTED = "The companion, which has the keys, isn't connected."


@dataclass(frozen=True)
class Served:
    """A provider of the gateway.

    Attributes:
        path: Below the companion's address.
        local: It is on the person's machine, and costs nothing.
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
    origin: Where the companion is, as it serves this page.
    """

    def __init__(self, ask: Ask, origin: Callable[[], str]) -> None:
        self._ask = ask
        self._origin = origin
        self.served: dict[str, Served] = {}

    async def refresh(self) -> None:
        """Look anew which providers there are; none while no companion is connected."""
        try:
            await self._access()
        except NobodyToAsk:
            self.served = {}

    async def endpoint(self, provider: str) -> Endpoint:
        """Where a provider is asked now.

        Raises:
            ModelMissing: the companion isn't connected, has no such provider, or no key for it.
        """
        try:
            token = await self._access()
        except NobodyToAsk:
            self.served = {}
            hint = "Start it with `control-surface serve`, and open the page by the address that it tells."
            raise ModelMissing(NOT_CONNECTED.rstrip("."), hint=hint) from None
        served = self.served.get(provider)
        if served is None:
            known = ", ".join(self.served)
            raise ModelMissing(f"the companion knows no provider {provider!r}", hint=f"It knows {known}.")
        if not served.ready:
            raise ModelMissing(f"{provider} can't be asked", hint=served.why)
        sold_by = "" if served.local else provider
        return Endpoint(served.api, self._origin() + served.path, token, sold_by, passed_on=True)

    async def _access(self) -> str:
        told = cast("dict[str, Any]", await self._ask("models/access", {}))
        self.served = {row["name"]: Served(**row) for row in told["providers"]}
        return told["token"]
