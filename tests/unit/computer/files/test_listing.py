"""Tests for directory listings: metadata, order and positions."""

import os
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.files import FileBrowser
from gemini.errors import BrokenLink, FileMissing, FileProblem, LinkLoop, NotADirectory

Call = Callable[..., Awaitable[Any]]


def test_an_entry_has_all_its_metadata(project: Path, browser: FileBrowser) -> None:
    report = project / "report.py"
    report.write_text("print(1)\n")
    report.chmod(0o754)
    os.utime(report, (0, 1_795_301_100.75))
    (info,) = browser.list()
    assert info.name == "report.py"
    assert info.path == str(report)
    assert info.file_type == "code"
    assert info.size == 9
    assert info.permissions == "rwxr-xr--"
    assert info.modified == "2026-11-21T22:45:00Z"
    assert info.color == "#9c51e6"
    assert (info.x, info.y) == (40, 40)
    assert info.link_target is None and not info.broken


async def test_a_row_has_the_documented_fields(project: Path, call: Call) -> None:
    (project / "a.txt").write_text("é")
    (row,) = await call("file_list", path=".")
    assert row == {
        "name": "a.txt",
        "type": "text",
        "size": 2,
        "color": "#737a82",
        "path": str(project / "a.txt"),
        "permissions": "rw-r--r--",
        "modified": row["modified"],
        "x": 40,
        "y": 40,
    }


async def test_directories_come_first_then_names_in_order(project: Path, call: Call) -> None:
    for name in ("zoo", "Alpha"):
        (project / name).mkdir()
    for name in ("b.txt", "A.txt", ".hidden", "10", "9"):
        (project / name).touch()
    for name in ("img12.png", "img2.png", "IMG3.png", f"img{'9' * 200}.png", "readme", "README"):
        (project / name).touch()
    names = [row["name"] for row in await call("file_list", path=str(project))]
    images = ["img2.png", "IMG3.png", "img12.png", f"img{'9' * 200}.png"]
    assert names == ["Alpha", "zoo", ".hidden", "9", "10", "A.txt", "b.txt", *images, "README", "readme"]


def test_entries_are_laid_out_in_rows_of_eight(project: Path, browser: FileBrowser) -> None:
    for number in range(17):
        (project / f"{number:02}").touch()
    places = [(info.x, info.y) for info in browser.list()]
    assert places[:2] == [(40, 40), (160, 40)]
    assert places[7:9] == [(880, 40), (40, 140)]
    assert places[16] == (40, 240)
    assert places == [(info.x, info.y) for info in browser.list()]


def test_links_report_their_target_and_whether_they_are_broken(project: Path, browser: FileBrowser) -> None:
    (project / "a.txt").write_text("text")
    (project / "good").symlink_to("a.txt")
    (project / "folder").symlink_to(".")
    (project / "bad").symlink_to("/nowhere/at all")
    (project / "loop").symlink_to("loop")
    links = {
        info.name: (info.file_type, info.link_target, info.broken, info.permissions)
        for info in browser.list()
    }
    assert links["good"] == ("link", "a.txt", False, "rwxrwxrwx")
    assert links["folder"] == ("link", ".", False, "rwxrwxrwx")
    assert links["bad"] == ("link", "/nowhere/at all", True, "rwxrwxrwx")
    assert links["loop"] == ("link", "loop", True, "rwxrwxrwx")
    assert links["a.txt"] == ("text", None, False, "rw-r--r--")
    rows = {info.name: info.row() for info in browser.list()}
    assert rows["bad"].get("link_target") == "/nowhere/at all" and rows["bad"].get("broken") is True
    assert "link_target" not in rows["a.txt"]


def test_a_link_to_a_directory_is_listed_under_the_links_name(project: Path, browser: FileBrowser) -> None:
    (project / "real").mkdir()
    (project / "real" / "a.txt").touch()
    (project / "link").symlink_to("real")
    assert [info.path for info in browser.list("link")] == [str(project / "link" / "a.txt")]


@pytest.mark.parametrize(
    "name", ["two words", "new\nline", "🦉 emoji", "tab\there", "-rf", "'quote\"", "ünï", "*"]
)
async def test_any_name_can_be_listed_read_and_found(project: Path, call: Call, name: str) -> None:
    await call("file_write", path=name, content="here")
    (row,) = await call("file_list", path=".")
    assert row["name"] == name and row["path"] == str(project / name)
    assert (await call("file_read", path=row["path"]))["content"] == "here"
    (found,) = await call("file_find", pattern="*")
    assert found["name"] == name


def test_a_name_that_is_not_valid_text_is_listed(project: Path, browser: FileBrowser) -> None:
    (project / os.fsdecode(b"caf\xe9")).touch()
    assert [info.name for info in browser.list()] == ["caf\udce9"]


def test_times_beyond_the_calendar_are_clamped(project: Path, browser: FileBrowser) -> None:
    (project / "far").touch()
    os.utime(project / "far", (0, 400_000_000_000))
    (info,) = browser.list()
    # Some filesystems clamp the time to their own latest.
    assert info.modified.endswith("Z") and int(info.modified[:4]) > 2100


def test_devices_and_sockets_are_listed(project: Path, browser: FileBrowser) -> None:
    os.mkfifo(project / "pipe")
    here = os.getcwd()
    os.chdir(project)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        os.chdir(here)
        assert [info.file_type for info in browser.list()] == ["other", "other"]


@pytest.mark.parametrize(
    ("path", "problem", "says"),
    [
        ("missing", FileMissing, "does not exist"),
        ("a.txt", NotADirectory, "is a file, not a directory"),
        ("a.txt/b", NotADirectory, "is a file, not a directory"),
        ("broken", BrokenLink, "'/nowhere/at all'"),
        ("broken/inside", BrokenLink, "'/nowhere/at all'"),
        ("one", LinkLoop, "loop"),
        ("one/inside", LinkLoop, "loop"),
        ("x" * 300, FileProblem, "too long"),
    ],
)
async def test_listing_something_other_than_a_directory_raises_its_error(
    project: Path, call: Call, path: str, problem: type[FileProblem], says: str
) -> None:
    (project / "a.txt").touch()
    (project / "broken").symlink_to("/nowhere/at all")
    (project / "one").symlink_to("two")
    (project / "two").symlink_to("one")
    for tool in ("file_list", "file_navigate"):
        with pytest.raises(problem, match=says) as raised:
            await call(tool, path=path)
        assert type(raised.value) is problem


def test_an_unreadable_directory_raises_permission_denied(unprivileged: Path) -> None:
    closed = unprivileged / "closed"
    closed.mkdir(mode=0o000)
    with pytest.raises(FileProblem, match="permission denied"):
        FileBrowser().list(closed)


async def test_a_missing_file_suggests_similar_names(project: Path, call: Call) -> None:
    (project / "docs").mkdir()
    (project / "docs" / "Report.md").touch()
    with pytest.raises(FileMissing) as raised:
        await call("file_list", path="docs/report.txt/deeper")
    assert raised.value.hint == f"Did you mean {str(project / 'docs' / 'Report.md')!r}?"
    assert raised.value.data["missing"] == str(project / "docs" / "report.txt")
    with pytest.raises(FileMissing) as raised:
        await call("file_list", path="quite different")
    assert raised.value.hint == f"List {str(project)!r} to see what is there."


def test_importing_the_browser_loads_no_heavy_modules() -> None:
    code = (
        "import sys, gemini.files; print([name for name in ('pydantic', 'asyncio') if name in sys.modules])"
    )
    environment: dict[str, Any] = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
