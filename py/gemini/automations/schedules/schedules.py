"""All schedules of a surface: create, change and delete them.

A schedule that an agent makes waits until the user approves it: the text may come from a page. Its runs have no more
tools than the run that made it, and what that run had read from outside marks the brief as text from outside.
"""

import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeGuard

from gemini.agents.guard.budget import budget_of
from gemini.agents.runs.runs import Runs
from gemini.agents.teamwork.sources import has_read_outside
from gemini.agents.teamwork.teams import Teams
from gemini.automations.schedules.catch_up import CatchUp
from gemini.automations.schedules.packages import load_packages
from gemini.automations.schedules.rows import ScheduleRow, SlotRow
from gemini.automations.schedules.scheduler import Scheduler
from gemini.core.clock import Clock
from gemini.errors import InvalidArguments, Refused, RunMissing, ScheduleMissing, ScheduleProblem
from gemini.storage.schedules import ScheduleStore, Slot, StoredSchedule
from gemini.tools import Registry
from gemini.tools.calls import Call, acting_call
from gemini.tools.writers import PERSON, SCRIPT

MOST = 100
MAX_BRIEF_CHARS = 20_000
DAY_S = 86_400.0
OLDEST_DAYS, MAX_OLDEST_DAYS = 7.0, 366.0
USER = "user"
SHOWN_SLOTS = 5
LONGEST_SHOWN = 2_000


