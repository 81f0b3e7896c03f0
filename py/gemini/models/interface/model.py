"""The interface to language models: messages and tools in, a stream of events out."""

import secrets
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from gemini.models.interface.messages import AssistantMessage, Message, ProviderState, StopReason, ToolCall
from gemini.models.interface.sampling import USUAL, Sampling
from gemini.models.interface.usage import Usage


@dataclass(frozen=True)
class ToolRow:
    """A tool as a model gets it; `schema` is the JSON Schema of its arguments object."""

    name: str
    description: str
    schema: dict[str, Any]


@dataclass(frozen=True)
class Request:
    """One request to a model.

    Attributes:
        must_call: Whether the answer must call one of the tools.
        max_output_tokens: The limit for the answer; None leaves it to the model.
        sampling: The caller's own settings; the model's usual ones stand for those that are None.
        answer_schema: The JSON Schema that the answer's text must follow, where the endpoint can enforce it.
    """

    messages: Sequence[Message]
    tools: Sequence[ToolRow] = ()
    must_call: bool = False
    max_output_tokens: int | None = None
    sampling: Sampling = USUAL
    answer_schema: dict[str, Any] | None = None

    @property
    def most_tokens(self) -> int | None:
        """The lower one of the limits for the answer."""
        return min(filter(None, (self.max_output_tokens, self.sampling.max_tokens)), default=None)


@dataclass(frozen=True)
class TextDelta:
    """A piece of the answer's text."""

    text: str


@dataclass(frozen=True)
class ThoughtDelta:
    """A piece of the model's reasoning."""

    text: str


@dataclass(frozen=True)
class CallDelta:
    """A piece of a call, or a complete call.

    Attributes:
        index: The position of the call among the answer's calls.
        id: Set in the first piece, empty in later ones.
        name: Set in the first piece, empty in later ones.
        arguments: Appended to the arguments of earlier pieces.
    """

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True)
class HeldText:
    """A piece of text that may be part of a call. It follows as a call or as text once that is certain."""

    text: str


@dataclass(frozen=True)
class Stopped:
    """The answer is complete. A stream that ends without this event was cut off."""

    reason: StopReason


@dataclass(frozen=True)
class Retried:
    """The request is retried: discard what was streamed of the answer so far.

    Attributes:
        attempt: The number of the new attempt, from 2 on.
        reason: Why the previous attempt failed.
        wait_s: The wait before the new attempt, in seconds.
        away_s: How long the companion has been away, in seconds; 0 if something else is the reason.
        loads: Whether the server is loading the model.
    """

    attempt: int
    reason: str
    wait_s: float
    away_s: float = 0.0
    loads: bool = False


@dataclass(frozen=True)
class PromptRead:
    """The server has read `done` tokens of the prompt, which has `total`. The answer comes after all of them."""

    done: int
    total: int


@dataclass(frozen=True)
class Held:
    """The request isn't sent before the user has been asked; `over` ends that. No limit of time counts meanwhile."""

    over: bool


@dataclass(frozen=True)
class StateReceived:
    """The provider wants parts of the answer back with the next request."""

    state: ProviderState


ModelEvent = (
    TextDelta
    | ThoughtDelta
    | CallDelta
    | HeldText
    | Usage
    | Stopped
    | StateReceived
    | Retried
    | Held
    | PromptRead
)


def wait_of(event: Retried | PromptRead) -> str:
    """Return what an answer waits for, as a sentence for the user."""
    if isinstance(event, PromptRead):
        return f"Reading the prompt: {event.done:,} of {event.total:,} tokens."
    if event.loads:
        return "Loading the model…"
    return f"{event.reason.rstrip('.')}. Attempt {event.attempt} begins in {event.wait_s:.0f} s."


class Model(Protocol):
    """A language model of some provider."""

    @property
    def name(self) -> str:
        """The provider's name for the model, which prices are looked up by."""
        ...

    @property
    def context_tokens(self) -> int:
        """The most tokens that a request and its answer may have together."""
        ...

    def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """Stream the answer to a request.

        Closing the iterator closes the connection. `Stopped` comes last; only `Usage` may follow it.

        Raises:
            ModelProblem: The request failed. ModelUnavailable, ModelDisconnected and ModelSilent can be retried.
        """
        ...


@runtime_checkable
class Prepares(Protocol):
    """A model that can find out its context before the first request.

    Attributes:
        window_hint: How to get a larger context.
        forgets_tools: Whether it may answer by a text instead of the call that the task needs: a model that people run
            themselves, or that has its tools in the prompt.
    """

    @property
    def forgets_tools(self) -> bool:
        """True if a text without any call may mean that nothing was done."""
        ...

    @property
    def window_hint(self) -> str:
        """The way for the user to get a larger context."""
        ...

    async def prepare(self) -> None:
        """Ask the server about the model, unless it was asked before. `context_tokens` is right afterwards."""
        ...


@dataclass
class Answer:
    """An answer, as far as it has been streamed.

    Attributes:
        usage: The usage of this request, including failed attempts.
        stop: None until the answer is complete.
        state: The data that the provider wants back.
    """

    text: str = ""
    thought: str = ""
    usage: Usage = field(default_factory=Usage)
    stop: StopReason | None = None
    state: ProviderState | None = None
    _calls: dict[int, CallDelta] = field(default_factory=dict[int, CallDelta])

    def add(self, event: ModelEvent) -> None:
        """Add the next event of the stream."""
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
            case StateReceived(state):
                self.state = state
            case Retried():
                self.text, self.thought, self.stop, self.state = "", "", None, None
                self._calls.clear()
            case Held() | HeldText() | PromptRead():
                pass

    def _join(self, part: CallDelta) -> None:
        before = self._calls.get(part.index, CallDelta(part.index))
        self._calls[part.index] = CallDelta(
            part.index,
            before.id or part.id,
            before.name or part.name,
            before.arguments + part.arguments,
        )

    def message(self) -> AssistantMessage:
        """Return the complete answer. Its calls get new ids, because some providers repeat theirs."""
        calls = tuple(
            ToolCall(id=f"call-{secrets.token_hex(6)}", name=call.name, arguments=call.arguments or "{}")
            for _, call in sorted(self._calls.items())
        )
        return AssistantMessage(
            text=self.text, thought=self.thought, calls=calls, stop=self.stop or "end", state=self.state
        )


async def collect(
    model: Model, request: Request, answer: Answer, on_event: Callable[[ModelEvent], None] | None = None
) -> Answer:
    """Send a request to a model, and join its events in `answer`, which stays valid if this is cancelled.

    Args:
        model: The model.
        request: The request.
        answer: The answer that events are added to.
        on_event: Called with each event of the stream.

    Raises:
        ModelProblem: As for `Model.stream`.
    """
    # Close the stream when the run is cancelled, not when garbage is collected.
    async with aclosing(model.stream(request)) as events:
        async for event in events:
            answer.add(event)
            if on_event is not None:
                on_event(event)
    return answer
