"""A team survives a killed Python at any point: every task ends once, and nothing is done twice."""

import asyncio
import gc
import json
import random
import sqlite3
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gemini.models.interface.model import Request
from gemini.models.interface.scripted import Turn, call, say
from gemini.storage.database import Database
from gemini.storage.team import Task
from tests.unit.agents.teamwork.conftest import Surface, add, results, task_ids, texts, together

AGENTS = ("coder", "researcher", "writer", "analyst")
TASKS = 29
BATCH = 10


class Killed(BaseException):
    """Raised when Python is killed: nothing is saved from then on."""


class Mortal(Database):
    """A database whose Python is killed after a number of transactions: in the middle of one, or right after it."""

    def __init__(self, connection: sqlite3.Connection, left: int, after: bool) -> None:
        super().__init__(connection, None)
        self.dead = asyncio.Event()
        self._left, self._after, self._depth = left, after, 0

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        if self.dead.is_set():
            raise Killed
        self._depth += 1
        try:
            with super().transaction() as connection:
                yield connection
                if self._depth == 1:
                    self._left -= 1
                    if self._left < 0 and not self._after:
                        self._die()
        finally:
            self._depth -= 1
        if self._depth == 0 and self._left < 0:
            self._die()

    def _die(self) -> None:
        self.dead.set()
        raise Killed


def orchestrate(request: Request) -> Turn:
    """Add tasks in three batches, each after the one before; wait, answer questions, and end."""
    known = task_ids(request)
    if len(known) < TASKS:
        after = known[len(known) - BATCH : len(known) - BATCH + 2] if known else []
        numbers = range(len(known), min(len(known) + BATCH, TASKS))
        return together(*(add(AGENTS[number % 4], f"Part {number:02}", after) for number in numbers))
    last = results(request)[-1]
    if last.tool == "task_wait" and '"unfinished":[]' in last.text:
        return call("done", result="All parts are done")
    if last.tool == "task_wait":
        # The first line opens the delimiters.
        asked = [row["task"] for row in json.loads(last.text.splitlines()[1])["questions"]]
        return together(*(call("task_answer", task=task, text=f"Yes, {task}") for task in asked))
    return call("task_wait")


def work(request: Request) -> Turn:
    """Run a command, ask if it is a fifth part, fail the first time if it is a seventh, and report."""
    part = texts(request)[0].partition(":")[0]
    number = int(part.removeprefix("Part "))
    made = results(request)
    again = any("earlier attempt" in text for text in texts(request))
    if not any(message.tool == "execute" for message in made):
        return call("execute", command=f"{part}{' again' if again else ''}")
    if number % 5 == 0 and not any(message.tool == "ask" for message in made):
        return call("ask", question=f"May I finish {part}?")
    if number % 7 == 3 and not again:
        return call("fail", reason=f"{part} failed once")
    return say(f"{part} is done")


def check_leases(surface: Surface, team: str) -> None:
    tasks = surface.teams.get(team).tasks
    live = [task for task in tasks if task.status in ("running", "parked")]
    # The leases of an earlier Python have expired; their tasks continue when a slot is free.
    assert sum(task.status == "running" and task.until > 0 for task in tasks) <= 3
    assert all(task.run_id is not None and task.owner is not None for task in live)
    # A question holds its task only.
    busy = Counter(task.agent for task in live if task.status == "running" and task.until > 0)
    assert max(busy.values(), default=0) <= 1
    assert all(task.owner is None for task in tasks if task not in live)


async def live_until_killed(
    surface: Surface, connection: sqlite3.Connection, team: str | None, kill: tuple[int, bool]
) -> str:
    """Open the surface, work until it is killed or the team has ended, and return the team's id."""
    surface.database = mortal = Mortal(connection, *kill)
    outer = asyncio.all_tasks()
    try:
        surface.open()
        if team is None:
            team = surface.teams.start("Do thirty things", attended=True).id
        else:
            surface.teams.resume(team)
        handle = surface.teams.get(team)

        async def watch() -> None:
            async for _ in handle:
                check_leases(surface, handle.id)

        watching = asyncio.create_task(watch())
        dying = asyncio.create_task(mortal.dead.wait())
        await asyncio.wait({watching, dying}, return_when=asyncio.FIRST_COMPLETED)
    except Killed:
        pass
    finally:
        left = asyncio.all_tasks() - outer
        for task in left:
            task.cancel()
        ended = await asyncio.gather(*left, return_exceptions=True)
    problems = [each for each in ended if isinstance(each, Exception)]
    assert not problems, problems
    [(found,)] = connection.execute("SELECT DISTINCT team FROM tasks").fetchall() or [(None,)]
    return found or ""


def check_end(surface: Surface, tasks: list[Task], kills: int) -> None:
    assert [task.status for task in tasks] == ["done"] * (TASKS + 1)
    assert tasks[0].result == "All parts are done"
    names = [f"Part {number:02}" for number in range(TASKS)]
    assert [task.brief.partition(":")[0] for task in tasks[1:]] == names
    assert [task.result for task in tasks[1:]] == [f"{name} is done" for name in names]
    # An interrupted command isn't repeated, so each ran at most once; without kills, exactly once.
    ran = Counter(surface.world.ran)
    assert max(ran.values()) == 1
    again = [f"{name} again" for number, name in enumerate(names) if number % 7 == 3]
    assert set(ran) <= {*names, *again}
    assert len({*names, *again} - set(ran)) <= kills
    for number, task in enumerate(tasks[1:]):
        assert task.failures == (1 if number % 7 == 3 else 0)
    # Each question is answered once: six parts ask, and one of them does so in both of its attempts.
    [(answers,)] = surface.database.rows(
        "SELECT count(*) FROM run_entries WHERE kind = 'message' AND body ->> 'tool' = 'task_answer'"
    )
    assert answers == 7
    # Each attempt is one run, and each run has ended once.
    runs = surface.database.rows("SELECT count(*), count(outcome) FROM runs")
    assert runs[0][0] == runs[0][1]


async def survive(surface: Surface, seed: int, kills: int) -> int:
    """Kill a team at random transactions until it has ended; return how often it was killed."""
    chance = random.Random(seed)
    problems: list[Any] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(
        lambda _, context: None if isinstance(context.get("exception"), Killed) else problems.append(context)
    )
    surface.models.scripts = {"orchestrator": orchestrate, **dict.fromkeys(AGENTS, work)}
    connection = surface.database.connection
    team: str | None = None
    killed = 0
    for killed in range(kills + 1):
        left = chance.randrange(2, 60) if killed < kills else 1_000_000
        team = (
            await live_until_killed(surface, connection, team or None, (left, chance.random() < 0.5)) or None
        )
        if team is not None and not surface.teams.unfinished():
            break
    assert team is not None
    surface.database = Database(connection, None)
    surface.open()
    check_end(surface, surface.teams.get(team).tasks, killed)
    # Unretrieved errors of killed tasks are reported while the handler is set.
    gc.collect()
    assert not problems
    return killed


@pytest.mark.fortnightly
async def test_a_team_of_five_survives_kills(surface: Surface) -> None:
    assert await survive(surface, 1, 12) >= 10


@pytest.mark.extended
@pytest.mark.parametrize("seed", range(2, 12))
async def test_a_team_of_five_survives_two_hundred_kills(tmp_path: Path, seed: int) -> None:
    assert await survive(Surface(tmp_path), seed, 20) >= 18
