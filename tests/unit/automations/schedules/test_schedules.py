"""Schedules: runs begin when they are due, once, whatever happens to the clock and the page."""

import asyncio
import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

import gemini.automations.schedules
from gemini.agents.teamwork.definitions import PLAIN
from gemini.agents.teamwork.queue import SCHEDULE
from gemini.automations.schedules.events import ScheduleEnded, SchedulesChanged
from gemini.errors import AgentMissing, InvalidArguments, ScheduleMissing, ScheduleProblem
from gemini.models.interface.model import Request
from gemini.models.interface.scripted import Turn, call, say
from gemini.models.interface.tickets import Tickets, current_tickets, use_tickets
from gemini.storage.database import open_database
from gemini.storage.powers import keep_local_settings
from tests.unit.agents.teamwork.conftest import in_order
from tests.unit.automations.schedules.conftest import Surface, instant
from tests.unit.people import Person

DOCS = Path(__file__).parents[4] / "docs/schedules.md"
BRIEF = "Sum up the log of the night."
DAILY = "every day at 9"
AGENT = PLAIN.name


def statuses(surface: Surface) -> list[str]:
    return [status for _, status in surface.fates()]


def ended(surface: Surface, number: int = 1) -> bool:
    return sum(status in ("done", "dead") for status in statuses(surface)) == number


async def add(surface: Surface, when: str = DAILY, **more: Any) -> str:
    surface.models.scripts[AGENT] = lambda _: say("Nothing happened.")
    return (await surface.schedules.create(when, BRIEF, **more))["id"]


async def test_a_slot_runs_when_it_is_due(surface: Surface) -> None:
    events: list[Any] = []
    surface.registry.events.subscribe(lambda _, event: events.append(event))
    await add(surface)
    assert surface.row()["due"] == "2027-01-11T08:00:00.000+00:00"
    surface.hands.set("2027-01-11 08:59")
    assert surface.fates() == []
    surface.hands.set("2027-01-11 09:00")
    await surface.until(lambda: ended(surface))
    [slot] = surface.row()["slots"]
    assert (slot["status"], slot["result"]) == ("done", "Nothing happened.")
    assert slot["run_id"] is not None
    assert surface.runs.get(slot["run_id"]).task == BRIEF
    assert surface.row()["due"] == "2027-01-12T08:00:00.000+00:00"
    [end] = [event for event in events if isinstance(event, ScheduleEnded)]
    assert (end.brief, end.status) == (BRIEF, "done")
    last = [event for event in events if isinstance(event, SchedulesChanged)][-1]
    assert (last.due, last.busy) == (instant("2027-01-12 09:00"), False)


async def test_a_single_time_runs_once(surface: Surface) -> None:
    await add(surface, "in 20 minutes")
    surface.hands.set("2027-01-11 08:51")
    await surface.until(lambda: ended(surface))
    surface.hands.set("2027-02-11 08:51")
    await surface.reload()
    assert (surface.row()["due"], statuses(surface)) == (None, ["done"])


@pytest.mark.parametrize("scheduled", [True, False])
async def test_a_scheduled_run_asks_for_its_model_as_one_even_after_a_press(
    surface: Surface, scheduled: bool
) -> None:
    tickets: list[Tickets] = []

    def answer(_: Request) -> Turn:
        tickets.append(current_tickets())
        return say("Brief.")

    surface.teams.files.create("clerk", "Sums up logs.")
    surface.models.scripts["clerk"] = answer
    with use_tickets(Tickets("", "of the press")):
        await surface.teams.start(BRIEF, agent="clerk", more={SCHEDULE: "schedule-1"} if scheduled else {})
    assert [each.is_allowed("openai/gpt-5") for each in tickets] == [scheduled]


async def test_an_agent_of_a_file_does_its_own_work(surface: Surface) -> None:
    surface.teams.files.create("clerk", "Sums up logs.", prompt="You are brief.", tools=["read"])
    surface.models.scripts["clerk"] = lambda _: say("Brief.")
    await surface.schedules.create(DAILY, BRIEF, agent="clerk", budget={"steps": 3})
    surface.hands.set("2027-01-11 09:00")
    await surface.until(lambda: ended(surface))
    [request] = surface.models.requests["clerk"]
    assert "You are brief." in request.messages[0].text
    names = {tool.name for tool in request.tools}
    assert "read" in names and "task_add" not in names and "execute" not in names


async def test_the_orchestrator_leads_a_team(surface: Surface) -> None:
    surface.models.scripts["orchestrator"] = lambda _: say("Nothing to divide.")
    await surface.schedules.create(DAILY, BRIEF, agent="orchestrator")
    surface.hands.set("2027-01-11 09:00")
    await surface.until(lambda: ended(surface))
    [request] = surface.models.requests["orchestrator"]
    assert "task_add" in {tool.name for tool in request.tools}


