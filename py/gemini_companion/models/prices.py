"""Prices of models, from the tables of genai-prices, which need no network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from genai_prices import Usage as PricedUsage
from genai_prices.data_snapshot import get_snapshot

from gemini_companion.models.providers import Provider
from gemini_companion.models.usage import Usage

MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """The price of a model, in US dollars.

    Attributes:
        of: Returns the cost of some usage.
    """

    of: Callable[[Usage], float]

    def row(self) -> dict[str, float]:
        """Return the price of a million tokens each, for the user: `{input, output}`."""
        return {"input": self.of(Usage(input=MILLION)), "output": self.of(Usage(output=MILLION))}


def price_of(provider: Provider, model: str) -> Price | None:
    """Return the price of a provider's model; None if it is unknown, as for any server on this machine."""
    if provider.is_local:
        return None
    snapshot = get_snapshot()
    try:
        snapshot.find_provider_model(model, None, None, provider.base_url)
    except LookupError:
        return None
    return Price(partial(_cost, snapshot, model, provider.base_url))


def _cost(snapshot: Any, model: str, url: str, used: Usage) -> float:
    usage = PricedUsage(
        input_tokens=used.total_input,
        output_tokens=used.output,
        cache_read_tokens=used.read or None,
        cache_write_tokens=used.written or None,
    )
    return float(snapshot.calc(usage, model, None, url, None).total_price)
