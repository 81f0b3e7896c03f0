"""All chats of a surface: send, stop, retry, edit and store messages."""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from gemini.agents.chats.events import (
    AnswerStarted,
    ChatChanged,
    ChatDeleted,
    ChatMessageChanged,
    ChatRow,
    ChatStreamed,
)
from gemini.agents.chats.messages import (
    AGENT,
    Attachment,
    Chat,
    ChatMessage,
    Mentioned,
    Part,
    Problem,
    Voice,
    now,
    title_of,
)
from gemini.core.events import EventLog
from gemini.errors import ChatBusy, ChatMissing, InvalidArguments, StorageFull, StorageProblem
from gemini.models.interface.names import shown_name
from gemini.models.interface.tickets import Tickets, use_tickets
from gemini.tools import Registry

if TYPE_CHECKING:
    # The modules of answers load on first use.
    from gemini.agents.chats.answering import Answering
    from gemini.agents.guard.budget import Spent
    from gemini.agents.runs.runs import Runs

MAX_TITLE = 200
NOTHING = Mentioned()
CUT_OFF = Problem(message="the page was closed during this answer", hint="Retry to get a new answer.")


class ChatStorage(Protocol):
    """Stores chats (gemini.storage.chats). Every method may raise StorageProblem or StorageFull."""

    def save(self, chat_id: str, row: dict[str, Any], *messages: tuple[str, dict[str, Any]]) -> None:
        """Save a chat's row and some of its messages, as ids and bodies."""
        ...

    def save_message(self, chat_id: str, message_id: str, body: dict[str, Any]) -> None:
        """Save one message."""
        ...

    def load(self) -> list[dict[str, Any]]:
        """Return the rows of all chats."""
        ...

    def messages(self, chat_id: str) -> list[dict[str, Any]]:
        """Return the messages of a chat."""
        ...

    def delete(self, chat_id: str) -> None:
        """Delete a chat and its messages."""
        ...


