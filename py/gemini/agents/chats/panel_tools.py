"""The actions of the chat panel. They go through the registry as all tools do, but only the user can call them."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from gemini.agents.chats.events import AnswerStarted, ChatAttachmentRow, ChatMessageRow, ChatRow, Format
from gemini.agents.mentions.mentions import Mentions
from gemini.computer.files.downloads import Downloads, Offered
from gemini.computer.files.uploads import Fetch, Upload
from gemini.core.events import EventLog
from gemini.errors import AttachmentRefused
from gemini.tools import Effect, declare

if TYPE_CHECKING:
    # SQLite loads on first use.
    from gemini.agents.chats.attachments import Attachments
    from gemini.agents.chats.chats import Chats
    from gemini.agents.chats.messages import Attachment, Mentioned

# Files of one message.
MAX_FILES = 10


class Opened(TypedDict):
    """A chat and its messages as of event number `seq`."""

    seq: int
    chat: ChatRow
    messages: list[ChatMessageRow]


class Done(TypedDict):
    """The confirmation of an action."""

    success: bool


class ChatTools:
    """The actions of the chat panel.

    Args:
        chats: Returns the surface's chats, which are created on first use.
        events: Numbers the events.
        downloads: Offers files to the page.
        fetch: Returns the contents of a blob by its id.
        mentions: The agents, files and tabs that messages mention.
    """

    def __init__(
        self,
        chats: "Callable[[], Chats]",
        events: EventLog,
        downloads: Downloads,
        fetch: Fetch,
        mentions: Mentions,
    ) -> None:
        self._chats = chats
        self._events = events
        self._downloads = downloads
        self._fetch = fetch
        self._mentions = mentions
        self._loaded: Attachments | None = None

    @property
    def _attachments(self) -> "Attachments":
        from gemini.agents.chats.attachments import Attachments

        if self._loaded is None:
            self._loaded = Attachments(self._fetch)
        return self._loaded

    @declare(effect=Effect.READ, untrusted=True, person_only=True, action="open_chat")
    def chat_open(self, chat_id: str) -> Opened:
        """Read a chat with all its messages."""
        chats = self._chats()
        chat = chats.get(chat_id)
        [row] = [row for row in chats.rows() if row["id"] == chat_id]
        messages = [message.row() for message in chat.messages.values()]
        return {"seq": self._events.seq, "chat": row, "messages": messages}

    @declare(person_only=True, action="send_chat")
    async def chat_send(
        self,
        text: str,
        attachments: list[str],
        chat_id: str | None = None,
        tools: bool = True,
        ticket: str | None = None,
    ) -> AnswerStarted:
        """Send a message in a chat, or in a new one.

        Args:
            text: The message.
            attachments: The ids of loaded attachments.
            chat_id: The chat; None creates one.
            tools: Whether the model may call tools, in a new chat.
            ticket: The ticket that the companion issued when the user pressed the button, as in the other actions.
        """
        files = self._attachments.get(attachments)
        mentioned = await self._find_mentions(text, MAX_FILES - len(files))
        started = self._chats().send(
            text, files, chat_id=chat_id, tools=tools, ticket=ticket, mentioned=mentioned
        )
        self._attachments.remove(attachments)
        return started

    @declare(person_only=True, action="attach_chat")
    async def chat_attach(self, files: list[Upload]) -> list[ChatAttachmentRow]:
        """Read files that the user wants to attach."""
        return [attachment.row() for attachment in await self._attachments.load(files)]

    @declare(person_only=True, action="stop_chat")
    def chat_stop(self, chat_id: str) -> Done:
        """Stop the answer in progress."""
        return {"success": self._chats().stop(chat_id)}

    @declare(person_only=True, action="retry_chat")
    def chat_retry(self, chat_id: str, message_id: str, ticket: str | None = None) -> AnswerStarted:
        """Start another answer."""
        return self._chats().retry(chat_id, message_id, ticket)

    @declare(person_only=True, action="edit_chat")
    async def chat_edit(
        self, chat_id: str, message_id: str, text: str, ticket: str | None = None
    ) -> AnswerStarted:
        """Replace a message, as a new branch."""
        mentioned = await self._find_mentions(text, MAX_FILES)
        return self._chats().edit(chat_id, message_id, text, ticket, mentioned)

    async def _find_mentions(self, text: str, most: int) -> "Mentioned":
        """Return what a text mentions. Files that can't be attached are only named."""
        from gemini.agents.chats.attachments import read_attachment_of
        from gemini.agents.chats.messages import Mentioned

        found = await self._mentions.find(text)
        attached: list[Attachment] = []
        for each in found:
            if each.is_readable and len(attached) < most:
                with suppress(AttachmentRefused, OSError):
                    read = read_attachment_of(Path(each.target))
                    attached.append(read.model_copy(update={"path": each.target}))
        agents = [each.target for each in found if each.kind == "agent"]
        notes = " ".join(each.note for each in found if each.kind != "agent")
        return Mentioned(tuple(attached), notes, agents[0] if agents else None)

    @declare(person_only=True, action="branch_chat")
    def chat_branch(self, chat_id: str, message_id: str) -> Done:
        """Show the branch that contains a message."""
        self._chats().switch(chat_id, message_id)
        return {"success": True}

    @declare(person_only=True, action="change_chat")
    def chat_change(self, chat_id: str, title: str | None = None, tools: bool | None = None) -> Done:
        """Rename a chat, or set whether its model may call tools."""
        self._chats().change(chat_id, title, tools)
        return {"success": True}

    @declare(person_only=True, action="delete_chat")
    def chat_delete(self, chat_id: str) -> Done:
        """Delete a chat permanently."""
        self._chats().delete(chat_id)
        return {"success": True}

    @declare(effect=Effect.READ, person_only=True, action="export_chat")
    def chat_export(self, chat_id: str, format: Format) -> Offered:  # noqa: A002 - the word for it
        """Offer a chat as a download: the current path as Markdown, or all branches as JSON."""
        from gemini.agents.chats.export import file_of

        return self._downloads.offer(*file_of(self._chats().get(chat_id), format))
