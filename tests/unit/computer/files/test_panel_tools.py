"""Tests for the actions of the files panel: create, move, upload and download."""

import io
import os
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from gemini.computer.files.downloads import MAX_OFFERED
from gemini.computer.files.trash import Trash
from gemini.tools import Registry
from tests.unit.computer.files.conftest import Offers

Act = Callable[..., Awaitable[Any]]


async def test_agents_can_not_see_or_call_the_actions(act: Act, registry: Registry) -> None:
    assert not [row["name"] for row in registry.rows() if row["name"].startswith("panel_")]
    answer = await registry.call_json("panel_delete", {"paths": ["a"]}, caller="webmcp")
    assert "UnknownTool" in answer


# --- run ---


@pytest.mark.parametrize(
    ("files", "path", "command"),
    [
        (["app/main.py", "app/other.py"], "app", "python main.py"),
        (["app/only.py", "app/test_only.py"], "app", "python only.py"),
        (["a b.sh"], "a b.sh", "bash 'a b.sh'"),
        (["-x.py"], "-x.py", "python ./-x.py"),
        (["test_a.py"], "test_a.py", "python -m pytest test_a.py"),
        (["a.mjs"], "a.mjs", "node a.mjs"),
    ],
)
async def test_python_says_what_runs_a_file_or_folder(
    project: Path, act: Act, files: list[str], path: str, command: str
) -> None:
    for name in files:
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text("")
    found = await act("panel_run", path=path)
    folder = project / path if (project / path).is_dir() else project
    assert found["command"] == f"cd {folder} && {command}"
    assert found["page"] is None


async def test_one_test_of_a_file_runs(project: Path, act: Act) -> None:
    (project / "test_a.py").write_text("")
    found = await act("panel_run", path="test_a.py", test="TestGroup::test_two")
    assert found["command"] == f"cd {project} && python -m pytest test_a.py::TestGroup::test_two"
    for test in ("other", "test_a; rm x", "test_a\r", "Test::", ""):
        assert (await act("panel_run", path="test_a.py", test=test))["error"]["type"] == "FileProblem"


async def test_a_page_is_opened_and_not_run(project: Path, act: Act) -> None:
    (project / "index.html").write_text("")
    found = await act("panel_run", path=".")
    assert (found["page"], found["command"]) == (str(project / "index.html"), None)


@pytest.mark.parametrize("name", ["data.csv", "folder/", "a\x03rm -rf x\r.py"])
async def test_what_nothing_runs_is_an_error(project: Path, act: Act, name: str) -> None:
    if name.endswith("/"):
        (project / name).mkdir()
    else:
        (project / name).write_text("")
    assert (await act("panel_run", path=name))["error"]["type"] == "FileProblem"


# --- create and move ---


async def test_files_and_directories_are_created(project: Path, act: Act) -> None:
    assert await act("panel_make", path="new/a.txt", kind="file") == {"path": str(project / "new/a.txt")}
    await act("panel_make", path="new/inner", kind="directory")
    assert (project / "new/a.txt").read_bytes() == b""
    assert (project / "new/inner").is_dir()


@pytest.mark.parametrize("kind", ["file", "directory"])
async def test_creating_never_overwrites(project: Path, act: Act, kind: str) -> None:
    (project / "a").write_text("text")
    (project / "broken").symlink_to("nowhere")
    for name in ("a", "broken"):
        assert (await act("panel_make", path=name, kind=kind))["error"]["type"] == "AlreadyExists"
    assert (await act("panel_make", path="a/b", kind=kind))["error"]["type"] == "NotADirectory"
    assert (project / "a").read_text() == "text"


async def test_the_list_shows_changes_at_once(
    project: Path, act: Act, shown: list[tuple[str, list[str]]]
) -> None:
    await act("panel_open", path=".")
    await act("panel_make", path="a.txt", kind="file")
    assert shown[-1] == (str(project), ["a.txt"])
    await act("panel_move", path="a.txt", to="b.txt")
    assert shown[-1] == (str(project), ["b.txt"])
    ids = (await act("panel_delete", paths=["b.txt"]))["ids"]
    assert shown[-1] == (str(project), [])
    await act("panel_restore", ids=ids)
    assert shown[-1] == (str(project), ["b.txt"])


async def test_moving_never_overwrites(project: Path, act: Act) -> None:
    (project / "a").write_text("a")
    (project / "b").write_text("b")
    assert (await act("panel_move", path="a", to="b"))["error"]["type"] == "AlreadyExists"
    assert (await act("panel_move", path="missing", to="c"))["error"]["type"] == "FileMissing"
    assert await act("panel_move", path="a", to="a") == {"path": str(project / "a")}
    await act("panel_move", path="a", to="new/dir/c")
    assert ((project / "new/dir/c").read_text(), (project / "b").read_text()) == ("a", "b")
    inside = await act("panel_move", path="new", to="new/dir/new")
    assert "into itself" in inside["error"]["message"]


# --- upload ---


def uploads(offers: Offers, files: dict[str, bytes]) -> list[dict[str, str]]:
    return [{"path": path, "blob": offers.add(data)} for path, data in files.items()]