@pytest.mark.parametrize(
    ("catch_up", "expected"),
    [
        ("once", ["skipped", "skipped", "done"]),
        ("all", ["done", "done", "done"]),
        ("skip", ["missed", "missed", "missed"]),
    ],
)
async def test_slots_that_were_missed_follow_the_rule(
    surface: Surface, catch_up: Any, expected: list[str]
) -> None:
    await add(surface, catch_up=catch_up)
    await surface.schedules.scheduler.stop()
    surface.hands.set("2027-01-13 12:00")
    await surface.reload()
    await surface.until(lambda: statuses(surface) == expected)
    assert [at for at, _ in surface.fates()] == ["01-11 09:00", "01-12 09:00", "01-13 09:00"]


async def test_the_user_runs_and_skips_what_was_missed(surface: Surface) -> None:
    schedule = await add(surface, catch_up="once", oldest_days=0)
    await surface.schedules.scheduler.stop()
    surface.hands.set("2027-01-13 12:00")
    await surface.reload()
    await surface.until(lambda: len(surface.row()["missed"]) == 3)
    slot = surface.row()["missed"][1]["slot"]
    surface.schedules.run_missed(schedule, slot)
    with pytest.raises(ScheduleMissing):
        surface.schedules.run_missed(schedule, slot)
    surface.schedules.skip_missed(schedule)
    await surface.until(lambda: ended(surface))
    assert statuses(surface) == ["skipped", "done", "skipped"]
    surface.schedules.run_now(schedule)
    with pytest.raises(ScheduleProblem, match="has run"):
        surface.schedules.run_now(schedule)
    await surface.until(lambda: ended(surface, 2))
    assert surface.fates()[-1] == ("01-13 12:00", "done")


@pytest.mark.parametrize(
    ("start", "ahead", "back"),
    [
        ("2027-01-11 08:30", "2027-01-14 10:00", "2027-01-11 08:45"),
        # Over the missing hour, and over the one that comes twice.
        ("2027-03-26 08:30", "2027-03-29 10:00", "2027-03-26 08:45"),
        ("2027-10-29 08:30", "2027-11-01 10:00", "2027-10-29 08:45"),
    ],
)
async def test_a_clock_that_jumps_three_days_runs_each_slot_once(
    surface: Surface, start: str, ahead: str, back: str
) -> None:
    surface.hands.set(start)
    await add(surface, "every 6 hours", catch_up="all")
    surface.hands.set(ahead)
    await surface.until(lambda: len(surface.schedules.get(surface.row()["id"])["slots"]) == 5)
    seen = await all_slots(surface)
    assert len(seen) == len(set(seen)) >= 12
    surface.hands.set(back)
    await surface.schedules.scheduler.stop()
    await surface.reload()
    # The days go by again, as the clock shows them.
    for hour in range(1, 3 * 24 + 3):
        day = instant(start) + hour * 3600
        surface.hands.set(local(day))
        await surface.until(lambda: not surface.schedules.scheduler.busy)
    assert await all_slots(surface) == seen
    runs = surface.database.rows("SELECT count(*), count(outcome) FROM runs")
    assert runs == [(len(seen), len(seen))]


async def all_slots(surface: Surface) -> list[float]:
    await surface.until(lambda: not surface.schedules.scheduler.busy)
    return [slot for (slot,) in surface.database.rows("SELECT slot FROM schedule_runs ORDER BY slot")]


def local(at: float) -> str:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    return datetime.fromtimestamp(at, ZoneInfo("Europe/Berlin")).strftime("%Y-%m-%d %H:%M")


async def test_a_clock_that_was_years_ahead_stalls_nothing(surface: Surface) -> None:
    await add(surface)
    surface.hands.set("2036-01-11 10:00")
    await surface.until(lambda: ended(surface))
    surface.hands.set("2027-01-11 08:45")

    def is_due_again() -> bool:
        # The scheduler looks at the clock once a minute.
        surface.hands.advance(1)
        return surface.row()["due"] == "2027-01-11T08:00:00.000+00:00"

    await surface.until(is_due_again)
    surface.hands.set("2027-01-11 09:00")
    done = "SELECT count(*) FROM schedule_runs WHERE status = 'done'"
    await surface.until(lambda: surface.database.rows(done) == [(2,)])


async def test_nothing_that_is_paused_or_deleted_runs(surface: Surface) -> None:
    schedule = await add(surface)
    await surface.schedules.change(schedule, paused=True)
    assert surface.row()["due"] is None
    surface.hands.set("2027-01-12 12:00")
    await surface.schedules.change(schedule, paused=False)
    assert surface.row()["due"] == "2027-01-13T08:00:00.000+00:00"
    assert surface.fates() == []
    surface.schedules.delete(schedule)
    assert surface.schedules.rows() == []
    with pytest.raises(ScheduleMissing, match="no schedule"):
        surface.schedules.delete(schedule)


