"""The events of chats, and the types of the panel's actions."""

from dataclasses import dataclass
from typing import ClassVar, Literal, NotRequired

from typing_extensions import TypedDict

from gemini.agents.events import SaidRow, ShownRow, UsageRow
from gemini.core.events import Event

Format = Literal["markdown", "json"]


class ChatRow(TypedDict):
    """A chat in the list.

    `current` is the last message of the path that is shown. `tools`: the model may call tools. `busy`: an answer is
    being generated. The times are ISO 8601.
    """

    id: str
    title: str
    current: str | None
    tools: bool
    busy: bool
    created: str
    updated: str


class ChatCallRow(TypedDict):
    """A tool call of the model, with JSON text; `result` is None while it runs.

    `said` is the call as a sentence, and `shown` what it opens to.
    """

    id: str
    tool: str
    arguments: str
    result: str | None
    failed: bool
    said: SaidRow
    shown: list[ShownRow]


class ChatPartRow(TypedDict):
    """A part of a message: text, or a call."""

    text: str
    call: ChatCallRow | None


class ChatAttachmentRow(TypedDict):
    """An attached file; pictures have their `data` in base64."""

    id: str
    name: str
    media_type: str
    bytes: int
    data: NotRequired[str]


class ChatProblemRow(TypedDict):
    """A problem with an answer, and what to do."""

    message: str
    hint: str | None


class ChatMessageRow(TypedDict):
    """A message; those with the same `parent` are branches. `created` is ISO 8601, `retry` why it is late."""

    id: str
    parent: str | None
    role: Literal["user", "assistant"]
    parts: list[ChatPartRow]
    thought: str
    attachments: list[ChatAttachmentRow]
    status: Literal["streaming", "done", "stopped", "failed"]
    error: ChatProblemRow | None
    usage: UsageRow
    model: str | None
    created: str
    retry: str


@dataclass(frozen=True)
class AnswerStarted:
    """The chat and the message of an answer in progress."""

    chat_id: str
    message_id: str


@dataclass(frozen=True)
class ChatChanged(Event):
    """A chat was added or changed."""

    type: ClassVar[str] = "chat_changed"
    chat: ChatRow


@dataclass(frozen=True)
class ChatDeleted(Event):
    """A chat was deleted."""

    type: ClassVar[str] = "chat_deleted"
    chat_id: str


@dataclass(frozen=True)
class ChatMessageChanged(Event):
    """A message was added, or changed in another way than by streaming."""

    type: ClassVar[str] = "chat_message_changed"
    chat_id: str
    message: ChatMessageRow


@dataclass(frozen=True)
class ChatStreamed(Event):
    """`text` was appended to a message."""

    type: ClassVar[str] = "chat_streamed"
    # The user reads along, and the publisher already batches.
    urgent: ClassVar[bool] = True
    chat_id: str
    message_id: str
    text: str
