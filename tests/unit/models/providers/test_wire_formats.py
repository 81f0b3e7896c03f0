"""Complete runs over the wire formats of both providers: each recovers, or fails with a clear reason."""

import asyncio
import base64
import json
from typing import Any, Literal

import pytest

from gemini.agents.record.steps import Outcome
from gemini.agents.runs.runs import Runs
from gemini.core.clock import ManualClock
from gemini.errors import (
    ContextExceeded,
    InvalidArguments,
    ModelDisconnected,
    ModelLoading,
    ModelRefused,
    ModelRepeats,
)
from gemini.models import Endpoint, Forms, RemoteModel
from gemini.models.interface.messages import MESSAGES, Image, SystemMessage, ToolMessage, UserMessage
from gemini.models.interface.model import (
    Answer,
    CallDelta,
    PromptRead,
    Request,
    TextDelta,
    ThoughtDelta,
    ToolRow,
    collect,
)
from gemini.models.interface.retries import RetryingModel
from gemini.models.interface.sampling import Sampling
from gemini.models.providers.forms import About
from tests.providers import Completion, HttpError, Other, Provider, Raw, Reply, call
from tests.tiers import in_turn
from tests.unit.models.providers.conftest import World

REQUEST = Request([SystemMessage(text="Be brief."), UserMessage(text="Hello", purpose="task")])
DONE = call("done", result="all of it")
MAX_RETRIES = 5


async def outcome(runs: Runs, model: RemoteModel, provider: Provider, *replies: Reply) -> Outcome:
    provider.replies = list(replies)
    return await runs.start(
        "Send a greeting.", model=model, tools=["net"], budget={"steps": 6}, attended=False
    )


async def test_text_and_thoughts_are_streamed(model: RemoteModel, provider: Provider) -> None:
    provider.replies = [Completion("Hello, you there.", thought="A greeting it is.", tokens=(30, 12))]
    events = []
    answer = await collect(model, REQUEST, Answer(), events.append)
    assert (answer.text, answer.thought, answer.stop) == ("Hello, you there.", "A greeting it is.", "end")
    assert sum(isinstance(event, TextDelta) for event in events) > 1
    assert sum(isinstance(event, ThoughtDelta) for event in events) > 1
    assert (answer.usage.input, answer.usage.output, answer.usage.cost) == (30, 12, None)


async def test_the_settings_of_a_model_and_of_a_run_are_sent(
    runs: Runs, provider: Provider, api: Literal["openai", "anthropic"]
) -> None:
    usual = Sampling(temperature=0.2, top_p=0.9, max_tokens=700, effort="minimal")
    endpoint = Endpoint(api, provider.base_url(api), "a key for tests")
    client = RemoteModel(endpoint, "small", forms=Forms(), sampling=usual)
    provider.replies = [Completion("One."), Completion("Two.")]
    await runs.start("Say one.", model=client, tools=["net"])
    own: dict[str, Any] = {"temperature": 0.5, "effort": "high"}
    run = runs.start("Say two.", model=client, tools=["net"], sampling=own, budget={"tokens": 50_000})
    await run
    first, second = provider.requests
    assert (first["temperature"], first["top_p"], first["max_tokens"]) == (0.2, 0.9, 700)
    assert (second["temperature"], second["top_p"], second["max_tokens"]) == (0.5, 0.9, 700)
    # No budget of thinking fits below 700 tokens.
    efforts = [each.get("reasoning_effort", each.get("thinking")) for each in (first, second)]
    assert efforts == ([None, None] if api == "anthropic" else ["minimal", "high"])


@pytest.mark.parametrize("api", ["anthropic"])
@pytest.mark.parametrize(
    ("name", "most", "thinking", "effort"),
    [
        ("claude-opus-4-8", 700, {"type": "adaptive"}, "high"),
        ("claude-haiku-4-5", 20_000, {"type": "enabled", "budget_tokens": 16_384}, None),
        ("claude-haiku-4-5", 16_384, {"type": "enabled", "budget_tokens": 10_000}, None),
        ("claude-haiku-4-5", 2_048, {"type": "enabled", "budget_tokens": 1_024}, None),
        ("claude-haiku-4-5", 2_047, None, None),
    ],
)
async def test_an_effort_lets_claude_think_as_far_as_the_answer_has_room(
    runs: Runs,
    provider: Provider,
    api: Literal["anthropic"],
    name: str,
    most: int,
    thinking: dict[str, Any] | None,
    effort: str | None,
) -> None:
    usual = Sampling(temperature=0.5, max_tokens=most, effort="high")
    client = RemoteModel(Endpoint(api, provider.base_url(api), "mock"), name, forms=Forms(), sampling=usual)
    provider.replies = [Completion("One.")]
    await runs.start("Say one.", model=client, tools=["net"])
    [sent] = provider.requests
    assert (sent.get("thinking"), sent.get("output_config", {}).get("effort")) == (thinking, effort)
    # Anthropic refuses a temperature along with thinking.
    assert ("temperature" in sent) == (thinking is None)