async def test_arguments_are_checked(surface: Surface) -> None:
    create = surface.schedules.create
    with pytest.raises(InvalidArguments, match="brief"):
        await create(DAILY, "  ")
    with pytest.raises(AgentMissing):
        await create(DAILY, BRIEF, agent="nobody")
    with pytest.raises(InvalidArguments, match="oldest_days"):
        await create(DAILY, BRIEF, oldest_days=400)
    with pytest.raises(InvalidArguments, match="steps"):
        await create(DAILY, BRIEF, budget={"steps": 0})
    assert surface.schedules.rows() == []


async def test_a_question_waits_over_a_reload_and_the_run_goes_on(surface: Surface) -> None:
    await add(surface)
    surface.models.scripts[AGENT] = in_order(call("ask", question="Which log?"), say("Done."))
    surface.hands.set("2027-01-11 09:00")
    await surface.until(lambda: asks(surface))
    assert not surface.schedules.scheduler.busy
    await surface.reload()
    await surface.until(lambda: asks(surface) and surface.teams.is_open(surface.teams.unfinished()[0]))
    [team] = surface.teams.unfinished()
    surface.teams.get(team).answer(team, "That of the night")
    await surface.until(lambda: ended(surface))
    assert statuses(surface) == ["done"]
    runs = surface.database.rows("SELECT count(*), count(outcome) FROM runs")
    assert runs == [(1, 1)]


def asks(surface: Surface) -> bool:
    return any(surface.teams.get(team).questions for team in surface.teams.unfinished())


async def test_a_run_that_waited_for_consent_goes_on_when_the_user_wants_it(surface: Surface) -> None:
    """The question of a power's owner was cut off: the run doesn't continue on its own, to be refused or repeated."""
    await add(surface)
    surface.models.scripts[AGENT] = in_order(call("send", url="https://example.org"), say("Done."))
    asked: list[Any] = []

    async def ask(context: Any) -> None:
        asked.append(context)
        await asyncio.Event().wait()

    surface.registry.consent.attach(ask)
    surface.hands.set("2027-01-11 09:00")
    await surface.until(lambda: len(asked) == 1)
    [run] = surface.runs
    surface.questions.report([{"run": run.id, "text": "Network: https://example.org"}])
    assert surface.questions.cut_off() == []
    # It needs no slot of the queue, and no page that was woken for it.
    assert surface.database.rows("SELECT status FROM tasks") == [("parked",)]
    assert not surface.schedules.scheduler.busy
    await surface.reload()
    [question] = surface.questions.cut_off()
    assert (question.run_id, question.text) == (run.id, "Network: https://example.org")
    await surface.until(lambda: surface.row()["due"] is not None)
    [team] = surface.teams.unfinished()
    assert not surface.teams.is_open(team)
    surface.teams.resume(team)
    await surface.until(lambda: ended(surface))
    assert surface.questions.cut_off() == []
    # The call may have been made, so it isn't repeated, and the model is informed.
    assert len(asked) == 1 and surface.world.sent == []


async def test_imported_schedules_wait_for_approval(surface: Surface) -> None:
    await add(surface)
    surface.models.scripts[AGENT] = lambda _: call("ask", question="Go on?")
    surface.hands.set("2027-01-11 09:00")
    await surface.until(lambda: asks(surface))
    keep_local_settings(open_database(None), surface.database, ())
    await surface.reload()
    row = surface.row()
    assert (row["approved"], row["outside"], statuses(surface)) == (False, "an archive", ["cancelled"])
    assert not any(surface.teams.is_open(team) for team in surface.teams.unfinished())


async def test_the_example_of_the_documentation_runs(surface: Surface) -> None:
    surface.teams.files.create("analyst", "Analyses.")
    gemini.automations.schedules.provide(lambda: surface.schedules)
    try:
        [code] = re.findall(r"<!-- example: schedules -->\n```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
        scope: dict[str, Any] = {}
        lines = "\n".join(f"    {line}" for line in code.splitlines())
        exec(f"async def example():\n{lines}", scope)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            await scope["example"]()
    finally:
        gemini.automations.schedules.provide(None)
    assert printed.getvalue() == "0 9 * * 1-5 True\n"
    assert surface.row()["paused"] is True


async def test_an_answer_to_a_question_for_consent_lets_the_run_go_on(surface: Surface) -> None:
    await add(surface)
    surface.models.scripts[AGENT] = in_order(call("send", url="https://example.org"), say("Done."))
    person = Person(surface.registry, decision=None)
    surface.hands.set("2027-01-11 09:00")
    await surface.until(lambda: len(person.waiting) == 1)
    [run] = surface.runs
    surface.questions.report([{"run": run.id, "text": "Tools: send"}])
    [(_, answer)] = person.waiting
    answer.set_result("once")
    surface.questions.report([])
    await surface.until(lambda: ended(surface))
    assert (statuses(surface), surface.world.sent) == (["done"], ["https://example.org"])
    assert surface.questions.runs() == set()
