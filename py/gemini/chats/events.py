"""Events of the chats."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event, Row


@dataclass(frozen=True)
class ChatChanged(Event):
    """A chat came, or its name, its branch or what it does is another."""

    type: ClassVar[str] = "chat_changed"
    chat: Row


@dataclass(frozen=True)
class ChatDeleted(Event):
    type: ClassVar[str] = "chat_deleted"
    chat_id: str


@dataclass(frozen=True)
class ChatMessageChanged(Event):
    """A message of a chat came, or is otherwise than what was streamed of it."""

    type: ClassVar[str] = "chat_message_changed"
    chat_id: str
    message: Row


@dataclass(frozen=True)
class ChatStreamed(Event):
    """`text` comes after what a message had."""

    type: ClassVar[str] = "chat_streamed"
    # A person reads along, and the publisher batches already.
    urgent: ClassVar[bool] = True
    chat_id: str
    message_id: str
    text: str
