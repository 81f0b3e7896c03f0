"""The client of one endpoint, which converts pydantic-ai's stream to our events."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, asynccontextmanager
from importlib import import_module
from typing import Any

import httpx2
from pydantic_ai.messages import (
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models import Model, StreamedResponse

from gemini.core import ffi
from gemini.errors import ModelDisconnected
from gemini.models.interface.messages import StopReason
from gemini.models.interface.model import (
    CallDelta,
    ModelEvent,
    PromptRead,
    Request,
    StateReceived,
    Stopped,
    TextDelta,
    ThoughtDelta,
)
from gemini.models.interface.usage import Usage
from gemini.models.providers.endpoint import Endpoint
from gemini.models.providers.prices import context_tokens, cost
from gemini.models.providers.wire.conversation import conversation_of, parameters_of
from gemini.models.providers.wire.fetching import FetchTransport
from gemini.models.providers.wire.problems import translated_errors, wrong_address
from gemini.models.providers.wire.progress import PromptProgress
from gemini.models.providers.wire.states import state_of

# A local model may take minutes before its first word; `RetryingModel` handles silence.
TIMEOUT_S = 600.0
NO_STREAM = {"text/html", "application/xhtml+xml", "application/json"}
# The header of the companion's gateway (gemini_companion.models.proxy).
TICKET = "x-model-ticket"
STOPS: dict[str, StopReason] = {
    "stop": "end",
    "tool_call": "calls",
    "length": "length",
    "content_filter": "refusal",
}


class Client:
    """Asks one model of one endpoint: a `gemini.agents.Model` for endpoints that support tools.

    Args:
        endpoint: The endpoint.
        name: The provider's name for the model.

    Attributes:
        asks_progress: Whether to ask how much of the prompt the server has read; only llama.cpp knows the question.
    """

    def __init__(self, endpoint: Endpoint, name: str) -> None:
        self.endpoint = endpoint
        self.name = name
        self.asks_progress = False
        self.context_tokens = context_tokens(name, endpoint.provider)

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """Stream the answer; see `gemini.agents.Model.stream`. Closing the stream closes the connection."""
        with translated_errors(self.name):
            async with self._answer(request) as answer, aclosing(_iterate(answer)) as events:
                calls: dict[int, int] = {}
                async for event in events:
                    for converted in _events(event, calls):
                        yield converted
                if refusal := (answer.provider_details or {}).get("refusal"):
                    yield TextDelta(str(refusal))
                yield self._usage(answer)
                stopped = _stop(answer, bool(calls))
                if (state := state_of(answer.get().parts, self._key)) is not None:
                    yield StateReceived(state)
                yield stopped

    @property
    def _key(self) -> str:
        """The endpoint and the model, which alone understand the state of an answer."""
        return f"{self.endpoint.base_url} {self.name}"

    @asynccontextmanager
    async def _answer(self, request: Request) -> AsyncGenerator[StreamedResponse]:
        api = import_module(f"gemini.models.providers.wire.{self.endpoint.api}_api")
        async with self._http() as http:
            # Clients require a key; if there is none, `_trim` removes the placeholder.
            model: Model[Any] = api.make(self.endpoint, self.name, self.endpoint.key or "none", http)
            messages, parameters = conversation_of(request.messages, self._key), parameters_of(request)
            settings = api.settings(request, model.profile)
            if self.asks_progress:
                settings["extra_body"] = {**settings.get("extra_body", {}), "return_progress": True}
            async with model.request_stream(messages, settings, parameters) as answer:
                yield answer

    def _http(self) -> httpx2.AsyncClient:
        # A client for each request, so that nothing stays open. The browser pools connections itself.
        return httpx2.AsyncClient(
            transport=FetchTransport() if ffi.IN_BROWSER else None,
            event_hooks={"request": [self._trim], "response": [self._require_stream]},
            timeout=httpx2.Timeout(TIMEOUT_S, connect=30.0),
        )

    async def _trim(self, request: httpx2.Request) -> None:
        """Remove headers that the API doesn't need and that servers of other origins would have to allow."""
        for header in list(request.headers):
            if header.startswith("x-stainless-"):
                del request.headers[header]
        if self.endpoint.ticket is not None:
            request.headers[TICKET] = self.endpoint.ticket
        if self.endpoint.key is None:
            request.headers.pop("authorization", None)

    async def _require_stream(self, response: httpx2.Response) -> None:
        """Check that a server streams.

        Raises:
            ModelRefused: It sent something else, as servers do at a wrong address.
        """
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.is_success and kind in NO_STREAM:
            # Only its start is shown.
            raise wrong_address(self.endpoint.base_url, await anext(response.aiter_bytes(), b""))

    def _usage(self, answer: StreamedResponse) -> Usage:
        used = answer.usage
        usage = Usage(input=used.input_tokens, output=used.output_tokens, cached=used.cache_read_tokens)
        price = cost(self.name, self.endpoint.provider, usage, written=used.cache_write_tokens)
        return usage.model_copy(update={"cost": price})


async def _iterate(answer: StreamedResponse) -> AsyncGenerator[ModelResponseStreamEvent]:
    async for event in answer:
        yield event


def _events(event: ModelResponseStreamEvent, calls: dict[int, int]) -> list[ModelEvent]:
    """Convert an event of pydantic-ai.

    Args:
        event: An event of one part of the answer.
        calls: The position of each call among the calls, by its position among the parts. New calls are added.
    """
    match event:
        case PromptProgress(progress=progress):
            return [PromptRead(progress.processed, progress.total)]
        case (
            PartStartEvent(part=TextPart(content=text))
            | PartDeltaEvent(delta=TextPartDelta(content_delta=text))
        ):
            return [TextDelta(text)] if text else []
        case PartStartEvent(part=ThinkingPart(content=text)):
            return [ThoughtDelta(text)] if text else []
        case PartDeltaEvent(delta=ThinkingPartDelta(content_delta=text)):
            return [ThoughtDelta(text)] if text else []
        case PartStartEvent(index=index, part=ToolCallPart() as part):
            number = calls.setdefault(index, len(calls))
            return [CallDelta(number, part.tool_call_id, part.tool_name, _text(part.args))]
        case PartDeltaEvent(index=index, delta=ToolCallPartDelta() as delta):
            return [CallDelta(calls.setdefault(index, len(calls)), arguments=_text(delta.args_delta))]
        case _:
            return []


def _text(arguments: str | Mapping[str, Any] | None) -> str:
    if arguments is None or isinstance(arguments, str):
        return arguments or ""
    # An empty object at the start of a call is a placeholder for the pieces that follow.
    return json.dumps(arguments) if arguments else ""


def _stop(answer: StreamedResponse, has_calls: bool) -> Stopped:
    """Return why the answer ended.

    Raises:
        ModelDisconnected: The stream ended without a reason.
    """
    if answer.finish_reason is None and "finish_reason" not in (answer.provider_details or {}):
        raise ModelDisconnected("the model's answer ended before it was complete")
    # Providers may add reasons of their own.
    reason = STOPS.get(answer.finish_reason or "stop", "end")
    return Stopped("calls" if has_calls and reason == "end" else reason)
