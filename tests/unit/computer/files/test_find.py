"""Tests for finding files by globs."""

import os
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.files import FileBrowser
from gemini.errors import FileMissing, FileProblem, InvalidArguments, NotADirectory, PathOutsideTree

Call = Callable[..., Awaitable[Any]]

TREE = """
    README.md app.log report.py .hidden.py UPPER.PY data[1].csv
    src/main.py src/util.js src/style.css src/deep/er/est.py src/deep/notes.md src/.cache/x.py
    tests/test_main.py tests/data/a.log tests/data/b.log
    """


@pytest.fixture
def tree(project: Path) -> Path:
    for name in TREE.split():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return project


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("app.log", "app.log"),
        ("*.log", "app.log tests/data/a.log tests/data/b.log"),
        ("*.py", ".hidden.py report.py src/.cache/x.py src/deep/er/est.py src/main.py tests/test_main.py"),
        ("*.PY", "UPPER.PY"),
        ("?.log", "tests/data/a.log tests/data/b.log"),
        ("[ab].log", "tests/data/a.log tests/data/b.log"),
        ("[!a].log", "tests/data/b.log"),
        ("d*", "data[1].csv src/deep tests/data"),
        ("data[[]1].csv", "data[1].csv"),
        ("**", None),
        ("*", None),
        ("**/*", None),
        ("**/**/**", None),
        ("./*.md", "README.md"),
        ("*/*.py", "src/main.py tests/test_main.py"),
        ("**/*.md", "README.md src/deep/notes.md"),
        ("src/**/*.py", "src/.cache/x.py src/deep/er/est.py src/main.py"),
        ("src/**", "src/.cache src/.cache/x.py src/deep src/deep/er src/deep/er/est.py src/deep/notes.md"
         " src/main.py src/style.css src/util.js"),
        ("**/deep/**/*.py", "src/deep/er/est.py"),
        ("**/er", "src/deep/er"),
        ("src/main.py", "src/main.py"),
        ("src//./main.py", "src/main.py"),
        ("src/deep/../*.py", "src/main.py"),
        ("*/", "src tests"),
        ("src/**/", "src/.cache src/deep src/deep/er"),
        ("*.{py,js}", ".hidden.py report.py src/.cache/x.py src/deep/er/est.py src/main.py src/util.js"
         " tests/test_main.py"),
        ("{src,tests}/{main,test_*}.{p{y,l},js}", "src/main.py tests/test_main.py"),
        ("{app}.log", ""),
        ("{app.log", ""),
        ("*.nothing", ""),
        ("nowhere/*.py", ""),
        ("app.log/*", ""),
        ("src/*/*/*/*", ""),
    ],
)  # fmt: skip
async def test_a_glob_finds(tree: Path, call: Call, pattern: str, found: str | None) -> None:
    rows = await call("file_find", pattern=pattern)
    paths = [row["path"] for row in rows]
    everything = [str(path) for path in tree.rglob("*")]
    expected = everything if found is None else [str(tree / name) for name in found.split()]
    assert paths == sorted(expected)


async def test_a_row_has_name_path_and_type(tree: Path, call: Call) -> None:
    (tree / "tool").touch(mode=0o755)
    (tree / "to-app").symlink_to("app.log")
    rows = await call("file_find", pattern="{app.log,src,tool,to-app}")
    assert rows == [
        {"name": "app.log", "path": str(tree / "app.log"), "type": "text"},
        {"name": "src", "path": str(tree / "src"), "type": "directory"},
        {"name": "to-app", "path": str(tree / "to-app"), "type": "link"},
        {"name": "tool", "path": str(tree / "tool"), "type": "executable"},
    ]


async def test_the_search_starts_at_the_path(tree: Path, call: Call) -> None:
    rows = await call("file_find", pattern="*.log", path="tests")
    assert [row["name"] for row in rows] == ["a.log", "b.log"]
    rows = await call("file_find", pattern="../*.log", path=str(tree / "src"))
    assert [row["path"] for row in rows] == [str(tree / "app.log")]


async def test_an_absolute_pattern_needs_no_path(tree: Path, call: Call) -> None:
    rows = await call("file_find", pattern=f"{tree}/**/b.*")
    assert [row["path"] for row in rows] == [str(tree / "tests/data/b.log")]


async def test_links_are_found_but_not_followed(tree: Path, call: Call) -> None:
    (tree / "src" / "around").symlink_to("..")
    (tree / "src" / "self").symlink_to("self")
    (tree / "src" / "gone.log").symlink_to("/nowhere")
    rows = await call("file_find", pattern="*.log")
    assert [Path(row["path"]).name for row in rows] == ["app.log", "gone.log", "a.log", "b.log"]
    rows = await call("file_find", pattern="src/{around,self}")
    assert [row["type"] for row in rows] == ["link", "link"]
    assert await call("file_find", pattern="src/*/app.log") == []


