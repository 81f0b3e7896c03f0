"""What models cost, by the tables of genai-prices, which need no network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from genai_prices import Usage
from genai_prices.data_snapshot import get_snapshot

from gemini_companion.gateway.providers import Provider
from gemini_companion.gateway.usage import Used

MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """What a model costs, in US dollars.

    Attributes:
        of: Gives what some usage costs.
    """

    of: Callable[[Used], float]

    def row(self) -> dict[str, float]:
        """For a person: of a million tokens each, `{input, output}`."""
        return {"input": self.of(Used(input=MILLION)), "output": self.of(Used(output=MILLION))}


def price_of(provider: Provider, model: str) -> Price | None:
    """The price of a provider's model, or None where nobody knows it, as of any server on this machine."""
    if provider.is_local:
        return None
    snapshot = get_snapshot()
    try:
        snapshot.find_provider_model(model, None, None, provider.base_url)
    except LookupError:
        return None
    return Price(partial(_cost, snapshot, model, provider.base_url))


def _cost(snapshot: Any, model: str, url: str, used: Used) -> float:
    usage = Usage(
        input_tokens=used.total_input,
        output_tokens=used.output,
        cache_read_tokens=used.read or None,
        cache_write_tokens=used.written or None,
    )
    return float(snapshot.calc(usage, model, None, url, None).total_price)
