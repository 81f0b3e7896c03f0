"""A registry with a few tools that record their calls, and runs that use it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.agents.runs.runs import Runs
from gemini.core.clock import ManualClock
from gemini.models.interface.messages import ToolMessage
from gemini.models.interface.model import Request
from gemini.tools import Registry, declare
from tests.unit.people import Person


class World:
    """Files in memory, a shell that records commands, and an outside that agents must ask to reach."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.ran: list[str] = []
        self.sent: list[str] = []

    @declare(effect="read", untrusted=True, group="files")
    def read(self, path: str) -> str:
        """Read a file."""
        return self.files[path]

    @declare(effect="write", group="files")
    def write(self, path: str, content: str) -> int:
        """Write a file."""
        self.files[path] = content
        return len(content)

    @declare(effect="write", untrusted=True, group="terminals")
    def execute(self, command: str) -> str:
        """Run a command."""
        self.ran.append(command)
        return f"ran {len(self.ran)}"

    @declare(effect="outside", untrusted=True, group="net")
    def send(self, url: str, body: str = "") -> str:
        """Send something out."""
        self.sent.append(f"{url} {body}".strip())
        return "sent"


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def registry(world: World, tmp_path: Path) -> Registry:
    registry = Registry()
    registry.results_folder = tmp_path / "results"
    for tool in (world.read, world.write, world.execute, world.send):
        # Registered as a script does it, so tools that reach outside ask first.
        registry.add(tool)
    return registry


@pytest.fixture
def runs(registry: Registry) -> Runs:
    runs = Runs(registry)
    runs.clock = ManualClock()
    return runs


@pytest.fixture
def asked(registry: Registry) -> list[dict[str, Any]]:
    """Return the questions asked of a user who refuses everything."""
    return Person(registry).asked


def results(request: Request) -> list[ToolMessage]:
    """Return the results that a model got."""
    return [message for message in request.messages if isinstance(message, ToolMessage)]


Answer = Callable[[Request], Any]
