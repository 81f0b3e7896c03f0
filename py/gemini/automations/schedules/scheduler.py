"""The scheduler: starts the run of each slot that is due, once.

A slot, the team that is its run, and the schedule's next slot are saved in one transaction, before the run starts. So a
slot is either as it was, or has a run in the queue of teams, which loses nothing and repeats nothing (docs/team.md).
"""

import asyncio
import logging
from collections.abc import Callable, Collection
from contextvars import Context
from dataclasses import replace

from gemini.agents.teamwork.definitions import PLAIN
from gemini.agents.teamwork.provided import ORCHESTRATOR
from gemini.agents.teamwork.queue import ALONE, ONLY, ORIGIN, SCHEDULE
from gemini.agents.teamwork.teams import Teams
from gemini.automations.schedules.catch_up import decide
from gemini.automations.schedules.events import ScheduleEnded, SchedulesChanged
from gemini.automations.schedules.packages import load_packages
from gemini.core.clock import Clock
from gemini.core.events import EventLog
from gemini.errors import GeminiError, ScheduleProblem
from gemini.storage.schedules import ScheduleStore, StoredSchedule

# The clock is read this often, so that one that jumps is noticed.
LONGEST_SLEEP_S = 60.0
# A last slot that is so far ahead comes from a clock that was wrong.
MAX_AHEAD_S = 7 * 86_400.0
SHOWN_BRIEF_CHARS = 120

logger = logging.getLogger(__name__)


