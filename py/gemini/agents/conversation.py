"""A run's conversation. The loop writes it, and nobody else: tools get a `MessageReader`."""

from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar

from gemini.agents.messages import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage

DROPPED_OBSERVATION = "(an earlier look, dropped: a newer one follows)"


class MessageReader:
    """Reads a conversation as it is now."""

    def __init__(self, messages: Callable[[], Sequence[Message]]) -> None:
        self._messages = messages

    def __len__(self) -> int:
        return len(self._messages())

    def __iter__(self) -> Iterator[Message]:
        return iter(tuple(self._messages()))

    def __getitem__(self, position: int) -> Message:
        return self._messages()[position]

    @property
    def task(self) -> str:
        """What the person asked for last; empty where nobody asked yet."""
        tasks = [found.text for found in self if isinstance(found, UserMessage) and found.purpose == "task"]
        return tasks[-1] if tasks else ""


reading: ContextVar[MessageReader | None] = ContextVar("gemini_messages", default=None)


def current_messages() -> MessageReader | None:
    """The conversation of the agent that calls the running tool, to read; None where no agent does."""
    return reading.get()


class Conversation:
    """Messages in order.

    Attributes:
        facts: What the model noted; it outlives the messages that it was found in.
        plan: What is planned, in words; likewise.

    Args:
        on_add: Told each message that is added.
    """

    def __init__(self, on_add: Callable[[Message], None]) -> None:
        self.messages: list[Message] = []
        self.facts: list[str] = []
        self.plan = ""
        self.reader = MessageReader(lambda: self.messages)
        self._on_add = on_add

    def add(self, message: Message) -> None:
        self.messages.append(message)
        self._on_add(message)

    def replace(self, messages: Sequence[Message]) -> None:
        """Go on with other messages, as compaction leaves them."""
        self.messages = list(messages)

    def add_observation(self, message: UserMessage, *, whole: bool) -> None:
        """Add a look at the surface; a whole one makes those before it worthless."""
        if whole:
            self.messages = [_without_observation(before) for before in self.messages]
        self.add(message)

    def since_task(self) -> list[Message]:
        """What came after the last task."""
        tasks = [
            place
            for place, message in enumerate(self.messages)
            if isinstance(message, UserMessage) and message.purpose == "task"
        ]
        return self.messages[tasks[-1] + 1 :] if tasks else []

    def pending(self) -> list[ToolCall]:
        """The calls of the last answer that have no result yet."""
        answered = {found.call_id for found in self.messages if isinstance(found, ToolMessage)}
        answers = [found for found in self.messages if isinstance(found, AssistantMessage)]
        return [call for call in answers[-1].calls if call.id not in answered] if answers else []


def _without_observation(message: Message) -> Message:
    if (
        isinstance(message, UserMessage)
        and message.purpose == "observation"
        and message.text != DROPPED_OBSERVATION
    ):
        return message.model_copy(update={"text": DROPPED_OBSERVATION})
    return message
