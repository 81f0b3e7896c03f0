"""Streamed answers are joined, and failed requests are retried if that may help."""

import asyncio
from collections.abc import AsyncGenerator, Callable

import pytest

from gemini.core.clock import ManualClock
from gemini.errors import (
    InvalidArguments,
    ModelAway,
    ModelDisconnected,
    ModelRefused,
    ModelSilent,
    ModelUnavailable,
    UsageProblem,
)
from gemini.models.interface.messages import UserMessage
from gemini.models.interface.model import (
    Answer,
    Held,
    ModelEvent,
    Request,
    Retried,
    Stopped,
    TextDelta,
    collect,
)
from gemini.models.interface.retries import MAX_RETRIES, RetryingModel
from gemini.models.interface.scripted import (
    ScriptedModel,
    Turn,
    broken,
    call,
    calls,
    empty,
    malformed,
    refuse,
    say,
    silent,
    unavailable,
)
from gemini.models.interface.usage import Usage

REQUEST = Request([UserMessage(text="Hello", purpose="task")])


async def answer(model: ScriptedModel) -> Answer:
    return await collect(RetryingModel(model, ManualClock(), lambda: 0.5), REQUEST, Answer())


async def test_text_thought_and_usage_are_joined() -> None:
    turn = Turn(text="A longer sentence in parts.", thought="Hm, let me see.", usage=Usage(input=7, output=3))
    streamed: list[ModelEvent] = []
    found = await collect(ScriptedModel([turn]), REQUEST, Answer(), streamed.append)
    assert (found.text, found.thought, found.usage.total) == (turn.text, turn.thought, 10)
    assert len([event for event in streamed if isinstance(event, TextDelta)]) > 2
    assert found.stop == "end"


async def test_streamed_calls_are_complete_and_in_order() -> None:
    turn = calls(("file_read", {"path": "/project/a long name.txt"}), ("file_list", {"path": "/project"}))
    message = (await collect(ScriptedModel([turn]), REQUEST, Answer())).message()
    assert [(made.name, made.parsed()) for made in message.calls] == list(turn.calls)
    assert len({made.id for made in message.calls}) == 2
    assert message.stop == "calls"


@pytest.mark.parametrize("text", ['{"path": ', "[1]", "null", '"path"', "{'path': 1}", "[" * 100_000])
async def test_arguments_that_are_not_an_object_are_an_error(text: str) -> None:
    message = (await collect(ScriptedModel([malformed("file_read", text)]), REQUEST, Answer())).message()
    with pytest.raises(InvalidArguments, match="file_read"):
        message.calls[0].parsed()


async def test_a_call_without_arguments_has_an_empty_object() -> None:
    message = (await collect(ScriptedModel([malformed("file_list", "")]), REQUEST, Answer())).message()
    assert message.calls[0].parsed() == {}


async def test_an_empty_answer_differs_from_a_refusal() -> None:
    model = ScriptedModel([empty(), refuse("No.")])
    messages = [(await collect(model, REQUEST, Answer())).message() for _ in range(2)]
    assert [(message.text, message.stop) for message in messages] == [("", "end"), ("No.", "refusal")]


async def test_a_finished_script_raises() -> None:
    with pytest.raises(UsageProblem, match="has 0 turns"):
        await collect(ScriptedModel([]), REQUEST, Answer())


async def test_a_turn_may_depend_on_the_request() -> None:
    model = ScriptedModel([lambda request: say(f"You said {request.messages[0].text}")])  # type: ignore[union-attr]
    assert (await answer(model)).text == "You said Hello"


@pytest.mark.parametrize(
    "failure",
    [
        unavailable(429),
        unavailable(500),
        unavailable(529),
        silent(),
        broken(say("half an answer"), 1),
        broken(call("file_read", path="/project/x"), 2),
    ],
)
async def test_transient_failures_are_retried(failure: Turn | ModelUnavailable) -> None:
    found = await answer(ScriptedModel([failure, failure, say("There it is.")]))
    message = found.message()
    assert (message.text, message.calls, message.stop) == ("There it is.", (), "end")


async def test_it_fails_after_five_retries_with_the_reason() -> None:
    model = ScriptedModel([unavailable(529)] * 10)
    with pytest.raises(ModelUnavailable, match="529.*after 5 retries"):
        await answer(model)
    assert len(model.requests) == 1 + MAX_RETRIES