async def test_the_servers_own_window_is_asked_for_once(provider: Provider) -> None:
    asked: list[str] = []

    async def ask() -> About:
        asked.append("window")
        return About(tokens=9_000)

    endpoint = Endpoint("openai", provider.base_url("openai"))
    model = RemoteModel(endpoint, "small", forms=Forms(), ask_about=ask)
    assert model.context_tokens == 32_000
    provider.replies = [Completion("One."), Completion("Two.")]
    for _ in range(2):
        await collect(model, REQUEST, Answer())
    assert model.context_tokens == 9_000 and asked == ["window"]


async def test_a_context_that_shrinks_after_a_restart_is_asked_for_again(
    runs: Runs, provider: Provider, world: World
) -> None:
    windows = [9_000, 300]

    async def ask() -> About:
        return About(tokens=windows.pop(0), server="llama.cpp")

    endpoint = Endpoint("openai", provider.base_url("openai"))
    model = RemoteModel(endpoint, "small", forms=Forms(), ask_about=ask)
    # llama.cpp b11549 (xllamacpp 2026.10.11549, 2026-11-30).
    refused = HttpError(
        400, "request (650 tokens) exceeds the available context size (300 tokens), try increasing it"
    )
    ended = await outcome(runs, model, provider, call("send", text="hello"), refused)
    assert (ended.status, world.sent, model.context_tokens) == ("failed", ["hello"], 300)
    # Nothing more is sent in vain.
    assert len(provider.requests) == 2
    assert "the model's context has 300" in (ended.reason or "") and "llama-server -c" in (ended.reason or "")


@pytest.mark.parametrize(
    "wrong", [{"temperature": 3}, {"top_p": 0}, {"max_tokens": 0}, {"effort": "all"}, {"seed": 1}]
)
async def test_wrong_settings_of_a_run_are_refused(
    runs: Runs, model: RemoteModel, wrong: dict[str, Any]
) -> None:
    with pytest.raises(InvalidArguments, match=next(iter(wrong))) as refused:
        runs.start("Hello", model=model, sampling=wrong)
    assert "effort" in (refused.value.hint or "")


async def test_the_request_has_the_conversation(model: RemoteModel, provider: Provider) -> None:
    provider.replies = [Completion("Nice.")]
    picture = UserMessage(text="What is it?", images=(Image(media_type="image/png", data="aGk="),))
    await collect(model, Request([*REQUEST.messages, picture], max_output_tokens=50), Answer())
    [asked], [headers] = provider.requests, provider.headers
    text = json.dumps(asked)
    assert asked["model"] == "small" and asked["stream"] and asked["max_tokens"] == 50
    assert "Be brief." in text and "aGk=" in text and text.index("aGk=") < text.index("What is it?")
    assert not [name for name in headers if name.startswith("x-stainless")]
    assert headers["authorization"] == "Bearer a key for tests"


async def test_streamed_and_parallel_calls(
    runs: Runs, model: RemoteModel, provider: Provider, world: World
) -> None:
    both = Completion("Two of them.", [("send", '{"text": "one, two, three"}'), ("send", '{"text": "four"}')])
    ended = await outcome(runs, model, provider, both, DONE)
    assert (ended.status, ended.result, world.sent) == ("done", "all of it", ["one, two, three", "four"])
    # Each result belongs to its call, although the provider's ids were equal.
    sent_back = json.dumps(provider.requests[1])
    assert "sent 1" in sent_back and "sent 2" in sent_back


@in_turn("status", [429, 500, 503, 529])
async def test_an_overloaded_provider_is_retried(
    runs: Runs, model: RemoteModel, provider: Provider, world: World, status: int
) -> None:
    busy = HttpError(status, "try again", "overloaded_error", {"retry-after": "7"})
    ended = await outcome(runs, model, provider, busy, call("send", text="hello"), busy, DONE)
    assert (ended.status, world.sent) == ("done", ["hello"])
    assert isinstance(runs.clock, ManualClock)
    assert [slept >= 7 for slept in runs.clock.slept] == [True, True]


async def test_it_is_retried_at_most_five_times(runs: Runs, model: RemoteModel, provider: Provider) -> None:
    ended = await outcome(runs, model, provider, *[HttpError(529, "overloaded", "overloaded_error")] * 9)
    assert ended.status == "failed" and "529" in str(ended.reason)
    assert len(provider.requests) == 1 + MAX_RETRIES


