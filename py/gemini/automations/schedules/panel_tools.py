"""The actions of the Schedules panel. They go through the registry as all tools do, but only the user can call them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from typing_extensions import TypedDict

from gemini.automations.schedules.rows import ScheduleRow
from gemini.tools import Effect, declare

if TYPE_CHECKING:
    # The modules of schedules load on first use.
    from gemini.automations.schedules.schedules import Schedules


class Scheduled(TypedDict):
    """All schedules, oldest first, the names of the agents that can run, and the user's time zone."""

    schedules: list[ScheduleRow]
    agents: list[str]
    zone: str


class Done(TypedDict):
    """The confirmation of an action."""

    success: bool


class PanelScheduleTools:
    """The actions of the Schedules panel.

    Args:
        schedules: Returns the surface's schedules, which are created on first use.
    """

    def __init__(self, schedules: "Callable[[], Schedules]") -> None:
        self._schedules = schedules

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="list_schedules")
    async def panel_schedule_list(self) -> Scheduled:
        """List all schedules."""
        schedules = self._schedules()
        return {
            "schedules": schedules.rows(),
            "agents": await schedules.agents(),
            "zone": schedules.zone,
        }

    @declare(person_only=True, action="add_schedule")
    async def panel_schedule_add(
        self,
        when: str,
        brief: str,
        agent: str | None = None,
        zone: str | None = None,
        catch_up: Literal["once", "all", "skip"] = "once",
        oldest_days: float = 7.0,
        budget: dict[str, float] | None = None,
    ) -> ScheduleRow:
        """Add a schedule.

        Args:
            when: The time in words, or a cron expression.
            brief: The task of each run.
            agent: The agent's name; a plain run by default.
            zone: The time zone; the user's by default.
            catch_up: For slots that passed while nothing could run.
            oldest_days: Slots that are older don't run.
            budget: Limits of each run: steps, tokens, cost (in dollars), minutes.
        """
        return await self._schedules().create(
            when, brief, agent=agent, zone=zone, catch_up=catch_up, oldest_days=oldest_days, budget=budget
        )

    @declare(person_only=True, action="change_schedule")
    async def panel_schedule_change(
        self,
        schedule: str,
        when: str | None = None,
        brief: str | None = None,
        agent: str | None = None,
        zone: str | None = None,
        catch_up: Literal["once", "all", "skip"] | None = None,
        oldest_days: float | None = None,
        paused: bool | None = None,
    ) -> ScheduleRow:
        """Change, pause or resume a schedule."""
        return await self._schedules().change(
            schedule,
            when=when,
            brief=brief,
            agent=agent,
            zone=zone,
            catch_up=catch_up,
            oldest_days=oldest_days,
            paused=paused,
        )

    @declare(person_only=True, action="delete_schedule")
    def panel_schedule_delete(self, schedule: str) -> Done:
        """Delete a schedule; its runs continue."""
        self._schedules().delete(schedule)
        return {"success": True}

    @declare(person_only=True, action="approve_schedule")
    async def panel_schedule_approve(self, schedule: str) -> Done:
        """Let a schedule that an agent made begin."""
        await self._schedules().approve(schedule)
        return {"success": True}

    @declare(person_only=True, action="run_schedule")
    def panel_schedule_run(self, schedule: str, slot: str | None = None) -> Done:
        """Start a run of a schedule now, or that of a missed slot."""
        if slot is None:
            self._schedules().run_now(schedule)
        else:
            self._schedules().run_missed(schedule, slot)
        return {"success": True}

    @declare(person_only=True, action="skip_slots")
    def panel_schedule_skip(self, schedule: str) -> Done:
        """Skip the missed slots of a schedule."""
        self._schedules().skip_missed(schedule)
        return {"success": True}