async def test_waits_grow_and_have_jitter() -> None:
    clock, jitters = ManualClock(), iter([1.0, 0.5, 1.0, 0.0, 1.0])
    model = ScriptedModel([*[unavailable(503)] * 5, say("Yes")])
    await collect(RetryingModel(model, clock, lambda: next(jitters)), REQUEST, Answer())
    assert clock.slept == [2, 2.5, 8, 1, 32]


async def test_retry_after_is_honoured() -> None:
    clock, streamed = ManualClock(), list[ModelEvent]()
    model = ScriptedModel([unavailable(429, 30), say("Yes")])
    await collect(RetryingModel(model, clock, lambda: 0.5), REQUEST, Answer(), streamed.append)
    assert clock.slept == [31.5]
    assert [event for event in streamed if isinstance(event, Retried)] == [
        Retried(2, "the model answered 429", 31.5)
    ]


async def test_a_long_retry_after_fails_at_once() -> None:
    clock = ManualClock()
    with pytest.raises(ModelUnavailable, match="3,600 s"):
        await collect(RetryingModel(ScriptedModel([unavailable(429, 3600)]), clock), REQUEST, Answer())
    assert clock.slept == []


async def test_a_run_waits_for_the_companion_however_long_it_is_away() -> None:
    away: list[Turn | ModelAway] = [ModelAway("the companion isn't connected")] * (3 * MAX_RETRIES)
    streamed: list[ModelEvent] = []
    retrying = RetryingModel(ScriptedModel([*away, unavailable(529), say("There it is.")]), ManualClock())
    found = await collect(retrying, REQUEST, Answer(), streamed.append)
    assert found.text == "There it is."
    retried = [event for event in streamed if isinstance(event, Retried)]
    assert [event.attempt for event in retried] == list(range(2, len(away) + 3))
    assert [event.away_s for event in retried] == [*(2 * number for number in range(len(away))), 0]


async def test_a_request_that_waits_for_the_person_has_no_limit_of_time() -> None:
    clock = ManualClock()

    class Asking(ScriptedModel):
        async def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
            yield Held(over=False)
            clock.advance(24 * 3_600)
            await asyncio.sleep(0)
            yield Held(over=True)
            async for event in super().stream(request):
                yield event

    streamed: list[ModelEvent] = []
    model = RetryingModel(Asking([say("There it is.")]), clock)
    assert (await collect(model, REQUEST, Answer(), streamed.append)).text == "There it is."
    assert not any(isinstance(event, Retried) for event in streamed)


async def test_a_refused_request_is_not_retried() -> None:
    model = ScriptedModel([ModelRefused("no such model"), say("never")])
    with pytest.raises(ModelRefused):
        await answer(model)
    assert model.left == 1


async def test_tokens_of_failed_attempts_count() -> None:
    turn = Turn(text="ab", usage=Usage(input=5, output=1))
    found = await answer(ScriptedModel([broken(turn, 2), turn]))
    assert (found.text, found.usage) == ("ab", Usage(input=10, output=2))


class _Streaming:
    """A model whose stream is controlled by the test."""

    name, context_tokens = "held", 1000

    def __init__(self, make: Callable[[], AsyncGenerator[ModelEvent]]) -> None:
        self._make = make

    def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        return self._make()


async def test_a_stream_without_an_end_was_cut_off() -> None:
    async def cut() -> AsyncGenerator[ModelEvent]:
        yield TextDelta("half")

    with pytest.raises(ModelDisconnected, match="before it was complete"):
        await collect(RetryingModel(_Streaming(cut), ManualClock()), REQUEST, Answer())


async def test_silence_times_out() -> None:
    clock, started = ManualClock(), asyncio.Event()

    async def hang() -> AsyncGenerator[ModelEvent]:
        yield TextDelta("a")
        started.set()
        await asyncio.Event().wait()

    async def pass_time() -> None:
        while True:
            await started.wait()
            started.clear()
            clock.advance(60)

    passing = asyncio.create_task(pass_time())
    with pytest.raises(ModelSilent, match="60 s"):
        await collect(RetryingModel(_Streaming(hang), clock), REQUEST, Answer())
    passing.cancel()


async def test_cancelling_closes_the_stream() -> None:
    began, closed = asyncio.Event(), asyncio.Event()

    async def hang() -> AsyncGenerator[ModelEvent]:
        try:
            yield TextDelta("a")
            began.set()
            await asyncio.Event().wait()
            yield Stopped("end")
        finally:
            closed.set()

    found = Answer()
    task = asyncio.create_task(collect(RetryingModel(_Streaming(hang)), REQUEST, found))
    await began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert closed.is_set()
    assert found.text == "a"
