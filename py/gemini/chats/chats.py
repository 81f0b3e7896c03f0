"""All chats of a surface: asking, stopping, asking again, and what of it is kept."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from gemini.agents.tickets import Tickets, use_tickets
from gemini.chats.events import ChatChanged, ChatDeleted, ChatMessageChanged, ChatStreamed
from gemini.chats.messages import AGENT, Attachment, Chat, ChatMessage, Part, Problem, now, title_of
from gemini.core.events import EventLog
from gemini.errors import ChatBusy, ChatMissing, InvalidArguments, StorageFull, StorageProblem
from gemini.tools import Registry

if TYPE_CHECKING:
    # What answers consist of loads on first use.
    from gemini.agents.runs import Runs
    from gemini.chats.answering import Answering

MAX_TITLE = 200
CUT_OFF = Problem(message="the page was closed while this answer came", hint="Try again to have another one.")


@dataclass(frozen=True)
class AnswerStarted:
    """Where an answer is to come: `message_id` is its own."""

    chat_id: str
    message_id: str


class ChatStorage(Protocol):
    """Where chats are kept (gemini.storage.chats); every method may raise StorageProblem or StorageFull."""

    def save(self, chat_id: str, row: dict[str, Any], *messages: tuple[str, dict[str, Any]]) -> None: ...
    def save_message(self, chat_id: str, message_id: str, body: dict[str, Any]) -> None: ...
    def load(self) -> list[dict[str, Any]]: ...
    def messages(self, chat_id: str) -> list[dict[str, Any]]: ...
    def delete(self, chat_id: str) -> None: ...


class Chats:
    """The chats of one surface.

    Args:
        kept: Where they are kept.
        events: Told of what changes.
        registry: The tools that models may call.
        runs: Gives the model that is set up.
        on_problem: Told what can't be kept of an answer; it goes on.
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

    def rows(self) -> list[dict[str, Any]]:
        """Every chat, the one that changed last first: `{id, title, current, tools, created, updated, busy}`."""
        chats = sorted(self._chats.values(), key=lambda chat: chat.updated, reverse=True)
        return [self._row(chat) for chat in chats]

    def _row(self, chat: Chat) -> dict[str, Any]:
        return {**chat.model_dump(exclude={"messages", "boundary"}), "busy": chat.id in self._answering}

    def get(self, chat_id: str) -> Chat:
        """A chat with its messages.

        Raises:
            ChatMissing: there is none of that id.
            StorageProblem, StorageFull: its messages can't be read.
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
    ) -> AnswerStarted:
        """Ask something, and have it answered.

        Args:
            attachments: What goes with the text.
            ticket: What the person's press granted, which the chat keeps.
            chat_id: The chat; None begins one.
            tools: Whether the model of a new chat may call tools.

        Raises:
            ModelMissing: no model is set up.
            InvalidArguments: there is nothing to send.
            ChatBusy: an answer is still coming.
        """
        chat = self._new(text, attachments, tools) if chat_id is None else self._idle_chat(chat_id)
        self._tickets_of(chat).add(ticket)
        return self._ask(chat, chat.current, text, attachments)

    def edit(self, chat_id: str, message_id: str, text: str, ticket: str | None = None) -> AnswerStarted:
        """Ask something else in the place of a message, as a branch beside it, with what was attached to it."""
        chat = self._idle_chat(chat_id)
        before = _require_message(chat, message_id, "user")
        self._tickets_of(chat).add(ticket)
        return self._ask(chat, before.parent, text, before.attachments)

    def retry(self, chat_id: str, message_id: str, ticket: str | None = None) -> AnswerStarted:
        """Have another answer, as a branch beside the one that is there."""
        chat = self._idle_chat(chat_id)
        self._require_model()
        self._tickets_of(chat).add(ticket)
        return self._start_answer(chat, [], _require_message(chat, message_id, "assistant").parent)

    def stop(self, chat_id: str) -> bool:
        """End the answer that comes; whether there was one."""
        answering = self._answering.get(self.get(chat_id).id)
        if answering is not None:
            answering.stop()
        return answering is not None

    def switch(self, chat_id: str, message_id: str) -> None:
        """Show the branch that a message is in."""
        chat = self._idle_chat(chat_id)
        if message_id not in chat.messages:
            raise ChatMissing("there is no such message in the chat")
        chat.current = chat.leaf(message_id)
        self._changed(chat)

    def change(self, chat_id: str, title: str | None = None, tools: bool | None = None) -> None:
        """Give a chat another name, or its model tools or none."""
        chat = self.get(chat_id)
        if title is not None:
            name = " ".join(title.split())[:MAX_TITLE]
            if not name:
                raise InvalidArguments("a chat needs a name")
            chat.title = name
        chat.tools = chat.tools if tools is None else tools
        self._changed(chat)

    def delete(self, chat_id: str) -> None:
        """Keep nothing of a chat any more; an answer that comes is stopped."""
        self.stop(chat_id)
        self._storage.delete(chat_id)
        del self._chats[chat_id]
        self._tickets.pop(chat_id, None)
        self._events.publish(ChatDeleted(chat_id))

    def _tickets_of(self, chat: Chat) -> Tickets:
        """The tickets of a chat."""
        return self._tickets.setdefault(chat.id, Tickets(f"the chat {chat.title}"))

    def _require_model(self) -> str:
        """The name of the model that answers. Raises ModelMissing."""
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
        """A chat in which nothing is under way."""
        chat = self.get(chat_id)
        if chat_id in self._answering:
            raise ChatBusy("an answer is still coming", hint="Wait for it, or stop it first.")
        return chat

    def _ask(
        self, chat: Chat, parent: str | None, text: str, attachments: Sequence[Attachment]
    ) -> AnswerStarted:
        if not text.strip() and not attachments:
            raise InvalidArguments("there is nothing to send", hint="Write something, or attach a file.")
        self._require_model()
        question = ChatMessage(
            id=_new_id(),
            parent=parent,
            role="user",
            parts=[Part(text=text)] if text.strip() else [],
            attachments=list(attachments),
            created=now(),
        )
        return self._start_answer(chat, [question], question.id)

    def _start_answer(self, chat: Chat, before: Sequence[ChatMessage], parent: str | None) -> AnswerStarted:
        """Keep a question, and begin with what answers it."""
        from gemini.chats.answering import AnswerCallbacks, Answering

        answer = ChatMessage(
            id=_new_id(),
            parent=parent,
            role="assistant",
            status="streaming",
            model=self._require_model(),
            created=now(),
        )
        added = [*before, answer]
        changed = chat.model_copy(update={"current": answer.id, "updated": now()})
        self._storage.save(chat.id, changed.as_row(), *((one.id, one.model_dump()) for one in added))
        # Now that it is kept, it holds.
        chat.current, chat.updated = changed.current, changed.updated
        chat.messages |= {one.id: one for one in added}
        self._chats[chat.id] = chat
        self._loaded.add(chat.id)
        answering = self._answering[chat.id] = Answering(answer, self._callbacks(chat, AnswerCallbacks))
        for one in added:
            self._events.publish(ChatMessageChanged(chat.id, one.row()))
        self._events.publish(ChatChanged(self._row(chat)))
        with use_tickets(self._tickets_of(chat)):
            answering.begin(self._registry, self._runs(), chat)
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

        return make(streamed, changed, save, ended)

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
    """A kept message; one that an earlier Python left in the middle has ended."""
    if message.status == "streaming":
        message.status, message.error = "stopped", CUT_OFF
    return message
