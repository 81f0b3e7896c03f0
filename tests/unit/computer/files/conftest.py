"""A project directory, a file browser for it, and its tools in a registry."""

import json
import os
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.files import FileBrowser, FileInfo
from gemini.computer.files.downloads import Downloads
from gemini.computer.files.opened import OpenFiles
from gemini.computer.files.panel_tools import PanelFileTools
from gemini.computer.files.search_panel_tools import ReplaceTools
from gemini.computer.files.tools import FileTools
from gemini.computer.files.trash import Trash
from gemini.tools import Registry
from gemini.tools.registry import PERSON

Call = Callable[..., Awaitable[Any]]
NOBODY = 65534


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty directory, from which relative paths start."""
    directory = tmp_path / "project"
    directory.mkdir()
    return directory


@pytest.fixture
def shown() -> list[tuple[str, list[str]]]:
    """The directories that the browser has shown: paths and names."""
    return []


@pytest.fixture
def browser(project: Path, shown: list[tuple[str, list[str]]]) -> FileBrowser:
    def on_shown(path: str, entries: list[FileInfo]) -> None:
        shown.append((path, [entry.name for entry in entries]))

    return FileBrowser(str(project), working_dir=lambda: str(project), on_shown=on_shown)


@pytest.fixture
def registry(browser: FileBrowser) -> Registry:
    tools = Registry()
    tools.add_room(FileTools(browser))
    return tools


@pytest.fixture
def call(registry: Registry) -> Call:
    """Call a tool as a script does; return its value or raise a `GeminiError`."""

    async def call(tool: str, **arguments: Any) -> Any:
        return await registry.call(tool, arguments)

    return call


class Offers:
    """A stand-in for the browser's `blob:` URLs: bytes by URL, in both directions."""

    def __init__(self) -> None:
        self.data: dict[str, bytes] = {}
        self._count = 0

    def add(self, data: bytes, media_type: str = "") -> str:
        self._count += 1
        url = f"blob:{self._count}"
        self.data[url] = data
        return url

    def withdraw(self, url: str) -> None:
        del self.data[url]

    async def fetch(self, url: str) -> bytes:
        return self.data[url]


class Clock:
    """A clock that advances one second per call."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 22, 12)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def offers() -> Offers:
    return Offers()


@pytest.fixture
def trash(tmp_path: Path, clock: Clock) -> Trash:
    """A trash that stores 1,000 bytes for ten days."""
    return Trash(tmp_path / "home" / "Trash", 1_000, timedelta(days=10), clock)


@pytest.fixture
def saved() -> list[Any]:
    """The states that the open files have saved, in order."""
    return []


@pytest.fixture
def opened(saved: list[Any]) -> OpenFiles:
    return OpenFiles(lambda: None, saved.append)


@pytest.fixture
def act(registry: Registry, browser: FileBrowser, opened: OpenFiles, trash: Trash, offers: Offers) -> Call:
    """Call a tool as a panel does for the user; return the parsed JSON answer."""
    downloads = Downloads(offers.add, offers.withdraw)
    registry.add_room(PanelFileTools(browser, opened, trash, downloads, offers.fetch))
    registry.add_room(ReplaceTools(browser, lambda: None))

    async def act(tool: str, **arguments: Any) -> Any:
        return json.loads(await registry.call_json(tool, arguments, caller=PERSON))

    return act


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A directory of an unprivileged user, as whom the test runs; root passes every permission check."""
    with tempfile.TemporaryDirectory() as name:
        if os.geteuid() != 0:
            yield Path(name)
            return
        os.chown(name, NOBODY, NOBODY)
        os.seteuid(NOBODY)
        try:
            yield Path(name)
        finally:
            os.seteuid(0)