async def test_a_link_as_the_root_is_followed(tree: Path, call: Call) -> None:
    (tree / "link").symlink_to("tests")
    rows = await call("file_find", pattern="a.log", path="link")
    assert [row["path"] for row in rows] == [str(tree / "link/data/a.log")]
    rows = await call("file_find", pattern="link/*/a.log")
    assert [row["path"] for row in rows] == [str(tree / "link/data/a.log")]


async def test_system_directories_are_not_entered(call: Call) -> None:
    paths = [row["path"] for row in await call("file_find", pattern="/*/[0-9]*/status")]
    assert not [path for path in paths if path.startswith(("/proc/", "/dev/", "/sys/"))]
    assert await call("file_find", pattern="null", path="/dev")


def test_unreadable_directories_are_skipped(unprivileged: Path) -> None:
    (unprivileged / "open").mkdir()
    (unprivileged / "open" / "a.txt").touch()
    (unprivileged / "closed").mkdir(mode=0o000)
    browser = FileBrowser()
    assert [file.name for file in browser.find_files("*", unprivileged)] == ["closed", "open", "a.txt"]
    with pytest.raises(FileProblem, match="permission denied"):
        browser.find_files("*", unprivileged / "closed")


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("", FileProblem),
        ("/", InvalidArguments),
        ("a\0", FileProblem),
        ("*/../x", InvalidArguments),
        ("src/..", InvalidArguments),
        ("/../*", PathOutsideTree),
        ("{a,b}" * 12, InvalidArguments),
    ],
)
def test_an_invalid_pattern_raises(browser: FileBrowser, pattern: str, problem: type[Exception]) -> None:
    with pytest.raises(problem):
        browser.find_files(pattern, browser.path)


@pytest.mark.parametrize(
    "pattern",
    ["{" * 4_000, "{,", "[", "[!", "[]", "[z-a]", "*" * 4_000, "**/" * 1_300 + "x"],
    ids=lambda pattern: pattern[:8],
)
def test_a_pathological_pattern_is_answered_at_once(tree: Path, browser: FileBrowser, pattern: str) -> None:
    (tree / ("a" * 200)).touch()
    browser.find_files(pattern, tree)
    browser.find_files(pattern + "b", tree)


async def test_a_pattern_of_ten_megabytes_is_refused(call: Call) -> None:
    with pytest.raises(FileProblem, match="at most"):
        await call("file_find", pattern="*/" * 5_000_000)


async def test_a_root_that_is_no_directory_raises(tree: Path, call: Call) -> None:
    with pytest.raises(NotADirectory):
        await call("file_find", pattern="*", path="app.log")
    with pytest.raises(FileMissing):
        await call("file_find", pattern="*", path="nowhere")


def test_python_finds_the_files_as_listed(tree: Path, browser: FileBrowser) -> None:
    found = browser.find_files("*.{log,py}", tree)
    listed = [
        file
        for directory in (tree, *(path for path in tree.rglob("*") if path.is_dir()))
        for file in browser.list(directory)
        if file.name.endswith((".log", ".py"))
    ]
    assert found == sorted(listed, key=lambda file: file.path)
    assert len(found) == 9


def test_python_searches_everything_by_default(tree: Path, browser: FileBrowser) -> None:
    pattern = f"{tree}/*.md"
    assert browser.find_files(pattern) == browser.find_files("*.md", tree)[:1]


NAMES = ["a", "b", "ab", "abc", "b.py", "a.py", ".c", "x y", "é", "[z]"]
PATTERNS = [
    "*", "a*", "*b*", "?", "??", "*.py", "[ab]*", "[!a]*", ".*", "a/*", "*/a", "*/*", "**/a", "**/*.py",
    "a/**/b", "**/a/*", "*/**/b*", "a/**/**/*", "**/a/**/a", "**/*/a", "[[]z]/*", "ab*/?", "**/[!.]*",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_globs_agree_with_pathlib(project: Path, browser: FileBrowser, seed: int) -> None:
    """In a tree without links, pathlib is a model for these patterns."""
    choose = random.Random(seed)
    for _ in range(60):
        directory = project.joinpath(*choose.choices(NAMES, k=choose.randint(0, 4)))
        if not any(parent.is_file() for parent in (directory, *directory.parents)):
            directory.mkdir(parents=True, exist_ok=True)
            file = directory / choose.choice(NAMES)
            if not file.exists():
                file.touch()
    for pattern in PATTERNS:
        expected = project.glob(pattern) if "/" in pattern else project.rglob(pattern)
        found = [file.path for file in browser.find_files(pattern, project)]
        assert found == sorted({os.fspath(path) for path in expected}), pattern
