"""Prices and context sizes of models, from the tables of genai-prices, which need no network."""

from gemini.models.interface.usage import Usage


def cost(model: str, provider: str, usage: Usage, *, written: int = 0) -> float | None:
    """Return the cost of a request in US dollars; None if the price is unknown.

    Args:
        model: The provider's name for the model.
        provider: The name in genai-prices, or the API's address; empty if unknown.
        usage: The usage; its `input` includes `cached`.
        written: The number of input tokens written to the provider's cache.
    """
    if not provider:
        return None
    from genai_prices import Usage as Priced
    from genai_prices.data_snapshot import get_snapshot

    used = Priced(
        input_tokens=usage.input,
        output_tokens=usage.output,
        cache_read_tokens=usage.cached or None,
        cache_write_tokens=written or None,
    )
    try:
        total = get_snapshot().calc(used, model, *_named(provider), None).total_price
    except LookupError:
        return None
    return float(total)


def context_tokens(model: str, provider: str) -> int | None:
    """Return a model's context size in tokens; None if it is unknown."""
    if not provider:
        return None
    from genai_prices.data_snapshot import get_snapshot

    try:
        _, found = get_snapshot().find_provider_model(model, None, *_named(provider))
    except LookupError:
        return None
    return found.context_window


def _named(provider: str) -> tuple[str | None, str | None]:
    """Return a provider as a name or as an address; the other one is None."""
    return (None, provider) if "://" in provider else (provider, None)
