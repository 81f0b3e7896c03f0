"""Tests for searching files by name and content, commands and calls."""

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.search import files as limits
from gemini.computer.search.index import Entry
from gemini.computer.search.mirror import Source
from gemini.computer.search.search import REST_FACTOR, Search


class Desk:
    """A folder with files, a list of commands, and a search over both."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.commands: list[str] = []
        source: Source = lambda: {  # noqa: E731
            command: lambda command=command: Entry("command", command, "", command)
            for command in self.commands
        }
        # Seconds to add to the clock.
        self.later = 0.0
        self.search = Search([root], {"command": source}, clock=lambda: time.monotonic() + self.later)

    def write(self, name: str, content: str | bytes = "") -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    async def found(self, text: str, kinds: Sequence[str] = ("file", "command")) -> list[str]:
        """Return the keys of the results, without the folder's path, after a full scan."""
        await self.search.refresh()
        found, _ = await self.search.find(text, kinds, 30)
        return [each.key.removeprefix(f"{self.root}/") for each in found]

    async def first(self, text: str) -> Any:
        await self.search.refresh()
        found, _ = await self.search.find(text, self.search.kinds, 30)
        return found[0]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "project")


def shown(pieces: list[Any]) -> str:
    """Return pieces as text, with matches in brackets."""
    return "".join(f"[{each['text']}]" if each["match"] else each["text"] for each in pieces)


async def test_files_are_found_by_their_words(desk: Desk) -> None:
    desk.write("a.txt", "the quick brown fox\njumps over\n")
    desk.write("b.txt", "a lazy dog\n")
    assert await desk.found("quick fox") == ["a.txt"]
    assert await desk.found("fox dog") == []


async def test_a_prefix_of_a_word_matches(desk: Desk) -> None:
    desk.write("a.txt", "terminal_create and others")
    for typed in ("t", "term", "terminal", "terminal_", "terminal_cre", "TERMINAL create"):
        assert await desk.found(typed) == ["a.txt"], typed
    assert await desk.found("erminal") == []


async def test_quoted_words_must_be_adjacent(desk: Desk) -> None:
    desk.write("a.txt", "over the hill")
    desk.write("b.txt", "the hill is over there")
    assert await desk.found('"over the"') == ["a.txt"]
    # The closing quote isn't typed yet.
    assert await desk.found('"over the') == ["a.txt"]


async def test_the_best_line_is_returned_with_its_matches(desk: Desk) -> None:
    desk.write("a.py", "import os\n\n\ndef read_all(path):\n    return read(path)  # all of it\n")
    found = await desk.first("read all")
    assert found.line == 4
    assert shown(found.snippet) == "def [read]_[all](path):"


async def test_a_long_line_is_cut_around_the_match(desk: Desk) -> None:
    desk.write("a.json", "x" * 5_000 + " needle " + "y" * 5_000)
    snippet = shown((await desk.first("needle")).snippet)
    assert snippet.startswith("…xxx") and "[needle]" in snippet and snippet.endswith("yyy…")
    assert len(snippet) < 300


async def test_lines_are_counted_in_long_files_too(desk: Desk) -> None:
    desk.write("log.txt", "".join(f"line {number} of many\n" for number in range(1, 5_001)) + "the needle\n")
    found = await desk.first("needle")
    assert (found.line, shown(found.snippet)) == (5_001, "the [needle]")
    assert await desk.found("many") == ["log.txt"]


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("Ein schöner Tag", "schoner"),
        ("ÀÉÎ", "aei"),
        ("今日は天気がいい", "天気"),
        ("今日は天気がいい", "天"),
        ("프로그램을 실행", "로그"),
        ("смотри сюда", "СМОТ"),
        ("naïve 👍 café", "cafe"),
    ],
)
async def test_any_language_is_searched(desk: Desk, text: str, typed: str) -> None:
    desk.write("a.txt", f"first\n{text}\n")
    found = await desk.first(typed)
    assert found.line == 2
    assert shown(found.snippet).replace("[", "").replace("]", "") == text


@pytest.mark.parametrize(
    "typed", ["", "  ", "->", '"', '""', "* AND (", "NEAR(", 'a" OR "b', "a\0b", "-", "^x:y"]
)
async def test_no_input_raises(desk: Desk, typed: str) -> None:
    desk.write("a.txt", "text")
    assert await desk.found(typed) == []


async def test_names_rank_above_texts(desk: Desk) -> None:
    desk.write("notes.txt", "report report report report")
    desk.write("deep/er/report.py", "print()")
    desk.write("reporting.md", "")
    assert await desk.found("report.py") == ["deep/er/report.py"]
    assert (await desk.found("report"))[-1] == "notes.txt"


