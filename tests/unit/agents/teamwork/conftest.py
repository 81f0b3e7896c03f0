"""A team on a real database, with scripted models by agent, which can be closed and opened again."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gemini.agents.runs.runs import Runs
from gemini.agents.teamwork.teams import Teams
from gemini.core.clock import ManualClock
from gemini.models.interface.messages import ToolMessage, UserMessage
from gemini.models.interface.model import Request
from gemini.models.interface.scripted import ScriptedModel, Turn, call
from gemini.storage.database import Database, open_database
from gemini.storage.runs import RunStore
from gemini.storage.team import TeamStore
from gemini.tools import Registry
from tests.unit.agents.conftest import World

Script = Callable[[Request], Any]


class Models:
    """A scripted model for each agent, which answers any number of requests."""

    def __init__(self) -> None:
        self.scripts: dict[str, Script] = {}
        self.requests: dict[str, list[Request]] = {}
        self.wanted: dict[str, str | None] = {}

    def find(self, wanted: str | None, agent: str) -> ScriptedModel:
        self.wanted[agent] = wanted

        def answer(request: Request) -> Any:
            self.requests.setdefault(agent, []).append(request)
            return self.scripts[agent](request)

        return ScriptedModel([answer] * 200, name=wanted or agent)


class Surface:
    """A registry, a database and the teams on it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.world = World()
        self.models = Models()
        self.clock = ManualClock()
        self.database: Database = open_database(None)
        self.registry = Registry()
        self.registry.results_folder = root / "results"
        for tool in (self.world.read, self.world.write, self.world.execute, self.world.send):
            self.registry.add(tool)
        self.open()

    def open(self) -> None:
        """Create everything that a new page creates."""
        self.runs = Runs(self.registry, RunStore(self.database))
        self.runs.clock = self.clock
        self.runs.selection.find = self.models.find
        folders = [self.root / "project/.agents", self.root / "home/.agents"]
        self.teams = Teams(self.runs, self.registry, TeamStore(self.database), folders)


@pytest.fixture
def surface(tmp_path: Path) -> Surface:
    return Surface(tmp_path)


def results(request: Request) -> list[ToolMessage]:
    """Return the results that a model got."""
    return [message for message in request.messages if isinstance(message, ToolMessage)]


def texts(request: Request) -> list[str]:
    """Return the text of the messages to the model."""
    return [message.text for message in request.messages if isinstance(message, UserMessage)]


def task_ids(request: Request) -> list[str]:
    """Return the ids of the tasks that a model has added, in order."""
    found = [
        re.findall(r'"task":\s?"(task-\w+)"', message.text)
        for message in results(request)
        if message.tool == "task_add"
    ]
    return [ids[0] for ids in found if ids]


def in_order(*turns: Turn | Script) -> Script:
    """Answer by the number of answers so far, so that a script continues where it was."""

    def answer(request: Request) -> Any:
        number = sum(message.role == "assistant" for message in request.messages)
        turn = turns[min(number, len(turns) - 1)]
        return turn(request) if callable(turn) else turn

    return answer


def add(agent: str, what: str, after: Sequence[str] = (), **more: Any) -> Turn:
    """Return an answer that adds a task."""
    brief = f"{what}: do all of it, and say what you did and where."
    return call("task_add", agent=agent, brief=brief, expects="a complete result", after=list(after), **more)


def together(*turns: Turn) -> Turn:
    """Return one answer with the calls of several."""
    return Turn(calls=[each for turn in turns for each in turn.calls])