@in_turn("cut_after", [0, 2, 5])
async def test_a_cut_off_answer_is_retried_and_no_call_is_repeated(
    runs: Runs, model: RemoteModel, provider: Provider, world: World, cut_after: int
) -> None:
    cut = Completion("Well then.", [("send", '{"text": "hello"}')], cut_after=cut_after)
    ended = await outcome(runs, model, provider, cut, call("send", text="hello"), DONE)
    assert (ended.status, world.sent, len(provider.requests)) == ("done", ["hello"], 3)


@pytest.mark.parametrize("api", ["openai"])
async def test_an_answer_that_is_cut_in_a_character_is_retried(
    runs: Runs, model: RemoteModel, provider: Provider, world: World
) -> None:
    start = '{"choices": [{"index": 0, "delta": {"content": "' + "Grüße"
    event = (
        f'data: {{"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "small", {start[1:]}'
    )
    ends = event.encode().rindex("ß".encode()) + 1
    ended = await outcome(
        runs, model, provider, Raw([event.encode()[:ends]]), call("send", text="Grüße"), DONE
    )
    assert (ended.status, world.sent, len(provider.requests)) == ("done", ["Grüße"], 3)


async def test_a_server_that_answers_under_another_name_is_taken(provider: Provider) -> None:
    """llama.cpp answers any name, and says what it has loaded."""
    provider.replies = [Completion("Here.", model="qwen3-0.6b.gguf")]
    model = RemoteModel(Endpoint("openai", provider.base_url("openai")), "small", forms=Forms())
    answer = await collect(model, REQUEST, Answer())
    assert (answer.text, model.name, answer.usage.cost) == ("Here.", "small", None)


async def test_thinking_without_an_end_is_stopped(provider: Provider) -> None:
    provider.replies = [Completion(thought="Wait, let me think again. " * 200)]
    model = RemoteModel(Endpoint("openai", provider.base_url("openai")), "small", forms=Forms())
    with pytest.raises(ModelRepeats, match="repeats itself"):
        await collect(RetryingModel(model, ManualClock()), REQUEST, Answer())
    assert len(provider.requests) == 1 and await asyncio.to_thread(provider.left.wait, 10)


async def test_two_servers_at_one_address_in_turn_each_get_their_form(provider: Provider) -> None:
    servers = [About(4_096, tools=True, server="llama.cpp"), About(4_096, tools=False, server="ollama")]

    async def about() -> About:
        return servers.pop(0)

    provider.replies = [
        call("send", text="a"),
        Completion("Well then.", cut_after=1),
        Completion('{"tool": "send", "arguments": {"text": "b"}}'),
    ]
    model = RemoteModel(
        Endpoint("openai", provider.base_url("openai")), "small", forms=Forms(), ask_about=about
    )
    request = Request(REQUEST.messages, TOOLS)
    await collect(model, request, Answer())
    answer = await collect(RetryingModel(model, ManualClock()), request, Answer())
    assert [each.name for each in answer.message().calls] == ["send"]
    assert ["tools" in asked for asked in provider.requests] == [True, True, False]
    # What only llama.cpp knows isn't asked of the other one.
    assert ["return_progress" in asked for asked in provider.requests] == [True, True, False]


async def test_an_invalid_event_is_retried(runs: Runs, model: RemoteModel, provider: Provider) -> None:
    ended = await outcome(runs, model, provider, Completion("Hello.", broken_at=2), DONE)
    assert (ended.status, len(provider.requests)) == ("done", 2)


async def test_a_failure_during_the_answer_is_retried(
    runs: Runs, model: RemoteModel, provider: Provider, world: World
) -> None:
    failing = Completion("Well then.", [("send", '{"text": "hello"}')], fails_at=3)
    ended = await outcome(runs, model, provider, failing, call("send", text="hello"), DONE)
    assert (ended.status, world.sent, len(provider.requests)) == ("done", ["hello"], 3)


async def test_invalid_arguments_are_reported_to_the_model(
    runs: Runs, model: RemoteModel, provider: Provider, world: World
) -> None:
    broken = Completion(calls=[("send", '{"text": "hel')])
    ended = await outcome(runs, model, provider, broken, call("send", text="hello"), DONE)
    assert (ended.status, world.sent) == ("done", ["hello"])
    assert "aren't JSON" in json.dumps(provider.requests[1])


async def test_a_call_that_is_cut_off_is_named_as_such(
    runs: Runs, model: RemoteModel, provider: Provider, world: World
) -> None:
    cut = Completion(calls=[("send", '{"text": "hel')], stop="length")
    ended = await outcome(runs, model, provider, cut, call("send", text="hello"), DONE)
    assert (ended.status, world.sent) == ("done", ["hello"])
    assert "cut off at its limit" in json.dumps(provider.requests[1])