async def test_files_are_uploaded_with_their_folders(project: Path, act: Act, offers: Offers) -> None:
    files = uploads(offers, {"a.bin": bytes(range(256)), "tree/deep/é.txt": b"text"})
    placed = await act("panel_upload", directory=".", files=files, folders=["tree/empty"])
    assert placed == {"paths": [str(project / "a.bin"), str(project / "tree/deep/é.txt")]}
    assert (project / "a.bin").read_bytes() == bytes(range(256))
    assert (project / "tree/deep/é.txt").read_bytes() == b"text"
    assert (project / "tree/empty").is_dir()


async def test_an_upload_does_not_overwrite_by_default(project: Path, act: Act, offers: Offers) -> None:
    (project / "a.txt").write_text("old")
    files = uploads(offers, {"new.txt": b"new", "a.txt": b"new"})
    error = (await act("panel_upload", directory=".", files=files, folders=[]))["error"]
    assert error["type"] == "AlreadyExists"
    assert error["data"] == {"count": 1, "paths": [str(project / "a.txt")]}
    assert os.listdir(project) == ["a.txt"]
    assert (project / "a.txt").read_text() == "old"


async def test_an_upload_can_keep_both_files(project: Path, act: Act, offers: Offers) -> None:
    (project / "a.tar.gz").write_text("old")
    files = uploads(offers, {"a.tar.gz": b"new"})
    placed = await act("panel_upload", directory=".", files=files, folders=[], if_there="keep_both")
    assert placed == {"paths": [str(project / "a (2).tar.gz")]}
    assert (project / "a.tar.gz").read_text() == "old"
    assert (project / "a (2).tar.gz").read_text() == "new"


async def test_a_replaced_file_can_be_restored(project: Path, act: Act, offers: Offers, trash: Trash) -> None:
    (project / "a.txt").write_text("old")
    files = uploads(offers, {"a.txt": b"new"})
    await act("panel_upload", directory=".", files=files, folders=[], if_there="replace")
    assert (project / "a.txt").read_text() == "new"
    await act("panel_restore", ids=[row.id for row in trash.rows()])
    assert (project / "a (2).txt").read_text() == "old"


@pytest.mark.parametrize("path", ["../a", "/a", "a/../../b", "", "a//b", "a\0", "./a", "out/a"])
async def test_no_path_leads_out_of_the_directory(
    project: Path, tmp_path: Path, act: Act, offers: Offers, path: str
) -> None:
    (project / "out").symlink_to(tmp_path)
    files = uploads(offers, {path: b"x"})
    error = (await act("panel_upload", directory=".", files=files, folders=[]))["error"]
    assert error["type"] == "FileProblem"
    assert sorted(os.listdir(project)) == ["out"]


async def test_a_failed_upload_changes_nothing(project: Path, act: Act, offers: Offers) -> None:
    (project / "a.txt").write_text("old")
    (project / "inner").mkdir()
    # "x" is written as a file, so "x/y" can't be below it.
    files = uploads(offers, {"a.txt": b"new", "x": b"", "x/y": b""})
    failed = await act("panel_upload", directory=".", files=files, folders=[], if_there="replace")
    assert failed["error"]["type"] == "NotADirectory"
    assert sorted(os.listdir(project)) == ["a.txt", "inner"]
    assert (project / "a.txt").read_text() == "old"


# --- download ---


async def test_a_single_file_is_downloaded_as_it_is(project: Path, act: Act, offers: Offers) -> None:
    (project / "a.bin").write_bytes(bytes(range(256)))
    offered = await act("panel_download", paths=["a.bin"])
    assert (offered["name"], offered["bytes"]) == ("a.bin", 256)
    assert offers.data[offered["blob"]] == bytes(range(256))


async def test_a_folder_is_downloaded_as_an_archive(project: Path, act: Act, offers: Offers) -> None:
    inner = project / "inner"
    (inner / "empty").mkdir(parents=True)
    (inner / "é.sh").write_text("text")
    (inner / "é.sh").chmod(0o755)
    (inner / "link").symlink_to("é.sh")
    os.mkfifo(inner / "pipe")
    os.utime(inner / "é.sh", (1, 1))

    offered = await act("panel_download", paths=["inner"])
    assert offered["name"] == "inner.zip"
    with ZipFile(io.BytesIO(offers.data[offered["blob"]])) as found:
        assert found.testzip() is None
        assert sorted(found.namelist()) == ["inner/", "inner/empty/", "inner/link", "inner/é.sh"]
        assert (found.read("inner/é.sh"), found.read("inner/link")) == (b"text", "é.sh".encode())
        assert stat.S_IMODE(found.getinfo("inner/é.sh").external_attr >> 16) == 0o755
        assert stat.S_ISLNK(found.getinfo("inner/link").external_attr >> 16)


async def test_several_files_are_downloaded_as_one_archive(project: Path, act: Act, offers: Offers) -> None:
    for name in ("a", "b", "c"):
        (project / name).write_text(name)
    offered = await act("panel_download", paths=["a", "c"])
    assert offered["name"] == "project.zip"
    with ZipFile(io.BytesIO(offers.data[offered["blob"]])) as found:
        assert found.namelist() == ["a", "c"]


async def test_old_downloads_are_withdrawn(project: Path, act: Act, offers: Offers) -> None:
    (project / "a").touch()
    urls = [(await act("panel_download", paths=["a"]))["blob"] for _ in range(MAX_OFFERED + 2)]
    assert list(offers.data) == urls[-MAX_OFFERED:]
    assert (await act("panel_download", paths=["missing"]))["error"]["type"] == "FileMissing"
