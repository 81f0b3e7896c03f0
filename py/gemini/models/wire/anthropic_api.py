"""Models by Anthropic's Messages."""

import httpx2
from anthropic import AsyncAnthropic
from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.settings import ModelSettings

from gemini.agents.model import Request
from gemini.core import ffi
from gemini.models.endpoint import Endpoint

# Without it a page gets no answer, where it sends a key itself.
DIRECT = {"anthropic-dangerous-direct-browser-access": "true"}


def make(endpoint: Endpoint, name: str, key: str, http: httpx2.AsyncClient) -> AnthropicModel:
    """The model, whose client leaves trying again to others."""
    client = AsyncAnthropic(
        api_key=key,
        base_url=endpoint.base_url,
        max_retries=0,
        http_client=http,
        default_headers=DIRECT if ffi.IN_BROWSER and not endpoint.passed_on else None,
    )
    return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=client))


def settings(request: Request) -> ModelSettings:
    """How it is asked, beside what: what each request repeats is a tenth of the price when it is kept."""
    kept = AnthropicModelSettings(
        anthropic_cache_instructions=True, anthropic_cache_tool_definitions=bool(request.tools)
    )
    if request.max_output_tokens is not None:
        kept["max_tokens"] = request.max_output_tokens
    return kept
