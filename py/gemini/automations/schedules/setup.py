"""The schedules, and the clock that begins their runs."""

from typing import TYPE_CHECKING

from gemini.automations.schedules import provide
from gemini.automations.schedules.panel_tools import PanelScheduleTools
from gemini.automations.schedules.tools import ScheduleTools
from gemini.core import ffi
from gemini.errors import GeminiError

if TYPE_CHECKING:
    from gemini.automations.schedules.schedules import Schedules
    from gemini.kernel.kernel import Kernel

# Schedules, if there are any, are looked at after the start and the first calls.
FIRST_CLOCK_S = 1.0


def setup(kernel: "Kernel") -> None:
    """Register the tools of schedules."""

    def schedules() -> "Schedules":
        return kernel.schedules

    kernel.registry.add_room(ScheduleTools(schedules))
    kernel.registry.add_room(PanelScheduleTools(schedules))
    kernel.on_start(lambda: provide(schedules))
    kernel.after_start(FIRST_CLOCK_S, lambda: _start_clock(kernel))


def create_schedules(kernel: "Kernel") -> "Schedules":
    """Create the schedules. Their packages are loaded with the first one."""
    from gemini.automations.schedules.scheduler import Scheduler
    from gemini.automations.schedules.schedules import Schedules

    saved, runs, teams = kernel.store.schedules, kernel.runs, kernel.teams
    scheduler = Scheduler(saved, teams, runs.clock, kernel.events, kernel.questions.runs)
    return Schedules(saved, scheduler, teams, runs, kernel.registry, ffi.time_zone)


def _start_clock(kernel: "Kernel") -> None:
    """Start the scheduler if there is anything to do."""
    try:
        if kernel.store.schedules.exist():
            kernel.schedules.scheduler.start()
    except GeminiError as error:
        kernel.limitations.report(error)
