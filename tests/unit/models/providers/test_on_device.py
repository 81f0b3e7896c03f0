"""The model for embeddings on the device, with a worker that counts letters, and the reading in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from gemini.computer.search.reading import Reading
from gemini.core import ffi
from gemini.errors import ModelUnavailable, StorageProblem
from gemini.kernel.kernel import Kernel
from gemini.models.providers import on_device
from gemini.models.providers.on_device import DeviceEmbedder
from gemini.tools import Registry


class Worker:
    """Stands for the page's worker. Texts about tea are alike."""

    started: list[Worker] = []

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.ended = False
        self.problem: str | None = None
        self.started.append(self)

    async def ask(self, texts: Sequence[str]) -> list[list[float]]:
        if self.problem:
            raise OSError(self.problem)
        self.asked += texts
        return [[1.0, 0.0] if "tea" in text or "beverage" in text else [0.0, 1.0] for text in texts]

    def end(self) -> None:
        self.ended = True


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> list[Worker]:
    monkeypatch.setattr(Worker, "started", [])
    monkeypatch.setattr(ffi, "DeviceModel", Worker)
    monkeypatch.setattr(ffi, "meaning_folder", lambda: "https://kernel.test/meaning-0/")
    return Worker.started


@pytest.fixture
def kernel(tmp_path: Path) -> Kernel:
    for folder in ("saved", "project"):
        (tmp_path / folder).mkdir()
    (tmp_path / "project/tea.md").write_text("Ann likes green tea.\n")
    (tmp_path / "project/net.md").write_text("The socket is 8080.\n")
    return Kernel(Registry(), str(tmp_path / "project"), tmp_path / "saved")


async def choose(kernel: Kernel, provider: str | None) -> None:
    await kernel.registry.call("panel_model_embedding", {"provider": provider}, caller="person")


async def until(condition: Any) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.005)


def reading(kernel: Kernel) -> Any:
    embedding = kernel.models.row()["embedding"]
    return None if embedding is None else embedding["reading"]


async def test_one_press_reads_all_files_and_finds_them_by_meaning(
    kernel: Kernel, workers: list[Worker]
) -> None:
    assert kernel.models.row()["device"]
    await choose(kernel, "device")
    await until(lambda: reading(kernel) and reading(kernel)["read"] == reading(kernel)["passages"] == 2)
    assert sorted(workers[0].asked) == ["Ann likes green tea.\n", "The socket is 8080.\n"]

    found: Any = await kernel.registry.call("search_by_meaning", {"text": "beverage"}, caller="person")

    assert found["results"][0].key.endswith("tea.md")
    assert found["read"] == found["passages"] == 2
    # Only the question was new.
    assert workers[0].asked[2:] == ["beverage"]


async def test_a_pause_holds_the_reading_and_off_ends_it(kernel: Kernel, workers: list[Worker]) -> None:
    await kernel.registry.call("pause_reading", {"paused": True}, caller="person")
    await choose(kernel, "device")
    await asyncio.wait({kernel.search.refresh()})
    assert workers == []
    await kernel.registry.call("pause_reading", {"paused": False}, caller="person")
    await until(lambda: reading(kernel) and reading(kernel)["read"] == 2)

    await choose(kernel, None)

    assert kernel.models.row()["embedding"] is None
    assert not kernel.embeddings.is_on


