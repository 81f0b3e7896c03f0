"""A page that requests tickets for models."""

from __future__ import annotations

import asyncio
from typing import Any

from gemini.core.protocol import Connection
from gemini_companion.models import Gateway, ModelAccess
from tests.unit.companion.people import PersonAtPage


class PageOfModels:
    """A page that requests tickets, and its person."""

    def __init__(self, gateway: Gateway, *, attended: bool = True) -> None:
        self.person = PersonAtPage(attended=attended)
        self.access = ModelAccess(gateway, "a token").for_page(self.person.questions)
        self._page = Connection(self._to_companion, {})
        self._companion = Connection(self._page.receive, self.access.handlers())

    def _to_companion(self, text: str) -> None:
        self._companion.receive(text)

    def asks(self, method: str, **params: Any) -> asyncio.Task[Any]:
        return asyncio.create_task(self._page.request(f"models/{method}", params))