@in_turn(
    ("wrong", "words"),
    [
        (call("sned", text="hello"), "sned"),
        (call("a tool!", x=1), "a tool!"),
        (call("send", txt="hello"), "takes text"),
    ],
)
async def test_wrong_names_and_arguments_are_reported_to_the_model(
    runs: Runs, model: RemoteModel, provider: Provider, world: World, wrong: Completion, words: str
) -> None:
    ended = await outcome(runs, model, provider, wrong, call("send", text="hello"), DONE)
    assert (ended.status, world.sent) == ("done", ["hello"])
    assert words in json.dumps(provider.requests[1])


async def test_an_empty_answer_is_retried(runs: Runs, model: RemoteModel, provider: Provider) -> None:
    ended = await outcome(runs, model, provider, Completion(), DONE)
    assert (ended.status, len(provider.requests)) == ("done", 2)


async def test_a_refusal_ends_the_run_with_its_reason(
    runs: Runs, model: RemoteModel, provider: Provider
) -> None:
    ended = await outcome(runs, model, provider, Completion("I won't.", stop="content_filter"))
    assert ended.status == "failed" and "refus" in str(ended.reason)


async def test_a_streamed_refusal_is_the_reason(runs: Runs, provider: Provider) -> None:
    model = RemoteModel(Endpoint("openai", provider.base_url("openai")), "small", forms=Forms())
    ended = await outcome(runs, model, provider, Completion(refusal="That would be harmful."))
    assert ended.status == "failed" and "That would be harmful." in str(ended.reason)


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (HttpError(401, "invalid key", "authentication_error"), "key"),
        (HttpError(404, "model not found", "not_found_error"), "no small"),
        (HttpError(400, "your prompt is odd", "invalid_request_error"), "odd"),
    ],
)
async def test_permanent_failures_end_the_run(
    runs: Runs, model: RemoteModel, provider: Provider, failure: HttpError, words: str
) -> None:
    ended = await outcome(runs, model, provider, failure)
    assert (ended.status, len(provider.requests)) == ("failed", 1)
    assert words in str(ended.reason)
    assert "a key for tests" not in str(ended.reason)


@pytest.mark.parametrize(
    "reply",
    [
        Other("<!doctype html><title>A page</title>", "text/html"),
        Other('{"error": "Unexpected endpoint or method."}', "application/json"),
        Other('{"hello": "world"}', "application/json"),
        Other("<html>not found</html>", "text/html", 404),
    ],
)
async def test_a_wrong_address_ends_the_run_at_once(
    runs: Runs, model: RemoteModel, provider: Provider, reply: Other
) -> None:
    ended = await outcome(runs, model, provider, *[reply] * 6)
    assert (ended.status, len(provider.requests)) == ("failed", 1)
    assert "address" in str(ended.reason)


async def test_a_page_of_200_000_tokens_is_truncated_and_the_run_continues(
    runs: Runs, model: RemoteModel, provider: Provider, world: World
) -> None:
    world.page = "word and more " * 60_000
    ended = await outcome(runs, model, provider, call("read_page", url="x"), call("send", text="hello"), DONE)
    assert (ended.status, world.sent) == ("done", ["hello"])
    assert max(len(json.dumps(asked)) for asked in provider.requests) < 4 * model.context_tokens


