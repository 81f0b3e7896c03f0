"""stat, chmod, ln, rmdir and grep -r print what Debian's programs print."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from .conftest import Call


@pytest.mark.parametrize(
    ("mode", "before", "after"),
    [
        ("644", 0o600, 0o644),
        ("+x", 0o644, 0o755),
        ("go-r", 0o644, 0o600),
        ("=rw", 0o755, 0o644),
        ("+w", 0o444, 0o644),
    ],
)
async def test_modes_change_within_the_mask(
    call: Call, tmp_path: Path, mode: str, before: int, after: int
) -> None:
    (tmp_path / "f").touch()
    (tmp_path / "f").chmod(before)
    assert (await call("chmod", mode, "f")).exit_code == 0
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == after


async def test_changes_of_modes_are_printed(call: Call, tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    (tmp_path / "f").chmod(0o644)
    assert (await call("chmod", "-v", "-x", "f")).text == "mode of 'f' retained as 0644 (rw-r--r--)\n"
    changed = await call("chmod", "-c", "u=rw,go=", "f")
    assert changed.text == "mode of 'f' changed from 0644 (rw-r--r--) to 0600 (rw-------)\n"
    assert (
        await call("chmod", "600", "no")
    ).error == "chmod: cannot access 'no': No such file or directory\n"


async def test_links_are_made_and_replaced(call: Call, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "f").touch()
    assert (await call("ln", "-sv", "f", "l")).text == "'l' -> 'f'\n"
    assert (await call("ln", "-s", "f", "l")).error == "ln: failed to create symbolic link 'l': File exists\n"
    assert (await call("ln", "-sfv", "none", "l")).text == "'l' -> 'none'\n"
    assert (await call("ln", "-srv", "f", "d/r")).text == "'d/r' -> '../f'\n"
    assert (await call("ln", "-sfnv", "d", "l")).text == "'l' -> 'd'\n"
    assert (await call("ln", "-sv", "f", "l")).text == "'l/f' -> 'f'\n"


async def test_formats_of_stat(call: Call, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("hi\n")
    (tmp_path / "f").chmod(0o640)
    (tmp_path / "l").symlink_to("f")
    os.utime(tmp_path / "f", (1_700_000_000, 1_700_000_000))
    done = await call("stat", "-c", "%n|%5s|%-5s|%05s|%a|%04a|%A|%F|%y|%Y|%%", "f")
    assert done.text == (
        "f|    3|3    |00003|640|0640|-rw-r-----|regular file|2023-11-14 22:13:20.000000000 +0000|1700000000|%\n"
    )
    assert (await call("stat", "--printf", "%N\\t%F\\n", "l")).text == "'l' -> 'f'\tsymbolic link\n"
    assert (await call("stat", "f")).text.startswith("  File: f\n  Size: 3         \tBlocks: 8")
    assert (await call("stat", "no")).error == "stat: cannot statx 'no': No such file or directory\n"


async def test_folders_are_removed_with_those_above(call: Call, tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    assert (await call("rmdir", "a")).error == "rmdir: failed to remove 'a': Directory not empty\n"
    assert (await call("rmdir", "-pv", "a/b")).text.count("removing directory") == 2


async def test_grep_in_folders_leaves_links_alone(call: Call, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x\n")
    (tmp_path / "dangling").symlink_to("no")
    (tmp_path / "link").symlink_to("f")
    done = await call("grep", "-r", "x", ".")
    assert (done.text, done.error, done.exit_code) == ("./f:x\n", "", 0)


async def test_grep_in_folders_reads_no_pipes_and_ends_in_loops_of_links(call: Call, tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/f").write_text("x\n")
    (tmp_path / "a/b/up").symlink_to("../..")
    (tmp_path / "link").symlink_to("a/b/f")
    done = await call("grep", "-R", "x", "a")
    assert sorted(done.text.splitlines()) == ["a/b/f:x", "a/b/up/link:x"]
    assert done.error == "grep: a/b/up/a: warning: recursive directory loop\n"
    done = await call("grep", "-R", "x", ".")
    assert sorted(done.text.splitlines()) == ["./a/b/f:x", "./link:x"]
    assert (done.error, done.exit_code) == ("grep: ./a/b/up: warning: recursive directory loop\n", 0)
    os.mkfifo(tmp_path / "pipe")
    done = await call("grep", "-r", "x")
    assert (done.text, done.error, done.exit_code) == ("a/b/f:x\n", "", 0)
