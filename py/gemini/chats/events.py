"""The events of chats."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event, Row


@dataclass(frozen=True)
class ChatChanged(Event):
    """A chat was added or changed."""

    type: ClassVar[str] = "chat_changed"
    chat: Row


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
    message: Row


@dataclass(frozen=True)
class ChatStreamed(Event):
    """`text` was appended to a message."""

    type: ClassVar[str] = "chat_streamed"
    # The user reads along, and the publisher already batches.
    urgent: ClassVar[bool] = True
    chat_id: str
    message_id: str
    text: str
