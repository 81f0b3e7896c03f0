"""Schedules on a real database with scripted models, a clock that tests set, and pages that can be killed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import CoroutineType
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from gemini.automations.inbox.questions import Questions
from gemini.automations.schedules.rows import ScheduleRow
from gemini.automations.schedules.scheduler import Scheduler
from gemini.automations.schedules.schedules import Schedules
from gemini.automations.schedules.tools import ScheduleTools
from gemini.core.clock import Clock
from gemini.storage.questions import QuestionStore
from gemini.storage.schedules import ScheduleStore
from tests.unit.agents.teamwork.conftest import Surface as TeamSurface

ZONE = "Europe/Berlin"
# Half past eight on a Monday in winter.
START = "2027-01-11 08:30"


def instant(local: str, fold: int = 0) -> float:
    return datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(ZONE), fold=fold).timestamp()


class HandSet(Clock):
    """A clock whose time of day a test sets, forward or back. A time that is set back ends no sleep."""

    def __init__(self) -> None:
        self._wall = instant(START)
        self._now = 0.0
        self._set = asyncio.Event()

    def now(self) -> float:
        return self._now

    def wall(self) -> float:
        return self._wall

    def sleep(self, seconds: float) -> CoroutineType[Any, Any, None]:
        # The end counts from now, not from the first step of a task that sleeps.
        return self._sleep_until(self._now + seconds)

    async def _sleep_until(self, until: float) -> None:
        while self._now < until:
            await self._set.wait()

    def set(self, local: str, fold: int = 0) -> None:
        """Set the time of day, and end the sleeps whose time has come."""
        self.advance(instant(local, fold) - self._wall)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._now += max(0.0, seconds)
        self._wall += seconds
        before, self._set = self._set, asyncio.Event()
        before.set()


class World:
    """The surface's store, as the inbox needs it."""

    def __init__(self, questions: QuestionStore) -> None:
        self.questions = questions


class Surface(TeamSurface):
    """A surface with schedules."""

    def __init__(self, root: Path) -> None:
        self.hands = HandSet()
        super().__init__(root)
        self.registry.add_room(ScheduleTools(lambda: self.schedules))

    def open(self) -> None:
        super().open()
        self.runs.clock = self.hands
        questions = Questions(lambda: World(QuestionStore(self.database)), self.registry.events)  # type: ignore[arg-type, return-value] # pyright: ignore
        self.questions = questions
        questions.on_wait(self.teams.note_consent)
        self.runs.on_start(lambda run: questions.forget(run.id))
        store = ScheduleStore(self.database)
        scheduler = Scheduler(
            store,
            self.teams,
            self.hands,
            self.registry.events,
            questions.runs,
        )
        self.schedules = Schedules(store, scheduler, self.teams, self.runs, self.registry, lambda: ZONE)

    async def reload(self) -> None:
        """Kill Python and open the page again."""
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        self.open()
        self.schedules.scheduler.start()

    async def until(self, met: Callable[[], bool]) -> None:
        """Wait until a condition is met. Nothing here waits for real time."""
        async with asyncio.timeout(60):
            while not met():
                await asyncio.sleep(0)

    def row(self) -> ScheduleRow:
        [row] = self.schedules.rows()
        return row

    def fates(self) -> list[tuple[str, str]]:
        """Return the local time and the status of the slots of the only schedule, oldest first."""
        found: list[tuple[str, str]] = []
        for slot in reversed(self.row()["slots"]):
            at = datetime.fromisoformat(slot["slot"]).astimezone(ZoneInfo(ZONE))
            found.append((at.strftime("%m-%d %H:%M"), slot["status"]))
        return found


@pytest.fixture
def surface(tmp_path: Path) -> Surface:
    return Surface(tmp_path)
