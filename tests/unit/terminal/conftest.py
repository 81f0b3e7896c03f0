"""Terminals on the system's bash, in a directory of the test's own."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from gemini.core.events import Event, EventLog, Row, row_of
from gemini.files.paths import require_directory, resolve
from gemini.terminal import terminal as terminal_module
from gemini.terminal.manager import TerminalManager
from gemini.terminal.terminal import MapTerminal
from tests.contract.bash import BashBackend

# "XTerm Control Sequences": CSI.
SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")


class Told:
    """The events that a manager has published."""

    def __init__(self, log: EventLog) -> None:
        self.rows: list[Row] = []
        log.subscribe(self._hear)

    def _hear(self, seq: int, event: Event) -> None:
        self.rows.append(row_of(seq, event))

    def kinds(self) -> list[str]:
        return [row["type"] for row in self.rows]

    def clear(self) -> None:
        self.rows.clear()


class Watcher:
    """Somebody who looks at a terminal: what was drawn for them, from when they came."""

    def __init__(self, terminal: MapTerminal) -> None:
        self.drawn = ""
        self.pieces: list[str] = []
        self._drew = asyncio.Event()
        self.leave = terminal.view(self._draw)

    def _draw(self, text: str) -> None:
        self.drawn += text
        self.pieces.append(text)
        self._drew.set()

    @property
    def text(self) -> str:
        """What was drawn, without colours and the like."""
        return SEQUENCE.sub("", self.drawn)

    async def until(self, condition: str | Callable[[], object]) -> None:
        """Wait until a text has been drawn, or until something drawn makes `condition` true."""
        while not (condition in self.text if isinstance(condition, str) else condition()):
            self._drew.clear()
            await self._drew.wait()


@pytest.fixture
def project() -> Iterator[Path]:
    """A directory whose name leaves room in a line of a terminal."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@pytest.fixture(autouse=True)
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the files with long output are."""
    folder = tmp_path / "output"
    monkeypatch.setattr(terminal_module, "OUTPUT_FOLDER", folder)
    return folder


@pytest.fixture
async def backend() -> AsyncIterator[BashBackend]:
    backend = BashBackend()
    yield backend
    await backend.close()


@pytest.fixture
def log() -> EventLog:
    return EventLog()


@pytest.fixture
def told(log: EventLog) -> Told:
    return Told(log)


@pytest.fixture
def manager(backend: BashBackend, log: EventLog, project: Path) -> TerminalManager:
    def directory(path: str, working_dir: str) -> str:
        return require_directory(resolve(path, working_dir))

    return TerminalManager({"bash": backend}, log, directory, str(project))


@pytest.fixture
def terminal(manager: TerminalManager) -> MapTerminal:
    return manager.create()


@pytest.fixture
def watcher(terminal: MapTerminal) -> Watcher:
    return Watcher(terminal)
