"""Conversion of messages and tools to pydantic-ai's, which knows each provider's format."""

import base64
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import assert_never

from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from gemini.models.interface.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from gemini.models.interface.model import Request, ToolRow
from gemini.models.providers.wire.states import parts_of

# OpenAI's rule for names is the strictest. A model may have invented other names, which are sent back to it.
FOREIGN = re.compile(r"[^a-zA-Z0-9_-]")
MAX_NAME_CHARS = 64


def parameters_of(request: Request) -> ModelRequestParameters:
    """Return the tools of a request, and whether a call is required."""
    return ModelRequestParameters(
        function_tools=[_tool(row) for row in request.tools],
        allow_text_output=not (request.must_call and request.tools),
    )


def conversation_of(messages: Sequence[Message], model: str) -> list[ModelMessage]:
    """Return the messages, joined by side. Empty answers are left out because providers refuse them.

    Args:
        messages: The conversation.
        model: The model that gets it; answers of others go without their states.
    """
    found: list[ModelMessage] = []
    waiting: list[ModelRequestPart] = []
    for message in messages:
        if isinstance(message, AssistantMessage):
            parts = returned_parts(message, model) or list(_answer(message))
            if parts:
                found += [ModelRequest(parts=waiting)] if waiting else []
                found.append(ModelResponse(parts=parts))
                waiting = []
        else:
            waiting.append(_said(message))
    return [*found, ModelRequest(parts=waiting)] if waiting else found


def _said(message: SystemMessage | UserMessage | ToolMessage) -> ModelRequestPart:
    match message:
        case SystemMessage():
            return SystemPromptPart(message.text)
        case UserMessage():
            return UserPromptPart(_content(message))
        case ToolMessage():
            # The text itself says whether the call failed.
            return ToolReturnPart(_name(message.tool), _content(message), tool_call_id=message.call_id)
        case _:
            assert_never(message)


def _content(message: UserMessage | ToolMessage) -> str | list[UserContent]:
    if not message.images:
        return message.text
    images = [
        BinaryContent(data=base64.b64decode(image.data), media_type=image.media_type)
        for image in message.images
    ]
    return [*images, message.text] if message.text else [*images]


def returned_parts(message: AssistantMessage, model: str) -> list[ModelResponsePart]:
    """Return the parts of an answer as its provider wants them back; none if it wants nothing."""
    is_empty = not message.text.strip() and not message.calls
    if message.state is None or message.state.model != model or is_empty:
        return []
    parts = parts_of(message.state)
    made = [part for part in parts if isinstance(part, ToolCallPart)]
    if len(made) != len(message.calls):
        return []
    calls = iter(message.calls)
    return [_same(part, next(calls)) if isinstance(part, ToolCallPart) else part for part in parts]


def _same(part: ToolCallPart, call: ToolCall) -> ToolCallPart:
    """Return the part of a call, with our id, which its result refers to."""
    return replace(part, tool_name=_name(call.name), args=call.arguments, tool_call_id=call.id)


def _answer(message: AssistantMessage) -> Iterable[ModelResponsePart]:
    if message.text.strip():
        yield TextPart(message.text)
    for call in message.calls:
        yield ToolCallPart(_name(call.name), call.arguments, tool_call_id=call.id)


def _tool(row: ToolRow) -> ToolDefinition:
    return ToolDefinition(name=row.name, description=row.description, parameters_json_schema=row.schema)


def _name(name: str) -> str:
    return FOREIGN.sub("_", name)[:MAX_NAME_CHARS] or "_"
