"""The packages that schedules need: cron expressions and time zones. They load with the first schedule."""

from gemini.core import loading
from gemini.errors import ScheduleProblem

PACKAGES = ("cronsim", "tzdata")
MODULES = ("cronsim", "tzdata", "gemini.automations.schedules.rules")


async def load_packages() -> None:
    """Load the packages, unless they are loaded.

    Raises:
        ScheduleProblem: They can't be fetched.
    """
    await loading.load_packages(PACKAGES, MODULES, ScheduleProblem, "the packages that schedules need")
