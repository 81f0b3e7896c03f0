"""A project directory, a browser in it, and its tools in a registry as the kernel has them."""

import os
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini.files import FileBrowser, FileInfo
from gemini.files.tools import FileTools
from gemini.tools import Registry

Call = Callable[..., Awaitable[Any]]
NOBODY = 65534


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty directory, which relative paths count from."""
    directory = tmp_path / "project"
    directory.mkdir()
    return directory


@pytest.fixture
def shown() -> list[tuple[str, list[str]]]:
    """What the browser has shown: paths, and the names in them."""
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
    """`await call(tool, **arguments)` as a script does it: a value, or a `GeminiError`."""

    async def call(tool: str, **arguments: Any) -> Any:
        return await registry.call(tool, arguments)

    return call


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A directory, in which the test runs as a user whom permissions bind; root would pass every check."""
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
