"""Runs against aimock (https://aimock.copilotkit.dev), which implements both providers' wire formats independently.

The extended tier goes through litellm's proxy, too, which translates between both sides' formats. Without GPT by
Anthropic's format: there litellm itself leaves thinking out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from gemini.agents.runs.runs import Runs
from gemini.core.clock import ManualClock
from gemini.models import Endpoint, Forms, RemoteModel
from gemini.models.interface.messages import UserMessage
from gemini.models.interface.model import Answer, Request, TextDelta, collect
from gemini.tools import Registry, declare
from tests import litellm
from tests.programs import started
from tests.tiers import sampled

AIMOCK = Path(__file__).parents[2] / "web/node_modules/@copilotkit/aimock/dist/cli.js"
SEND = {"type": "toolCall", "name": "send", "arguments": {"text": "hello"}}
DONE = {"type": "toolCall", "name": "done", "arguments": {"result": "sent"}}
THOUGHT = "They want a greeting, so I send one."
SIGNATURE = "c2lnbmVkIGJ5IHRoZSBwcm92aWRlcg=="
FIXTURES: list[dict[str, Any]] = [
    {
        "match": {"userMessage": "Greet", "turnIndex": 0},
        "response": {"blocks": [{"type": "text", "text": "I greet them."}, SEND]},
        "chunkSize": 3,
    },
    {"match": {"userMessage": "Greet", "turnIndex": 1}, "response": {"blocks": [DONE]}},
    {
        "match": {"userMessage": "Twice", "turnIndex": 0},
        "response": {"toolCalls": [{"name": "send", "arguments": {"text": text}} for text in ("one", "two")]},
        "chunkSize": 4,
    },
    {"match": {"userMessage": "Twice", "turnIndex": 1}, "response": {"blocks": [DONE]}},
    {
        "match": {"userMessage": "Ponder", "turnIndex": 0},
        "response": {"toolCalls": [SEND], "reasoning": THOUGHT, "reasoningSignature": SIGNATURE},
        "chunkSize": 5,
    },
    {"match": {"userMessage": "Ponder", "turnIndex": 1}, "response": {"blocks": [DONE]}},
    {
        "match": {"userMessage": "Tell"},
        "response": {"content": "A story in many small pieces."},
        "chunkSize": 4,
    },
    {
        "match": {"userMessage": "Busy"},
        "response": {"error": {"message": "slow down", "type": "rate_limit_error"}, "status": 429},
    },
    {
        "match": {"userMessage": "Over"},
        "response": {"error": {"message": "Overloaded", "type": "overloaded_error"}, "status": 529},
    },
    {
        "match": {"userMessage": "Cut"},
        "response": {"content": "This will be cut in the middle of its stream."},
        "chunkSize": 5,
        "latency": 5,
        "truncateAfterChunks": 3,
    },
]


class World:
    def __init__(self) -> None:
        self.sent: list[str] = []

    @declare(effect="write", group="net")
    def send(self, text: str) -> str:
        """Send something out."""
        self.sent.append(text)
        return "sent"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    fixtures = tmp_path_factory.mktemp("aimock") / "fixtures.json"
    fixtures.write_text(json.dumps({"fixtures": FIXTURES}), encoding="utf-8")
    command = ["node", AIMOCK, "--port", "0", "--fixtures", fixtures, "--validate-on-load", "--strict"]
    with started(command, r"listening on (http://\S+)") as url:
        yield url


@pytest.fixture(scope="module")
def proxy_url(tmp_path_factory: pytest.TempPathFactory, url: str) -> Iterator[str]:
    with litellm.proxy(tmp_path_factory.mktemp("litellm"), url) as proxy:
        yield proxy


@pytest.fixture(
    params=[
        ("url", "openai", "gpt-5"),
        ("url", "anthropic", "claude-haiku-4-5"),
        *(
            pytest.param(("proxy_url", *way), marks=pytest.mark.extended(together="litellm"))
            for way in (
                ("openai", "gpt-5"),
                ("openai", "claude-haiku-4-5"),
                ("anthropic", "claude-haiku-4-5"),
            )
        ),
    ],
    ids=" ".join,
)
def model(request: pytest.FixtureRequest) -> RemoteModel:
    server, api, name = request.param
    url = request.getfixturevalue(server)
    return RemoteModel(Endpoint(api, f"{url}/v1" if api == "openai" else url, "mock"), name, forms=Forms())


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def runs(world: World, tmp_path: Path) -> Runs:
    registry = Registry()
    registry.results_folder = tmp_path
    registry.add_room(world)
    runs = Runs(registry)
    runs.clock = ManualClock()
    return runs


@pytest.mark.fortnightly
@pytest.mark.parametrize(
    ("task", "sent"), sampled([("Greet them.", ["hello"]), ("Twice, please.", ["one", "two"])])
)
async def test_a_run_calls_tools_and_ends(
    runs: Runs, model: RemoteModel, world: World, task: str, sent: list[str]
) -> None:
    outcome = await runs.start(task, model=model, tools=["net"])
    assert (outcome.status, outcome.result, world.sent) == ("done", "sent", sent)


async def test_thinking_returns_with_the_results_of_calls(
    runs: Runs, model: RemoteModel, world: World, url: str
) -> None:
    task = "Ponder, then greet them."
    # Claude thinks only then, and refuses requests that lack its thinking.
    outcome = await runs.start(task, model=model, tools=["net"], sampling={"effort": "low"})
    assert (outcome.status, outcome.result, world.sent) == ("done", "sent", ["hello"])
    if model.name == "gpt-5":
        [*_, last] = httpx2.get(f"{url}/__aimock/journal").json()
        assert THOUGHT in json.dumps(last["body"])


async def test_an_answer_is_streamed_in_pieces(model: RemoteModel) -> None:
    events: list[object] = []
    answer = await collect(model, Request([UserMessage(text="Tell me one.")]), Answer(), events.append)
    assert (answer.text, answer.stop) == ("A story in many small pieces.", "end")
    assert sum(isinstance(event, TextDelta) for event in events) > 3


@pytest.mark.parametrize(("task", "words"), [("Busy?", "429"), ("Over there?", "verloaded"), ("Cut it.", "")])
async def test_repeated_failures_end_the_run_with_the_reason(
    runs: Runs, model: RemoteModel, world: World, task: str, words: str
) -> None:
    outcome = await runs.start(task, model=model, tools=["net"])
    assert outcome.status == "failed" and words in str(outcome.reason) and "5 retries" in str(outcome.reason)
    assert world.sent == []
