"""Models with Anthropic's Messages API."""

import httpx2
from anthropic import AsyncAnthropic
from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.profiles.anthropic import ANTHROPIC_THINKING_BUDGET_MAP
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.settings import ModelSettings

from gemini.core import ffi
from gemini.models.interface.model import Request
from gemini.models.interface.sampling import Effort
from gemini.models.providers.endpoint import Endpoint
from gemini.models.providers.wire.sampling import usual_settings

EFFORTS: tuple[Effort, ...] = ("minimal", "low", "medium", "high")
# What a budget of thinking leaves at least: both count towards the limit of an answer.
ANSWER_TOKENS = 1024
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


def settings(request: Request, profile: ModelProfile) -> ModelSettings:
    """Return the settings of a request to a model with a profile.

    Prompt caching cuts the price of repeated input to a tenth. An effort switches thinking on, as the model takes it:
    adaptively, or with a budget of tokens.
    """
    settings = AnthropicModelSettings(
        **usual_settings(request),
        anthropic_cache_instructions=True,
        anthropic_cache_tool_definitions=bool(request.tools),
    )
    if (level := _level(request, profile)) is not None:
        settings["thinking"] = level
        # https://platform.claude.com/docs/en/build-with-claude/extended-thinking#feature-compatibility
        settings.pop("temperature", None)
    return settings


def _level(request: Request, profile: ModelProfile) -> Effort | None:
    """Return the highest level up to the request's effort whose budget leaves room for an answer."""
    wanted, most = request.sampling.effort, request.most_tokens
    if wanted is None or most is None or profile.get("anthropic_supports_adaptive_thinking", False):
        return wanted
    fitting: Effort | None = None
    for level in EFFORTS[: EFFORTS.index(wanted) + 1]:
        if ANTHROPIC_THINKING_BUDGET_MAP[level] + ANSWER_TOKENS <= most:
            fitting = level
    return fitting
