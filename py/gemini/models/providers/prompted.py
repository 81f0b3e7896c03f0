"""Tools for models without tool support: tools are described in the prompt, and calls are JSON in the text.

The model is instructed to write each call as `{"tool": name, "arguments": {...}}`, alone or in a Markdown fence.
`written.py` reads them. Where the endpoint enforces a JSON Schema, a required call is the whole answer.
"""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from gemini.models.interface.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from gemini.models.interface.model import (
    HeldText,
    Model,
    ModelEvent,
    Prepares,
    Request,
    Retried,
    Stopped,
    TextDelta,
    ToolRow,
)
from gemini.models.interface.window import LARGER
from gemini.models.providers.written import CallReader

TOOLS_PROMPT = """You have tools. To call one, write JSON in this form and nothing after it:
{"tool": "<its name>", "arguments": {<what its schema says>}}
For several calls write several such objects, one after another. The next message has the results; never invent them.
The tools, each with the JSON Schema of its arguments:
"""
MUST_CALL_PROMPT = "Answer with a call to one of these tools."


class Prompted:
    """A model that gets its tools in the prompt.

    Args:
        model: The model, which is asked without tools.
        by_schema: Whether its endpoint enforces a JSON Schema, by which a call is required.
    """

    def __init__(self, model: Model, *, by_schema: bool = False) -> None:
        self._model = model
        self._by_schema = by_schema

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def context_tokens(self) -> int:
        """The model's context in tokens."""
        return self._model.context_tokens

    @property
    def forgets_tools(self) -> bool:
        """True if the model may forget its tools: they are only in its prompt."""
        return True

    @property
    def window_hint(self) -> str:
        """The way to get a larger context."""
        return LARGER

    async def prepare(self) -> None:
        """Have the model find out its context; see `gemini.models.interface.model.Prepares`."""
        if isinstance(self._model, Prepares):
            await self._model.prepare()

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """Stream the answer; see `gemini.agents.Model.stream`."""
        reader = CallReader(row.name for row in request.tools) if request.tools else None
        schema = call_schema(request.tools) if self._by_schema and request.must_call else None
        plain = replace(request, messages=in_words(request), tools=(), must_call=False, answer_schema=schema)
        async with aclosing(self._model.stream(plain)) as events:
            async for event in events:
                match event:
                    case TextDelta(text) if reader is not None:
                        prose = reader.feed(text)
                        yield TextDelta(prose) if prose else HeldText(text)
                    case Retried() if reader is not None:
                        reader.reset()
                        yield event
                    case Stopped(reason) if reader is not None:
                        for part in reader.end():
                            yield part
                        yield Stopped("calls" if reader.calls and reason == "end" else reason)
                    case _:
                        yield event


def in_words(request: Request) -> list[Message]:
    """Return the conversation with tools, calls and results written as text."""
    messages = [_in_words(message) for message in request.messages]
    if not request.tools:
        return messages
    lead = (
        TOOLS_PROMPT
        + "\n".join(_row(row) for row in request.tools)
        + (f"\n{MUST_CALL_PROMPT}" if request.must_call else "")
    )
    match messages:
        case [SystemMessage(text=text), *rest]:
            return [SystemMessage(text=f"{text}\n\n{lead}"), *rest]
        case _:
            return [SystemMessage(text=lead), *messages]


def _in_words(message: Message) -> Message:
    match message:
        case AssistantMessage(calls=[_, *_]):
            calls = [call_as_json(call.name, call.arguments) for call in message.calls]
            return AssistantMessage(
                text="\n".join([*([message.text] if message.text.strip() else []), *calls])
            )
        case ToolMessage():
            how = "failed" if message.failed else "returned"
            return UserMessage(
                text=f"The call to {message.tool} {how}:\n{message.text}", images=message.images
            )
        case _:
            return message


def call_as_json(name: str, arguments: str) -> str:
    """Return a call as the model should write it."""
    try:
        given: Any = json.loads(arguments)
    except (ValueError, RecursionError):
        given = arguments
    return json.dumps({"tool": name, "arguments": given}, ensure_ascii=False)


def _row(row: ToolRow) -> str:
    return f"- {row.name}: {row.description}\n  {json.dumps(row.schema, ensure_ascii=False, separators=(',', ':'))}"


def call_schema(tools: Sequence[ToolRow]) -> dict[str, Any]:
    """Return the JSON Schema of an answer that is one call of one of these tools."""
    calls = [
        {
            "type": "object",
            "properties": {"tool": {"const": row.name}, "arguments": _arguments(row.schema)},
            "required": ["tool", "arguments"],
            "additionalProperties": False,
        }
        for row in tools
    ]
    return calls[0] if len(calls) == 1 else {"anyOf": calls}


def _arguments(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a tool's arguments; any object, if it refers to parts of itself by their place."""
    return {"type": "object"} if "$defs" in schema else schema
