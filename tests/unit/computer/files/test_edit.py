"""Tests for writing and editing files."""

import os
import resource
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.files.edit import write
from gemini.errors import (
    AmbiguousEdit,
    BrokenLink,
    EditMissing,
    FileMissing,
    FileProblem,
    InvalidArguments,
    LinkLoop,
    NotADirectory,
    NotAFile,
    StorageFull,
)

Call = Callable[..., Awaitable[Any]]


@contextmanager
def room_for(size: int) -> Generator[None, None, None]:
    """Limit the size of files, so that a write stops halfway as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("path", ["/proc/x", "/dev/x", "/proc/self/x/y", "/sys/x", "/tmp/../proc/new"])
async def test_folders_of_the_system_take_no_files(path: str, call: Call) -> None:
    with pytest.raises(FileProblem, match="folder of the system"):
        await call("file_write", path=path, content="x")


async def test_writing_creates_a_file_and_its_directories(project: Path, call: Call) -> None:
    assert await call("file_write", path="new/deep/a b.txt", content="é\r\n") == {"size": 4}
    assert (project / "new/deep/a b.txt").read_bytes() == "é\r\n".encode()


async def test_writing_replaces_and_appending_adds(project: Path, call: Call) -> None:
    await call("file_write", path="a.txt", content="one\n")
    assert await call("file_write", path="a.txt", content="2\n") == {"size": 2}
    assert await call("file_write", path="a.txt", content="3\n", append=True) == {"size": 4}
    assert await call("file_write", path="b.txt", content="new\n", append=True) == {"size": 4}
    assert (project / "a.txt").read_text() == "2\n3\n"
    assert (project / "b.txt").read_text() == "new\n"


async def test_ten_megabytes_are_written(project: Path, call: Call) -> None:
    content = "0123456789" * 1_000_000
    assert await call("file_write", path="large", content=content) == {"size": 10_000_000}
    assert (project / "large").read_text() == content


async def test_the_mode_is_preserved_and_a_new_file_gets_the_default(project: Path, call: Call) -> None:
    script = project / "run.sh"
    script.touch()
    script.chmod(0o751)
    await call("file_write", path="run.sh", content="echo a")
    await call("file_edit", path="run.sh", old="a", new="b")
    assert script.stat().st_mode & 0o777 == 0o751
    umask = os.umask(0)
    os.umask(umask)
    await call("file_write", path="plain", content="")
    assert (project / "plain").stat().st_mode & 0o777 == 0o666 & ~umask


async def test_writing_leaves_no_temporary_file(project: Path, call: Call) -> None:
    await call("file_write", path="a.txt", content="a")
    await call("file_edit", path="a.txt", old="a", new="b")
    assert os.listdir(project) == ["a.txt"]


async def test_a_link_is_written_through(project: Path, call: Call) -> None:
    (project / "real").mkdir()
    (project / "real" / "a.txt").write_text("old")
    (project / "link").symlink_to("real/a.txt")
    (project / "folder").symlink_to("real")
    await call("file_write", path="link", content="new")
    await call("file_edit", path="link", old="new", new="newer")
    await call("file_write", path="folder/b.txt", content="b")
    assert (project / "link").is_symlink()
    assert (project / "real" / "a.txt").read_text() == "newer"
    assert (project / "real" / "b.txt").read_text() == "b"


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("folder", NotAFile),
        ("/", NotAFile),
        ("new/", NotAFile),
        ("/dev/null", NotAFile),
        ("a.txt/b", NotADirectory),
        ("a.txt/b/c", NotADirectory),
        ("broken", BrokenLink),
        ("broken/a", BrokenLink),
        ("loop", LinkLoop),
        ("x" * 300, FileProblem),
        ("new/" + "x" * 300, FileProblem),
    ],
)
@pytest.mark.parametrize("append", [False, True])
async def test_writing_to_an_impossible_path_raises_its_error(
    project: Path, call: Call, path: str, problem: type[FileProblem], append: bool
) -> None:
    (project / "a.txt").write_text("text")
    (project / "folder").mkdir()
    (project / "broken").symlink_to("/nowhere/at/all")
    (project / "loop").symlink_to("loop")
    with pytest.raises(problem) as raised:
        await call("file_write", path=path, content="new", append=append)
    assert type(raised.value) is problem
    assert (project / "a.txt").read_text() == "text"


def test_an_unwritable_path_raises_permission_denied(unprivileged: Path) -> None:
    (unprivileged / "fixed").write_text("old")
    (unprivileged / "fixed").chmod(0o444)
    (unprivileged / "closed").mkdir(mode=0o555)
    for append in (False, True):
        with pytest.raises(FileProblem, match="permission denied"):
            write(str(unprivileged / "fixed"), "new", append)
        with pytest.raises(FileProblem, match="permission denied"):
            write(str(unprivileged / "closed" / "a"), "new", append)
    assert (unprivileged / "fixed").read_text() == "old"


@pytest.mark.parametrize("append", [False, True])
async def test_a_full_disk_leaves_the_file_unchanged(project: Path, call: Call, append: bool) -> None:
    (project / "a.txt").write_text("old")
    with room_for(1_000), pytest.raises(StorageFull) as raised:
        await call("file_write", path="a.txt", content="x" * 5_000, append=append)
    with room_for(1_000), pytest.raises(StorageFull):
        await call("file_write", path="new.txt", content="x" * 5_000, append=append)
    assert "a.txt" in raised.value.message and raised.value.hint
    assert os.listdir(project) == ["a.txt"]
    assert (project / "a.txt").read_text() == "old"


async def test_a_full_disk_leaves_an_edited_file_unchanged(project: Path, call: Call) -> None:
    (project / "a.txt").write_text("old")
    with room_for(1_000), pytest.raises(StorageFull):
        await call("file_edit", path="a.txt", old="old", new="x" * 5_000)
    assert (project / "a.txt").read_text() == "old" and os.listdir(project) == ["a.txt"]


async def test_text_with_a_lone_surrogate_is_refused(project: Path, call: Call) -> None:
    (project / "a.txt").write_text("a")
    with pytest.raises(InvalidArguments):
        await call("file_write", path="a.txt", content="\ud83d")
    with pytest.raises(InvalidArguments, match="lone surrogate at character 1"):
        write(str(project / "a.txt"), "a\ud83d")
    with pytest.raises(InvalidArguments):
        await call("file_edit", path="a.txt", old="a", new="\udc00")
    assert (project / "a.txt").read_text() == "a"


async def test_an_edit_changes_no_other_byte(project: Path, call: Call) -> None:
    (project / "mixed").write_bytes(b"\xef\xbb\xbfone\r\ntwo\nthr\xe9e\0\rfour")
    assert await call("file_edit", path="mixed", old="two", new="zwei\nzwo") == {"replacements": 1}
    assert (project / "mixed").read_bytes() == b"\xef\xbb\xbfone\r\nzwei\nzwo\nthr\xe9e\0\rfour"
    await call("file_edit", path="mixed", old="one\r\n", new="")
    assert (project / "mixed").read_bytes() == b"\xef\xbb\xbfzwei\nzwo\nthr\xe9e\0\rfour"


async def test_newlines_match_crlf_if_every_line_ends_in_crlf(project: Path, call: Call) -> None:
    (project / "dos.txt").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    await call("file_edit", path="dos.txt", old="one\ntwo", new="1\n2\n2.5")
    assert (project / "dos.txt").read_bytes() == b"1\r\n2\r\n2.5\r\nthree\r\n"
    await call("file_edit", path="dos.txt", old="2\r\n2.5", new="2")
    assert (project / "dos.txt").read_bytes() == b"1\r\n2\r\nthree\r\n"


@pytest.mark.parametrize(
    ("content", "old", "count", "lines"),
    [
        ("x = 1\ny = 2\nx = 1\n", "x = 1", 2, [1, 3]),
        ("aaa", "aa", 2, [1, 1]),
        ("a\n" * 500, "a", 500, list(range(1, 21))),
    ],
)
async def test_an_ambiguous_edit_reports_the_count_and_lines(
    project: Path, call: Call, content: str, old: str, count: int, lines: list[int]
) -> None:
    (project / "a.py").write_text(content)
    with pytest.raises(AmbiguousEdit, match=f"{count} times") as raised:
        await call("file_edit", path="a.py", old=old, new="z")
    assert raised.value.data == {"count": count, "lines": lines}
    assert (project / "a.py").read_text() == content


@pytest.mark.parametrize(
    ("old", "hint"),
    [
        ("def totla(items):", "The closest line is 3: def total(items):"),
        ("def total(items):\n    return max(items)", "The closest line is 3: def total(items):"),
        ("def total(items):\n        return sum(items)", "It occurs with different whitespace"),
        ("quite something else!", "No line is similar"),
        ("\n\n\n\n", "No line is similar"),
    ],
)
async def test_an_edit_without_a_match_shows_the_closest_line(
    project: Path, call: Call, old: str, hint: str
) -> None:
    content = "import os\n\ndef total(items):\n    return sum(items)\n"
    (project / "a.py").write_text(content)
    with pytest.raises(EditMissing) as raised:
        await call("file_edit", path="a.py", old=old, new="z")
    assert raised.value.hint is not None and raised.value.hint.startswith(hint)
    assert raised.value.data == {"count": 0}
    assert (project / "a.py").read_text() == content


@pytest.mark.parametrize(("old", "new"), [("", "b"), ("a", "a")])
async def test_an_edit_that_changes_nothing_is_refused(project: Path, call: Call, old: str, new: str) -> None:
    (project / "a.txt").write_text("a")
    with pytest.raises(InvalidArguments):
        await call("file_edit", path="a.txt", old=old, new=new)


@pytest.mark.parametrize(
    ("path", "problem"), [("missing", FileMissing), (".", NotAFile), ("broken", BrokenLink)]
)
async def test_editing_something_other_than_a_file_raises_its_error(
    project: Path, call: Call, path: str, problem: type[FileProblem]
) -> None:
    (project / "broken").symlink_to("/nowhere")
    with pytest.raises(problem):
        await call("file_edit", path=path, old="a", new="b")


async def test_an_edit_can_empty_a_file(project: Path, call: Call) -> None:
    (project / "a.txt").write_text("all of it")
    await call("file_edit", path="a.txt", old="all of it", new="")
    assert (project / "a.txt").read_bytes() == b""
