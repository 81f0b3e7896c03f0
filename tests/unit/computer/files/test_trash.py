"""Tests for deleting into the trash and restoring from it."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from gemini.computer.files.trash import Trash
from gemini.errors import FileProblem
from tests.unit.computer.files.conftest import Clock

Act = Callable[..., Awaitable[Any]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / "Trash"


def tree(root: Path) -> dict[str, str | None]:
    return {
        str(path.relative_to(root)): path.read_text() if path.is_file() else None
        for path in sorted(root.rglob("*"))
    }


async def test_a_deletion_is_restored_unchanged(project: Path, act: Act, folder: Path) -> None:
    (project / "inner/deep").mkdir(parents=True)
    (project / "inner/deep/é %.txt").write_text("text")
    (project / "broken").symlink_to("nowhere")
    (project / "stays").touch()
    before = tree(project)

    deleted = await act("panel_delete", paths=["inner", str(project / "broken")])
    assert tree(project) == {"stays": ""}
    assert (folder / "files/inner/deep/é %.txt").read_text() == "text"

    restored = await act("panel_restore", ids=deleted["ids"])
    assert restored == {"paths": [str(project / "inner"), str(project / "broken")]}
    assert tree(project) == before
    assert (project / "broken").is_symlink()
    assert tree(folder) == {"files": None, "info": None}


async def test_the_info_file_follows_the_specification(project: Path, act: Act, folder: Path) -> None:
    (project / "a b.txt").write_text("12345")
    await act("panel_delete", paths=["a b.txt"])
    info = (folder / "info/a b.txt.trashinfo").read_text().splitlines()
    assert info[:2] == ["[Trash Info]", f"Path={quote(str(project / 'a b.txt'))}"]
    assert datetime.fromisoformat(info[2].removeprefix("DeletionDate="))


async def test_taken_names_lose_no_file(project: Path, act: Act) -> None:
    (project / "a.txt").write_text("first")
    first = await act("panel_delete", paths=["a.txt"])
    (project / "a.txt").write_text("second")
    second = await act("panel_delete", paths=["a.txt"])
    (project / "a.txt").write_text("third")

    assert (await act("panel_restore", ids=second["ids"]))["paths"] == [str(project / "a (2).txt")]
    assert (await act("panel_restore", ids=first["ids"]))["paths"] == [str(project / "a (3).txt")]
    assert tree(project) == {"a.txt": "third", "a (2).txt": "second", "a (3).txt": "first"}


async def test_missing_directories_are_created_again(project: Path, act: Act) -> None:
    (project / "inner").mkdir()
    (project / "inner/a.txt").write_text("a")
    ids = (await act("panel_delete", paths=["inner/a.txt"]))["ids"]
    (project / "inner").rmdir()
    await act("panel_restore", ids=ids)
    assert tree(project) == {"inner": None, "inner/a.txt": "a"}


async def test_a_directory_and_its_contents_are_one_deletion(project: Path, act: Act) -> None:
    (project / "inner").mkdir()
    (project / "inner/a.txt").write_text("a")
    deleted = await act("panel_delete", paths=["inner/a.txt", "inner"])
    assert deleted == {"ids": ["inner"]}


async def test_all_paths_are_deleted_or_none(project: Path, act: Act) -> None:
    (project / "a.txt").write_text("a")
    failed = await act("panel_delete", paths=["a.txt", "missing"])
    assert failed["error"]["type"] == "FileMissing"
    assert tree(project) == {"a.txt": "a"}


def test_a_failed_deletion_restores_the_others(unprivileged: Path) -> None:
    locked = unprivileged / "locked"
    locked.mkdir()
    (unprivileged / "a.txt").write_text("a")
    (locked / "b.txt").write_text("b")
    locked.chmod(0o555)
    trash = Trash(unprivileged / "Trash")
    with pytest.raises(FileProblem, match="permission denied"):
        trash.put([str(unprivileged / "a.txt"), str(locked / "b.txt")])
    assert (unprivileged / "a.txt").read_text() == "a"
    assert trash.rows() == []


async def test_the_oldest_deletions_are_removed_over_the_limit(project: Path, act: Act, trash: Trash) -> None:
    for name, size in (("a", 400), ("b", 400), ("c", 400)):
        (project / name).write_bytes(b"x" * size)
        await act("panel_delete", paths=[name])
    assert [trashed.id for trashed in trash.rows()] == ["b", "c"]

    failed = await act("panel_restore", ids=["b", "a"])
    assert failed["error"]["type"] == "FileMissing"
    assert "10 days" in failed["error"]["hint"]
    assert tree(project) == {}


async def test_the_latest_deletion_stays_however_large(project: Path, act: Act, trash: Trash) -> None:
    for name, size in (("small", 10), ("large", 5_000)):
        (project / name).write_bytes(b"x" * size)
    await act("panel_delete", paths=["small"])
    await act("panel_delete", paths=["large"])
    assert [(trashed.id, trashed.size) for trashed in trash.rows()] == [("large", 5_000)]


async def test_old_deletions_are_removed(project: Path, act: Act, trash: Trash, clock: Clock) -> None:
    (project / "old").touch()
    (project / "new").touch()
    await act("panel_delete", paths=["old"])
    clock.now += timedelta(days=11)
    await act("panel_delete", paths=["new"])
    assert [trashed.id for trashed in trash.rows()] == ["new"]


async def test_a_deletion_inside_the_trash_is_permanent(
    project: Path, act: Act, folder: Path, trash: Trash
) -> None:
    (project / "a").mkdir()
    (project / "a/b").touch()
    await act("panel_delete", paths=["a"])
    assert await act("panel_delete", paths=[str(folder / "files/a")]) == {"ids": []}
    assert trash.rows() == []
    assert tree(folder) == {"files": None, "info": None}


async def test_the_trash_itself_can_not_be_deleted(project: Path, act: Act, folder: Path) -> None:
    (project / "a").touch()
    await act("panel_delete", paths=["a"])
    for path in (folder, folder / "files", folder.parent):
        failed = await act("panel_delete", paths=[str(path)])
        assert "the trash itself" in failed["error"]["message"]


async def test_files_of_other_programs_in_the_trash_are_left_alone(
    project: Path, act: Act, folder: Path, trash: Trash
) -> None:
    (folder / "info").mkdir(parents=True)
    (folder / "info/odd.trashinfo").write_text("no note")
    (project / "a").touch()
    await act("panel_delete", paths=["a"])
    assert [trashed.id for trashed in trash.rows()] == ["a"]
    assert (folder / "info/odd.trashinfo").exists()
