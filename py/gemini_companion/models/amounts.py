"""Amounts of a model's use, and ceilings for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Unit = Literal["requests", "tokens", "dollars"]
UNITS: tuple[Unit, ...] = ("requests", "tokens", "dollars")


@dataclass(frozen=True)
class Amount:
    """An amount that was used, or is reserved."""

    requests: int = 0
    tokens: int = 0
    dollars: float = 0.0

    def plus(self, other: Amount) -> Amount:
        """Return the sum."""
        return Amount(
            self.requests + other.requests, self.tokens + other.tokens, self.dollars + other.dollars
        )

    def minus(self, other: Amount) -> Amount:
        """Return the difference, which is never below zero."""
        return Amount(
            max(0, self.requests - other.requests),
            max(0, self.tokens - other.tokens),
            max(0.0, self.dollars - other.dollars),
        )

    def of(self, unit: Unit) -> float:
        """Return the number of a unit."""
        return getattr(self, unit)


class Reached(NamedTuple):
    """A ceiling that a request could exceed: its unit, the limit, and the amount in use."""

    unit: Unit
    most: float
    taken: float

    def __str__(self) -> str:
        return f"{self.most:,} {self.unit}; {self.taken:,.6g} are used"


@dataclass(frozen=True)
class Ceiling:
    """The most that a ticket allows.

    Attributes:
        dollars: None if no price is known, or no limit in dollars is wanted.
    """

    requests: int = 200
    tokens: int = 1_000_000
    dollars: float | None = 1.0

    def row(self) -> dict[str, Any]:
        """Return `{requests, tokens, dollars}`."""
        return {"requests": self.requests, "tokens": self.tokens, "dollars": self.dollars}

    def times(self, factor: int) -> Ceiling:
        """Return the ceiling of several tickets together."""
        dollars = None if self.dollars is None else self.dollars * factor
        return Ceiling(self.requests * factor, self.tokens * factor, dollars)

    def without_dollars(self) -> Ceiling:
        """Return the ceiling for a model without a known price."""
        return Ceiling(self.requests, self.tokens, None)

    def reached(self, taken: Amount, more: Amount) -> Reached | None:
        """Return the first ceiling that `more` could exceed; None if there is room for it."""
        for unit in UNITS:
            most = getattr(self, unit)
            if most is not None and taken.of(unit) + more.of(unit) > most:
                return Reached(unit, most, taken.of(unit))
        return None
