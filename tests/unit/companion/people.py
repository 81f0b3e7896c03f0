"""A page with a user, in memory: shows the companion's questions, and answers as a test demands."""

from __future__ import annotations

import asyncio
from typing import Any

from gemini.core.protocol import Connection, Params
from gemini_companion.pages.consent import Questions

Row = dict[str, Any]
PATIENCE_S = 30


class PersonAtPage:
    """The page's end of a connection whose other end asks.

    Attributes:
        questions: The companion's end.
        asked: Every `consent/asks` that was shown, oldest first.
        withdrawn: The ids of withdrawn questions.
    """

    def __init__(self, *, attended: bool = True) -> None:
        self.asked: list[Row] = []
        self.withdrawn: list[str] = []
        self._shown: asyncio.Queue[Row] = asyncio.Queue()
        listeners = {"consent/asks": self._show, "consent/withdrawn": self._withdraw}
        self.page = Connection(self._to_companion, {}, listeners=listeners)
        self.questions = Questions(self._notify)
        self.companion = Connection(self.page.receive, self.questions.handlers())
        self.questions.open(attended=attended)

    def _to_companion(self, text: str) -> None:
        self.companion.receive(text)

    def _notify(self, method: str, params: Params) -> None:
        self.companion.notify(method, params)

    def _show(self, params: Params) -> None:
        self.asked.append(params)
        self._shown.put_nowait(params)

    def _withdraw(self, params: Params) -> None:
        self.withdrawn.append(params["id"])

    async def shown(self) -> Row:
        """Return the next question that is shown."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._shown.get()

    async def answer(self, identifier: str, decision: str, **more: Any) -> Any:
        """Send an answer as any page can, even a dishonest one."""
        return await self.page.request("consent/answer", {"id": identifier, "decision": decision, **more})

    async def decide(self, decision: str, **more: Any) -> Row:
        """Answer the next question; return what was shown."""
        shown = await self.shown()
        await self.answer(shown["id"], decision, **more)
        return shown
