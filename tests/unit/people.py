"""A person at the page, as Python meets them: through the courtesy questions that it asks there."""

from __future__ import annotations

import asyncio
from typing import Any

from gemini.errors import Refused
from gemini.tools import Registry


class Person:
    """Answers each question alike, or waits for `answer` where `decision` is None.

    Attributes:
        asked: What Python said with each question, oldest first.
        waiting: Those that have no answer yet.
        tainted: What Python noted about text from outside: `(run, origin)`.
    """

    def __init__(self, registry: Registry, decision: str | None = "refuse") -> None:
        self.decision = decision
        self.asked: list[dict[str, Any]] = []
        self.waiting: list[tuple[dict[str, Any], asyncio.Future[str]]] = []
        self.tainted: list[tuple[str, str]] = []
        registry.consent.attended = True
        registry.consent.attach(self._ask)
        registry.consent.on_untrusted(lambda run, origin: self.tainted.append((run, origin)))

    async def _ask(self, words: dict[str, Any]) -> None:
        self.asked.append(words)
        decision = self.decision
        if decision is None:
            asked = (words, asyncio.get_running_loop().create_future())
            self.waiting.append(asked)
            try:
                decision = await asked[1]
            finally:
                self.waiting.remove(asked)
        if decision == "refuse":
            raise Refused(f"the person refused {words['tool']}", hint="Don't try it again as it is.")

    async def question(self) -> dict[str, Any]:
        """What Python says with the question that waits."""
        while not self.waiting:
            await asyncio.sleep(0)
        return self.waiting[-1][0]

    def answer(self, decision: str) -> None:
        """Answer the question that came last."""
        self.waiting[-1][1].set_result(decision)
