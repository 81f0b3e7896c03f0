"""What a conversation with a language model consists of, in no provider's format.

Messages are never changed once they are made, so that whoever reads them can keep them.
"""

import json
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from gemini.errors import InvalidArguments


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class ToolCall(_Frozen):
    """A call that a model asks for.

    Attributes:
        id: Like no other; the result refers to it.
        arguments: JSON text as the model wrote it, which may be no JSON at all.
    """

    id: str
    name: str
    arguments: str = "{}"

    def parsed(self) -> dict[str, Any]:
        """The arguments as an object.

        Raises:
            InvalidArguments: they aren't JSON, or no object.
        """
        try:
            value: Any = json.loads(self.arguments or "{}")
        except (ValueError, RecursionError) as error:
            raise InvalidArguments(
                f"the arguments of {self.name} aren't JSON: {error}",
                hint="Call it again with one whole JSON object.",
            ) from error
        if not isinstance(value, dict):
            raise InvalidArguments(
                f"the arguments of {self.name} are JSON, but no object",
                hint='Call it again with an object such as {"name": "value"}.',
            )
        return cast("dict[str, Any]", value)

    def arguments_or_nothing(self) -> dict[str, Any]:
        """The arguments as an object, which is empty where they are none."""
        try:
            return self.parsed()
        except InvalidArguments:
            return {}


class SystemMessage(_Frozen):
    """What the agent is, and by which rules it works."""

    role: Literal["system"] = "system"
    text: str


Purpose = Literal["task", "note", "observation", "answer", "summary"]


class Image(_Frozen):
    """A picture; `data` is base64 (RFC 4648, section 4) of a file of that media type."""

    media_type: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    data: str


class UserMessage(_Frozen):
    """What is said to the model.

    Attributes:
        images: Come before the text.
        purpose: A person's task; a note of the loop; what is seen of the surface; a person's answer to a
            question; or what is left of messages that were dropped.
    """

    role: Literal["user"] = "user"
    text: str
    purpose: Purpose = "note"
    images: tuple[Image, ...] = ()


StopReason = Literal["end", "calls", "length", "refusal"]


class AssistantMessage(_Frozen):
    """A model's whole answer.

    Attributes:
        thought: What it told of its thinking.
        stop: Why it ended: it was done, it wants calls, it ran out of tokens, or it refused.
    """

    role: Literal["assistant"] = "assistant"
    text: str = ""
    thought: str = ""
    calls: tuple[ToolCall, ...] = ()
    stop: StopReason = "end"


class ToolMessage(_Frozen):
    """The result of a call.

    Attributes:
        text: JSON of the value or the failure, inside marks where it is untrusted.
        origin: Where an untrusted text came from; None where the surface itself made it.
    """

    role: Literal["tool"] = "tool"
    call_id: str
    tool: str
    text: str
    failed: bool = False
    origin: str | None = None


Message = Annotated[SystemMessage | UserMessage | AssistantMessage | ToolMessage, Field(discriminator="role")]

MESSAGES: TypeAdapter[list[Message]] = TypeAdapter(list[Message])
"""Reads and writes messages as JSON."""