class Chats:
    """The chats of one surface.

    Args:
        storage: Stores the chats.
        events: Publishes changes.
        registry: The tools that models may call.
        runs: Returns the runs, which select the model.
        on_problem: Called when an answer can't be saved; the answer continues.

    Attributes:
        voice: Returns an agent by its name; None without agents.
        spent: Counts what an agent's answer has spent; None to count nothing.
    """

    def __init__(
        self,
        storage: ChatStorage,
        events: EventLog,
        registry: Registry,
        runs: "Callable[[], Runs]",
        on_problem: Callable[[StorageProblem | StorageFull], None],
    ) -> None:
        self._storage = storage
        self._events = events
        self._registry = registry
        self._runs = runs
        self._on_problem = on_problem
        self.voice: Callable[[str], Awaitable[Voice]] | None = None
        self.spent: Callable[[str, Spent], None] | None = None
        self._chats = {chat.id: chat for chat in map(Chat.model_validate, self._load())}
        self._loaded: set[str] = set()
        self._answering: dict[str, Answering] = {}
        self._tickets: dict[str, Tickets] = {}

    def _load(self) -> list[dict[str, Any]]:
        try:
            return self._storage.load()
        except (StorageProblem, StorageFull) as problem:
            self._on_problem(problem)
            return []

    def rows(self) -> list[ChatRow]:
        """Return all chats, most recently changed first: `{id, title, current, tools, created, updated, busy}`."""
        chats = sorted(self._chats.values(), key=lambda chat: chat.updated, reverse=True)
        return [self._row(chat) for chat in chats]

    def _row(self, chat: Chat) -> ChatRow:
        return {
            "id": chat.id,
            "title": chat.title,
            "current": chat.current,
            "tools": chat.tools,
            "busy": chat.id in self._answering,
            "created": chat.created,
            "updated": chat.updated,
        }

    def get(self, chat_id: str) -> Chat:
        """Return a chat with its messages.

        Raises:
            ChatMissing: There is no chat with that id.
            StorageProblem: The messages can't be read.
            StorageFull: The messages can't be read.
        """
        chat = self._chats.get(chat_id)
        if chat is None:
            raise ChatMissing("there is no such chat", hint="It may have been deleted.")
        if chat_id not in self._loaded:
            found = map(ChatMessage.model_validate, self._storage.messages(chat_id))
            chat.messages = {message.id: _as_stopped(message) for message in found}
            self._loaded.add(chat_id)
        return chat

    def send(
        self,
        text: str,
        attachments: Sequence[Attachment] = (),
        *,
        chat_id: str | None = None,
        tools: bool = True,
        ticket: str | None = None,
        mentioned: Mentioned = NOTHING,
    ) -> AnswerStarted:
        """Send a message, and start its answer.

        Args:
            text: The message.
            attachments: The attachments of the message.
            chat_id: The chat; None creates one.
            tools: Whether the model may call tools, in a new chat.
            ticket: The ticket that the user granted with the button; the chat keeps using it.
            mentioned: Agents, files and tabs that the message mentions.

        Raises:
            ModelMissing: No model is configured.
            InvalidArguments: There is nothing to send.
            ChatBusy: An answer is still in progress.
        """
        chat = self._new(text, attachments, tools) if chat_id is None else self._idle_chat(chat_id)
        self._tickets_of(chat).add(ticket)
        return self._ask(chat, chat.current, text, attachments, mentioned)

    def edit(
        self,
        chat_id: str,
        message_id: str,
        text: str,
        ticket: str | None = None,
        mentioned: Mentioned = NOTHING,
    ) -> AnswerStarted:
        """Replace a message by another one with the same attachments, as a new branch, and start its answer."""
        chat = self._idle_chat(chat_id)
        before = _require_message(chat, message_id, "user")
        self._tickets_of(chat).add(ticket)
        uploaded = [each for each in before.attachments if each.path is None]
        return self._ask(chat, before.parent, text, uploaded, mentioned)

    def retry(self, chat_id: str, message_id: str, ticket: str | None = None) -> AnswerStarted:
        """Start another answer, as a branch from the same message."""
        chat = self._idle_chat(chat_id)
        self._require_model()
        self._tickets_of(chat).add(ticket)
        return self._start_answer(chat, [], _require_message(chat, message_id, "assistant").parent)

    def stop(self, chat_id: str) -> bool:
        """Stop the answer in progress; return whether there was one."""
        answering = self._answering.get(self.get(chat_id).id)
        if answering is not None:
            answering.stop()
        return answering is not None

    def switch(self, chat_id: str, message_id: str) -> None:
        """Show the branch that contains a message."""
        chat = self._idle_chat(chat_id)
        if message_id not in chat.messages:
            raise ChatMissing("there is no such message in the chat")
        chat.current = chat.leaf(message_id)
        self._changed(chat)

    def change(self, chat_id: str, title: str | None = None, tools: bool | None = None) -> None:
        """Rename a chat, or set whether its model may call tools."""
        chat = self.get(chat_id)
        if title is not None:
            name = " ".join(title.split())[:MAX_TITLE]
            if not name:
                raise InvalidArguments("title: it is empty", hint="Give the chat a name.")
            chat.title = name
        chat.tools = chat.tools if tools is None else tools
        self._changed(chat)

    def delete(self, chat_id: str) -> None:
        """Stop the answer in progress, if any, and delete the chat permanently."""
        self.stop(chat_id)
        self._storage.delete(chat_id)
        del self._chats[chat_id]
        self._tickets.pop(chat_id, None)
        self._events.publish(ChatDeleted(chat_id))

    def _tickets_of(self, chat: Chat) -> Tickets:
        """Return the tickets of a chat."""
        return self._tickets.setdefault(chat.id, Tickets(f"the chat {chat.title}"))

    def _require_model(self) -> str:
        """Return the name of the model that answers. Raises ModelMissing."""
        return self._runs().selection.require(AGENT).name

    def _new(self, text: str, attachments: Sequence[Attachment], tools: bool) -> Chat:
        created = now()
        return Chat(
            id=f"chat-{secrets.token_hex(5)}",
            title=title_of(text, list(attachments)),
            boundary=secrets.token_hex(8),
            tools=tools,
            created=created,
            updated=created,
        )

    def _idle_chat(self, chat_id: str) -> Chat:
        """Return a chat. Raises ChatBusy if an answer is in progress."""
        chat = self.get(chat_id)
        if chat_id in self._answering:
            raise ChatBusy("an answer is in progress", hint="Wait for it, or stop it first.")
        return chat

    def _ask(
        self,
        chat: Chat,
        parent: str | None,
        text: str,
        attachments: Sequence[Attachment],
        mentioned: Mentioned,
    ) -> AnswerStarted:
        if not text.strip() and not attachments:
            raise InvalidArguments("there is nothing to send", hint="Type a message, or attach a file.")
        self._require_model()
        question = ChatMessage(
            id=_new_id(),
            parent=parent,
            role="user",
            parts=[Part(text=text)] if text.strip() else [],
            attachments=[*attachments, *mentioned.attachments],
            note=mentioned.note,
            agent=mentioned.agent,
            created=now(),
        )
        return self._start_answer(chat, [question], question.id)

    def _start_answer(self, chat: Chat, before: Sequence[ChatMessage], parent: str | None) -> AnswerStarted:
        """Save the question, if any, and start the answer."""
        from gemini.agents.chats.answering import AnswerCallbacks, Answering

        answer = ChatMessage(
            id=_new_id(),
            parent=parent,
            role="assistant",
            status="streaming",
            model=shown_name(self._require_model()),
            created=now(),
        )
        added = [*before, answer]
        changed = chat.model_copy(update={"current": answer.id, "updated": now()})
        self._storage.save(chat.id, changed.as_row(), *((one.id, one.model_dump()) for one in added))
        # Change the state only after it was saved.
        chat.current, chat.updated = changed.current, changed.updated
        chat.messages |= {one.id: one for one in added}
        self._chats[chat.id] = chat
        self._loaded.add(chat.id)
        answering = self._answering[chat.id] = Answering(answer, self._callbacks(chat, AnswerCallbacks))
        for one in added:
            self._events.publish(ChatMessageChanged(chat.id, one.row()))
        self._events.publish(ChatChanged(self._row(chat)))
        with use_tickets(self._tickets_of(chat)):
            asked = chat.messages[parent].agent if parent is not None else None
            voice = self.voice(asked) if asked is not None and self.voice is not None else None
            answering.begin(self._registry, self._runs(), chat, voice)
        return AnswerStarted(chat.id, answer.id)

    def _callbacks(self, chat: Chat, make: Callable[..., Any]) -> Any:
        def streamed(message: ChatMessage, text: str) -> None:
            self._events.publish(ChatStreamed(chat.id, message.id, text))

        def changed(message: ChatMessage) -> None:
            self._events.publish(ChatMessageChanged(chat.id, message.row()))

        def save(message: ChatMessage) -> None:
            try:
                self._storage.save_message(chat.id, message.id, message.model_dump())
            except (StorageProblem, StorageFull) as problem:
                self._on_problem(problem)

        def ended(message: ChatMessage) -> None:
            del self._answering[chat.id]
            changed(message)
            self._events.publish(ChatChanged(self._row(chat)))

        def spent(agent: str, used: "Spent") -> None:
            if self.spent is None:
                return
            try:
                self.spent(agent, used)
            except (StorageProblem, StorageFull) as problem:
                self._on_problem(problem)

        return make(streamed, changed, save, ended, spent)

    def _changed(self, chat: Chat) -> None:
        chat.updated = now()
        self._storage.save(chat.id, chat.as_row())
        self._events.publish(ChatChanged(self._row(chat)))


def _new_id() -> str:
    return f"message-{secrets.token_hex(6)}"


def _require_message(chat: Chat, message_id: str, role: str) -> ChatMessage:
    found = chat.messages.get(message_id)
    if found is None or found.role != role:
        raise ChatMissing("there is no such message in the chat")
    return found


def _as_stopped(message: ChatMessage) -> ChatMessage:
    """Return a stored message; an answer that an earlier session left unfinished is marked as stopped."""
    if message.status == "streaming":
        message.status, message.error = "stopped", CUT_OFF
    return message
