"""The settings of a request that both APIs have."""

from pydantic_ai.settings import ModelSettings

from gemini.models.interface.model import Request


def usual_settings(request: Request) -> ModelSettings:
    """Return temperature, top_p and the limit of the answer, as far as they are set."""
    settings = ModelSettings()
    sampling = request.sampling
    if sampling.temperature is not None:
        settings["temperature"] = sampling.temperature
    if sampling.top_p is not None:
        settings["top_p"] = sampling.top_p
    if (most := request.most_tokens) is not None:
        settings["max_tokens"] = most
    return settings
