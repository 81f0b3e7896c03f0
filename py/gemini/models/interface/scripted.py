"""A model that follows a script, for tests and for the demo. It needs no network and no key.

model = ScriptedModel([call("file_read", path="notes.txt"), say("They are about tea.")])
"""

import json
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gemini.errors import ModelDisconnected, ModelProblem, ModelSilent, ModelUnavailable, UsageProblem
from gemini.models.interface.messages import StopReason
from gemini.models.interface.model import CallDelta, ModelEvent, Request, Stopped, TextDelta, ThoughtDelta
from gemini.models.interface.usage import Usage

# The size of streamed pieces in characters; small, to exercise the code that joins them.
PART = 7


@dataclass(frozen=True)
class Turn:
    """One answer.

    Attributes:
        calls: Tool names with their arguments: an object, or text that is sent verbatim.
        usage: The usage that the answer reports.
        breaks: The number of pieces after which the connection is lost; None if it isn't.
    """

    text: str = ""
    thought: str = ""
    calls: Sequence[tuple[str, dict[str, Any] | str]] = ()
    stop: StopReason | None = None
    usage: Usage = field(default_factory=lambda: Usage(input=100, output=20))
    breaks: int | None = None


Scripted = Turn | ModelProblem | Callable[[Request], "Turn | ModelProblem"]


def say(text: str, **more: Any) -> Turn:
    """Return a text answer."""
    return Turn(text=text, **more)


def call(tool: str, /, **arguments: Any) -> Turn:
    """Return an answer with one call."""
    return Turn(calls=[(tool, arguments)])


def calls(*wanted: tuple[str, dict[str, Any]], text: str = "") -> Turn:
    """Return an answer with several calls."""
    return Turn(text=text, calls=wanted)


def empty() -> Turn:
    """Return an empty answer."""
    return Turn()


def refuse(text: str = "I can't help with that.") -> Turn:
    """Return a refusal."""
    return Turn(text=text, stop="refusal")


def malformed(tool: str, arguments: str) -> Turn:
    """Return a call whose arguments are invalid JSON."""
    return Turn(calls=[(tool, arguments)])


def broken(turn: Turn, parts: int = 1) -> Turn:
    """Return `turn` with the connection lost after some pieces."""
    return Turn(turn.text, turn.thought, turn.calls, turn.stop, turn.usage, parts)


def unavailable(status: int, retry_after_s: float | None = None) -> ModelUnavailable:
    """Return the error for status 429, 5xx or 529, with Retry-After in seconds."""
    return ModelUnavailable(
        f"the model answered {status}", data={"status": status, "retry_after_s": retry_after_s}
    )


def silent() -> ModelSilent:
    """Return the error of a model that sends nothing."""
    return ModelSilent("the model sent nothing for 60 s")


class ScriptedModel:
    """A model that plays one turn for each request, streamed in pieces.

    Args:
        turns: Answers and errors in order; a function creates one from the request.
        name: The name, which prices are looked up by.
        context_tokens: The size of its context.

    Attributes:
        requests: The requests received so far.
        closed: How many streams were closed early.
    """

    def __init__(
        self, turns: Sequence[Scripted], *, name: str = "scripted", context_tokens: int = 100_000
    ) -> None:
        self.name = name
        self.context_tokens = context_tokens
        self.requests: list[Request] = []
        self.closed = 0
        self._turns = list(turns)

    @property
    def left(self) -> int:
        """The number of turns that haven't been played."""
        return max(0, len(self._turns) - len(self.requests))

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """Stream the next turn of the script."""
        number = len(self.requests)
        self.requests.append(request)
        turn = self._turn(number, request)
        if isinstance(turn, ModelProblem):
            raise turn
        try:
            for sent, part in enumerate(_parts(turn, number)):
                if turn.breaks is not None and sent >= turn.breaks:
                    raise ModelDisconnected("the model's answer was cut off")
                yield part
        except GeneratorExit:
            self.closed += 1
            raise

    def _turn(self, number: int, request: Request) -> Turn | ModelProblem:
        if number >= len(self._turns):
            raise UsageProblem(
                f"the script of {self.name} has {len(self._turns)} turns, and one more was requested",
                hint="Add turns to ScriptedModel, or make the last one call `done`.",
            )
        turn = self._turns[number]
        return turn(request) if callable(turn) else turn


def _parts(turn: Turn, number: int) -> Iterator[ModelEvent]:
    yield from (ThoughtDelta(part) for part in _cut(turn.thought))
    yield from (TextDelta(part) for part in _cut(turn.text))
    for index, (tool, arguments) in enumerate(turn.calls):
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        yield CallDelta(index, id=f"scripted-{number}-{index}", name=tool)
        yield from (CallDelta(index, arguments=part) for part in _cut(text))
    yield turn.usage
    yield Stopped(turn.stop or ("calls" if turn.calls else "end"))


def _cut(text: str) -> list[str]:
    return [text[start : start + PART] for start in range(0, len(text), PART)]
