"""Tests for the directory that the panel shows, and for the example project."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gemini import manual
from gemini.computer.files import FileBrowser
from gemini.computer.files.welcome import offer_manual, prepare
from gemini.errors import FileMissing
from gemini.tools import Registry

Call = Callable[..., Awaitable[Any]]
Shown = list[tuple[str, list[str]]]


async def test_navigating_shows_a_directory(
    project: Path, browser: FileBrowser, call: Call, shown: Shown
) -> None:
    (project / "src").mkdir()
    (project / "src" / "a.py").touch()
    assert await call("file_navigate", path="src") == {"success": True, "files_count": 1}
    assert browser.path == str(project / "src")
    assert [file.name for file in browser.entries] == ["a.py"]
    assert shown == [(str(project / "src"), ["a.py"])]
    assert [file.name for file in browser.navigate("..")][:1] != []
    assert shown[-1] == (str(project.parent), ["project"])


async def test_a_failed_navigation_changes_nothing(browser: FileBrowser, call: Call, shown: Shown) -> None:
    before = browser.path
    with pytest.raises(FileMissing):
        await call("file_navigate", path="missing")
    assert browser.path == before and shown == []


def test_listing_does_not_change_the_shown_directory(
    project: Path, browser: FileBrowser, shown: Shown
) -> None:
    browser.list("/")
    assert browser.path == str(project) and shown == []


def test_a_refresh_reports_changes_only(project: Path, browser: FileBrowser, shown: Shown) -> None:
    (project / "a.txt").touch()
    assert browser.refresh() and not browser.refresh()
    (project / "a.txt").write_text("longer")
    assert browser.refresh() and not browser.refresh()
    (project / "a.txt").chmod(0o600)
    assert browser.refresh() and not browser.refresh()
    (project / "a.txt").unlink()
    assert browser.refresh() and not browser.refresh()
    assert shown == [(str(project), ["a.txt"])] * 3 + [(str(project), [])]


def test_if_the_shown_directory_is_removed_its_parent_is_shown(
    project: Path, browser: FileBrowser, shown: Shown
) -> None:
    (project / "a" / "b").mkdir(parents=True)
    browser.navigate("a/b")
    shutil.rmtree(project / "a")
    assert browser.refresh()
    assert browser.path == str(project) and shown[-1] == (str(project), [])


async def test_changes_by_tools_are_shown_at_once(
    project: Path, browser: FileBrowser, call: Call, shown: Shown
) -> None:
    browser.navigate(".")
    await call("file_write", path="a.txt", content="a")
    await call("file_write", path="deep/b.txt", content="b")
    await call("file_edit", path="a.txt", old="a", new="changed")
    await call("file_write", path=str(project.parent / "elsewhere.txt"), content="c")
    assert [names for _, names in shown] == [[], ["a.txt"], ["deep", "a.txt"], ["deep", "a.txt"]]
    assert [file.size for file in browser.entries if file.name == "a.txt"] == [7]


def test_the_tools_have_their_parameters_and_effects(registry: Registry) -> None:
    rows = {row["name"]: row for row in registry.rows()}
    parameters = {
        name: (
            set(row["inputSchema"]["properties"]),
            set(row["inputSchema"].get("required", ())),
            row["effect"],
        )
        for name, row in rows.items()
    }
    assert parameters == {
        "file_list": ({"path"}, {"path"}, "read"),
        "file_navigate": ({"path"}, {"path"}, "write"),
        "file_find": ({"pattern", "path"}, {"pattern"}, "read"),
        "file_read": ({"path", "max_bytes", "offset"}, {"path"}, "read"),
        "file_write": ({"path", "content", "append"}, {"path", "content"}, "write"),
        "file_edit": ({"path", "old", "new"}, {"path", "old", "new"}, "write"),
    }
    untrusted = {name for name, row in rows.items() if row["annotations"].get("untrustedContentHint")}
    assert untrusted == {"file_list", "file_find", "file_read"}
    assert {row["group"] for row in rows.values()} == {"files"}
    listed = [(name, row["description"], row["inputSchema"]) for name, row in rows.items()]
    assert len(json.dumps(listed)) < 2_100


def test_a_new_surface_has_an_example_project(tmp_path: Path) -> None:
    root = tmp_path / "project"
    assert prepare(str(root))
    files = FileBrowser(str(root)).list(root)
    assert [(file.name, file.file_type) for file in files] == [
        ("app.log", "text"),
        ("README.md", "text"),
        ("report.py", "code"),
    ]
    log = (root / "app.log").read_text()
    assert "INFO" in log and "ERROR" in log
    done = subprocess.run(
        [sys.executable, "report.py"], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and done.stderr == ""
    assert "9 lines" in done.stdout and done.stdout.count("error at") == 2
    (root / "app.log").write_text(log.replace("ERROR", "INFO"))
    done = subprocess.run(
        [sys.executable, str(root / "report.py")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and "error at" not in done.stdout


def test_an_existing_project_does_not_change(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    assert not prepare(str(root))
    assert list(root.iterdir()) == []


def test_a_deleted_or_changed_manual_stays_so(tmp_path: Path) -> None:
    file = tmp_path / "user/MANUAL.md"
    assert len(manual.TEXT.encode()) <= 2_048
    written = offer_manual(file, None)
    assert file.read_text() == manual.TEXT == written

    # An unchanged one isn't touched.
    os.utime(file, (1, 1))
    offer_manual(file, written)
    assert file.stat().st_mtime == 1
    # A newer version replaces an unchanged one.
    file.write_text("of an earlier version")
    offer_manual(file, "of an earlier version")
    assert file.read_text() == manual.TEXT
    file.write_text("the user's")
    offer_manual(file, "of an earlier version")
    assert file.read_text() == "the user's"
    file.unlink()
    offer_manual(file, written)
    assert not file.exists()
