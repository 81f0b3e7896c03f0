"""Runs and requests with a real small model, by llama.cpp's own server, in the ways in which people start it.

What the model says isn't tested, only what becomes of it: SmolLM2-135M says little that is right.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import ExitStack, aclosing, asynccontextmanager
from pathlib import Path

import pytest

from gemini.agents.runs.runs import Runs
from gemini.errors import ModelRepeats
from gemini.kernel.kernel import Kernel
from gemini.models import Endpoint, Forms, RemoteModel
from gemini.models.interface.messages import UserMessage
from gemini.models.interface.model import (
    Answer,
    PromptRead,
    Request,
    Retried,
    TextDelta,
    ToolRow,
    collect,
)
from gemini.models.interface.retries import RetryingModel
from gemini.models.interface.sampling import Sampling
from gemini.models.providers.embeddings import Embedder
from gemini.tools import Registry, declare
from gemini_companion.models import Gateway
from gemini_companion.models.errors import ProviderRefused
from gemini_companion.models.providers import OPENAI, Provider
from tests.llama import Llama, Variant, require, running

pytestmark = pytest.mark.extended(together="llama")

PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
TOOLS = [ToolRow("file_read", "Read a file.", PATH), ToolRow("file_delete", "Delete a file.", PATH)]
ASKED = Request([UserMessage(text="Read the file a.txt.", purpose="task")], TOOLS, must_call=True)
# The same answer every time, and a short one.
PLAIN = Sampling(temperature=0, max_tokens=48)
WORDS = Request([UserMessage(text="Write a story about the sea.")], sampling=Sampling(temperature=0))


class World:
    """Tools that record what they do."""

    def __init__(self) -> None:
        self.written: list[str] = []

    @declare(effect="write", group="files")
    def file_write(self, path: str, content: str) -> str:
        """Write a text file."""
        self.written.append(path)
        return "written"


@pytest.fixture(autouse=True)
def server_or_skip() -> None:
    require()


@pytest.fixture(scope="module")
def own() -> Iterator[Llama]:
    with running() as server:
        yield server


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    registry = Registry()
    registry.results_folder = tmp_path / "results"
    registry.add_room(World())
    return Runs(registry)


@asynccontextmanager
async def model_of(
    server: Llama, *, forms: Forms | None = None, asks: bool = True, sampling: Sampling = PLAIN
) -> AsyncGenerator[RemoteModel]:
    """Yield the model of a server, which the companion asks about it unless `asks` is false."""
    gateway = Gateway({"mine": Provider("mine", OPENAI, f"{server.url}/v1", key="none")})
    endpoint = Endpoint("openai", f"{server.url}/v1")
    about = (lambda: gateway.about("mine", "small")) if asks else None
    try:
        yield RemoteModel(endpoint, "small", forms=forms or Forms(), ask_about=about, sampling=sampling)
    finally:
        await gateway.aclose()


async def called(model: RemoteModel) -> str:
    """Have a model make a call, which has what the tool requires; return the tool's name."""
    [made] = (await collect(model, ASKED, Answer())).message().calls
    assert isinstance(made.parsed()["path"], str)
    return made.name


async def test_a_template_without_tools_gets_calls_by_schema(own: Llama) -> None:
    async with model_of(own) as model:
        assert await called(model) in {"file_read", "file_delete"}
        assert (model.about.tools, model.about.server, model.context_tokens) == (False, "llama.cpp", 4096)


async def test_a_template_with_tools_gets_required_calls_by_schema() -> None:
    with running(Variant(template="tools")) as server:
        async with model_of(server) as model:
            assert await called(model) in {"file_read", "file_delete"}
            assert model.about.tools is True


async def test_a_server_without_jinja_refuses_tools_with_500_and_is_asked_in_another_form_at_once() -> None:
    saved: list[dict[str, str]] = []
    with running(Variant(template="none")) as server:
        async with model_of(server, forms=Forms(save=saved.append), asks=False) as model:
            events: list[object] = []
            answer = await collect(RetryingModel(model), ASKED, Answer(), events.append)
    assert answer.message().calls and not any(isinstance(event, Retried) for event in events)
    assert [*saved[-1].values()] == ["constrained"]


async def test_a_run_in_a_small_context_gets_less_and_is_answered(runs: Runs) -> None:
    with running(Variant(context=1024)) as server:
        async with model_of(server) as model:
            run = runs.start("Write hello to a.txt.", model=model, max_steps=1)
            ended = await run
    assert ended.spent.usage.input > 0
    assert ended.status in {"done", "answered", "budget", "failed"} and "context" not in (ended.reason or "")


