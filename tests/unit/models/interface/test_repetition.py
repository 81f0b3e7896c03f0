"""Answers that repeat themselves, and those that only look like it."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from gemini.core.clock import ManualClock
from gemini.errors import ModelLoading, ModelRepeats
from gemini.models import Prompted
from gemini.models.interface.messages import UserMessage
from gemini.models.interface.model import (
    Answer,
    CallDelta,
    ModelEvent,
    PromptRead,
    Request,
    Retried,
    ToolRow,
    collect,
)
from gemini.models.interface.repetition import RepetitionGuard, period_at_end
from gemini.models.interface.retries import RetryingModel
from gemini.models.interface.scripted import ScriptedModel, Turn, say

REQUEST = Request([UserMessage(text="Tell me a story.")])
STORY = " ".join(f"The {number}th wave broke on the sand." for number in range(60))


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("x" * 600, 1),
        ("Once. " + "the top of " * 60, 11),
        (STORY + "The fox was gone. " * 34, 18),
        ("line one\nline two, which is longer\n" * 18, 35),
        ("the top of " * 50, None),
        (STORY, None),
        ("-" * 80 + "\n| a | b |\n" + "-" * 80, None),
        ("the top of " * 60 + "the hill, and so on.", None),
        ("".join(f"{number}, " for number in range(400)), None),
    ],
)
def test_six_repeats_at_the_end_are_found(text: str, period: int | None) -> None:
    assert period_at_end(text) == period


async def test_an_answer_that_repeats_itself_is_stopped_and_not_retried() -> None:
    model = ScriptedModel([say(STORY + " The fox was gone." * 500), say("Never asked")])
    retrying = RetryingModel(model, ManualClock())
    answer = Answer()
    with pytest.raises(ModelRepeats, match="the model repeats itself: “.*fox was gone") as stopped:
        await collect(retrying, REQUEST, answer)
    assert "another model" in (stopped.value.hint or "") and "temperature" in (stopped.value.hint or "")
    assert model.closed == 1 and len(model.requests) == 1
    assert len(answer.text) < len(STORY) + 1_000


async def test_an_answer_that_outgrows_the_window_is_stopped() -> None:
    words = " ".join(f"word{number}" for number in range(3_000))
    model = ScriptedModel([say(words)], context_tokens=300)
    with pytest.raises(ModelRepeats, match="outgrown the window of 300 tokens"):
        await collect(RetryingModel(model, ManualClock()), REQUEST, Answer())


def test_a_file_in_a_call_may_repeat_more() -> None:
    guard = RepetitionGuard(100_000)
    for _ in range(50):
        guard.watch(CallDelta(0, arguments="0, " * 33))
    with pytest.raises(ModelRepeats):
        for _ in range(50):
            guard.watch(CallDelta(0, arguments="0, " * 33))


async def test_a_call_in_text_that_repeats_itself_is_stopped() -> None:
    """Its text is held back until the call is complete, which it never is."""
    endless = '{"tool": "write", "arguments": {"text": "' + "The fox was gone. " * 2_000
    model = ScriptedModel([say(endless)])
    request = Request(REQUEST.messages, [ToolRow("write", "Write.", {"type": "object"})])
    with pytest.raises(ModelRepeats, match="fox was gone"):
        await collect(RetryingModel(Prompted(model), ManualClock()), request, Answer())
    assert model.closed == 1


async def test_a_slow_call_in_text_is_not_taken_for_silence() -> None:
    clock = ManualClock()

    class Slow(ScriptedModel):
        async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
            async for event in super().stream(request):
                yield event
                clock.advance(10)
                await asyncio.sleep(0)

    text = '{"tool": "write", "arguments": {"text": "It is a text of some length, which takes its time."}}'
    request = Request(REQUEST.messages, [ToolRow("write", "Write.", {"type": "object"})])
    events: list[object] = []
    answer = await collect(
        RetryingModel(Prompted(Slow([say(text)])), clock), request, Answer(), events.append
    )
    assert answer.message().calls and not any(isinstance(event, Retried) for event in events)


async def test_a_long_prompt_of_which_parts_are_read_is_not_taken_for_silence() -> None:
    clock = ManualClock()

    class Slow(ScriptedModel):
        async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
            for done in range(0, 5_000, 1_000):
                yield PromptRead(done, 5_000)
                clock.advance(100)
                await asyncio.sleep(0)
            async for event in super().stream(request):
                yield event

    events: list[object] = []
    answer = await collect(RetryingModel(Slow([say("Here")]), clock), REQUEST, Answer(), events.append)
    assert answer.text == "Here" and not any(isinstance(event, Retried) for event in events)


async def test_a_server_that_loads_its_model_is_asked_each_second() -> None:
    clock = ManualClock()
    model = ScriptedModel([*[ModelLoading("small is being loaded by its server")] * 9, Turn(text="Here")])
    events: list[object] = []
    answer = await collect(RetryingModel(model, clock), REQUEST, Answer(), events.append)
    assert answer.text == "Here" and clock.slept == [1.0] * 9
    assert any(isinstance(event, Retried) and "is being loaded" in event.reason for event in events)
