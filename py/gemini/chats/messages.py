"""A chat as it is kept: a tree of messages, of which one path is shown."""

from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel

from gemini.agents.usage import Usage

AGENT = "chat"
"""By this name chats call tools, and can have a model of their own."""
Status = Literal["streaming", "done", "stopped", "failed"]
TITLE_CHARS = 60


def now() -> str:
    """ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Attachment(BaseModel):
    """What came with a message.

    Attributes:
        bytes: Of the file.
        data: Its text, or base64 of a picture.
    """

    id: str
    name: str
    media_type: str
    bytes: int
    data: str

    @property
    def is_picture(self) -> bool:
        return self.media_type.startswith("image/")

    def row(self) -> dict[str, Any]:
        """For the page, which shows pictures and names texts."""
        return self.model_dump(exclude=None if self.is_picture else {"data"})


class ChatCall(BaseModel):
    """A call that the model made; `result` is cut to what a person reads, and None while it runs."""

    id: str
    tool: str
    arguments: str
    result: str | None = None
    failed: bool = False


class Part(BaseModel):
    """Some of a message: text, or a call."""

    text: str = ""
    call: ChatCall | None = None


class Problem(BaseModel):
    message: str
    hint: str | None = None


class ChatMessage(BaseModel):
    """One message.

    Attributes:
        parent: The message before; None for a first one. Those of one parent are branches.
        parts: In order.
        thought: What the model told of its thinking.
        model: What answered.
        said: An answer as the model is told of it later, in JSON of `gemini.agents.messages`.
        draft: The end of the text that is in none of `said`, since it didn't come to its end.
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
    draft: str = ""

    @property
    def text(self) -> str:
        return "\n\n".join(part.text for part in self.parts if part.text)

    def row(self) -> dict[str, Any]:
        """For the page."""
        row = self.model_dump(exclude={"said", "draft", "attachments"})
        return {**row, "attachments": [attachment.row() for attachment in self.attachments]}

    def append_text(self, text: str) -> None:
        """Put text at the end."""
        if not self.parts or self.parts[-1].call is not None:
            self.parts.append(Part())
        self.parts[-1].text += text
        self.draft += text

    def discard_draft(self) -> None:
        """Forget the end that didn't come to its own end."""
        if self.draft:
            self.parts[-1].text = self.parts[-1].text.removesuffix(self.draft)
            self.draft = ""


class Chat(BaseModel):
    """A chat.

    Attributes:
        current: The last message of the path that is shown.
        boundary: Of its marks (gemini.agents.delimiters).
        tools: Whether the model may call tools.
        messages: By id, in order of creation.
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
        return self.model_dump(exclude={"messages"})

    def path(self, end: str | None = None) -> list[ChatMessage]:
        """The messages up to one of them, by default to the current one; the first comes first."""
        found: list[ChatMessage] = []
        at = end or self.current
        while at is not None:
            found.append(self.messages[at])
            at = self.messages[at].parent
        return found[::-1]

    def leaf(self, message_id: str) -> str:
        """The newest end of the branch that begins at a message."""
        children = [found.id for found in self.messages.values() if found.parent == message_id]
        return self.leaf(children[-1]) if children else message_id


def title_of(text: str, attachments: list[Attachment]) -> str:
    """A chat's name: its first words."""
    words = " ".join(text.split()) or (attachments[0].name if attachments else "")
    if len(words) <= TITLE_CHARS:
        return words
    return f"{words[:TITLE_CHARS].rpartition(' ')[0] or words[:TITLE_CHARS]}…"