TOO_LONG = {
    "openai": (400, "invalid_request_error", "This model's maximum context length is 8192 tokens."),
    "anthropic": (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    "llama.cpp": (
        400,
        "exceed_context_size_error",
        "the request exceeds the available context size (4096 tokens), try increasing it",
    ),
    "LM Studio": (
        400,
        "error",
        "Trying to keep the first 5120 tokens when context the overflows. However, the model is loaded with context "
        "length of only 4096 tokens.",
    ),
    "Ollama": (500, "api_error", "input length exceeds maximum context length"),
    # llm/llama_server.go, 2026-08-21.
    "Ollama 0.33": (400, "invalid_request_error", "the input length exceeds the context length"),
    # https://github.com/vllm-project/vllm/issues/47761, 2026-07-23.
    "vLLM 0.24": (
        400,
        "BadRequestError",
        "This model's maximum context length is 32768 tokens. However, you requested 16384 output tokens and your "
        "prompt contains at least 16385 input tokens",
    ),
    "litellm": (400, "None", "litellm.ContextWindowExceededError: litellm.BadRequestError: too much"),
    # Later, with OpenAI's types: litellm/proxy/common_utils/openai_error_payload.py of 1a7ca04, read 2026-11-30.
    "litellm with types": (
        400,
        "invalid_request_error",
        "litellm.ContextWindowExceededError: litellm.BadRequestError: too much",
    ),
}


@in_turn("server", TOO_LONG)
async def test_a_conversation_that_the_provider_finds_too_long_is_compacted(
    runs: Runs, model: RemoteModel, provider: Provider, world: World, server: str
) -> None:
    status, kind, message = TOO_LONG[server]
    too_long = HttpError(status, message, kind)
    world.page = "tea " * 1_000
    turns = (call("read_page", url="https://a.example"), call("send", text="hello"), too_long, DONE)
    ended = await outcome(runs, model, provider, *turns)
    assert (ended.status, world.sent) == ("done", ["hello"])


async def test_what_the_provider_wants_back_is_sent_with_the_next_request(
    model: RemoteModel, provider: Provider, api: str
) -> None:
    first = Completion(
        "I send it.",
        [("send", '{"text": "hello"}')],
        thought="A greeting it is.",
        signature="c2lnbmVk",
    )
    provider.replies = [first, DONE, DONE]
    answer = (await collect(model, Request(REQUEST.messages, TOOLS), Answer())).message()
    result = ToolMessage(call_id=answer.calls[0].id, tool="send", text="sent")
    # As a journal stores it.
    messages = MESSAGES.validate_json(MESSAGES.dump_json([*REQUEST.messages, answer, result]))
    await collect(model, Request(messages, TOOLS), Answer())
    [answered] = [each for each in provider.requests[1]["messages"] if each["role"] == "assistant"]
    if api == "openai":
        assert answered["reasoning_content"] == "A greeting it is."
        assert answered["content"] == "I send it."
        [made] = answered["tool_calls"]
        assert made["extra_content"] == {"google": {"thought_signature": "c2lnbmVk"}}
    else:
        thought, text, made = answered["content"]
        assert thought == {"type": "thinking", "thinking": "A greeting it is.", "signature": "c2lnbmVk"}
        assert (text["text"], made["name"]) == ("I send it.", "send")
    # The result refers to the call by the same id, which is unique here.
    assert made["id"] == answer.calls[0].id

    # Another model isn't sent what only this one understands.
    other = RemoteModel(Endpoint("openai", provider.base_url("openai")), "large", forms=Forms())
    await collect(other, Request(messages, TOOLS), Answer())
    text = json.dumps(provider.requests[2])
    assert "I send it." in text and "c2lnbmVk" not in text and "A greeting" not in text


def details(*blocks: dict[str, Any]) -> dict[str, Any]:
    """Return a delta of OpenRouter."""
    return {"reasoning_details": blocks}


# A server's stream, and the parts that it wants back.
SIGNED: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    "thinking_blocks": (
        [
            {"thinking_blocks": [{"type": "thinking", "thinking": "A gree", "index": 0}]},
            {"thinking_blocks": [{"type": "thinking", "thinking": "ting.", "index": 0}]},
            {"thinking_blocks": [{"type": "thinking", "thinking": "", "signature": "c2ln", "index": 0}]},
            {"thinking_blocks": [{"type": "thinking", "thinking": "Now.", "index": 0}]},
            {"thinking_blocks": [{"type": "redacted_thinking", "data": "ZW5j", "index": 0}]},
        ],
        [
            {"type": "thinking", "thinking": "A greeting.", "signature": "c2ln"},
            {"type": "thinking", "thinking": "Now."},
            {"type": "redacted_thinking", "data": "ZW5j"},
        ],
    ),
    "reasoning_details": (
        [
            details({"type": "reasoning.text", "text": "A gree", "index": 0, "format": "x-v1"}),
            details(
                {"type": "reasoning.text", "text": "ting.", "index": 0, "signature": "c2ln"},
                {"type": "reasoning.encrypted", "data": "ZW5j", "index": 1},
            ),
        ],
        [
            {
                "type": "reasoning.text",
                "text": "A greeting.",
                "index": 0,
                "format": "x-v1",
                "signature": "c2ln",
            },
            {"type": "reasoning.encrypted", "data": "ZW5j", "index": 1},
        ],
    ),
    # Another server's field of the same name.
    "none": ([{"reasoning_details": "A greeting."}, {"thinking_blocks": [3]}], []),
}


@pytest.mark.parametrize("api", ["openai"])
@pytest.mark.parametrize("kind", SIGNED)
async def test_signed_thinking_of_compatible_servers_is_sent_back(
    model: RemoteModel, provider: Provider, kind: str
) -> None:
    deltas, wanted = SIGNED[kind]
    provider.replies = [Completion(calls=[("send", '{"text": "hello"}')], deltas=deltas), DONE]
    answer = (await collect(model, Request(REQUEST.messages, TOOLS), Answer())).message()
    result = ToolMessage(call_id=answer.calls[0].id, tool="send", text="sent")
    messages = MESSAGES.validate_json(MESSAGES.dump_json([*REQUEST.messages, answer, result]))
    await collect(model, Request(messages, TOOLS), Answer())
    [answered] = [each for each in provider.requests[1]["messages"] if each["role"] == "assistant"]
    assert answered.get(kind, []) == wanted
    assert set(answered) - {kind} == {"role", "content", "tool_calls"}


