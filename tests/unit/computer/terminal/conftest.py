"""Terminals on the system's bash, each test in its own directory."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from gemini.computer.files.paths import require_directory, resolve
from gemini.computer.terminal import terminal as terminal_module
from gemini.computer.terminal.manager import TerminalManager
from gemini.computer.terminal.terminal import MapTerminal
from gemini.core.events import Event, EventLog, Row, row_of
from tests.contract.bash import BashBackend

# "XTerm Control Sequences": CSI.
SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")


class RecordedEvents:
    """The events that a manager has published."""

    def __init__(self, log: EventLog) -> None:
        self.rows: list[Row] = []
        log.subscribe(self._record)

    def _record(self, seq: int, event: Event) -> None:
        self.rows.append(row_of(seq, event))

    def kinds(self) -> list[str]:
        return [row["type"] for row in self.rows]

    def clear(self) -> None:
        self.rows.clear()


class Watcher:
    """A viewer of a terminal that records the output drawn since it attached."""

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
        """The drawn output without escape sequences."""
        return SEQUENCE.sub("", self.drawn)

    async def until(self, condition: str | Callable[[], object]) -> None:
        """Wait until a text is drawn, or until `condition` is true after something is drawn."""
        while not (condition in self.text if isinstance(condition, str) else condition()):
            self._drew.clear()
            await self._drew.wait()


@pytest.fixture
def project() -> Iterator[Path]:
    """Yield a directory with a short name, so that prompts fit in a row."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@pytest.fixture(autouse=True)
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory of the files with long output."""
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
def recorded(log: EventLog) -> RecordedEvents:
    return RecordedEvents(log)


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
