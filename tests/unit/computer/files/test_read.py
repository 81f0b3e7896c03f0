"""Tests for reading files as text and in parts."""

import base64
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.files import FileBrowser
from gemini.errors import (
    BrokenLink,
    FileMissing,
    FileProblem,
    InvalidArguments,
    LinkLoop,
    NotADirectory,
    NotAFile,
)

Call = Callable[..., Awaitable[Any]]

MIXED = "a é € 🦉 z\r\n" * 50


async def test_what_follows_is_known_before_the_content(project: Path, call: Call) -> None:
    (project / "a.txt").write_text("line\n" * 1_000)
    part = await call("file_read", path="a.txt", max_bytes=1_000)
    assert list(part) == ["size", "truncated", "next_offset", "encoding", "content"]


async def test_text_is_returned_unchanged(project: Path, call: Call) -> None:
    (project / "a.txt").write_bytes(MIXED.encode())
    assert await call("file_read", path="a.txt") == {
        "content": MIXED,
        "encoding": "utf-8",
        "size": len(MIXED.encode()),
        "truncated": False,
    }


async def test_an_empty_file_is_text(project: Path, call: Call) -> None:
    (project / "empty").touch()
    expected = {"content": "", "encoding": "utf-8", "size": 0, "truncated": False}
    assert await call("file_read", path="empty") == expected
    assert await call("file_read", path="empty", offset=10) == expected


@pytest.mark.parametrize(
    "data", [b"\xff\xfe", b"caf\xe9", b"text\0more", bytes(range(256)), b"\x89PNG\r\n\x1a\n"]
)
async def test_binary_content_is_returned_as_base64(project: Path, call: Call, data: bytes) -> None:
    (project / "binary").write_bytes(data)
    result = await call("file_read", path="binary")
    assert result["encoding"] == "base64" and not result["truncated"] and result["size"] == len(data)
    assert base64.b64decode(result["content"]) == data


@pytest.mark.parametrize("max_bytes", [1, 2, 3, 4, 5, 7, 64, 100_000])
async def test_the_parts_of_a_text_join_to_the_text(project: Path, call: Call, max_bytes: int) -> None:
    (project / "a.txt").write_bytes(MIXED.encode())
    parts: list[str] = []
    offset: int | None = 0
    while offset is not None:
        part = await call("file_read", path="a.txt", max_bytes=max_bytes, offset=offset)
        assert part["encoding"] == "utf-8"
        assert len(part["content"].encode()) <= max(max_bytes, 4)
        assert part["truncated"] == ("next_offset" in part)
        parts.append(part["content"])
        offset = part.get("next_offset")
    assert "".join(parts) == MIXED


@pytest.mark.parametrize("max_bytes", [1, 3, 64])
async def test_the_parts_of_a_binary_file_join_to_the_file(project: Path, call: Call, max_bytes: int) -> None:
    data = bytes(range(128, 256)) * 2
    (project / "binary").write_bytes(data)
    read, offset = b"", 0
    while offset < len(data):
        part = await call("file_read", path="binary", max_bytes=max_bytes, offset=offset)
        read += (
            base64.b64decode(part["content"]) if part["encoding"] == "base64" else part["content"].encode()
        )
        offset = part.get("next_offset", len(data))
    assert read == data


async def test_an_offset_inside_a_character_returns_the_whole_character(project: Path, call: Call) -> None:
    (project / "owl").write_text("🦉!")
    for offset in range(4):
        assert (await call("file_read", path="owl", offset=offset))["content"] == "🦉!"
    assert (await call("file_read", path="owl", offset=4))["content"] == "!"


async def test_an_offset_past_the_end_returns_nothing(project: Path, call: Call) -> None:
    (project / "owl").write_text("🦉!")
    for offset in (5, 500):
        part = await call("file_read", path="owl", offset=offset)
        assert part == {"content": "", "encoding": "utf-8", "size": 5, "truncated": False}


async def test_a_large_file_is_read_a_million_bytes_at_a_time(project: Path, call: Call) -> None:
    (project / "large").write_bytes(b"x" * 2_500_000)
    part = await call("file_read", path="large")
    assert (len(part["content"]), part["truncated"], part["next_offset"]) == (1_000_000, True, 1_000_000)
    part = await call("file_read", path="large", offset=2_000_000)
    assert (len(part["content"]), part["truncated"]) == (500_000, False)


@pytest.mark.parametrize(
    "numbers", [{"max_bytes": 0}, {"max_bytes": -1}, {"offset": -1}, {"max_bytes": "many"}]
)
async def test_numbers_out_of_range_are_refused(project: Path, call: Call, numbers: dict[str, Any]) -> None:
    (project / "a.txt").touch()
    with pytest.raises(InvalidArguments, match=next(iter(numbers))):
        await call("file_read", path="a.txt", **numbers)


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("missing", FileMissing),
        ("folder", NotAFile),
        ("/", NotAFile),
        ("/dev/zero", NotAFile),
        ("pipe", NotAFile),
        ("a.txt/b", NotADirectory),
        ("broken", BrokenLink),
        ("loop", LinkLoop),
    ],
)
async def test_reading_something_other_than_a_file_raises_its_error(
    project: Path, browser: FileBrowser, call: Call, path: str, problem: type[FileProblem]
) -> None:
    (project / "a.txt").touch()
    (project / "folder").mkdir()
    (project / "broken").symlink_to("/nowhere")
    (project / "loop").symlink_to("loop")
    os.mkfifo(project / "pipe")
    for action in (call("file_read", path=path), browser.read_file(path)):
        with pytest.raises(problem) as raised:
            await action
        assert type(raised.value) is problem


async def test_a_link_is_read_through(project: Path, call: Call) -> None:
    (project / "a.txt").write_text("here")
    (project / "link").symlink_to("a.txt")
    assert (await call("file_read", path="link"))["content"] == "here"


async def test_an_unreadable_file_raises_permission_denied(unprivileged: Path) -> None:
    (unprivileged / "closed").touch(mode=0o000)
    with pytest.raises(FileProblem, match="permission denied"):
        await FileBrowser().read_file(unprivileged / "closed")


async def test_python_reads_text(project: Path, browser: FileBrowser) -> None:
    (project / "app.log").write_bytes(b"INFO ok\r\nERROR caf\xe9 \xf0\x9f\xa6\x89\n")
    assert await browser.read_file("app.log") == "INFO ok\r\nERROR caf\ufffd 🦉\n"
    assert "error" in (await browser.read_file(project / "app.log")).lower()


async def test_python_reads_the_beginning_without_a_cut_character(
    project: Path, browser: FileBrowser
) -> None:
    (project / "owls").write_text("🦉🦉")
    beginnings = [await browser.read_file("owls", max_bytes) for max_bytes in range(10)]
    assert beginnings == ["", "", "", "", "🦉", "🦉", "🦉", "🦉", "🦉🦉", "🦉🦉"]
    with pytest.raises(InvalidArguments):
        await browser.read_file("owls", -1)


async def test_a_character_cut_off_at_the_end_of_the_file_is_replaced(
    project: Path, browser: FileBrowser
) -> None:
    (project / "torn").write_bytes("🦉".encode()[:2])
    assert await browser.read_file("torn") == "\ufffd"
