"""A fake user at the page, who answers Python's courtesy questions."""

from __future__ import annotations

import asyncio
from typing import Any

from gemini.errors import Refused
from gemini.tools import Registry


class Person:
    """A user who answers each question with `decision`, or waits for `answer` if that is None.

    Attributes:
        asked: The contexts of all questions, oldest first.
        waiting: The questions without an answer.
        tainted: The notifications of text from outside: `(run, origin)`.
    """

    def __init__(self, registry: Registry, decision: str | None = "refuse") -> None:
        self.decision = decision
        self.asked: list[dict[str, Any]] = []
        self.waiting: list[tuple[dict[str, Any], asyncio.Future[str]]] = []
        self.tainted: list[tuple[str, str]] = []
        registry.consent.attended = True
        registry.consent.attach(self._ask)
        registry.consent.on_untrusted(lambda run, origin: self.tainted.append((run, origin)))

    async def _ask(self, context: dict[str, Any]) -> None:
        self.asked.append(context)
        decision = self.decision
        if decision is None:
            question = (context, asyncio.get_running_loop().create_future())
            self.waiting.append(question)
            try:
                decision = await question[1]
            finally:
                self.waiting.remove(question)
        if decision == "refuse":
            raise Refused(f"the user refused {context['tool']}", hint="Don't repeat the same request.")

    async def question(self) -> dict[str, Any]:
        """Wait for a question and return its context."""
        while not self.waiting:
            await asyncio.sleep(0)
        return self.waiting[-1][0]

    def answer(self, decision: str) -> None:
        """Answer the latest question."""
        self.waiting[-1][1].set_result(decision)
