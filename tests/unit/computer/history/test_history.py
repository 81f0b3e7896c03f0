"""Tests for the history of changes by the file tools, on CPython."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gemini.files
from gemini.errors import FileProblem, SwitchedOff, UsageProblem, VersionMissing
from gemini.kernel.kernel import Kernel
from gemini.tools import Registry, declare
from gemini.tools.writers import PAUSE_S, Writers, current_run

Call = Callable[..., Any]


@pytest.fixture
def kernel(tmp_path: Path) -> Kernel:
    return Kernel(Registry(), str(tmp_path))


@pytest.fixture
def registry(kernel: Kernel) -> Registry:
    return kernel.registry


def texts(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


async def checkpoint_of(registry: Registry, path: Path) -> str:
    [version, *_] = await registry.call("file_history", {"path": str(path)})
    return version["checkpoint"]


async def test_a_write_is_listed_and_reverted(registry: Registry, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    await registry.call("file_write", {"path": str(file), "content": "theirs"}, caller="webmcp")
    [version] = await registry.call("file_history", {"path": str(file)})
    assert (version["change"], version["caller"], version["size"], version["saved"]) == (
        "changed",
        "webmcp",
        4,
        True,
    )
    restored = await registry.call("file_restore", {"id": version["id"]}, caller="person")
    assert restored["restored"] == [str(file)]
    assert file.read_text() == "mine"


async def test_a_user_s_later_change_is_reported_although_the_user_s_script_called_the_agent(
    registry: Registry, tmp_path: Path
) -> None:
    file = tmp_path / "a"
    file.write_text("first")

    @declare(effect="write")
    async def ask_agent() -> None:
        """Have an agent write the file."""
        await registry.call("file_write", {"path": str(file), "content": "theirs"}, caller="mcp:one")

    registry.add(ask_agent)
    await registry.call("ask_agent", caller="person")
    checkpoint = await checkpoint_of(registry, file)
    await registry.call("file_write", {"path": str(file), "content": "mine"}, caller="person")
    restored = await registry.call("file_restore", {"id": checkpoint}, caller="mcp:one")
    assert restored["changed_since"] == [str(file)]


async def test_a_restore_can_be_undone(registry: Registry, tmp_path: Path) -> None:
    file = tmp_path / "a"
    await registry.call("file_write", {"path": str(file), "content": "new"}, caller="webmcp")
    restored = await registry.call(
        "file_restore", {"id": await checkpoint_of(registry, file)}, caller="person"
    )
    assert not file.exists()
    again = await registry.call("file_restore", {"id": restored["undo"]}, caller="person")
    assert file.read_text() == "new"
    await registry.call("file_restore", {"id": again["undo"]}, caller="person")
    assert not file.exists()


async def test_all_changes_of_a_checkpoint_are_reverted(registry: Registry, tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    before = texts(tmp_path)
    for name in ("old", "a/b/c", "a/d"):
        await registry.call(
            "file_write", {"path": str(tmp_path / name), "content": name * 2}, caller="webmcp"
        )
    await registry.call(
        "file_edit", {"path": str(tmp_path / "a/d"), "old": "a/da", "new": "x"}, caller="webmcp"
    )
    await registry.call(
        "file_restore", {"id": await checkpoint_of(registry, tmp_path / "old")}, caller="person"
    )
    assert texts(tmp_path) == before
    assert not (tmp_path / "a").exists()


async def test_one_file_of_a_checkpoint_is_reverted(registry: Registry, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text("before")
        await registry.call("file_write", {"path": str(tmp_path / name), "content": "after"}, caller="mcp:x")
    checkpoint = await checkpoint_of(registry, tmp_path / "one")
    await registry.call("file_restore", {"id": checkpoint, "path": str(tmp_path / "one")}, caller="person")
    assert texts(tmp_path) == {"one": "before", "two": "after"}


async def test_a_later_change_is_reported_and_saved(registry: Registry, tmp_path: Path) -> None:
    file = tmp_path / "shared"
    file.write_text("first")
    await registry.call("file_write", {"path": str(file), "content": "agent's"}, caller="webmcp")
    checkpoint = await checkpoint_of(registry, file)
    read = await registry.call("panel_read", {"path": str(file)}, caller="person")
    arguments = {"path": str(file), "content": "mine", "version": read["version"]}
    await registry.call("panel_save", arguments, caller="person")
    restored = await registry.call("file_restore", {"id": checkpoint}, caller="person")
    assert restored["changed_since"] == [str(file)]
    assert file.read_text() == "first"
    await registry.call("file_restore", {"id": restored["undo"]}, caller="person")
    assert file.read_text() == "mine"


async def test_a_restore_by_an_agent_is_a_change_of_its_checkpoint(
    registry: Registry, tmp_path: Path
) -> None:
    file = tmp_path / "a"
    file.write_text("first")
    await registry.call("file_write", {"path": str(file), "content": "second"}, caller="webmcp")
    version = (await registry.call("file_history", {}))[0]
    await registry.call("file_restore", {"id": version["id"]}, caller="mcp:other")
    [row, *_] = await registry.call("file_history", {"path": str(file)})
    assert row["caller"] == "mcp:other"
    others = [
        each["id"] for each in await registry.call("panel_checkpoints", caller="person") if not each["about"]
    ]
    assert len(others) == 2
    assert file.read_text() == "first"


async def test_the_panel_sees_files_and_texts(registry: Registry, tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("first\n")
    await registry.call("file_write", {"path": str(file), "content": "second\n"}, caller="webmcp")
    [row] = await registry.call("panel_checkpoints", caller="person")
    assert (row["caller"], row["files"], row["about"]) == ("webmcp", 1, None)
    [change] = await registry.call("panel_changes", {"checkpoint": row["id"]}, caller="person")
    assert change == {
        "path": str(file), "change": "changed", "size": 7, "same": False, "saved": True, "by": [], "now_at": None,
    }  # fmt: skip
    shown = await registry.call(
        "panel_change_texts", {"checkpoint": row["id"], "path": str(file)}, caller="person"
    )
    assert shown == {"before": "first\n", "now": "second\n"}
    await registry.call("panel_take_back", {"checkpoint": row["id"]}, caller="person")
    [change] = await registry.call("panel_changes", {"checkpoint": row["id"]}, caller="person")
    assert change["same"]


async def test_a_version_over_the_limit_is_listed_but_not_saved(registry: Registry, tmp_path: Path) -> None:
    await registry.call("panel_history_limits", {"most_file_mb": 1}, caller="person")
    file = tmp_path / "large"
    file.write_bytes(b"x" * 1_000_001)
    await registry.call("file_write", {"path": str(file), "content": "small"}, caller="webmcp")
    [version] = await registry.call("file_history", {})
    assert not version["saved"]
    with pytest.raises(FileProblem, match="not saved"):
        await registry.call("file_restore", {"id": version["id"]}, caller="person")
    assert file.read_text() == "small"


async def test_the_oldest_versions_are_removed_over_the_limit(registry: Registry, tmp_path: Path) -> None:
    for number in range(30):
        file = tmp_path / f"{number}"
        file.write_bytes(os.urandom(100_000))
        await registry.call("file_write", {"path": str(file), "content": ""}, caller="webmcp")
    await registry.call("panel_history_limits", {"most_mb": 1}, caller="person")
    paths = [row["path"] for row in gemini.files.history(limit=100)]
    assert paths[0] == str(tmp_path / "29")
    assert 5 <= len(paths) < 10


async def test_a_restore_does_not_write_through_a_new_link(registry: Registry, tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (inside / "a").write_text("1")
    (outside / "a").write_text("keep")
    await registry.call("file_write", {"path": str(inside / "a"), "content": "2"}, caller="webmcp")
    (inside / "a").unlink()
    inside.rmdir()
    inside.symlink_to(outside)
    with pytest.raises(FileProblem, match="leads elsewhere"):
        await registry.call(
            "file_restore", {"id": await checkpoint_of(registry, inside / "a")}, caller="person"
        )
    assert (outside / "a").read_text() == "keep"


@pytest.mark.parametrize("id", ["v999", "v", "run-none", "", "v99999999999999999999999", "²"])
async def test_an_unknown_id_raises(registry: Registry, id: str) -> None:
    with pytest.raises(VersionMissing):
        await registry.call("file_restore", {"id": id})


async def test_scripts_can_list_and_restore(kernel: Kernel, tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("first")
    await kernel.registry.call("file_write", {"path": str(file), "content": "second"}, caller="webmcp")
    [version] = gemini.files.history(str(file))
    assert gemini.files.restore(version["id"])["restored"] == [str(file)]
    assert file.read_text() == "first"


def test_scripts_get_an_error_if_the_surface_is_not_running(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemini.computer.files._versions", None)
    with pytest.raises(UsageProblem):
        gemini.files.history()
    with pytest.raises(UsageProblem):
        gemini.files.restore("v1")


async def test_a_disabled_group_has_no_history(registry: Registry) -> None:
    registry.groups.switch("files", False)
    with pytest.raises(SwitchedOff):
        await registry.call("file_history", {}, caller="webmcp")


class TestWriters:
    """Tests for the caller that a change belongs to."""

    def follow(self, times: list[float] | None = None) -> tuple[Writers, list[list[str]]]:
        turns: list[list[str]] = []
        writers = Writers(clock=lambda: times[0] if times else 0.0)
        writers.on_change = lambda now: turns.append([one.caller for one in now])
        return writers, turns

    def test_a_change_belongs_to_every_caller_with_a_call_in_progress(self) -> None:
        writers, turns = self.follow()
        one, two = writers.begin("webmcp"), writers.begin("mcp:x")
        writers.end(one)
        writers.end(two)
        assert turns == [["webmcp"], ["webmcp", "mcp:x"], ["mcp:x"]]

    def test_a_later_change_belongs_to_the_last_caller(self) -> None:
        writers, turns = self.follow()
        for _ in range(3):
            writers.end(writers.begin("webmcp"))
        writers.person_acts()
        assert turns == [["webmcp"], ["person"]]

    def test_a_pause_starts_a_new_checkpoint(self) -> None:
        times = [0.0]
        writers, _ = self.follow(times)
        first = writers.begin("webmcp")
        times[0] = PAUSE_S - 1
        second = writers.begin("webmcp")
        times[0] = 2 * PAUSE_S
        third = writers.begin("webmcp")
        assert first == second != third

    def test_a_run_is_one_checkpoint(self) -> None:
        times = [0.0]
        writers, _ = self.follow(times)
        token = current_run.set("run-1")
        try:
            first = writers.begin("agent:a")
            times[0] = 5 * PAUSE_S
            assert writers.begin("agent:a") == first
            assert first is not None
            assert first.id == first.run == "run-1"
        finally:
            current_run.reset(token)

    def test_without_a_listener_nothing_is_tracked(self) -> None:
        writers = Writers()
        assert writers.begin("webmcp") is None
        writers.end(None)
