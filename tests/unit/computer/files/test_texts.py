"""Tests for reading text in the editor and saving over the version that was read."""

import os
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.files.texts import MAX_BYTES

Act = Callable[..., Awaitable[Any]]


async def save(act: Act, text: Any, content: str) -> Any:
    """Save as the editor does, with the fields that the read returned."""
    fields = {name: text[name] for name in ("path", "version", "line_ending", "bom")}
    return await act("panel_save", content=content, **fields)


@pytest.mark.parametrize(
    ("data", "content", "expected"),
    [
        (b"one\ntwo\n", "one\ntwo\n!", b"one\ntwo\n!"),
        (b"one\ntwo", "one\ntwo!", b"one\ntwo!"),
        (b"one\r\ntwo\r\n", "one\ntwo\n!", b"one\r\ntwo\r\n!"),
        (b"one\rtwo", "one\ntwo!", b"one\rtwo!"),
        (b"one\r\ntwo\n", "one\r\ntwo\n!", b"one\r\ntwo\n!"),
        (b"one\r\r\ntwo\r\n", "one\r\r\ntwo\r\n!", b"one\r\r\ntwo\r\n!"),
        (b"\xef\xbb\xbfone\r\n", "one\n!", b"\xef\xbb\xbfone\r\n!"),
        (b"\xef\xbb\xbf", "!", b"\xef\xbb\xbf!"),
        (b"", "!", b"!"),
    ],
)
async def test_saving_changes_only_the_typed_text(
    project: Path, act: Act, data: bytes, content: str, expected: bytes
) -> None:
    file = project / "a.txt"
    file.write_bytes(data)
    file.chmod(0o751)
    text = await act("panel_read", path="a.txt")
    assert text["content"] == content[:-1]

    await save(act, text, text["content"])
    assert file.read_bytes() == data
    saved = await save(act, text, content)
    assert file.read_bytes() == expected
    assert saved == {"version": (await act("panel_read", path="a.txt"))["version"], "size": len(expected)}
    assert stat.S_IMODE(file.stat().st_mode) == 0o751


async def test_a_file_that_changed_is_not_overwritten(project: Path, act: Act) -> None:
    file = project / "a.txt"
    file.write_text("old\n")
    text = await act("panel_read", path="a.txt")
    file.write_bytes(b"theirs\r\n")

    conflict = (await save(act, text, "mine\n"))["error"]
    assert conflict["type"] == "EditConflict"
    assert conflict["data"] == await act("panel_read", path="a.txt")
    assert (conflict["data"]["content"], conflict["data"]["line_ending"]) == ("theirs\n", "crlf")
    assert file.read_bytes() == b"theirs\r\n"

    await save(act, conflict["data"], "mine\n")
    assert file.read_bytes() == b"mine\r\n"


async def test_a_touched_file_is_no_conflict(project: Path, act: Act) -> None:
    file = project / "a.txt"
    file.write_text("old\n")
    text = await act("panel_read", path="a.txt")
    os.utime(file, (1, 1))
    assert "version" in await save(act, text, "new\n")


async def test_saving_the_current_content_is_no_conflict(project: Path, act: Act) -> None:
    file = project / "a.txt"
    file.write_text("old\n")
    text = await act("panel_read", path="a.txt")
    file.write_text("same\n")
    assert (await save(act, text, "same\n"))["size"] == 5


async def test_a_deleted_file_is_a_conflict_and_can_be_created_again(project: Path, act: Act) -> None:
    file = project / "a.txt"
    file.write_text("old\n")
    text = await act("panel_read", path="a.txt")
    file.unlink()

    conflict = (await save(act, text, "mine\n"))["error"]
    assert (conflict["type"], conflict["data"]["version"], conflict["data"]["content"]) == (
        "EditConflict",
        None,
        None,
    )
    assert not file.exists()
    await act("panel_save", path="a.txt", content="mine\n", version=None)
    assert file.read_text() == "mine\n"
    again = await act("panel_save", path="a.txt", content="other\n", version=None)
    assert again["error"]["type"] == "EditConflict"


async def test_a_conflict_with_a_binary_file_has_no_content(project: Path, act: Act) -> None:
    file = project / "a.txt"
    file.write_text("old\n")
    text = await act("panel_read", path="a.txt")
    file.write_bytes(b"\0\1")
    data = (await save(act, text, "mine\n"))["error"]["data"]
    assert data["content"] is None
    await act("panel_save", path="a.txt", content="mine\n", version=data["version"])
    assert file.read_text() == "mine\n"


async def test_a_link_is_written_through(project: Path, act: Act) -> None:
    (project / "a.txt").write_text("old\n")
    (project / "link").symlink_to("a.txt")
    await save(act, await act("panel_read", path="link"), "new\n")
    assert (project / "link").is_symlink()
    assert (project / "a.txt").read_text() == "new\n"


@pytest.mark.parametrize("data", [b"a\0b", b"\xff\xfe", "é".encode("latin-1"), b"x" * (MAX_BYTES + 1)])
async def test_a_binary_or_large_file_is_refused(project: Path, act: Act, data: bytes) -> None:
    (project / "a").write_bytes(data)
    error = (await act("panel_read", path="a"))["error"]
    assert error["type"] == "NotEditable"
    assert error["hint"]


@pytest.mark.parametrize(
    ("name", "data", "where"),
    [
        ("a.txt", b"text", "editor"),
        ("unknown", b"text", "editor"),
        ("cut.txt", b"x" + "é".encode() * 5_000, "editor"),
        ("empty", b"", "editor"),
        ("a.txt", b"a\0", "preview"),
        ("a.bin", b"\xff\xfe", "preview"),
        ("a.svg", b"<svg/>", "preview"),
        ("a.pdf", b"%PDF", "preview"),
        ("large.log", b"x" * (MAX_BYTES + 1), "preview"),
    ],
)
async def test_opening_a_file_chooses_its_view(
    project: Path, act: Act, name: str, data: bytes, where: str
) -> None:
    (project / name).write_bytes(data)
    assert await act("panel_open", path=name) == {"where": where, "path": str(project / name)}


async def test_a_directory_is_shown_in_the_list_through_a_link(
    project: Path, act: Act, shown: list[tuple[str, list[str]]]
) -> None:
    (project / "inner").mkdir()
    (project / "link").symlink_to("inner")
    assert (await act("panel_open", path="link"))["where"] == "list"
    assert shown[-1] == (str(project / "link"), [])
    assert (await act("panel_open", path="nowhere"))["error"]["type"] == "FileMissing"