async def test_a_model_that_cannot_be_downloaded_says_so_and_the_next_text_tries_again(
    kernel: Kernel, workers: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Worker.__init__

    def broken(self: Worker, folder: str) -> None:
        original(self, folder)
        self.problem = "minilm.onnx couldn't be downloaded: 404"

    with monkeypatch.context() as patch:
        patch.setattr(Worker, "__init__", broken)
        await choose(kernel, "device")
        await until(lambda: reading(kernel) and reading(kernel)["problem"])
    assert "minilm.onnx couldn't be downloaded: 404" in reading(kernel)["problem"]
    assert workers[0].ended

    found: Any = await kernel.registry.call("search_by_meaning", {"text": "beverage"}, caller="person")
    assert found["results"][0].key.endswith("tea.md")
    assert len(workers) == 2


async def test_a_build_without_the_model_says_how_to_add_it() -> None:
    with pytest.raises(ModelUnavailable, match="no model for search by meaning") as caught:
        await DeviceEmbedder().embed(["tea"])
    assert caught.value.hint == on_device.HINT


async def test_an_idle_worker_ends_and_starts_again(workers: list[Worker]) -> None:
    embedder = DeviceEmbedder(idle_s=0.01)
    await embedder.embed(["tea"])
    await until(lambda: workers[0].ended)
    [[first, _]], usage = await embedder.embed(["tea"])
    assert (first, usage.total, len(workers)) == (1.0, 0, 2)


async def test_a_search_answers_soon_with_what_is_read_and_the_next_reads_on(
    kernel: Kernel, workers: list[Worker], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "project/long.md").write_text(
        "".join(f"Line {number:03} of a text.\n" for number in range(480))
    )
    monkeypatch.setattr(DeviceEmbedder, "within_s", -1.0)
    await kernel.registry.call("pause_reading", {"paused": True}, caller="person")
    await choose(kernel, "device")

    found: Any = await kernel.registry.call("search_by_meaning", {"text": "beverage"}, caller="person")
    assert (found["read"], found["passages"]) == (DeviceEmbedder.batch - 1, 13)

    reads = [found["read"]]
    while found["read"] < found["passages"]:
        found = await kernel.registry.call("search_by_meaning", {"text": "beverage"}, caller="person")
        reads.append(found["read"])
    assert reads == [3, 7, 11, 13]
    assert max(len(text) for text in workers[0].asked) <= DeviceEmbedder.longest


async def test_a_question_finds_the_file_that_means_it_before_those_with_its_small_words(
    kernel: Kernel, workers: list[Worker], tmp_path: Path
) -> None:
    (tmp_path / "project/readme.md").write_text("This is the folder in which the work is.\n")
    await choose(kernel, "device")
    question = "which beverage is served in the afternoon"

    found: Any = await kernel.registry.call("search_by_meaning", {"text": question}, caller="person")

    assert found["results"][0].key.endswith("tea.md")


async def test_words_find_chinese_which_the_model_cannot_compare(
    kernel: Kernel, workers: list[Worker], tmp_path: Path
) -> None:
    (tmp_path / "project/chufang.md").write_text("厨房：四点喝绿茶。\n")
    await choose(kernel, "device")

    found: Any = await kernel.registry.call("search_by_meaning", {"text": "绿茶"}, caller="person")

    assert found["results"][0].key.endswith("chufang.md")


async def test_hidden_files_and_files_of_keys_are_not_read(
    kernel: Kernel, workers: list[Worker], tmp_path: Path
) -> None:
    private = [".env", ".ssh/config", "prod.env", "server.pem", "id_ed25519", "Secrets.json", "deep/.a/b.md"]
    for name in private:
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"hunter2 in {name}\n")
    await choose(kernel, "device")
    await until(lambda: reading(kernel) and reading(kernel)["read"] == 2)

    found: Any = await kernel.registry.call("search_by_meaning", {"text": "hunter2"}, caller="person")

    assert sorted(workers[0].asked) == ["Ann likes green tea.\n", "The socket is 8080.\n", "hunter2"]
    assert found["passages"] == 2
    # Their words find them.
    assert len([each for each in found["results"] if "hunter2" in str(each.snippet)]) == len(private)


async def test_files_that_vanish_while_they_are_read_are_not_found(
    kernel: Kernel, workers: list[Worker], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = tmp_path / "project/more"
    more.mkdir()
    for number in range(20):
        (more / f"{number}.md").write_text(f"Line {number} about tea.\n")
    ask = Worker.ask

    async def ask_while_they_vanish(self: Worker, texts: Sequence[str]) -> list[list[float]]:
        for path in list(more.glob("*"))[:10]:
            path.unlink()
        if more.exists() and not any(more.iterdir()):
            more.rmdir()
        return await ask(self, texts)

    monkeypatch.setattr(Worker, "ask", ask_while_they_vanish)
    await choose(kernel, "device")
    await until(lambda: reading(kernel) and reading(kernel)["read"] == reading(kernel)["passages"] == 22)
    assert not more.exists()

    found: Any = await kernel.registry.call("search_by_meaning", {"text": "beverage"}, caller="person")

    assert [each.key.rpartition("/")[2] for each in found["results"]] == ["tea.md", "net.md"]
    assert found["read"] == found["passages"] == 2


async def test_a_pause_before_the_first_passage_shows_that_it_is_paused(
    kernel: Kernel, workers: list[Worker]
) -> None:
    await kernel.registry.call("pause_reading", {"paused": True}, caller="person")
    await choose(kernel, "device")
    await until(lambda: reading(kernel))
    assert reading(kernel) == {"read": 0, "passages": 2, "seconds": None, "paused": True, "problem": None}

    await choose(kernel, None)
    await choose(kernel, "device")
    await until(lambda: reading(kernel) and reading(kernel)["read"] == 2)
    assert not reading(kernel)["paused"]


async def test_the_time_left_leaves_out_the_start_of_the_model(workers: list[Worker]) -> None:
    now = 0.0
    shown: list[Any] = []

    class Slow:
        is_local = True
        longest = 900

        def unread(self, texts: Sequence[str]) -> list[str]:
            return list(texts)

        async def read(self, texts: Sequence[str]) -> None:
            nonlocal now
            # The first ones wait for the download.
            now += 0.4 * len(texts) + (100 if texts[0] == "0" else 0)

    async def passages(length: int) -> list[str]:
        return [str(number) for number in range(20)]

    task = Reading(passages, cast(Any, Slow), shown.append, lambda: now).begin()
    assert task is not None
    await task

    assert [each["read"] for each in shown] == [0, 4, 8, 12, 16, 20, 20]
    assert [each["seconds"] for each in shown[:2]] == [None, None]
    assert [round(each["seconds"]) for each in shown[2:]] == [5, 3, 2, 0, 0]


async def test_saved_vectors_that_cannot_be_read_are_said(workers: list[Worker]) -> None:
    shown: list[Any] = []

    class Broken:
        is_local = True
        longest = 900

        def unread(self, texts: Sequence[str]) -> list[str]:
            raise StorageProblem("The database is damaged.", hint="Reload.")

    async def passages(length: int) -> list[str]:
        return ["tea"]

    task = Reading(passages, cast(Any, Broken), shown.append).begin()
    assert task is not None
    await task

    assert shown[-1]["problem"] == "The database is damaged. Reload."
