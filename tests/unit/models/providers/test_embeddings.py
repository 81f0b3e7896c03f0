"""Memories and files found by meaning, with the embeddings of a provider on loopback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gemini.agents import ScriptedModel, call, say
from gemini.computer.search.similarity import fuse
from gemini.errors import InvalidArguments, ModelMissing, ModelRefused
from gemini.kernel.kernel import Kernel
from gemini.models.interface.tickets import Tickets, use_tickets
from gemini.models.providers.choice import Choice, choice_of
from gemini.models.providers.gateway import Gateway
from gemini.models.providers.models import Models
from gemini.storage import embeddings as saved
from gemini.tools import Registry
from tests.providers import HttpError, Provider

FACTS = ("Ann likes green tea.", "The service uses socket 8080.")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "saved").mkdir()
    (tmp_path / "project").mkdir()
    return tmp_path


@pytest.fixture
def kernel(home: Path) -> Kernel:
    return open_kernel(home)


def open_kernel(home: Path) -> Kernel:
    return Kernel(Registry(), str(home / "project"), home / "saved")


@pytest.fixture
def choice(provider: Provider) -> Choice:
    return choice_of("own", "vectors", provider.base_url("openai"))


async def recalled(kernel: Kernel, query: str) -> tuple[dict[str, Any], Any]:
    """Return what an agent recalls for a query, and its run."""
    model = ScriptedModel([call("memory_read", query=query), say("Done.")])
    run = kernel.runs.start("Work.", model=model, agent="coder", tools=["memory"])
    await run
    return json.loads(run.steps[0].calls[0].result), run


async def searched(kernel: Kernel, text: str) -> Any:
    return await kernel.registry.call("search_by_meaning", {"text": text}, caller="person")


async def test_memories_are_found_by_meaning_and_their_cost_is_the_runs(
    kernel: Kernel, choice: Choice, provider: Provider
) -> None:
    for fact in FACTS:
        kernel.memories.remember("coder", fact)
    found, without = await recalled(kernel, "Which beverage?")
    assert provider.embedded == []
    assert found["memories"][0]["text"] == FACTS[1]  # none has a word: the newest
    kernel.models.choose_embedding(choice)
    found, run = await recalled(kernel, "Which beverage?")
    assert [row["text"] for row in found["memories"]] == list(FACTS)
    assert sorted(provider.embedded) == sorted(["Which beverage?", *FACTS])
    assert (
        run.spent.usage.input - without.spent.usage.input >= sum(len(text) for text in provider.embedded) // 4
    )


async def test_a_vector_is_computed_once_also_over_a_restart(
    home: Path, kernel: Kernel, choice: Choice, provider: Provider
) -> None:
    kernel.memories.remember("coder", FACTS[0])
    kernel.models.choose_embedding(choice)
    await recalled(kernel, "a drink")
    kernel.close()
    later = open_kernel(home)
    later.restore()
    later.memories.remember("coder", FACTS[1])
    provider.embedded.clear()
    found, _ = await recalled(later, "a drink")
    assert found["memories"][0]["text"] == FACTS[0]
    assert provider.embedded == [FACTS[1]]
    later.models.choose_embedding(choice_of("own", "others", provider.base_url("openai")))
    await recalled(later, "a drink")
    assert len(provider.embedded) == 4


async def test_memories_are_found_by_words_while_the_model_cant_be_asked(
    kernel: Kernel, choice: Choice, provider: Provider
) -> None:
    for fact in FACTS:
        kernel.memories.remember("coder", fact)
    kernel.models.choose_embedding(choice)
    provider.replies = [HttpError(401, "wrong key")]
    found, _ = await recalled(kernel, "tea")
    assert [row["text"] for row in found["memories"]] == [FACTS[0]]
    assert found["note"].startswith("found by words only: the key for vectors was refused")


async def test_files_are_found_by_words_and_by_meaning(
    home: Path, kernel: Kernel, choice: Choice, provider: Provider
) -> None:
    (home / "project/kitchen.md").write_text("# Kitchen\n\nGreen tea at four.\n")
    (home / "project/net.md").write_text("The socket is 8080.\n")
    (home / "project/notes.md").write_text("Which of them? The list says.\n")
    with pytest.raises(ModelMissing, match="No model for embeddings"):
        await searched(kernel, "Which beverage?")
    kernel.models.choose_embedding(choice)
    found = await searched(kernel, "Which beverage?")
    keys = [Path(each.key).name for each in found["results"]]
    assert keys[:2] == ["notes.md", "kitchen.md"] or keys[:2] == ["kitchen.md", "notes.md"]
    [kitchen] = [each for each in found["results"] if each.key.endswith("kitchen.md")]
    assert (kitchen.line, kitchen.snippet[0]["text"]) == (1, "# Kitchen")
    assert (found["read"], found["passages"], found["cut"]) == (3, 3, False)


async def test_many_texts_are_read_over_several_searches(
    home: Path, kernel: Kernel, choice: Choice, provider: Provider
) -> None:
    for number in range(700):
        (home / f"project/{number}.txt").write_text(f"number {number}")
    kernel.models.choose_embedding(choice)
    first = await searched(kernel, "tea")
    assert 0 < first["read"] < first["passages"] == 700
    second = await searched(kernel, "tea")
    assert second["read"] == 700
    assert len(provider.embedded) == 701


async def test_an_overloaded_provider_is_asked_again(
    kernel: Kernel, choice: Choice, provider: Provider
) -> None:
    kernel.memories.remember("coder", FACTS[0])
    kernel.models.choose_embedding(choice)
    provider.replies = [HttpError(429, "slow down", headers={"retry-after": "0.01"})]
    found, _ = await recalled(kernel, "a drink")
    assert "note" not in found


async def test_the_companion_asks_once_for_each_run_and_a_refusal_holds(provider: Provider) -> None:
    asked: list[dict[str, Any]] = []
    path = provider.base_url("openai").removeprefix(provider.url)
    row = {"name": "wire", "api": "openai", "path": path, "local": False, "ready": True, "why": None}

    async def ask(method: str, params: dict[str, Any]) -> Any:
        if method == "models/ticket":
            asked.append(params)
            if len(asked) == 2:
                raise ModelRefused("no")
            return {"ticket": "a-ticket"}
        return {"token": "a token", "providers": [row]}

    async def page(method: str, params: Any) -> Any:
        raise AssertionError((method, params))

    models = Models(Gateway(ask, lambda: provider.url), page, lambda _: None, lambda _: None)
    await models.gateway.refresh()
    models.choose_embedding(choice_of("wire", "vectors"))
    model = models.embedder()
    assert model is not None
    with use_tickets(Tickets("a run")):
        await model.embed(["one"])
        await model.embed(["two"])
    assert asked == [{"provider": "wire", "model": "vectors", "for": "a run"}]
    assert provider.headers[-1]["x-model-ticket"] == "a-ticket"
    with use_tickets(Tickets("another run")):
        for _ in range(2):
            with pytest.raises(ModelRefused):
                await model.embed(["three"])
    assert len(asked) == 2


async def test_the_oldest_vectors_are_deleted(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved, "MOST", 2)
    store = kernel.store.embeddings
    for number in range(3):
        store.add("a model", {bytes([number]): b"vector"})
    assert sorted(store.find("a model", [bytes([number]) for number in range(3)])) == [b"\1", b"\2"]


def test_models_without_embeddings_are_refused(kernel: Kernel) -> None:
    for choice in (
        choice_of("builtin", ""),
        choice_of("own", "claude", "https://api.anthropic.com", "anthropic"),
    ):
        with pytest.raises(InvalidArguments, match="no embeddings"):
            kernel.models.choose_embedding(choice)


def test_rankings_are_merged_by_reciprocal_rank() -> None:
    assert fuse(["a", "b", "c"], ["c", "b", "d"]) == ["c", "b", "a", "d"]
    assert fuse(["a"], []) == ["a"]
