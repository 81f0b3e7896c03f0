"""A model that says what it was told to: for tests, and for the labelled demo. It needs no network and no key.

model = ScriptedModel([call("file_read", path="notes.txt"), say("They are about tea.")])
"""

import json
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gemini.agents.messages import StopReason
from gemini.agents.model import CallDelta, ModelEvent, Request, Stopped, TextDelta, ThoughtDelta
from gemini.agents.usage import Usage
from gemini.errors import ModelDisconnected, ModelProblem, ModelSilent, ModelUnavailable, UsageProblem

# How many characters a streamed part has; small, so that whoever joins parts is put to the test.
PART = 7


@dataclass(frozen=True)
class Turn:
    """One answer.

    Attributes:
        calls: Tool names with their arguments: an object, or text that is sent as it is.
        usage: What it is said to have taken.
        breaks: After how many parts the connection is lost; None keeps it.
    """

    text: str = ""
    thought: str = ""
    calls: Sequence[tuple[str, dict[str, Any] | str]] = ()
    stop: StopReason | None = None
    usage: Usage = field(default_factory=lambda: Usage(input=100, output=20))
    breaks: int | None = None


Scripted = Turn | ModelProblem | Callable[[Request], "Turn | ModelProblem"]


def say(text: str, **more: Any) -> Turn:
    """An answer in words."""
    return Turn(text=text, **more)


def call(tool: str, /, **arguments: Any) -> Turn:
    """One call of a tool."""
    return Turn(calls=[(tool, arguments)])


def calls(*wanted: tuple[str, dict[str, Any]], text: str = "") -> Turn:
    """Several calls in one answer."""
    return Turn(text=text, calls=wanted)


def empty() -> Turn:
    """An answer with nothing in it."""
    return Turn()


def refuse(text: str = "I can't help with that.") -> Turn:
    """The model says no."""
    return Turn(text=text, stop="refusal")


def malformed(tool: str, arguments: str) -> Turn:
    """A call whose arguments are no JSON."""
    return Turn(calls=[(tool, arguments)])


def broken(turn: Turn, parts: int = 1) -> Turn:
    """`turn`, whose connection is lost after so many parts."""
    return Turn(turn.text, turn.thought, turn.calls, turn.stop, turn.usage, parts)


def unavailable(status: int, retry_after_s: float | None = None) -> ModelUnavailable:
    """429, 5xx or 529, with the seconds of Retry-After."""
    return ModelUnavailable(
        f"the model answered {status}", data={"status": status, "retry_after_s": retry_after_s}
    )


def silent() -> ModelSilent:
    """Nothing comes."""
    return ModelSilent("the model said nothing for 60 s")


class ScriptedModel:
    """Plays turns, one for each request, in parts as a provider streams them.

    Args:
        turns: Answers and failures in order; a function makes one from the request.
        name: What prices go by.
        context_tokens: How much it claims to read.

    Attributes:
        requests: What it was asked, in order.
        closed: How many of its streams were closed before they ended.
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
        """How many turns were not asked for yet."""
        return max(0, len(self._turns) - len(self.requests))

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        number = len(self.requests)
        self.requests.append(request)
        turn = self._turn(number, request)
        if isinstance(turn, ModelProblem):
            raise turn
        try:
            for sent, part in enumerate(_parts(turn, number)):
                if turn.breaks is not None and sent >= turn.breaks:
                    raise ModelDisconnected("the model's answer broke off")
                yield part
        except GeneratorExit:
            self.closed += 1
            raise

    def _turn(self, number: int, request: Request) -> Turn | ModelProblem:
        if number >= len(self._turns):
            raise UsageProblem(
                f"the script of {self.name} has {len(self._turns)} turns, and another one was asked for",
                hint="Give ScriptedModel more turns, or have the last one call `done`.",
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
