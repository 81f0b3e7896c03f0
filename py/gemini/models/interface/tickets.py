"""Tickets for paid models, which belong to a run, a chat or a script.

The companion issues a ticket when the user agrees to a model and a cost limit: by pressing Run or Send, or by answering
a question. Its gateway refuses requests without one. Agents started by an agent use the tickets of the first one.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

from gemini.errors import ModelRefused, TicketRefused

Asks = Callable[[str], Awaitable[str]]
"""Requests a ticket for a purpose in plain language; returns the ticket's id."""


class Tickets:
    """The tickets of one run, chat or script.

    Args:
        purpose: The purpose of the tickets, in plain language for the user.
        granted: A ticket that the user has already granted, used for the first model.
        scheduled: Whether they are for a scheduled run, for which the user may have allowed a model in advance.
        asks: Whether the user is asked for a ticket that is missing.
    """

    def __init__(
        self, purpose: str, granted: str | None = None, *, scheduled: bool = False, asks: bool = True
    ) -> None:
        self.purpose = purpose
        self._scheduled = scheduled
        self._asks = asks
        self._granted = granted
        self._tickets: dict[str, str] = {}
        self._used_up: set[str] = set()
        # Concurrent requests ask the user only once.
        self._asking = asyncio.Lock()

    def add(self, ticket: str | None) -> None:
        """Add a ticket that the user has just granted; it replaces earlier ones, which may be used up."""
        if ticket is not None:
            self._granted = ticket
            self._tickets.clear()

    async def get(self, model: str, ask: Asks) -> str:
        """Return the ticket for a model, and request one if there is none.

        Args:
            model: The provider and the name of the model.
            ask: Requests a ticket.

        Raises:
            ModelRefused: There is none, and the user isn't asked.
        """
        async with self._asking:
            if model not in self._tickets:
                granted, self._granted = self._granted, None
                if granted is None and not self._asks:
                    raise ModelRefused(
                        f"no ticket was granted for {model}", hint="Press a button that grants one."
                    )
                self._tickets[model] = granted or await ask(self.purpose)
            return self._tickets[model]

    def discard(self, ticket: str, problem: TicketRefused) -> None:
        """Discard a ticket that the gateway no longer accepts, for this reason."""
        models = {model for model, each in self._tickets.items() if each == ticket}
        self._tickets = {model: each for model, each in self._tickets.items() if model not in models}
        if problem.is_used_up:
            self._used_up |= models

    def is_allowed(self, model: str) -> bool:
        """Return whether the user may have allowed a model in advance, and no limit of that was reached."""
        return self._scheduled and model not in self._used_up


_current: ContextVar[Tickets | None] = ContextVar("gemini_tickets", default=None)
# Shared by scripts that ask a model outside of a run or a chat.
_script_tickets = Tickets("a script")


def current_tickets() -> Tickets:
    """Return the tickets that apply to the running code."""
    return _current.get() or _script_tickets


def has_tickets() -> bool:
    """Return whether a run or a chat is running, which has its own tickets."""
    return _current.get() is not None


@contextmanager
def use_tickets(tickets: Tickets) -> Generator[None]:
    """Use these tickets in the block, and in tasks that are started in it."""
    token = _current.set(tickets)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def use_tickets_for(purpose: str) -> Generator[None]:
    """Use the current tickets, or new ones for a purpose if there are none."""
    tickets = _current.get() or Tickets(purpose)
    tickets.purpose = tickets.purpose or purpose
    with use_tickets(tickets):
        yield
