"""What the Python of a page is told, so that it can ask language models by the gateway.

    models/access {} -> {token, providers: [{name, api, path, local, ready, why}]}

`token` opens the gateway and nothing else. A provider speaks `api`, `openai` or `anthropic`, below `path`; `local` is
one on this machine; `why` says what a provider that isn't `ready` lacks.
"""

from collections.abc import Mapping
from typing import Any

from gemini.protocol import Handler, Params
from gemini_companion.gateway.proxy import Gateway


class ModelAccess:
    """Args:
    gateway: Who serves language models.
    token: Of the gateway's routes alone.
    """

    def __init__(self, gateway: Gateway, token: str) -> None:
        self._gateway = gateway
        self._token = token

    def handlers(self) -> Mapping[str, Handler]:
        """By method, for a page's connection."""
        return {"models/access": self._access}

    async def _access(self, _: Params) -> Any:
        return {"token": self._token, "providers": await self._gateway.choices()}
