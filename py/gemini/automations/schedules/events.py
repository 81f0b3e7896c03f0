"""The events of schedules."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event


@dataclass(frozen=True)
class SchedulesChanged(Event):
    """A schedule has changed, or one of its runs.

    Attributes:
        due: The next slot of all schedules, in seconds since 1970; None if there is none.
        busy: Whether a run of a schedule works, or could continue without the user.
    """

    type: ClassVar[str] = "schedules_changed"
    due: float | None
    busy: bool


@dataclass(frozen=True)
class ScheduleEnded(Event):
    """A run of a schedule has ended.

    Attributes:
        schedule: The id of the schedule.
        brief: The first line of its brief.
        status: `done`, `dead` or `cancelled`.
    """

    type: ClassVar[str] = "schedule_ended"
    schedule: str
    brief: str
    status: str
