"""A run's conversation. Only the loop writes it; tools get a `MessageReader`."""

from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar

from gemini.agents.loop.controls import DONE, FAIL
from gemini.agents.loop.result_pictures import with_newest_pictures
from gemini.models.interface.messages import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage

DROPPED_OBSERVATION = "(an earlier snapshot, dropped: a newer one follows)"


class MessageReader:
    """A read-only view of a conversation, always current.

    Args:
        messages: Returns the messages.
    """

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
        """The user's latest task; empty if there is none yet."""
        tasks = [found.text for found in self if isinstance(found, UserMessage) and found.purpose == "task"]
        return tasks[-1] if tasks else ""


reading: ContextVar[MessageReader | None] = ContextVar("gemini_messages", default=None)


def current_messages() -> MessageReader | None:
    """Return the conversation of the agent that called the running tool; None if no agent did."""
    return reading.get()


class Conversation:
    """The messages of a run, in order.

    Args:
        on_add: Called with each message that is added.

    Attributes:
        facts: The facts that the model noted. They outlive the messages that they came from.
        plan: The current plan as text; it outlives messages, too.
    """

    def __init__(self, on_add: Callable[[Message], None]) -> None:
        self.messages: list[Message] = []
        self.facts: list[str] = []
        self.plan = ""
        self.reader = MessageReader(lambda: self.messages)
        self._on_add = on_add

    def add(self, message: Message) -> None:
        """Add a message, and notify the listener."""
        self.messages.append(message)
        if isinstance(message, ToolMessage) and message.images:
            self.messages = with_newest_pictures(self.messages)
        self._on_add(message)

    def replace(self, messages: Sequence[Message]) -> None:
        """Replace all messages, for example with compacted ones, without notifying the listener."""
        self.messages = list(messages)

    def add_observation(self, message: UserMessage, *, whole: bool) -> None:
        """Add a snapshot of the surface; a full one supersedes all earlier snapshots."""
        if whole:
            self.messages = [_without_observation(before) for before in self.messages]
        self.add(message)

    def since_task(self) -> list[Message]:
        """Return the messages after the latest task."""
        tasks = [
            place
            for place, message in enumerate(self.messages)
            if isinstance(message, UserMessage) and message.purpose == "task"
        ]
        return self.messages[tasks[-1] + 1 :] if tasks else []

    def pending(self) -> list[ToolCall]:
        """Return the calls of the latest answer that have no result yet."""
        answered = {found.call_id for found in self.messages if isinstance(found, ToolMessage)}
        answers = [found for found in self.messages if isinstance(found, AssistantMessage)]
        return [call for call in answers[-1].calls if call.id not in answered] if answers else []

    def unfinished_answer(self) -> AssistantMessage | None:
        """Return the last answer with the calls that an interrupted session left to do; None if there are none."""
        # Messages before the task belong to an earlier run.
        messages = self.since_task()
        last = next((found for found in reversed(messages) if isinstance(found, AssistantMessage)), None)
        if last is None or (not last.calls and messages[-1] is not last):
            return None
        pending = {call.id for call in self.pending()}
        calls = tuple(call for call in last.calls if call.id in pending or self._ended_by(call))
        return last.model_copy(update={"calls": calls}) if calls or not last.calls else None

    def _ended_by(self, call: ToolCall) -> bool:
        """Return whether a call has ended the run, but the outcome wasn't saved."""
        results = (found for found in self.messages if isinstance(found, ToolMessage))
        return call.name in (DONE, FAIL) and any(
            found.call_id == call.id and not found.failed for found in results
        )


def _without_observation(message: Message) -> Message:
    if (
        isinstance(message, UserMessage)
        and message.purpose == "observation"
        and message.text != DROPPED_OBSERVATION
    ):
        return message.model_copy(update={"text": DROPPED_OBSERVATION})
    return message