async def test_a_model_sees_the_two_newest_pictures(
    runs: Runs, model: RemoteModel, provider: Provider, api: str
) -> None:
    replies = [call("look", at="a cat"), call("look", at="a dog"), call("photograph"), DONE]
    ended = await outcome(runs, model, provider, *replies)
    assert ended.status == "done"
    cat, dog, photo = (base64.b64encode(each).decode() for each in (b"a cat", b"a dog", b"photo"))
    second, *_, last = [json.dumps(asked) for asked in provider.requests[1:]]
    assert cat in second and "This is a cat:" in second
    assert cat not in last and "an earlier picture, dropped" in last
    # As a picture, and nowhere in the text.
    for found, kind in ((dog, "image/png"), (photo, "image/jpeg")):
        picture = f"data:{kind};base64,{found}" if api == "openai" else f'"{found}"'
        assert last.count(picture) == last.count(found) == 1 and kind in last
    assert "/project/photo.jpeg" in last


async def test_a_cancelled_run_closes_its_connection(
    runs: Runs, model: RemoteModel, provider: Provider
) -> None:
    provider.replies = [Completion("Well, let me see.", silent_after=3)]
    run = runs.start("Think.", model=model, tools=["net"])
    assert await asyncio.to_thread(provider.silent.wait, 10)
    run.cancel()
    ended = await run
    # What has been said by then is the result.
    assert ended.status == "cancelled" and ended.result and "Well, let me see.".startswith(ended.result)
    assert await asyncio.to_thread(provider.left.wait, 10)


async def test_silence_is_retried(runs: Runs, model: RemoteModel, provider: Provider) -> None:
    provider.replies = [Completion("Well, let me see.", silent_after=3), DONE]
    run = runs.start("Think.", model=model, tools=["net"])
    assert await asyncio.to_thread(provider.silent.wait, 10)
    assert isinstance(runs.clock, ManualClock)
    # A piece that arrives as its limit expires is in time, and the run waits for the next one.
    while not runs.clock.slept:
        runs.clock.advance(200)
        await asyncio.sleep(0)
    async with asyncio.timeout(60):
        assert ((await run).status, len(provider.requests)) == ("done", 2)


TOOLS = [
    ToolRow("send", "Send something out.", {"type": "object", "properties": {"text": {"type": "string"}}})
]


@pytest.mark.parametrize(
    "message", ["small does not support tools", "tool_choice is not supported", "unknown field: tools"]
)
async def test_an_endpoint_without_tools_gets_them_in_the_prompt_from_then_on(
    provider: Provider, message: str
) -> None:
    def without_tools(asked: dict[str, object]) -> Reply:
        if "tools" in asked:
            return HttpError(400, message, "invalid_request_error")
        return Completion('I send it.\n```json\n{"tool": "send", "arguments": {"text": "hello"}}\n```')

    provider.script = without_tools
    saved: list[dict[str, str]] = []
    forms = Forms(save=saved.append)
    endpoint = Endpoint("openai", provider.base_url("openai"))
    request = Request(REQUEST.messages, TOOLS, must_call=True)
    answer = await collect(RemoteModel(endpoint, "small", forms=forms), request, Answer())
    [made] = answer.message().calls
    assert (made.name, made.parsed()) == ("send", {"text": "hello"})
    tried = len(provider.requests)
    # A new model object of the same endpoint uses the saved form at once.
    again = await collect(RemoteModel(endpoint, "small", forms=Forms(saved[-1])), request, Answer())
    assert (again.stop, len(provider.requests)) == ("calls", tried + 1)


@in_turn(
    "message",
    ["image input is not supported - hint: you may need to provide the mmproj", "unknown type image_url"],
)
async def test_a_model_without_eyes_gets_a_line_in_place_of_pictures(
    runs: Runs, model: RemoteModel, provider: Provider, message: str
) -> None:
    replies = [call("photograph"), call("send", text="hello"), DONE]

    def blind(asked: dict[str, object]) -> Reply:
        has_picture = base64.b64encode(b"photo").decode() in json.dumps(asked)
        return HttpError(400, message, "invalid_request_error") if has_picture else replies.pop(0)

    provider.script = blind
    ended = await runs.start("Look.", model=model, tools=["net"])
    assert ended.status == "done"
    # Only the first request with a picture was refused.
    assert len(provider.requests) == 4
    assert "a picture that this model can't see" in json.dumps(provider.requests[-1])


async def test_calls_are_optional_if_they_cannot_be_required(provider: Provider) -> None:
    def only_offered(asked: dict[str, object]) -> Reply:
        if asked.get("tool_choice") == "required":
            return HttpError(400, "tool_choice must be auto or none", "invalid_request_error")
        return call("send", text="hello")

    provider.script = only_offered
    model = RemoteModel(Endpoint("openai", provider.base_url("openai")), "small", forms=Forms())
    events: list[object] = []
    await collect(model, Request(REQUEST.messages, TOOLS, must_call=True), Answer(), events.append)
    assert any(isinstance(event, CallDelta) for event in events)
    assert [asked.get("tool_choice") for asked in provider.requests] == ["required", "auto"]