class Schedules:
    """The schedules of one surface.

    Args:
        store: The tables.
        scheduler: Starts the runs.
        teams: The teams, which are their runs.
        runs: The runs of agents.
        registry: The registry of the surface's tools.
        zone: Returns the name of the user's time zone.
    """

    def __init__(
        self,
        store: ScheduleStore,
        scheduler: Scheduler,
        teams: Teams,
        runs: Runs,
        registry: Registry,
        zone: Callable[[], str],
    ) -> None:
        self.scheduler = scheduler
        self._store = store
        self._teams = teams
        self._runs = runs
        self._registry = registry
        self._zone = zone

    @property
    def zone(self) -> str:
        """The name of the user's time zone."""
        return self._zone()

    async def agents(self) -> list[str]:
        """Return the names of the agents that schedules can run."""
        return sorted((await self._teams.files.read()).agents)

    @property
    def _clock(self) -> Clock:
        return self._runs.clock

    async def create(
        self,
        when: str,
        brief: str,
        *,
        agent: str | None = None,
        zone: str | None = None,
        catch_up: CatchUp = "once",
        oldest_days: float = OLDEST_DAYS,
        budget: dict[str, Any] | None = None,
    ) -> ScheduleRow:
        """Add a schedule; see `gemini.schedule`."""
        if len(self._store.all()) >= MOST:
            raise ScheduleProblem(f"there are {MOST} schedules, which is the limit", hint="Delete some.")
        now, call = self._clock.wall(), acting_call()
        schedule = StoredSchedule(
            id=f"schedule-{secrets.token_hex(4)}",
            **await self._times(when, zone or self._zone(), now),
            agent=await self._require_agent(agent),
            brief=_require_brief(brief),
            catch_up=catch_up,
            oldest_s=_oldest(oldest_days),
            budget={} if budget is None else budget_of(budget, None).model_dump(exclude_unset=True),
            paused=False,
            approved=not _is_agent(call),
            source=_source(call),
            origin=self._origin(call),
            tools=self._tools(call),
            made=now,
        )
        self._store.save(schedule)
        self._changed()
        return self._row(schedule)

    async def change(
        self,
        schedule_id: str,
        *,
        when: str | None = None,
        brief: str | None = None,
        agent: str | None = None,
        zone: str | None = None,
        catch_up: CatchUp | None = None,
        oldest_days: float | None = None,
        paused: bool | None = None,
        budget: dict[str, Any] | None = None,
    ) -> ScheduleRow:
        """Change a schedule. A value of None stays; an empty agent means a plain run.

        Raises:
            ScheduleMissing: There is no such schedule.
            ScheduleUnclear: The time isn't understood.
            InvalidArguments: An argument is invalid.
            AgentMissing, AgentFileBroken: The agent can't be used.
            Refused: An agent would change a schedule of the user.
        """
        call = acting_call()
        before = self._own(schedule_id, call)
        now = self._clock.wall()
        times: dict[str, Any] = {}
        if when is not None or zone is not None or (paused is False and before.paused):
            # A single time that has passed can't be read again.
            times = (
                await self._times(when or before.spoken, zone or before.zone, now)
                if when is not None or zone is not None or before.cron is not None
                else {"cursor": now, "due": before.at if (before.at or 0) > now else None}
            )
        schedule = replace(
            before,
            **times,
            agent=before.agent if agent is None else await self._require_agent(agent or None),
            brief=before.brief if brief is None else _require_brief(brief),
            catch_up=catch_up or before.catch_up,
            oldest_s=before.oldest_s if oldest_days is None else _oldest(oldest_days),
            budget=before.budget
            if budget is None
            else budget_of(budget, None).model_dump(exclude_unset=True),
            paused=before.paused if paused is None else paused,
        )
        if _is_agent(call):
            tools = self._tools(call)
            schedule = replace(
                schedule,
                approved=False,
                origin=self._origin(call) or before.origin,
                tools=tools
                if before.tools is None
                else [each for each in before.tools if tools is None or each in tools],
            )
        elif brief is not None and brief != before.brief:
            # The user has written it.
            schedule = replace(schedule, origin=None)
        self._store.save(schedule)
        self._changed()
        return self._row(schedule)

    def delete(self, schedule_id: str) -> None:
        """Delete a schedule. Raises ScheduleMissing, or Refused if an agent would delete one of the user."""
        self._own(schedule_id, acting_call())
        self._store.forget(schedule_id)
        self._changed()

    async def approve(self, schedule_id: str) -> None:
        """Let a schedule that an agent made begin.

        Raises:
            ScheduleMissing: There is no such schedule.
            ScheduleProblem: Its time has passed.
            Refused: An agent called it, or code that an agent runs.
        """
        _require_user(acting_call())
        schedule = self._find(schedule_id)
        now = self._clock.wall()
        due = await self._next(schedule, now)
        if due is None:
            raise ScheduleProblem(
                "the time of this schedule has passed", hint="Change the time, or delete it."
            )
        self._store.save(replace(schedule, approved=True, cursor=now, due=due))
        self._changed()

    def run_now(self, schedule_id: str) -> None:
        """Start a run of a schedule now, besides its slots. Raises ScheduleMissing, or ScheduleProblem."""
        self.scheduler.run_slot(self._find_approved(schedule_id), self._clock.wall(), missed=False)

    def run_missed(self, schedule_id: str, slot: str) -> None:
        """Start the run of a missed slot. Raises ScheduleMissing, or ScheduleProblem if it isn't missed."""
        schedule = self._find_approved(schedule_id)
        for each in self._store.missed(schedule_id):
            if _iso(each.slot) == slot:
                self.scheduler.run_slot(schedule, each.slot, missed=True)
                return
        raise ScheduleMissing(f"{schedule_id} has no missed slot at {slot[:40]!r}")

    def skip_missed(self, schedule_id: str) -> None:
        """Skip the missed slots of a schedule. Raises ScheduleMissing."""
        _require_user(acting_call())
        self._find(schedule_id)
        self._store.skip_missed(schedule_id)
        self._changed()

    def rows(self) -> list[ScheduleRow]:
        """Return all schedules, oldest first."""
        return [self._row(schedule) for schedule in self._store.all()]

    def get(self, schedule_id: str) -> ScheduleRow:
        """Return a schedule. Raises ScheduleMissing."""
        return self._row(self._find(schedule_id))

    async def _times(self, when: str, zone: str, now: float) -> dict[str, Any]:
        await load_packages()
        from gemini.automations.schedules.rules import rule_of

        rule = rule_of(when, zone, now)
        times = {"spoken": when.strip(), "cron": rule.cron, "at": rule.at, "zone": zone}
        return {**times, "cursor": now, "due": rule.next_after(now)}

    async def _next(self, schedule: StoredSchedule, now: float) -> float | None:
        await load_packages()
        from gemini.automations.schedules.rules import Rule

        return Rule(schedule.cron, schedule.at, schedule.zone).next_after(now)

    async def _require_agent(self, name: str | None) -> str | None:
        if name is not None:
            (await self._teams.files.read()).get(name)
        return name

    def _find(self, schedule_id: str) -> StoredSchedule:
        found = self._store.find(schedule_id)
        if found is None:
            known = ", ".join(each.id for each in self._store.all()) or "none"
            raise ScheduleMissing(
                f"there is no schedule {schedule_id[:60]!r}", hint=f"The schedules are: {known}."
            )
        return found

    def _own(self, schedule_id: str, call: Call | None) -> StoredSchedule:
        """Return a schedule that the caller may change: agents may change those that agents made."""
        found = self._find(schedule_id)
        if _is_agent(call) and found.source == USER:
            raise Refused(
                "only the user changes schedules that the user made", hint="Say what you would change."
            )
        return found

    def _find_approved(self, schedule_id: str) -> StoredSchedule:
        _require_user(acting_call())
        found = self._find(schedule_id)
        if not found.approved:
            raise ScheduleProblem("the schedule waits for approval", hint="Approve it first.")
        return found

    def _origin(self, call: Call | None) -> str | None:
        """Return the source of text from outside that a caller's text may have; None if there is none."""
        if not _is_agent(call):
            return None
        if call.origins:
            return call.origins[0]["origin"]
        if call.run is None:
            return f"a request of {call.caller}"
        while call is not None:
            if self._has_read(call.run):
                return f"{call.caller}, after it had read text from outside"
            call = call.outer
        return None

    def _has_read(self, run_id: str | None) -> bool:
        try:
            return run_id is not None and has_read_outside(self._runs.get(run_id))
        except RunMissing:
            # The run of a call that leads to this one is always there, unless it was forgotten meanwhile.
            return True

    def _tools(self, call: Call | None) -> list[str] | None:
        """Return the names of the tools that the calling run may use; None for all, or without a run."""
        if call is None or call.run is None:
            return None
        return self._runs.passed_on(call.run, spending=True)

    def _changed(self) -> None:
        self.scheduler.start()
        self.scheduler.wake()

    def _row(self, schedule: StoredSchedule) -> ScheduleRow:
        return {
            "id": schedule.id,
            "when": schedule.spoken,
            "cron": schedule.cron,
            "zone": schedule.zone,
            "agent": schedule.agent,
            "brief": schedule.brief,
            "catch_up": schedule.catch_up,
            "oldest_days": schedule.oldest_s / DAY_S,
            "budget": schedule.budget,
            "paused": schedule.paused,
            "approved": schedule.approved,
            "source": schedule.source,
            "outside": schedule.origin,
            "tools": schedule.tools,
            "due": None if schedule.paused or schedule.due is None else _iso(schedule.due),
            "slots": [self._slot(each) for each in self._store.slots(schedule.id, SHOWN_SLOTS)],
            "missed": [self._slot(each) for each in self._store.missed(schedule.id)],
        }

    def _slot(self, slot: Slot) -> SlotRow:
        return {
            "slot": _iso(slot.slot),
            "status": slot.status,
            "run_id": None if slot.team is None else self._store.run_of(slot.team),
            "ended": None if slot.ended is None else _iso(slot.ended),
            "result": None if slot.result is None else slot.result[:LONGEST_SHOWN],
            "reason": slot.reason,
        }


def _require_brief(text: str) -> str:
    if not text.strip():
        raise InvalidArguments("brief: it is empty", hint="Describe the task: the run knows nothing else.")
    if len(text) > MAX_BRIEF_CHARS:
        raise InvalidArguments(
            f"brief: it has over {MAX_BRIEF_CHARS:,} characters",
            hint="Write it to a file, and name the file.",
        )
    return text.strip()


def _oldest(days: float) -> float:
    if not 0 <= days <= MAX_OLDEST_DAYS:
        raise InvalidArguments(f"oldest_days must be between 0 and {MAX_OLDEST_DAYS:.0f}, not {days:g}")
    return days * DAY_S


def _is_agent(call: Call | None) -> TypeGuard[Call]:
    return call is not None and call.caller not in (PERSON, SCRIPT)


def _require_user(call: Call | None) -> None:
    if _is_agent(call):
        raise Refused(
            "only the user approves and runs schedules", hint="Ask the user to do it in the Schedules panel."
        )


def _source(call: Call | None) -> str:
    if not _is_agent(call):
        return USER
    return f"{call.caller}, {call.run}" if call.run else call.caller


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
