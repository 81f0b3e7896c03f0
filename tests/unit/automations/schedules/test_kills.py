"""Schedules survive a killed Python at each transaction between the writing of a slot and the end of its run."""

import asyncio
from typing import Any

import pytest

from gemini.agents.teamwork.definitions import PLAIN
from gemini.models.interface.model import Request
from gemini.models.interface.scripted import call, say
from gemini.storage.database import Database
from tests.unit.agents.teamwork.conftest import results
from tests.unit.agents.teamwork.test_kills import Killed, Mortal
from tests.unit.automations.schedules.conftest import Surface

DAYS = ("2027-01-11 12:00", "2027-01-12 12:00", "2027-01-13 12:00")


def work(request: Request) -> Any:
    """Run a command, ask, and end."""
    made = results(request)
    if not made:
        return call("execute", command="sum up")
    if not any(message.tool == "ask" for message in made):
        return call("ask", question="Is that all?")
    return say("Done.")


async def live(surface: Surface, slots: int, kill: tuple[int, bool] | None) -> bool:
    """Open the page, answer questions, and return whether it was killed before all slots had ended."""
    connection = surface.database.connection
    mortal = Mortal(connection, *(kill or (1_000_000, True)))
    surface.database = mortal
    outer = asyncio.all_tasks()
    try:
        surface.open()
        surface.schedules.scheduler.start()
        async with asyncio.timeout(60):
            while not mortal.dead.is_set() and not is_over(surface, slots):
                answer(surface)
                await asyncio.sleep(0)
    except Killed:
        pass
    finally:
        # Runs that have just been created begin, and find the database closed.
        for _ in range(3):
            await asyncio.sleep(0)
        left = asyncio.all_tasks() - outer
        for task in left:
            task.cancel()
        ended = await asyncio.gather(*left, return_exceptions=True)
        surface.database = Database(connection, None)
    assert [each for each in ended if isinstance(each, Exception)] == []
    return mortal.dead.is_set()


def is_over(surface: Surface, slots: int) -> bool:
    [(done,)] = surface.database.rows("SELECT count(*) FROM schedule_runs WHERE status = 'done'")
    return done == slots


def answer(surface: Surface) -> None:
    for team in surface.teams.unfinished():
        handle = surface.teams.get(team)
        for question in handle.questions:
            handle.answer(question.task, "Yes")


async def survive(surface: Surface, slots: int, kills: list[tuple[int, bool]]) -> int:
    """Kill the page at these transactions in turn; return how often it was killed."""
    problems: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: None if isinstance(context.get("exception"), Killed) else problems.append(context)
    )
    surface.models.scripts[PLAIN.name] = work
    await surface.schedules.create("every day at 9", "Sum up the night.", catch_up="all")
    await surface.schedules.scheduler.stop()
    surface.hands.set(DAYS[slots - 1])
    killed = 0
    for kill in kills:
        if not await live(surface, slots, kill):
            break
        killed += 1
    assert not await live(surface, slots, None)
    check(surface, slots, killed)
    assert problems == []
    return killed


def check(surface: Surface, slots: int, killed: int) -> None:
    written = surface.database.rows("SELECT slot, status, team FROM schedule_runs ORDER BY slot")
    assert [status for _, status, _ in written] == ["done"] * slots
    # Each slot has one team with one run, which has ended once, and nobody else has any.
    teams = surface.database.rows("SELECT id, status, run_id FROM tasks ORDER BY seq")
    assert [team for team, *_ in teams] == [team for *_, team in written]
    runs = surface.database.rows("SELECT count(*), count(outcome) FROM runs")
    assert runs == [(slots, slots)]
    # An interrupted command isn't repeated.
    assert slots - killed <= len(surface.world.ran) <= slots


async def kill_everywhere(surface: Surface, slots: int) -> int:
    """Kill one page after the other, each at the next transaction: in the middle of it or right after it, in turn."""
    number = 0
    while await survive(Surface(surface.root / f"{number}"), slots, [(number, number % 2 == 0)]):
        number += 1
    return number


@pytest.mark.fortnightly
async def test_a_kill_at_each_transaction_loses_and_repeats_nothing(surface: Surface) -> None:
    # A slot has its claim, start, steps, question, answer and end.
    assert await kill_everywhere(surface, 1) > 15


@pytest.mark.extended
async def test_a_kill_at_each_transaction_of_three_slots_loses_and_repeats_nothing(surface: Surface) -> None:
    assert await kill_everywhere(surface, 3) > 45


@pytest.mark.extended
@pytest.mark.parametrize("gap", [1, 2, 3, 5, 8])
async def test_many_kills_in_a_row_lose_and_repeat_nothing(surface: Surface, gap: int) -> None:
    assert await survive(surface, 3, [(gap, kill % 2 == 0) for kill in range(60)]) > 5
