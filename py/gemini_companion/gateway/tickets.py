"""Tickets: what a run or a chat may take of one model, as the person granted it.

A request reserves the most that it can take before it is sent, so that requests at the same time can't pass a ceiling
together. What it took is put in the place of that when it ends; where its answer doesn't say, all of it counts.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from gemini_companion.gateway.asking import Asking
from gemini_companion.gateway.errors import CeilingReached, TicketForAnother, TicketMissing
from gemini_companion.gateway.prices import Price, price_of
from gemini_companion.gateway.providers import Provider
from gemini_companion.gateway.usage import Meter, Used

# Open at a time, of one page: the oldest makes room.
MOST = 200


@dataclass(frozen=True)
class Ceiling:
    """The most that a ticket allows.

    Attributes:
        dollars: None where no price is known, or no limit in dollars is wanted.
    """

    requests: int = 200
    tokens: int = 1_000_000
    dollars: float | None = 1.0

    def row(self) -> dict[str, Any]:
        return {"requests": self.requests, "tokens": self.tokens, "dollars": self.dollars}


@dataclass
class Amount:
    """Something taken, or reserved."""

    requests: int = 0
    tokens: int = 0
    dollars: float = 0.0

    def add(self, other: Amount, sign: int = 1) -> None:
        self.requests += sign * other.requests
        self.tokens += sign * other.tokens
        self.dollars = max(0.0, self.dollars + sign * other.dollars)


@dataclass
class Ticket:
    """A ticket.

    Attributes:
        price: None where nobody knows it.
        spent: What has been taken.
        reserved: What requests that are under way can take.
    """

    id: str
    provider: str
    model: str
    ceiling: Ceiling
    price: Price | None
    spent: Amount = field(default_factory=Amount)
    reserved: Amount = field(default_factory=Amount)

    def row(self) -> dict[str, Any]:
        """For the page: `{ticket, provider, model, ceiling, spent}`."""
        return {
            "ticket": self.id,
            "provider": self.provider,
            "model": self.model,
            "ceiling": self.ceiling.row(),
            "spent": vars(self.spent),
        }

    def amount(self, used: Used) -> Amount:
        """One request that took so much."""
        return Amount(1, used.total, self.price.of(used) if self.price else 0.0)

    def reserve(self, most: Amount) -> None:
        """Set aside what a request can take.

        Raises:
            CeilingReached: the ceiling could be passed.
        """
        for name in ("requests", "tokens", "dollars"):
            ceiling = getattr(self.ceiling, name)
            taken = getattr(self.spent, name) + getattr(self.reserved, name)
            if ceiling is not None and taken + getattr(most, name) > ceiling:
                raise CeilingReached(
                    f"The ticket for {self.model} allows {ceiling:,} {name}; {taken:,.6g} are taken, and this "
                    f"request can take {getattr(most, name):,.6g}.",
                    hint="Ask for another ticket, or send less.",
                    data={**self.row(), "reserved": vars(self.reserved)},
                )
        self.reserved.add(most)


class Reservation:
    """What one request holds of a ticket until it ends."""

    def __init__(self, ticket: Ticket, asking: Asking) -> None:
        self._ticket = ticket
        self._most = Used(input=asking.input, output=asking.output)
        self._held = ticket.amount(self._most)
        ticket.reserve(self._held)

    def release(self) -> None:
        """The request was not sent."""
        self._ticket.reserved.add(self._held, -1)

    def count_refused(self) -> None:
        """The provider refused the request, which costs nothing but counts as one."""
        self.release()
        self._ticket.spent.add(Amount(requests=1))

    def settle(self, meter: Meter, *, whole: bool) -> None:
        """Count what was taken.

        Args:
            meter: What read the answer.
            whole: Whether the answer came to its end.
        """
        self.release()
        used = meter.finish()
        if used is None or not whole:
            used = self._unsaid(meter.so_far)
        self._ticket.spent.add(self._ticket.amount(used))

    def _unsaid(self, so_far: Used | None) -> Used:
        """The most that an answer can have taken that didn't say: its input may have been told at its beginning."""
        if so_far is None or so_far.total_input == 0:
            return self._most
        return Used(so_far.input, max(so_far.output, self._most.output), so_far.read, so_far.written)


class Tickets:
    """All tickets of a companion."""

    def __init__(self) -> None:
        self._tickets: dict[str, Ticket] = {}

    def issue(self, provider: Provider, model: str, ceiling: Ceiling) -> Ticket:
        """Make a ticket. Without a known price its ceiling in dollars is none."""
        price = price_of(provider, model)
        if price is None:
            ceiling = Ceiling(ceiling.requests, ceiling.tokens, None)
        ticket = Ticket(secrets.token_urlsafe(24), provider.name, model, ceiling, price)
        self._tickets[ticket.id] = ticket
        return ticket

    def find(self, ticket_id: str) -> Ticket | None:
        """The ticket of that id."""
        return self._tickets.get(ticket_id)

    def revoke(self, ticket_id: str) -> None:
        """End a ticket, if it is there; requests that are under way go on."""
        self._tickets.pop(ticket_id, None)

    def reserve(self, ticket_id: str | None, provider: str, asking: Asking) -> Reservation:
        """Hold what a request can take.

        Raises:
            TicketMissing: there is none of that id.
            TicketForAnother: it is for another model.
            CeilingReached: there isn't enough left.
        """
        ticket = self._tickets.get(ticket_id or "")
        if ticket is None:
            raise TicketMissing(
                f"A request to {asking.model} of {provider} needs a ticket that the person granted.",
                hint="Ask for one: the page shows the person the model and the most that it can cost.",
            )
        if (ticket.provider, ticket.model) != (provider, asking.model):
            raise TicketForAnother(
                f"The ticket is for {ticket.model} of {ticket.provider}, not for {asking.model} of {provider}.",
                hint="Ask for a ticket for this model.",
            )
        return Reservation(ticket, asking)


class Issued:
    """The tickets of one page, which end with its connection."""

    def __init__(self, tickets: Tickets) -> None:
        self._tickets = tickets
        self._ids: list[str] = []

    def issue(self, provider: Provider, model: str, ceiling: Ceiling) -> Ticket:
        """Make a ticket of this page's."""
        ticket = self._tickets.issue(provider, model, ceiling)
        self._ids.append(ticket.id)
        while len(self._ids) > MOST:
            self._tickets.revoke(self._ids.pop(0))
        return ticket

    def close(self) -> None:
        """The page has gone."""
        for each in self._ids:
            self._tickets.revoke(each)
        self._ids.clear()
