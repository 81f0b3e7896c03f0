"""Models with OpenAI's Chat Completions API."""

import httpx2
from openai import AsyncOpenAI
from pydantic_ai.models.openai import OpenAIChatModelSettings
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from gemini.models.interface.model import Request
from gemini.models.providers.endpoint import Endpoint
from gemini.models.providers.wire.sampling import usual_settings
from gemini.models.providers.wire.signed_thinking import SignedThinkingModel


def make(endpoint: Endpoint, name: str, key: str, http: httpx2.AsyncClient) -> SignedThinkingModel:
    """Create the model. Its client doesn't retry; `RetryingModel` does."""
    client = AsyncOpenAI(api_key=key, base_url=endpoint.base_url, max_retries=0, http_client=http)
    is_original = endpoint.provider == "openai"
    profile = OpenAIModelProfile(
        openai_chat_streaming_requires_finish_reason=True,
        # Compatible servers often lack these newer features.
        openai_chat_supports_max_completion_tokens=is_original,
        openai_supports_strict_tool_definition=is_original,
    )
    return SignedThinkingModel(name, provider=OpenAIProvider(openai_client=client), profile=profile)


def settings(request: Request, profile: ModelProfile) -> ModelSettings:
    """Return the settings of a request to a model with a profile."""
    settings = OpenAIChatModelSettings(**usual_settings(request))
    if request.sampling.effort is not None:
        settings["openai_reasoning_effort"] = request.sampling.effort
    if request.answer_schema is not None:
        named = {"name": "call", "schema": request.answer_schema}
        settings["extra_body"] = {"response_format": {"type": "json_schema", "json_schema": named}}
    return settings
