"""What models cost and how much they take, by the tables of genai-prices, which need no network."""

from gemini.agents.usage import Usage


def cost(model: str, provider: str, usage: Usage, *, written: int = 0) -> float | None:
    """What a request cost, in US dollars; None where nobody knows.

    Args:
        model: As the provider calls it.
        provider: As genai-prices calls it, or its API's address; empty where nobody knows.
        usage: Its `input` has the tokens of `cached`, too.
        written: How many tokens of the input were put into the provider's cache.
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
    """How much a model takes in one request with its answer; None where nobody knows."""
    if not provider:
        return None
    from genai_prices.data_snapshot import get_snapshot

    try:
        _, found = get_snapshot().find_provider_model(model, None, *_named(provider))
    except LookupError:
        return None
    return found.context_window


def _named(provider: str) -> tuple[str | None, str | None]:
    """The name of a provider, or its address."""
    return (None, provider) if "://" in provider else (provider, None)
