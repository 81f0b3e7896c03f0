"""Tests for the files that are open in the editor."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.files.opened import MAX_FOUND, OpenFiles

Act = Callable[..., Awaitable[Any]]


def tabs(opened: OpenFiles) -> list[tuple[str, bool]]:
    row = opened.row()
    return [(Path(file["path"]).name, file["id"] == row["active"]) for file in row["files"]]


@pytest.fixture
def abc(project: Path) -> Path:
    for name in ("a", "b", "c"):
        (project / name).write_text(name)
    return project


async def test_files_open_in_order_and_are_activated_again(abc: Path, act: Act, opened: OpenFiles) -> None:
    for name in ("a", "b", "a"):
        await act("panel_open", path=name)
    assert tabs(opened) == [("a", True), ("b", False)]
    assert opened.row()["opened"] == 3
    await act("panel_open", path="b", line=7)
    assert (tabs(opened)[1], opened.row()["line"]) == (("b", True), 7)
    assert (await act("panel_open", path="a", line=0))["error"]["type"] == "InvalidArguments"


async def test_closing_a_file_activates_its_neighbor(abc: Path, act: Act, opened: OpenFiles) -> None:
    for name in ("a", "b", "c", "b"):
        await act("panel_open", path=name)
    await act("panel_close", path="b")
    assert tabs(opened) == [("a", False), ("c", True)]
    await act("panel_close", path="c")
    assert tabs(opened) == [("a", True)]
    await act("panel_close", path="a")
    assert (tabs(opened), opened.row()["active"]) == ([], None)
    assert (await act("panel_close", path="a"))["error"]["type"] == "FileMissing"


async def test_open_files_are_saved_and_restored(
    abc: Path, act: Act, opened: OpenFiles, saved: list[Any]
) -> None:
    for name in ("a", "b", "a"):
        await act("panel_open", path=name)
    (abc / "b").unlink()
    again = OpenFiles(lambda: None, saved.append)
    again.restore(saved[-1])
    assert tabs(again) == [("a", True), ("b", False)]
    assert [file["stamp"] is None for file in again.row()["files"]] == [False, True]
    again.open(str(abc / "c"))
    assert [file["id"] for file in again.row()["files"]] == [1, 2, 3]


async def test_a_moved_file_stays_open(abc: Path, act: Act, opened: OpenFiles) -> None:
    (abc / "dir").mkdir()
    (abc / "dir/d").touch()
    (abc / "dirt").touch()
    for name in ("a", "dir/d", "dirt"):
        await act("panel_open", path=name)
    await act("panel_move", path="a", to="moved")
    await act("panel_move", path="dir", to="other")
    assert opened.paths == [str(abc / "moved"), str(abc / "other/d"), str(abc / "dirt")]


def test_writing_a_file_notifies_the_listener(project: Path) -> None:
    changes: list[Any] = []
    opened = OpenFiles(lambda: changes.append(opened.row()["files"][0]["stamp"]), lambda _: None)
    file = project / "a"
    opened.open(str(file))
    assert changes == [None]
    for content in ("one", "three"):
        file.write_text(content)
        opened.refresh()
        opened.refresh()
    file.unlink()
    opened.refresh()
    assert len(changes) == len(set(changes[:3])) + 1 == 4
    assert changes[-1] is None


def test_the_first_found_texts_are_opened(project: Path, opened: OpenFiles) -> None:
    names = [f"{number:02}.txt" for number in range(MAX_FOUND + 5)]
    for name in names:
        (project / name).touch()
    (project / "binary").write_bytes(b"\0")
    opened.open_found([str(project / name) for name in ("binary", "missing", *names)])
    assert [name for name, _ in tabs(opened)] == names[:MAX_FOUND]
    assert tabs(opened)[0] == (names[0], True)
    opened.open_found([])
    assert opened.row()["opened"] == MAX_FOUND + 1


async def test_a_typed_command_is_counted(abc: Path, opened: OpenFiles) -> None:
    opened.open(str(abc / "a"))
    assert (opened.row()["opened"], opened.row()["typed"]) == (1, 0)
    waiting = asyncio.ensure_future(opened.edit(str(abc / "b")))
    await asyncio.sleep(0)
    assert (opened.row()["opened"], opened.row()["typed"]) == (2, 1)
    opened.close(str(abc / "b"))
    await waiting
