"""Tests for resolving the paths that callers write."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.files import FileBrowser
from gemini.errors import FileMissing, FileProblem, InvalidArguments, PathOutsideTree

Call = Callable[..., Awaitable[Any]]


@pytest.mark.parametrize(
    ("path", "resolved"),
    [
        (".", "/project/src"),
        ("a.txt", "/project/src/a.txt"),
        ("./a//b/./c/", "/project/src/a/b/c"),
        ("../a", "/project/a"),
        ("../..", "/"),
        ("a/../b", "/project/src/b"),
        ("/", "/"),
        ("//etc//x", "/etc/x"),
        ("/etc/./hosts", "/etc/hosts"),
        ("...", "/project/src/..."),
        (" a ", "/project/src/ a "),
        ("~/x", "/project/src/~/x"),
        (Path("a/b"), "/project/src/a/b"),
    ],
)
def test_a_path_starts_at_the_working_directory(path: str | Path, resolved: str) -> None:
    assert FileBrowser(working_dir=lambda: "/project/src").resolve(path) == resolved


def test_relative_paths_start_in_project_by_default() -> None:
    assert FileBrowser().resolve("a") == "/project/a"


def test_the_working_directory_is_read_on_every_call() -> None:
    directories = iter(["/one", "/two"])
    browser = FileBrowser(working_dir=lambda: next(directories))
    assert [browser.resolve("x"), browser.resolve("x")] == ["/one/x", "/two/x"]


def test_dots_after_a_link_lead_to_the_parent_of_its_target(project: Path, browser: FileBrowser) -> None:
    (project / "deep" / "inside").mkdir(parents=True)
    (project / "deep" / "a.txt").touch()
    (project / "link").symlink_to("deep/inside")
    assert browser.resolve("link/../a.txt") == str(project.resolve() / "deep" / "a.txt")


@pytest.mark.parametrize(
    "path", ["../../..", "../../../etc/passwd", "a/../../../../x", "/..", "/../etc/passwd"]
)
@pytest.mark.parametrize("tool", ["file_list", "file_navigate", "file_read"])
async def test_a_path_above_the_root_is_refused(
    call: Call, browser: FileBrowser, tool: str, path: str
) -> None:
    if not path.startswith("/"):
        path = "../" * browser.path.count("/") + path
    with pytest.raises(PathOutsideTree, match="leads above /"):
        await call(tool, path=path)


IMPOSSIBLE = {
    "empty": ("", "empty"),
    "a NUL": ("a\0b", "NUL"),
    "half an emoji": ("a\ud83d", "lone surrogate at character 1"),
    "half a character": ("\udcff", "lone surrogate at character 0"),
    "10 MB": ("x/" * 5_000_000, "at most 4,096 bytes"),
    "too many bytes": ("ä" * 3_000, "at most 4,096 bytes"),
}
ARGUMENTS: dict[str, dict[str, str]] = {
    "file_list": {},
    "file_navigate": {},
    "file_find": {"pattern": "*"},
    "file_read": {},
    "file_write": {"content": ""},
    "file_edit": {"old": "a", "new": "b"},
}


@pytest.mark.parametrize("which", IMPOSSIBLE)
def test_an_impossible_path_is_refused(browser: FileBrowser, which: str) -> None:
    path, says = IMPOSSIBLE[which]

    def search(path: str) -> object:
        return browser.find_files("*", path)

    for use in (browser.list, browser.navigate, browser.resolve, search):
        with pytest.raises(FileProblem, match=says) as raised:
            use(path)
        assert len(str(raised.value)) < 200


@pytest.mark.parametrize("which", IMPOSSIBLE)
@pytest.mark.parametrize("tool", ARGUMENTS)
async def test_every_tool_refuses_an_impossible_path(call: Call, tool: str, which: str) -> None:
    with pytest.raises((FileProblem, InvalidArguments)):
        await call(tool, path=IMPOSSIBLE[which][0], **ARGUMENTS[tool])


def test_a_missing_working_directory_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(FileMissing, match="missing"):
        FileBrowser(working_dir=lambda: str(missing)).list("src")
