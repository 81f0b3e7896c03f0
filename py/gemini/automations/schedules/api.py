"""The functions for scripts, which `gemini.schedule` exports."""

from typing import Any

from gemini.automations.schedules import current
from gemini.automations.schedules.catch_up import CatchUp
from gemini.automations.schedules.rows import ScheduleRow
from gemini.automations.schedules.schedules import OLDEST_DAYS


class Schedule:
    """Schedules from scripts: `await gemini.schedule("every weekday at 9", "Sum up the log")` adds one."""

    async def __call__(
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
        """Add a schedule, and return it.

        Args:
            when: The time in words, such as `every weekday at 9` or `in 20 minutes`, or a cron expression.
            brief: The task of each run: it knows nothing else.
            agent: The agent, by the name of its file. Defaults to a plain run.
            zone: The time zone, such as `Europe/Berlin`. Defaults to the user's.
            catch_up: What becomes of slots that passed while nothing could run: `once`: the newest runs; `all`: each
                runs; `skip`: none runs, and the user finds them in the panel.
            oldest_days: Slots that are older than this don't run.
            budget: The limits of each run: `steps`, `tokens`, `cost` in dollars, `minutes`.

        Raises:
            ScheduleUnclear: The time isn't understood; the hint lists the accepted forms.
            ScheduleProblem: There are too many schedules, or the packages can't be fetched.
            InvalidArguments: An argument is invalid.
            AgentMissing, AgentFileBroken: The agent can't be used.
            NotStarted: The surface isn't running.
        """
        more: dict[str, Any] = {"oldest_days": oldest_days, "budget": budget}
        return await current().create(when, brief, agent=agent, zone=zone, catch_up=catch_up, **more)

    def all(self) -> list[ScheduleRow]:
        """Return all schedules, oldest first."""
        return current().rows()

    def get(self, schedule_id: str) -> ScheduleRow:
        """Return a schedule. Raises ScheduleMissing."""
        return current().get(schedule_id)

    async def change(self, schedule_id: str, **changes: Any) -> ScheduleRow:
        """Change a schedule: `when`, `brief`, `agent`, `zone`, `catch_up`, `oldest_days`, `budget`, `paused`.

        Raises:
            ScheduleMissing: There is no such schedule.
            ScheduleUnclear: The time isn't understood.
            InvalidArguments: A value is invalid.
        """
        return await current().change(schedule_id, **changes)

    def run_now(self, schedule_id: str) -> None:
        """Start a run of a schedule now, besides its slots. Raises ScheduleMissing, or ScheduleProblem."""
        current().run_now(schedule_id)

    def delete(self, schedule_id: str) -> None:
        """Delete a schedule; its runs continue. Raises ScheduleMissing."""
        current().delete(schedule_id)


schedule = Schedule()
"""Schedules from scripts."""
