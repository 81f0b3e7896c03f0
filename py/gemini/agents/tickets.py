"""Tickets to paid models, held by what works with them: a run, a chat, or a script.

The companion issues a ticket once the person has agreed to a model and the most that it may cost, by a press on Run or
Send or by an answer to a question; its gateway refuses requests without one. Agents that an agent starts use the
tickets of the first one.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

Asks = Callable[[str], Awaitable[str]]
"""Asks for a ticket, for a purpose in words; gives its id."""


class Purse:
    """The tickets of one piece of work.

    Args:
        purpose: What it is, in words for the person.
        given: A ticket that the person's press has granted, for the first model that is asked.
    """

    def __init__(self, purpose: str, given: str | None = None) -> None:
        self.purpose = purpose
        self._given = given
        self._tickets: dict[str, str] = {}
        # Requests at the same time are one question.
        self._asking = asyncio.Lock()

    def give(self, ticket: str | None) -> None:
        """Add a ticket of another press; it comes before one that may be used up."""
        if ticket is not None:
            self._given = ticket
            self._tickets.clear()

    async def ticket(self, model: str, ask: Asks) -> str:
        """The ticket for a model, which is asked for where there is none.

        Args:
            model: Its provider and name.
        """
        async with self._asking:
            if model not in self._tickets:
                given, self._given = self._given, None
                self._tickets[model] = given or await ask(self.purpose)
            return self._tickets[model]

    def drop(self, ticket: str) -> None:
        """The gateway doesn't take a ticket any more."""
        self._tickets = {model: each for model, each in self._tickets.items() if each != ticket}


_held: ContextVar[Purse | None] = ContextVar("gemini_purse", default=None)
# Of scripts that ask a model by themselves.
_of_scripts = Purse("a script")


def purse() -> Purse:
    """The purse of the work that the running code belongs to."""
    return _held.get() or _of_scripts


@contextmanager
def holding(held: Purse) -> Generator[None]:
    """Work with a purse while the block runs, and in tasks that begin there."""
    token = _held.set(held)
    try:
        yield
    finally:
        _held.reset(token)


@contextmanager
def holding_for(purpose: str) -> Generator[None]:
    """Work with the purse that is held, or with a new one for a purpose."""
    held = _held.get()
    if held is None:
        with holding(Purse(purpose)):
            yield
        return
    held.purpose = held.purpose or purpose
    yield
