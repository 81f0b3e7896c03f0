"""The messages of a chat, as they are stored: a tree, of which one path is shown."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict

from gemini.agents.chats.events import ChatAttachmentRow, ChatMessageRow, ChatPartRow
from gemini.agents.watching.views import parsed, seen
from gemini.models.interface.usage import Usage

AGENT = "chat"
"""The agent name of chats: tool calls are made by it, and a model can be set for it."""
Status = Literal["streaming", "done", "stopped", "failed"]
TITLE_CHARS = 60


def now() -> str:
    """Return the time as ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class Voice:
    """An agent as it answers in a chat.

    Attributes:
        prompt: The agent's part of the system prompt.
        prompt_origin: Where the prompt comes from, unless it is the surface's own.
        model: The id of its model; None for the one that the settings have for the agent.
        tools: Names of its tools and groups; None for all that don't spend money.
        python: Whether it has its own Python.
    """

    name: str
    prompt: str
    prompt_origin: str | None
    model: str | None
    tools: list[str] | None
    python: bool = False


@dataclass(frozen=True)
class Mentioned:
    """The mentions of a text.

    Attributes:
        attachments: The files whose content is sent with it.
        note: The meaning of its mentions, for the model.
        agent: The agent that answers; None for the chat's model.
    """

    attachments: "tuple[Attachment, ...]" = ()
    note: str = ""
    agent: str | None = None


class _Deferred(BaseModel):
    # Building the validators would delay the start of the page.
    model_config = ConfigDict(defer_build=True)


class Attachment(_Deferred):
    """A file attached to a message.

    Attributes:
        bytes: The size of the file.
        data: The text, or base64 of a picture.
        path: The path of a file of the surface that the message mentions; None for an uploaded file.
    """

    id: str
    name: str
    media_type: str
    bytes: int
    data: str
    path: str | None = None

    @property
    def is_picture(self) -> bool:
        """True if the file is a picture."""
        return self.media_type.startswith("image/")

    def row(self) -> ChatAttachmentRow:
        """Return the row for the page, which needs the data of pictures only."""
        row = self.model_dump(exclude={"path"} if self.is_picture else {"path", "data"})
        return cast(ChatAttachmentRow, row)


class ChatCall(_Deferred):
    """A tool call of the model; `result` is truncated for display, and None while the call runs."""

    id: str
    tool: str
    arguments: str
    result: str | None = None
    failed: bool = False


class Part(_Deferred):
    """A part of a message: text, or a call."""

    text: str = ""
    call: ChatCall | None = None

    def row(self) -> ChatPartRow:
        """Return the row for the page, with the call's sentence."""
        row = self.model_dump()
        if (call := self.call) is not None:
            row["call"] |= seen(call.tool, parsed(call.arguments), call.result, failed=call.failed)
        return cast(ChatPartRow, row)


class Problem(_Deferred):
    """A problem with an answer, with a hint for the user."""

    message: str
    hint: str | None = None


class ChatMessage(_Deferred):
    """One message.

    Attributes:
        parent: The id of the message before; None for a first message. Messages with the same parent are branches.
        parts: The text parts and calls, in order.
        thought: The model's reasoning, as far as the provider shows it.
        model: The model that answered.
        said: The answer for the model's later context, as JSON of `gemini.models.interface.messages`.
        retry: Why the answer is tried again, and when.
        draft: The end of an unfinished answer, which isn't part of `said`.
        note: The meaning of the mentions in a question, for the model.
        agent: The agent that a question asks; None for the chat's model.
    """

    id: str
    parent: str | None
    role: Literal["user", "assistant"]
    parts: list[Part] = []
    thought: str = ""
    attachments: list[Attachment] = []
    status: Status = "done"
    error: Problem | None = None
    usage: Usage = Usage()
    model: str | None = None
    created: str
    said: list[dict[str, Any]] = []
    retry: str = ""
    draft: str = ""
    note: str = ""
    agent: str | None = None

    @property
    def text(self) -> str:
        """The text of all parts."""
        return "\n\n".join(part.text for part in self.parts if part.text)

    def row(self) -> ChatMessageRow:
        """Return the row for the page."""
        row = self.model_dump(exclude={"said", "draft", "attachments", "note", "agent", "parts"})
        row["parts"] = [part.row() for part in self.parts]
        row["attachments"] = [attachment.row() for attachment in self.attachments]
        return cast(ChatMessageRow, row)

    def append_text(self, text: str) -> None:
        """Append streamed text."""
        if not self.parts or self.parts[-1].call is not None:
            self.parts.append(Part())
        self.parts[-1].text += text
        self.draft += text

    def discard_draft(self) -> None:
        """Remove the text of an attempt that is retried."""
        if self.draft:
            self.parts[-1].text = self.parts[-1].text.removesuffix(self.draft)
            self.draft = ""


class Chat(_Deferred):
    """A chat.

    Attributes:
        current: The id of the last message on the path that is shown.
        boundary: The boundary of its delimiters (gemini.agents.guard.delimiters).
        tools: Whether the model may call tools.
        messages: All messages by id, in order of creation.
    """

    id: str
    title: str
    current: str | None = None
    boundary: str
    tools: bool = True
    created: str
    updated: str
    messages: dict[str, ChatMessage] = {}

    def as_row(self) -> dict[str, Any]:
        """Return the row to store, without the messages."""
        return self.model_dump(exclude={"messages"})

    def path(self, end: str | None = None) -> list[ChatMessage]:
        """Return the messages from the first one to `end`, by default to the current one."""
        found: list[ChatMessage] = []
        at = end or self.current
        while at is not None:
            found.append(self.messages[at])
            at = self.messages[at].parent
        return found[::-1]

    def leaf(self, message_id: str) -> str:
        """Return the newest end of the branch that starts at a message."""
        children = [found.id for found in self.messages.values() if found.parent == message_id]
        return self.leaf(children[-1]) if children else message_id


def title_of(text: str, attachments: list[Attachment]) -> str:
    """Return a title for a chat: the first words of its first message."""
    words = " ".join(text.split()) or (attachments[0].name if attachments else "")
    if len(words) <= TITLE_CHARS:
        return words
    return f"{words[:TITLE_CHARS].rpartition(' ')[0] or words[:TITLE_CHARS]}…"