async def test_a_small_context_has_room_for_the_tools_of_a_whole_surface(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    runs = Kernel(Registry(), str(tmp_path / "project"), tmp_path / "saved").runs
    with running(Variant(context=2048)) as server:
        async with model_of(server) as model:
            ended = await runs.start("Count the words of notes.txt.", model=model, max_steps=1)
    # Code mode's two tools, and not the 2,400 tokens of a large context.
    print(f"the first request has {ended.spent.usage.input} tokens")
    assert 0 < ended.spent.usage.input < 1_000
    assert "context" not in (ended.reason or "")


async def test_a_run_that_cannot_fit_sends_nothing_and_says_the_flag(runs: Runs) -> None:
    with running(Variant(context=256)) as server:
        async with model_of(server) as model:
            ended = await runs.start("Summarize this: " + "tea and cake " * 400, model=model)
    assert ended.status == "failed" and ended.spent.usage.total == 0
    assert "the model's context has 256" in (ended.reason or "") and "llama-server -c" in (ended.reason or "")


async def test_an_answer_without_an_end_is_stopped() -> None:
    with running(Variant(unending=True)) as server:
        async with model_of(server, sampling=Sampling(temperature=0)) as model:
            with pytest.raises(ModelRepeats, match="repeats itself|outgrown"):
                await collect(RetryingModel(model), WORDS, Answer())


async def test_a_killed_server_that_starts_again_takes_over() -> None:
    with ExitStack() as servers:
        first = servers.enter_context(running())
        port = int(first.url.rpartition(":")[2])
        async with model_of(first) as model:
            pieces, is_again = 0, False
            async with aclosing(RetryingModel(model).stream(WORDS)) as events:
                async for event in events:
                    pieces += isinstance(event, TextDelta)
                    if pieces == 3 and not is_again:
                        first.kill()
                    if isinstance(event, Retried) and not is_again:
                        servers.enter_context(running(port=port))
                        pieces, is_again = 0, True
                    if is_again and pieces > 0:
                        break
    assert is_again and pieces > 0


async def test_a_context_that_is_smaller_after_a_restart_is_known_from_then_on(runs: Runs) -> None:
    with ExitStack() as servers:
        first = servers.enter_context(running())
        async with model_of(first) as model:
            await called(model)
            assert model.context_tokens == 4096
            first.kill()
            servers.enter_context(running(Variant(context=256), port=int(first.url.rpartition(":")[2])))
            ended = await runs.start("Summarize this: " + "tea and cake " * 200, model=model, max_steps=2)
            assert (ended.status, model.context_tokens) == ("failed", 256)
            assert "the model's context has 256" in (ended.reason or "")


async def test_a_server_that_loads_its_model_is_waited_for() -> None:
    with running(loaded=False) as server:
        async with model_of(server) as model:
            answer = await collect(RetryingModel(model), ASKED, Answer())
    assert answer.message().calls


async def test_a_slow_server_says_how_much_of_a_prompt_it_has_read() -> None:
    asked = Request([UserMessage(text="Summarize this: " + "tea and cake, " * 150)], sampling=PLAIN)
    events: list[object] = []
    with running(Variant(slow=True)) as server:
        async with model_of(server) as model:
            await collect(RetryingModel(model), asked, Answer(), events.append)
    read = [event for event in events if isinstance(event, PromptRead)]
    counts = [event.done for event in read]
    assert len(read) >= 3 and counts == sorted(counts) and counts[-1] <= read[-1].total
    first = next(at for at, event in enumerate(events) if isinstance(event, TextDelta))
    assert not any(isinstance(event, PromptRead) for event in events[first:])


async def test_requests_wait_for_a_slot(own: Llama) -> None:
    async with model_of(own) as model, model_of(own) as other:
        assert all(await asyncio.gather(called(model), called(other)))


async def test_a_server_for_embeddings_is_found_by_its_address() -> None:
    gateway = Gateway({})
    try:
        with running(Variant(embeds=True, context=512)) as server:
            for typed in (server.url.removeprefix("http://"), f"{server.url}/v1"):
                found = await gateway.trial(None, typed, "openai", None).embedding_models()
                assert (found.provider.base_url, found.embeds) == (f"{server.url}/v1", True)
        with running() as server, pytest.raises(ProviderRefused, match="does not support embeddings"):
            await gateway.trial(None, server.url, "openai", None).embedding_models()
    finally:
        await gateway.aclose()


async def test_embeddings_are_computed() -> None:
    with running(Variant(embeds=True, context=512)) as server:

        async def endpoint() -> Endpoint:
            return Endpoint("openai", f"{server.url}/v1")

        [one, two], _ = await Embedder("mine/small", "small", endpoint).embed(["tea", "a port"])
    assert len(one) == len(two) == 576 and one != two
