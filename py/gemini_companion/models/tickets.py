"""Tickets: how much of one model a run or a chat may use, as the user granted.

A request reserves the most that it can take before it is sent, so that concurrent requests can't exceed a ceiling
together. At its end the actual usage replaces the reservation; if the answer doesn't report it, the reservation counts.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from gemini_companion.models.allowances import Allowance
from gemini_companion.models.amounts import Amount, Ceiling
from gemini_companion.models.errors import CeilingReached, TicketForAnother, TicketMissing
from gemini_companion.models.model_request import ModelRequest
from gemini_companion.models.prices import Price, price_of
from gemini_companion.models.providers import Provider
from gemini_companion.models.usage import Meter, Usage

# Open tickets of one page. At the limit the oldest is revoked.
MAX_TICKETS = 200


@dataclass
class Ticket:
    """A ticket for one model.

    Attributes:
        price: None if it is unknown.
        allowance: The allowance that it is issued under, which its requests count against, too.
        spent: What requests have used.
        reserved: What requests under way can use.
    """

    id: str
    provider: str
    model: str
    ceiling: Ceiling
    price: Price | None
    allowance: Allowance | None = None
    spent: Amount = field(default_factory=Amount)
    reserved: Amount = field(default_factory=Amount)

    def row(self) -> dict[str, Any]:
        """Return the ticket for the page: `{ticket, provider, model, ceiling, spent}`."""
        return {
            "ticket": self.id,
            "provider": self.provider,
            "model": self.model,
            "ceiling": self.ceiling.row(),
            "spent": vars(self.spent),
        }

    def amount(self, used: Usage) -> Amount:
        """Return the amount of one request with this usage."""
        return Amount(1, used.total, self.price.of(used) if self.price else 0.0)

    def reserve(self, most: Amount) -> None:
        """Reserve what a request can use.

        Raises:
            CeilingReached: The ticket's or the allowance's ceiling could be exceeded.
            TicketMissing: The user has revoked the allowance.
        """
        taken = self.spent.plus(self.reserved)
        if (reached := self.ceiling.reached(taken, most)) is not None:
            raise CeilingReached(
                f"The ticket for {self.model} allows {reached}, and this request can use "
                f"{most.of(reached.unit):,.6g}.",
                hint="Request another ticket, or send less.",
                data={**self.row(), "reserved": vars(self.reserved)},
            )
        if self.allowance is not None:
            self.allowance.reserve(most)
        self.reserved = self.reserved.plus(most)

    def count(self, reserved: Amount, used: Amount) -> None:
        """Count what a request has used instead of its reservation."""
        self.reserved = self.reserved.minus(reserved)
        self.spent = self.spent.plus(used)
        if self.allowance is not None:
            self.allowance.count(reserved, used)


class Reservation:
    """The share of a ticket that one request reserves until it ends.

    Args:
        ticket: The ticket.
        request: The request.

    Raises:
        CeilingReached: The ticket has too little left.
    """

    def __init__(self, ticket: Ticket, request: ModelRequest) -> None:
        self._ticket = ticket
        self._most = Usage(input=request.input, output=request.output)
        self._held = ticket.amount(self._most)
        ticket.reserve(self._held)

    def release(self) -> None:
        """Cancel the reservation, since the request was not sent."""
        self._ticket.count(self._held, Amount())

    def count_refused(self) -> None:
        """Count a request that the provider refused: one request, and no cost."""
        self._ticket.count(self._held, Amount(requests=1))

    def settle(self, meter: Meter, *, whole: bool) -> None:
        """Count what was used.

        Args:
            meter: The meter that read the answer.
            whole: Whether the answer was complete.
        """
        used = meter.finish()
        if used is None or not whole:
            used = self._estimate(meter.so_far)
        self._ticket.count(self._held, self._ticket.amount(used))

    def _estimate(self, so_far: Usage | None) -> Usage:
        """Return the most that an answer without usage can have used; its beginning may have reported the input."""
        if so_far is None or so_far.total_input == 0:
            return self._most
        return Usage(so_far.input, max(so_far.output, self._most.output), so_far.read, so_far.written)


class Tickets:
    """All tickets of a companion."""

    def __init__(self) -> None:
        self._tickets: dict[str, Ticket] = {}

    def issue(
        self, provider: Provider, model: str, ceiling: Ceiling, allowance: Allowance | None = None
    ) -> Ticket:
        """Issue a ticket. Without a known price it has no ceiling in dollars."""
        price = price_of(provider, model)
        if price is None:
            ceiling = ceiling.without_dollars()
        ticket = Ticket(secrets.token_urlsafe(24), provider.name, model, ceiling, price, allowance)
        self._tickets[ticket.id] = ticket
        return ticket

    def find(self, ticket_id: str) -> Ticket | None:
        """Return the ticket with that id, or None."""
        return self._tickets.get(ticket_id)

    def revoke(self, ticket_id: str) -> None:
        """Revoke a ticket, if it exists; requests under way continue."""
        self._tickets.pop(ticket_id, None)

    def reserve(self, ticket_id: str | None, provider: str, request: ModelRequest) -> Reservation:
        """Reserve what a request can use.

        Raises:
            TicketMissing: No ticket has that id.
            TicketForAnother: The ticket is for another model.
            CeilingReached: The ticket has too little left.
        """
        ticket = self._tickets.get(ticket_id or "")
        if ticket is None:
            raise TicketMissing(
                f"A request to {request.model} of {provider} needs a ticket that the user granted.",
                hint="Request one: the page shows the user the model and the most that it can cost.",
            )
        if (ticket.provider, ticket.model) != (provider, request.model):
            raise TicketForAnother(
                f"The ticket is for {ticket.model} of {ticket.provider}, not for {request.model} of {provider}.",
                hint="Request a ticket for this model.",
            )
        return Reservation(ticket, request)


class Issued:
    """The tickets of one page, which end with its connection."""

    def __init__(self, tickets: Tickets) -> None:
        self._tickets = tickets
        self._ids: list[str] = []

    def issue(
        self, provider: Provider, model: str, ceiling: Ceiling, allowance: Allowance | None = None
    ) -> Ticket:
        """Issue a ticket for this page."""
        ticket = self._tickets.issue(provider, model, ceiling, allowance)
        self._ids.append(ticket.id)
        while len(self._ids) > MAX_TICKETS:
            self._tickets.revoke(self._ids.pop(0))
        return ticket

    def close(self) -> None:
        """Revoke all tickets of the page."""
        for each in self._ids:
            self._tickets.revoke(each)
        self._ids.clear()
