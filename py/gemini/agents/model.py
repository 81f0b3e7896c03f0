"""A language model as the loops see it: messages and tools in, a stream of events out."""

import secrets
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Protocol

from gemini.agents.messages import AssistantMessage, Message, StopReason, ToolCall
from gemini.agents.usage import Usage


@dataclass(frozen=True)
class ToolRow:
    """A tool as a model is told of it; `schema` is JSON Schema of its arguments object."""

    name: str
    description: str
    schema: dict[str, Any]


@dataclass(frozen=True)
class Request:
    """One question to a model.

    Attributes:
        must_call: Whether the answer has to be a call of one of the tools.
        max_output_tokens: The most that the answer may take; None leaves it to the model.
    """

    messages: Sequence[Message]
    tools: Sequence[ToolRow] = ()
    must_call: bool = False
    max_output_tokens: int | None = None


@dataclass(frozen=True)
class TextDelta:
    text: str


@dataclass(frozen=True)
class ThoughtDelta:
    text: str


@dataclass(frozen=True)
class CallDelta:
    """A part of a call, or all of it.

    Attributes:
        index: Which of the answer's calls it belongs to.
        id, name: Told with the first part, empty later.
        arguments: Goes after what the parts before had.
    """

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True)
class Stopped:
    """The answer is whole. A stream that ends without this was cut."""

    reason: StopReason


@dataclass(frozen=True)
class Retried:
    """What was streamed of this answer counts no longer: it is asked for again.

    Attributes:
        attempt: Which one begins now, from 2 on.
        reason: Why the one before failed.
        wait_s: How long was waited.
    """

    attempt: int
    reason: str
    wait_s: float


ModelEvent = TextDelta | ThoughtDelta | CallDelta | Usage | Stopped | Retried


class Model(Protocol):
    """What stands between the loops and a provider."""

    @property
    def name(self) -> str:
        """As the provider calls it; prices go by it."""
        ...

    @property
    def context_tokens(self) -> int:
        """How much a request and its answer may be together."""
        ...

    def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """Answer.

        It closes its connection when its iterator is closed. `Stopped` comes last, or with `Usage` only after it.

        Raises:
            ModelProblem: as gemini.errors tells. What can be tried again is ModelUnavailable,
                ModelDisconnected or ModelSilent.
        """
        ...


@dataclass
class Answer:
    """An answer, as far as it has come.

    Attributes:
        usage: Of this request, attempts that failed included.
        stop: None until it is whole.
    """

    text: str = ""
    thought: str = ""
    usage: Usage = field(default_factory=Usage)
    stop: StopReason | None = None
    _calls: dict[int, CallDelta] = field(default_factory=dict[int, CallDelta])

    def add(self, event: ModelEvent) -> None:
        """Put the next event in its place."""
        match event:
            case TextDelta(text):
                self.text += text
            case ThoughtDelta(text):
                self.thought += text
            case CallDelta():
                self._join(event)
            case Usage():
                self.usage += event
            case Stopped(reason):
                self.stop = reason
            case Retried():
                self.text, self.thought, self.stop = "", "", None
                self._calls.clear()

    def _join(self, part: CallDelta) -> None:
        before = self._calls.get(part.index, CallDelta(part.index))
        self._calls[part.index] = CallDelta(
            part.index,
            before.id or part.id,
            before.name or part.name,
            before.arguments + part.arguments,
        )

    def message(self) -> AssistantMessage:
        """The whole answer. Its calls get ids of our own: those of some providers repeat."""
        calls = tuple(
            ToolCall(id=f"call-{secrets.token_hex(6)}", name=call.name, arguments=call.arguments or "{}")
            for _, call in sorted(self._calls.items())
        )
        return AssistantMessage(text=self.text, thought=self.thought, calls=calls, stop=self.stop or "end")


async def collect(
    model: Model, request: Request, answer: Answer, on_event: Callable[[ModelEvent], None] | None = None
) -> Answer:
    """Ask a model and join its events in `answer`, which has what came even where this is cancelled.

    Args:
        tell: Told each event as it comes.

    Raises:
        ModelProblem: as `Model.stream` says.
    """
    # A stream is closed at once when the run is cancelled, and not whenever garbage is collected.
    async with aclosing(model.stream(request)) as events:
        async for event in events:
            answer.add(event)
            if on_event is not None:
                on_event(event)
    return answer
