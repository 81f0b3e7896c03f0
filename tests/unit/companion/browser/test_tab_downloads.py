"""Downloads of tabs in the companion's browser: the limits. tests/web/test_tab_contract.py has the rest."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import Any, cast

import pytest

from gemini.errors import InvalidArguments
from gemini_companion.browser.tabs.debugger import Debugger
from gemini_companion.browser.tabs.downloads import MAX_BYTES, MAX_OPEN, PART, Downloads

Row = dict[str, Any]


class Tab:
    """A tab with one frame."""

    id = "t1"

    def owns(self, frame: str) -> bool:
        return frame == "frame"

    def has_download(self, frame: str) -> None:
        """Do nothing."""


class Commands:
    """The commands that a browser gets."""

    def __init__(self) -> None:
        self.cancelled: list[str] = []

    async def send(self, method: str, params: Row) -> Row:
        if method == "Browser.cancelDownload":
            self.cancelled.append(params["guid"])
        return {}


async def started(folder: Path) -> tuple[Downloads, Commands, list[Row]]:
    downloads, commands, rows = Downloads(folder), Commands(), list[Row]()
    await downloads.start(cast(Debugger, commands))
    downloads.add(Tab(), rows.append)
    return downloads, commands, rows


def begin(downloads: Downloads, guid: str, frame: str = "frame") -> None:
    params = {"frameId": frame, "guid": guid, "url": "https://a.example/x", "suggestedFilename": "x"}
    downloads.on_event("Browser.downloadWillBegin", params)


def progress(downloads: Downloads, guid: str, size: int, state: str) -> None:
    params = {"guid": guid, "totalBytes": size, "receivedBytes": size, "state": state}
    downloads.on_event("Browser.downloadProgress", params)


async def test_too_large_too_many_and_foreign_downloads_are_cancelled(tmp_path: Path) -> None:
    downloads, commands, rows = await started(tmp_path / "downloads")
    begin(downloads, "window", "another window of the browser")
    assert rows == []
    begin(downloads, "large")
    progress(downloads, "large", MAX_BYTES + 1, "inProgress")
    assert rows[-1]["state"] == "failed" and "larger" in rows[-1]["why"]
    for number in range(MAX_OPEN + 1):
        begin(downloads, f"d{number}")
    assert rows[-1]["state"] == "failed" and "running" in rows[-1]["why"]
    await asyncio.sleep(0)
    assert commands.cancelled == ["window", "large", f"d{MAX_OPEN}"]


async def test_a_file_is_read_in_parts_by_its_tab_and_deleted(tmp_path: Path) -> None:
    folder = tmp_path / "downloads"
    downloads, _, rows = await started(folder)
    begin(downloads, "d")
    content = bytes(range(256)) * (PART // 256) + b"end"
    (folder / "d").write_bytes(content)
    with pytest.raises(InvalidArguments):
        downloads.read("t1", "d", 0)
    progress(downloads, "d", len(content), "completed")
    assert str(folder) not in str(rows[-1])
    with pytest.raises(InvalidArguments):
        downloads.read("t2", "d", 0)
    first = downloads.read("t1", "d", 0)
    last = downloads.read("t1", "d", first["next"])
    assert base64.b64decode(first["data"]) + base64.b64decode(last["data"]) == content
    assert last["next"] is None and not list(folder.iterdir())