async def test_a_part_of_a_path_is_found_and_highlighted(desk: Desk) -> None:
    desk.write("TerminalManager.py", "x")
    desk.write("100%_done.txt", "x")
    assert await desk.found("manag") == ["TerminalManager.py"]
    assert shown((await desk.first("manag")).name) == "Terminal[Manag]er.py"
    assert await desk.found("%_d") == ["100%_done.txt"]


async def test_folders_are_found_too(desk: Desk) -> None:
    desk.write("invoices/2026/a.txt", "")
    assert await desk.found("invoices", ("folder",)) == ["invoices", "invoices/2026"]


async def test_the_index_follows_the_files(desk: Desk) -> None:
    desk.write("a.txt", "before")
    assert await desk.found("before") == ["a.txt"]
    desk.write("a.txt", "afterwards")
    desk.write("b.txt", "before long")
    assert await desk.found("before") == ["b.txt"]
    assert await desk.found("afterwards") == ["a.txt"]
    os.rename(desk.root / "a.txt", desk.root / "c.txt")
    (desk.root / "b.txt").unlink()
    assert await desk.found("afterwards") == ["c.txt"]
    assert await desk.found("before") == []


async def test_a_file_that_is_no_text_is_found_by_name(desk: Desk) -> None:
    desk.write("picture.png", b"\x89PNG\r\n\0needle")
    desk.write("latin.txt", "needle ä".encode("latin-1"))
    desk.write("large.log", "needle\n" * limits.MAX_FILE_BYTES)
    (desk.root / "link.txt").symlink_to("picture.png")
    (desk.root / "nowhere.txt").symlink_to("missing")
    assert await desk.found("needle") == []
    for name in ("picture", "latin", "large", "link", "nowhere"):
        assert len(await desk.found(name)) == 1, name


async def test_folders_of_caches_and_copies_are_skipped(desk: Desk) -> None:
    desk.write("node_modules/needle/index.js", "needle")
    desk.write(".git/objects/needle", "needle")
    desk.write("src/index.js", "needle")
    (desk.root / "src/loop").symlink_to(desk.root)
    assert await desk.found("needle") == ["src/index.js"]


async def test_files_and_texts_are_limited(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_FILES", 3)
    monkeypatch.setattr(limits, "MAX_TEXT", 12)
    for name in "abcde":
        desk.write(f"{name}.txt", "needle")
    assert sorted(await desk.found("txt")) == ["a.txt", "b.txt", "c.txt"]
    assert sorted(await desk.found("needle")) == ["a.txt", "b.txt"]


async def test_commands_are_added_and_removed(desk: Desk) -> None:
    desk.commands += ["git status", "python report.py --all"]
    desk.write("report.py", "")
    assert await desk.found("report") == ["report.py", "python report.py --all"]
    assert await desk.found("report", ("command",)) == ["python report.py --all"]
    assert shown((await desk.first("status")).snippet) == "git [status]"
    desk.commands.remove("git status")
    assert await desk.found("status") == []


async def test_other_tasks_run_during_a_scan(desk: Desk) -> None:
    for number in range(300):
        desk.write(f"{number % 7}/{number}.txt", "some words to read\n" * 200)
    others = 0

    async def other() -> None:
        nonlocal others
        while True:
            others += 1
            await asyncio.sleep(0)

    running = asyncio.create_task(other())
    await desk.search.refresh()
    running.cancel()
    assert others > 3
    assert desk.search.files == 307


async def test_an_early_search_reports_unfinished_results(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemini.computer.search.search.MAX_WAIT_S", 0)
    monkeypatch.setattr("gemini.computer.search.search.SLICE_S", 0)
    for number in range(20):
        desk.write(f"{number}.txt", "needle")
    found, unfinished = await desk.search.find("needle", ("file",), 30)
    assert len(found) < 20 and unfinished
    await desk.search.refresh()
    found, unfinished = await desk.search.find("needle", ("file",), 30)
    assert len(found) == 20 and not unfinished


async def test_a_scan_is_followed_by_a_rest(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemini.computer.search.search.SLICE_S", 0)
    find: Callable[[], Any] = lambda: desk.search.find("needle", ("file",), 30)  # noqa: E731
    desk.write("first.txt", "")
    scan = desk.search.refresh(pause_s=0.01)
    while not desk.search.files:
        await asyncio.sleep(0)
    desk.later += 100
    await scan
    desk.write("a.txt", "needle")
    desk.later += 100 * REST_FACTOR - 50
    assert (await find())[0] == []
    desk.later += 100
    assert len((await find())[0]) == 1