async def test_an_unrelated_refusal_removes_no_tools(provider: Provider) -> None:
    provider.replies = [
        HttpError(400, "the picture is too large", "invalid_request_error"),
        call("send", text="hello"),
    ]
    model = RemoteModel(Endpoint("openai", provider.base_url("openai")), "small", forms=Forms())
    request = Request(REQUEST.messages, TOOLS)
    with pytest.raises(ModelRefused, match="too large"):
        await collect(model, request, Answer())
    await collect(model, request, Answer())
    assert all("tools" in asked for asked in provider.requests)


async def test_an_unreachable_address_raises() -> None:
    # A model of llama.cpp is named by its file, without the folders.
    model = RemoteModel(Endpoint("openai", "http://127.0.0.1:9/v1"), "models/small.gguf", forms=Forms())
    with pytest.raises(ModelDisconnected, match="^small can't be reached"):
        await collect(model, REQUEST, Answer())


@in_turn(
    ("status", "message"),
    # llama.cpp b11549 without --jinja, vLLM 0.11 without a parser, Ollama 0.12 with a template without tools, and
    # litellm in front of one (https://github.com/VectifyAI/OpenKB/issues/137, 2026-06-23).
    [
        (500, "tools param requires --jinja flag"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        (400, "registry.ollama.ai/library/gemma:2b does not support tools"),
        (
            400,
            "litellm.UnsupportedParamsError: ollama does not support parameters: ['tools'], for model=gemma4:e4b. To "
            "drop these, set 'litellm.drop_params=True'",
        ),
        (501, "tools are not supported by this server"),
    ],
)
async def test_tools_that_are_refused_in_any_status_are_not_sent_again(
    runs: Runs, provider: Provider, world: World, status: int, message: str
) -> None:
    def without_tools(asked: dict[str, object]) -> Reply:
        if "tools" in asked:
            return HttpError(status, message, "server_error")
        return DONE_IN_TEXT if world.sent else Completion('{"tool": "send", "arguments": {"text": "hello"}}')

    provider.script = without_tools
    endpoint = Endpoint("openai", provider.base_url("openai"))
    model = RemoteModel(endpoint, "small", forms=Forms())
    ended = await runs.start("Send hello.", model=model, tools=["net"])
    assert (ended.status, world.sent) == ("done", ["hello"])
    # One refusal, then the calls, without a wait and without a retry.
    assert ["tools" in asked for asked in provider.requests] == [True, False, False]


DONE_IN_TEXT = Completion('{"tool": "done", "arguments": {"result": "Sent."}}')


async def test_another_500_is_retried_in_the_same_form(runs: Runs, provider: Provider) -> None:
    provider.replies = [HttpError(500, "error parsing tool call: raw='{\"a'"), DONE]
    model = RemoteModel(Endpoint("openai", provider.base_url("openai")), "small", forms=Forms())
    assert (await runs.start("Send hello.", model=model, tools=["net"])).status == "done"
    assert all("tools" in asked for asked in provider.requests)


async def test_a_server_that_drops_tools_gets_them_in_the_prompt_at_once(provider: Provider) -> None:
    async def about() -> About:
        return About(2_048, tools=False, server="llama.cpp")

    provider.replies = [Completion('{"tool": "send", "arguments": {"text": "hello"}}')]
    endpoint = Endpoint("openai", provider.base_url("openai"))
    model = RemoteModel(endpoint, "small", forms=Forms(), ask_about=about)
    answer = await collect(model, Request(REQUEST.messages, TOOLS, must_call=True), Answer())
    [asked] = provider.requests
    assert "tools" not in asked and "send" in asked["messages"][0]["content"]
    schema = asked["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["tool"] == {"const": "send"} and schema["required"] == ["tool", "arguments"]
    assert answer.message().calls[0].name == "send"


async def test_a_server_that_ignores_tool_choice_gets_required_calls_by_schema(provider: Provider) -> None:
    """Ollama 0.33, 2026-08-21: `tool_choice` is no member of its requests."""

    async def about() -> About:
        return About(8_192, tools=True, server="ollama")

    provider.replies = [Completion('{"tool": "send", "arguments": {"text": "hello"}}')]
    endpoint = Endpoint("openai", provider.base_url("openai"))
    model = RemoteModel(endpoint, "small", forms=Forms(), ask_about=about)
    answer = await collect(model, Request(REQUEST.messages, TOOLS, must_call=True), Answer())
    [asked] = provider.requests
    assert "tool_choice" not in asked and "response_format" in asked
    assert answer.message().calls[0].name == "send"


async def test_a_window_that_is_not_sure_is_asked_for_again_once_the_model_is_loaded(
    provider: Provider,
) -> None:
    said = [About(131_072, server="ollama", sure=False), About(4_096, server="ollama")]

    async def about() -> About:
        return said.pop(0)

    provider.replies = [Completion("Here"), Completion("There"), Completion("Where")]
    model = RemoteModel(
        Endpoint("openai", provider.base_url("openai")), "small", forms=Forms(), ask_about=about
    )
    for window in (131_072, 4_096, 4_096):
        await collect(model, REQUEST, Answer())
        assert model.context_tokens == window


async def test_a_required_call_that_does_not_come_is_required_by_a_schema_the_next_time(
    provider: Provider,
) -> None:
    provider.replies = [Completion("Once upon a time"), call("send", text="a"), Completion("")]
    forms = Forms()
    model = RemoteModel(Endpoint("openai", provider.base_url("openai")), "small", forms=forms)
    request = Request(REQUEST.messages, TOOLS, must_call=True)
    await collect(model, request, Answer())
    await collect(model, request, Answer())
    assert ["response_format" in asked for asked in provider.requests] == [False, True]


async def test_a_server_that_was_started_again_is_asked_about_its_model_again(provider: Provider) -> None:
    windows = [4_096, 1_024]

    async def about() -> About:
        return About(windows.pop(0), server="llama.cpp")

    provider.replies = [HttpError(400, "exceed_context_size_error"), Completion("Here")]
    endpoint = Endpoint("openai", provider.base_url("openai"))
    model = RemoteModel(endpoint, "small", forms=Forms(), ask_about=about)
    with pytest.raises(ContextExceeded):
        await collect(model, REQUEST, Answer())
    await collect(model, REQUEST, Answer())
    assert model.context_tokens == 1_024


async def test_llama_cpp_says_how_much_of_the_prompt_it_has_read(provider: Provider) -> None:
    async def about() -> About:
        return About(2_048, tools=True, server="llama.cpp")

    progress = [{"total": 900, "cache": 0, "processed": done, "time_ms": 40} for done in (0, 512, 900)]
    provider.replies = [
        Completion("Hello.", progress=progress),
        Completion("Hello.", progress=[{"total": "?"}]),
    ]
    endpoint = Endpoint("openai", provider.base_url("openai"))
    model = RemoteModel(endpoint, "small", forms=Forms(), ask_about=about)
    events: list[object] = []
    answer = await collect(model, REQUEST, Answer(), events.append)
    read = [event for event in events if isinstance(event, PromptRead)]
    assert read == [PromptRead(0, 900), PromptRead(512, 900), PromptRead(900, 900)]
    assert answer.text == "Hello." and provider.requests[0]["return_progress"] is True
    # Another server's field of that name is none.
    assert (await collect(model, REQUEST, Answer(), events.append)).text == "Hello."
    assert len([event for event in events if isinstance(event, PromptRead)]) == 3


async def test_other_servers_are_not_asked_for_progress(model: RemoteModel, provider: Provider) -> None:
    provider.replies = [Completion("Hello.")]
    await collect(model, REQUEST, Answer())
    assert "return_progress" not in provider.requests[0]


async def test_a_server_that_loads_its_model_says_so(provider: Provider) -> None:
    provider.replies = [HttpError(503, "Loading model", "unavailable_error")]
    model = RemoteModel(Endpoint("openai", provider.base_url("openai")), "small", forms=Forms())
    with pytest.raises(ModelLoading, match="is being loaded by its server"):
        await collect(model, REQUEST, Answer())


@in_turn(
    "text",
    [
        '{"tool": "send", "arguments": {"text": "hello"}}',
        '<tool_call>\n{"name": "send", "arguments": {"text": "hello"}}\n</tool_call>',
        '```json\n{"name": "send", "arguments": {"text": "hello"}}\n```',
    ],
)
async def test_an_answer_that_is_only_a_call_in_text_is_a_call(provider: Provider, text: str) -> None:
    provider.replies = [Completion(text)]
    model = RemoteModel(Endpoint("openai", provider.base_url("openai")), "small", forms=Forms())
    answer = await collect(model, Request(REQUEST.messages, TOOLS), Answer())
    [made] = answer.message().calls
    assert (made.name, made.parsed(), answer.stop) == ("send", {"text": "hello"}, "calls")


async def test_a_call_that_a_model_quotes_is_none(provider: Provider) -> None:
    provider.replies = [Completion('The page says {"tool": "send", "arguments": {"text": "hello"}}.')]
    model = RemoteModel(Endpoint("openai", provider.base_url("openai")), "small", forms=Forms())
    answer = await collect(model, Request(REQUEST.messages, TOOLS), Answer())
    assert (answer.message().calls, answer.stop) == ((), "end")
