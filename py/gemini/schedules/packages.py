"""The packages that schedules need: cron expressions and time zones. They load with the first schedule."""

from gemini.core import ffi
from gemini.core.loading import SharedLoads, import_after_pause
from gemini.errors import ScheduleProblem

PACKAGES = ("cronsim", "tzdata")
MODULES = ("cronsim", "tzdata", "gemini.schedules.rules")

_loads = SharedLoads()


async def load_packages() -> None:
    """Load the packages, unless they are loaded.

    Raises:
        ScheduleProblem: They can't be fetched.
    """
    await _loads.run(PACKAGES[0], _load)


async def _load() -> None:
    try:
        if ffi.IN_BROWSER:
            await ffi.install_packages(list(PACKAGES))
        for name in MODULES:
            await import_after_pause(name)
    # Pyodide reports failed downloads only in the browser's console.
    except ModuleNotFoundError as error:
        raise ScheduleProblem(
            f"the packages that schedules need couldn't be downloaded: {error}",
            hint="Check the connection, then try again.",
        ) from error
