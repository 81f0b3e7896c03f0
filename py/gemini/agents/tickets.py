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


class Tickets:
    """The tickets of one piece of work.

    Args:
        purpose: What it is, in words for the person.
        given: A ticket that the person's press has granted, for the first model that is asked.
    """

    def __init__(self, purpose: str, granted: str | None = None) -> None:
        self.purpose = purpose
        self._granted = granted
        self._tickets: dict[str, str] = {}
        # Requests at the same time are one question.
        self._asking = asyncio.Lock()

    def add(self, ticket: str | None) -> None:
        """Add a ticket of another press; it comes before one that may be used up."""
        if ticket is not None:
            self._granted = ticket
            self._tickets.clear()

    async def get(self, model: str, ask: Asks) -> str:
        """The ticket for a model, which is asked for where there is none.

        Args:
            model: Its provider and name.
        """
        async with self._asking:
            if model not in self._tickets:
                granted, self._granted = self._granted, None
                self._tickets[model] = granted or await ask(self.purpose)
            return self._tickets[model]

    def discard(self, ticket: str) -> None:
        """The gateway doesn't take a ticket any more."""
        self._tickets = {model: each for model, each in self._tickets.items() if each != ticket}


_current: ContextVar[Tickets | None] = ContextVar("gemini_purse", default=None)
# Of scripts that ask a model by themselves.
_script_tickets = Tickets("a script")


def current_tickets() -> Tickets:
    """The purse of the work that the running code belongs to."""
    return _current.get() or _script_tickets


@contextmanager
def use_tickets(tickets: Tickets) -> Generator[None]:
    """Work with a purse while the block runs, and in tasks that begin there."""
    token = _current.set(tickets)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def use_tickets_for(purpose: str) -> Generator[None]:
    """Work with the purse that is held, or with a new one for a purpose."""
    tickets = _current.get()
    if tickets is None:
        with use_tickets(Tickets(purpose)):
            yield
        return
    tickets.purpose = tickets.purpose or purpose
    yield