class Scheduler:
    """Starts runs when they are due.

    Args:
        store: The tables.
        teams: The teams, whose queue has the runs.
        clock: The clock.
        events: Receives `SchedulesChanged` and `ScheduleEnded`.
        waiting: Returns the ids of the runs that wait for the user's consent, of earlier sessions, too.
    """

    def __init__(
        self,
        store: ScheduleStore,
        teams: Teams,
        clock: Clock,
        events: EventLog,
        waiting: Callable[[], Collection[str]],
    ) -> None:
        self._store = store
        self._teams = teams
        self._clock = clock
        self._events = events
        self._waiting = waiting
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._announced: tuple[float | None, bool] | None = None
        teams.on_change(lambda _: self._end_slots())

    def start(self) -> None:
        """Begin, unless it has begun: resume runs that were cut off, then wait for slots."""
        if self._task is None:
            # Runs of schedules belong to no call, run or ticket of the code that is running now.
            self._task = asyncio.create_task(self._run(), context=Context(), name="the scheduler")

    async def stop(self) -> None:
        """Stop. Runs that have started continue."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait({task})

    def wake(self) -> None:
        """Look at the schedules, since one has changed."""
        self._changed.set()
        self.announce()

    def announce(self) -> None:
        """Publish that schedules have changed, with the next slot."""
        self._announced = self._state()
        self._events.publish(SchedulesChanged(*self._announced))

    async def _run(self) -> None:
        await self._load()
        self._resume()
        self._look()
        self.announce()
        while True:
            await self._sleep()
            self._look()

    def _look(self) -> None:
        self._changed.clear()
        try:
            self.run_due()
        except GeminiError as problem:
            # The storage can't be written. Nothing was started, so the next look tries again.
            logger.warning("Schedules wait: %s", problem)

    async def _load(self) -> None:
        while True:
            try:
                return await load_packages()
            except ScheduleProblem as problem:
                logger.warning("Schedules wait: %s", problem)
                await self._clock.sleep(LONGEST_SLEEP_S)

    async def _sleep(self) -> None:
        """Wait until the next slot, a change, or for a minute."""
        now = self._clock.wall()
        left_s = [schedule.due - now for schedule in self._active() if schedule.due is not None]
        waits = [
            asyncio.create_task(self._clock.sleep(max(0.0, min([LONGEST_SLEEP_S, *left_s])))),
            asyncio.create_task(self._changed.wait()),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    def _resume(self) -> None:
        """Resume runs that were cut off. One that waited for the user's consent continues when the user wants it."""
        waiting = set(self._waiting())
        self._end_slots()
        for team, run_id in self._store.unfinished():
            if run_id not in waiting and not self._teams.is_open(team):
                self._teams.resume(team)

    def run_due(self) -> None:
        """Decide what becomes of the slots that are due, and start their runs."""
        now = self._clock.wall()
        for schedule in self._active():
            if schedule.cursor > now + MAX_AHEAD_S:
                self._restart(schedule, now)
            elif schedule.due is not None and schedule.due <= now:
                self._decide(schedule, now)

    def _active(self) -> list[StoredSchedule]:
        return [each for each in self._store.all() if each.approved and not each.paused]

    def _restart(self, schedule: StoredSchedule, now: float) -> None:
        """Begin again at the present, since the clock was far ahead. Slots that were written aren't repeated."""
        from gemini.automations.schedules.rules import Rule

        due = Rule(schedule.cron, schedule.at, schedule.zone).next_after(now)
        self._store.save(replace(schedule, cursor=now, due=due))
        self.announce()

    def _decide(self, schedule: StoredSchedule, now: float) -> None:
        from gemini.automations.schedules.rules import Rule

        rule = Rule(schedule.cron, schedule.at, schedule.zone)
        decided = decide(rule, schedule.catch_up, schedule.oldest_s, schedule.cursor, now)
        for each in decided:
            with self._store.transaction():
                written = self._store.write_slot(schedule.id, each.slot, each.fate, now)
                if written and each.fate == "running":
                    self._begin(schedule, each.slot)
                after = replace(schedule, cursor=each.slot, due=rule.next_after(each.slot))
                self._store.save(after)
        if not decided:
            # The slot was decided before the clock went back.
            self._store.save(replace(schedule, due=rule.next_after(now)))
        self.announce()

    def run_slot(self, schedule: StoredSchedule, slot: float, *, missed: bool) -> None:
        """Start the run of a slot at the user's wish: a missed one, or one at the present.

        Raises:
            ScheduleProblem: The slot has run, or is being run.
        """
        now = self._clock.wall()
        with self._store.transaction():
            free = (
                self._store.run_missed(schedule.id, slot, now)
                if missed
                else self._store.write_slot(schedule.id, slot, "running", now)
            )
            if not free:
                raise ScheduleProblem("this slot has run already")
            self._begin(schedule, slot)
        self.announce()

    def _begin(self, schedule: StoredSchedule, slot: float) -> None:
        """Add the run of a slot to the queue, in the transaction that writes the slot."""
        narrowed = schedule.origin is not None or schedule.tools is not None
        team = Context().run(
            self._teams.start,
            schedule.brief,
            agent=schedule.agent or PLAIN.name,
            budget=schedule.budget,
            attended=True,
            more={
                SCHEDULE: schedule.id,
                # Only the user's own schedules start teams: each agent of one has the tools of its file.
                **({} if schedule.agent == ORCHESTRATOR and not narrowed else {ALONE: True}),
                **({} if schedule.origin is None else {ORIGIN: schedule.origin}),
                **({} if schedule.tools is None else {ONLY: schedule.tools}),
            },
        )
        self._store.set_team(schedule.id, slot, team.id)

    def _end_slots(self) -> None:
        """Save the ends of runs, and publish them."""
        for slot in self._store.end_slots():
            schedule = self._store.find(slot.schedule)
            brief = "" if schedule is None else first_line(schedule.brief)
            self._events.publish(ScheduleEnded(slot.schedule, brief, slot.status))
            self.announce()
        if self._announced is not None and self._announced != self._state():
            self.announce()

    def _state(self) -> tuple[float | None, bool]:
        """Return the next slot, and whether a run works."""
        dues = [schedule.due for schedule in self._active() if schedule.due is not None]
        return min(dues, default=None), self.busy

    @property
    def busy(self) -> bool:
        """True if a run works, or could continue without the user."""
        waiting = set(self._waiting())
        return any(
            run_id not in waiting and self._teams.is_open(team) and not self._asks(team)
            for team, run_id in self._store.unfinished()
        )

    def _asks(self, team: str) -> bool:
        return any(question.for_user for question in self._teams.get(team).questions)


def first_line(text: str) -> str:
    """Return the first line of a text, cut to what lists show."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= SHOWN_BRIEF_CHARS else f"{line[: SHOWN_BRIEF_CHARS - 1]}…"
