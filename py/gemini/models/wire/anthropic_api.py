"""Models with Anthropic's Messages API."""

import httpx2
from anthropic import AsyncAnthropic
from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.settings import ModelSettings

from gemini.agents.model.interface import Request
from gemini.core import ffi
from gemini.models.endpoint import Endpoint
from gemini.models.wire.sampling import usual_settings

# Anthropic requires this header of pages that send a key themselves.
DIRECT = {"anthropic-dangerous-direct-browser-access": "true"}


def make(endpoint: Endpoint, name: str, key: str, http: httpx2.AsyncClient) -> AnthropicModel:
    """Create the model. Its client doesn't retry; `RetryingModel` does."""
    client = AsyncAnthropic(
        api_key=key,
        base_url=endpoint.base_url,
        max_retries=0,
        http_client=http,
        default_headers=DIRECT if ffi.IN_BROWSER and not endpoint.passed_on else None,
    )
    return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=client))


def settings(request: Request) -> ModelSettings:
    """Return the settings of a request. Prompt caching cuts the price of repeated input to a tenth."""
    settings = AnthropicModelSettings(
        **usual_settings(request),
        anthropic_cache_instructions=True,
        anthropic_cache_tool_definitions=bool(request.tools),
    )
    if (effort := request.sampling.effort) is not None:
        settings["anthropic_effort"] = "low" if effort == "minimal" else effort
    return settings
