"""The tools with which agents schedule runs."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from typing_extensions import TypedDict

from gemini.tools import Effect, declare

if TYPE_CHECKING:
    # The modules of schedules load on first use.
    from gemini.automations.schedules.rows import ScheduleRow
    from gemini.automations.schedules.schedules import Schedules


class Listed(TypedDict):
    """A schedule; `waits` while the user hasn't approved it, `due` and `last` in ISO 8601."""

    id: str
    when: str
    zone: str
    agent: str | None
    brief: str
    catch_up: str
    paused: bool
    waits: bool
    due: str | None
    last: str | None
    status: str | None
    result: str | None


class Deleted(TypedDict):
    """The confirmation of an action."""

    success: bool


class ScheduleTools:
    """The schedules, for agents.

    Args:
        schedules: Returns the surface's schedules, which are created on first use.
    """

    def __init__(self, schedules: "Callable[[], Schedules]") -> None:
        self._schedules = schedules

    @declare(effect=Effect.WRITE)
    async def schedule_create(
        self,
        when: str,
        brief: str,
        agent: str | None = None,
        zone: str | None = None,
        catch_up: Literal["once", "all", "skip"] = "once",
    ) -> Listed:
        """Schedule runs of an agent. The user must approve it first.

        Args:
            when: In words ("every weekday at 9", "in 20 minutes") or as a cron expression.
            brief: All that each run must know.
            agent: An agent's name; a plain run by default.
            zone: Such as Europe/Berlin; the user's by default.
            catch_up: For slots that passed while nothing could run: one run, all, or none.
        """
        return _list(await self._schedules().create(when, brief, agent=agent, zone=zone, catch_up=catch_up))

    @declare(effect=Effect.READ, untrusted=True)
    def schedule_list(self) -> list[Listed]:
        """List schedules with the next time and the last result."""
        return [_list(row) for row in self._schedules().rows()]

    @declare(effect=Effect.WRITE, untrusted=True)
    async def schedule_change(
        self,
        schedule: str,
        when: str | None = None,
        brief: str | None = None,
        paused: bool | None = None,
    ) -> Listed:
        """Change a schedule that an agent made. The user must approve it again."""
        return _list(await self._schedules().change(schedule, when=when, brief=brief, paused=paused))

    @declare(effect=Effect.WRITE)
    def schedule_delete(self, schedule: str) -> Deleted:
        """Delete a schedule that an agent made."""
        self._schedules().delete(schedule)
        return {"success": True}


def _list(row: "ScheduleRow") -> Listed:
    last = next((each for each in row["slots"] if each["run_id"] is not None), None)
    return {
        "id": row["id"],
        "when": row["when"],
        "zone": row["zone"],
        "agent": row["agent"],
        "brief": row["brief"],
        "catch_up": row["catch_up"],
        "paused": row["paused"],
        "waits": not row["approved"],
        "due": row["due"] if row["approved"] else None,
        "last": None if last is None else last["slot"],
        "status": None if last is None else last["status"],
        "result": None if last is None else last["result"],
    }
