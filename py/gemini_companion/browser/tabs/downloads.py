"""The downloads of the browser's tabs: files in a private folder until the page has taken them."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from gemini.errors import InvalidArguments
from gemini_companion.browser.tabs.debugger import Debugger, DebuggerProblem
from gemini_companion.storage.private_files import private_folder

Row = dict[str, Any]
MAX_BYTES = 100 * 1024 * 1024
# Of one tab, until the page has taken them.
MAX_OPEN = 5
# Bytes of one answer to the page.
PART = 1 << 20
TOO_LARGE = f"it is larger than {MAX_BYTES // 1024 // 1024} MB"
TOO_MANY = f"{MAX_OPEN} downloads of the tab are running"


class Tab(Protocol):
    """A tab whose documents may download."""

    @property
    def id(self) -> str:
        """The id of the tab in the surface."""
        ...

    def owns(self, frame: str) -> bool:
        """Return whether a frame belongs to the tab, or to a window that its documents have opened."""
        ...

    def has_download(self, frame: str) -> None:
        """Record that a download has begun in a frame."""
        ...


@dataclass
class Download:
    """A download. `size` is 0 if the server doesn't tell it; `why` says why it has failed."""

    tab: str
    id: str
    name: str
    url: str
    notify: Callable[[Row], None]
    received: int = 0
    size: int = 0
    state: Literal["running", "done", "failed"] = "running"
    why: str | None = None

    def update(self, **change: Any) -> None:
        """Change it, and tell the page."""
        for name, value in change.items():
            setattr(self, name, value)
        self.notify(self.row())

    def row(self) -> Row:
        """Return it as the page receives it, without the file's path."""
        names = ("tab", "id", "name", "url", "received", "size", "state", "why")
        return {name: getattr(self, name) for name in names}


class Downloads:
    """The downloads of all tabs. Downloads of other windows, such as the user's own in the browser, are cancelled.

    Args:
        folder: Where the browser stores them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._debugger: Debugger | None = None
        self._tabs: dict[Tab, Callable[[Row], None]] = {}
        self._known: dict[str, Download] = {}
        self._cancelling: set[asyncio.Task[None]] = set()

    async def start(self, debugger: Debugger) -> None:
        """Let a browser that has just started store downloads in the folder, which is emptied.

        Raises:
            FolderUnusable: It can't be written.
        """
        shutil.rmtree(self._folder, ignore_errors=True)
        private_folder(self._folder)
        self._debugger = debugger
        self._known.clear()
        behavior = {"behavior": "allowAndName", "downloadPath": str(self._folder), "eventsEnabled": True}
        await debugger.send("Browser.setDownloadBehavior", behavior)

    def add(self, tab: Tab, notify: Callable[[Row], None]) -> None:
        """Pass on the downloads of a tab, each time that one changes."""
        self._tabs[tab] = notify

    def remove(self, tab: Tab) -> None:
        """Forget a closed tab and its downloads."""
        self._tabs.pop(tab, None)
        for download in [each for each in self._known.values() if each.tab == tab.id]:
            self._drop(download)

    def on_event(self, method: str, params: Row) -> None:
        """Handle an event of the browser."""
        if method == "Browser.downloadWillBegin":
            self._begin(params)
        elif method == "Browser.downloadProgress":
            self._progress(params)

    def read(self, tab: str, identifier: str, start: int) -> Row:
        """Return a part of a finished download: `{data, next}`, with `data` in base64, and None at the end.

        The file is deleted after its last part.

        Raises:
            InvalidArguments: The tab has no such download.
        """
        download = self._known.get(identifier)
        if download is None or download.tab != tab or download.state != "done":
            raise InvalidArguments(f"{tab} has no finished download {identifier!r}")
        with (self._folder / identifier).open("rb") as file:
            file.seek(start)
            data = file.read(PART)
        end = start + len(data)
        if end >= download.received or not data:
            self._drop(download)
            return {"data": base64.b64encode(data).decode(), "next": None}
        return {"data": base64.b64encode(data).decode(), "next": end}

    def discard(self, tab: str, identifier: str) -> None:
        """Cancel a download, or delete its file."""
        download = self._known.get(identifier)
        if download is not None and download.tab == tab:
            self._drop(download)

    def _begin(self, params: Row) -> None:
        frame, identifier = params["frameId"], params["guid"]
        tab = next((each for each in self._tabs if each.owns(frame)), None)
        if tab is None:
            self._cancel(identifier)
            return
        name, url = params["suggestedFilename"], params["url"]
        download = Download(tab.id, identifier, name, url, self._tabs[tab])
        if sum(each.tab == tab.id for each in self._known.values()) >= MAX_OPEN:
            self._cancel(identifier)
            download.update(state="failed", why=TOO_MANY)
        else:
            self._known[identifier] = download
            download.update()
        tab.has_download(frame)

    def _progress(self, params: Row) -> None:
        download = self._known.get(params["guid"])
        if download is None or download.state != "running":
            return
        received, size = int(params["receivedBytes"]), int(params["totalBytes"])
        if max(received, size) > MAX_BYTES:
            self._drop(download)
            download.update(state="failed", why=TOO_LARGE)
        elif params["state"] == "completed":
            download.update(received=received, size=size, state="done")
        elif params["state"] == "canceled":
            self._drop(download)
            download.update(state="failed", why="it was interrupted")
        elif received - download.received >= PART:
            download.update(received=received, size=size)

    def _drop(self, download: Download) -> None:
        self._known.pop(download.id, None)
        if download.state == "running":
            self._cancel(download.id)
        with contextlib.suppress(FileNotFoundError):
            (self._folder / download.id).unlink()

    def _cancel(self, identifier: str) -> None:
        async def cancel(debugger: Debugger) -> None:
            # The browser has ended, or the download has.
            with contextlib.suppress(DebuggerProblem):
                await debugger.send("Browser.cancelDownload", {"guid": identifier})

        if self._debugger is not None:
            task = asyncio.create_task(cancel(self._debugger))
            self._cancelling.add(task)
            task.add_done_callback(self._cancelling.discard)
