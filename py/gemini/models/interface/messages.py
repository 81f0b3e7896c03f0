"""The messages of a conversation with a language model, independent of any provider's format.

Messages are immutable, so readers can hold on to them.
"""

import json
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from gemini.errors import InvalidArguments


class _Frozen(BaseModel):
    # Building the validators would delay the start of the page.
    model_config = ConfigDict(frozen=True, defer_build=True)


class ToolCall(_Frozen):
    """A call that a model requests.

    Attributes:
        id: A unique id, which the result refers to.
        arguments: JSON text as the model wrote it; it may be invalid.
    """

    id: str
    name: str
    arguments: str = "{}"

    def parsed(self) -> dict[str, Any]:
        """Return the arguments as an object.

        Raises:
            InvalidArguments: The text isn't JSON, or isn't an object.
        """
        try:
            value: Any = json.loads(self.arguments or "{}")
        except (ValueError, RecursionError) as error:
            raise InvalidArguments(
                f"the arguments of {self.name} aren't JSON: {error}",
                hint="Call it again with one complete JSON object.",
            ) from error
        if not isinstance(value, dict):
            raise InvalidArguments(
                f"the arguments of {self.name} aren't a JSON object",
                hint='Call it again with an object such as {"name": "value"}.',
            )
        return cast("dict[str, Any]", value)

    @property
    def is_complete(self) -> bool:
        """Return whether the arguments are a complete JSON object."""
        try:
            self.parsed()
        except InvalidArguments:
            return False
        return True

    def arguments_or_empty(self) -> dict[str, Any]:
        """Return the arguments as an object, or an empty one if they are invalid."""
        try:
            return self.parsed()
        except InvalidArguments:
            return {}


class SystemMessage(_Frozen):
    """The system prompt: the agent's role and rules."""

    role: Literal["system"] = "system"
    text: str


Purpose = Literal["task", "note", "observation", "answer", "summary", "message"]


class Image(_Frozen):
    """A picture; `data` is the file in base64 (RFC 4648, section 4)."""

    media_type: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    data: str


class UserMessage(_Frozen):
    """A message to the model.

    Attributes:
        images: Pictures, which come before the text.
        purpose: The user's task, a note from the loop, an observation of the surface, the user's answer to a
            question, a summary of dropped messages, or a message from another agent.
        origin: The source of untrusted text in another agent's message, which is between delimiters.
    """

    role: Literal["user"] = "user"
    text: str
    purpose: Purpose = "note"
    images: tuple[Image, ...] = ()
    origin: str | None = None


StopReason = Literal["end", "calls", "length", "refusal"]


class ProviderState(_Frozen):
    """The parts of an answer that its provider wants back unchanged, such as signed thinking.

    Attributes:
        model: The endpoint and the model that they are for.
        parts: All parts of the answer in order, as JSON in the format of the client (`gemini.models.providers.wire`).
    """

    model: str
    parts: tuple[dict[str, Any], ...]


class AssistantMessage(_Frozen):
    """A complete answer of the model.

    Attributes:
        thought: The model's reasoning, as far as the provider shows it.
        stop: Why the answer ended: finished, tool calls, token limit, or refusal.
        state: Sent back to the same model in place of the text and the calls; None if there is nothing more than these.
    """

    role: Literal["assistant"] = "assistant"
    text: str = ""
    thought: str = ""
    calls: tuple[ToolCall, ...] = ()
    stop: StopReason = "end"
    state: ProviderState | None = None


class ToolMessage(_Frozen):
    """The result of a call.

    Attributes:
        text: JSON of the value or the failure; between delimiters if it is untrusted.
        origin: The source of an untrusted text; None if the surface itself produced it.
        images: Pictures that the tool returned.
    """

    role: Literal["tool"] = "tool"
    call_id: str
    tool: str
    text: str
    failed: bool = False
    origin: str | None = None
    images: tuple[Image, ...] = ()


Message = Annotated[SystemMessage | UserMessage | AssistantMessage | ToolMessage, Field(discriminator="role")]

MESSAGES: TypeAdapter[list[Message]] = TypeAdapter(list[Message], config=ConfigDict(defer_build=True))
"""Converts messages from and to JSON."""
