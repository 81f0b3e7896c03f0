"""Conversion of messages and tools to pydantic-ai's, which knows each provider's format."""

import base64
import re
from collections.abc import Iterable, Sequence
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

from gemini.agents.model.interface import Request, ToolRow
from gemini.agents.model.messages import AssistantMessage, Message, SystemMessage, ToolMessage, UserMessage

# OpenAI's rule for names is the strictest. A model may have invented other names, which are sent back to it.
FOREIGN = re.compile(r"[^a-zA-Z0-9_-]")
MAX_NAME_CHARS = 64


def parameters_of(request: Request) -> ModelRequestParameters:
    """Return the tools of a request, and whether a call is required."""
    return ModelRequestParameters(
        function_tools=[_tool(row) for row in request.tools],
        allow_text_output=not (request.must_call and request.tools),
    )


def conversation_of(messages: Sequence[Message]) -> list[ModelMessage]:
    """Return the messages, joined by side. Empty answers are left out because providers refuse them."""
    found: list[ModelMessage] = []
    waiting: list[ModelRequestPart] = []
    for message in messages:
        if isinstance(message, AssistantMessage):
            parts = list(_answer(message))
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
            return ToolReturnPart(_name(message.tool), message.text, tool_call_id=message.call_id)
        case _:
            assert_never(message)


def _content(message: UserMessage) -> str | list[UserContent]:
    if not message.images:
        return message.text
    images = [
        BinaryContent(data=base64.b64decode(image.data), media_type=image.media_type)
        for image in message.images
    ]
    return [*images, message.text] if message.text else [*images]


def _answer(message: AssistantMessage) -> Iterable[ModelResponsePart]:
    if message.text.strip():
        yield TextPart(message.text)
    for call in message.calls:
        yield ToolCallPart(_name(call.name), call.arguments, tool_call_id=call.id)


def _tool(row: ToolRow) -> ToolDefinition:
    return ToolDefinition(name=row.name, description=row.description, parameters_json_schema=row.schema)


def _name(name: str) -> str:
    return FOREIGN.sub("_", name)[:MAX_NAME_CHARS] or "_"
