"""The packages that calendars need. They load with the first calendar; contacts need none."""

from gemini.core.loading import load_packages
from gemini.errors import PersonalFileProblem

CALENDARS = ("icalendar", "python-dateutil", "tzdata")
CALENDAR_MODULES = ("tzdata", "dateutil.rrule", "icalendar")


async def load_calendars() -> None:
    """Load the packages of calendars, unless they are loaded. Raises PersonalFileProblem if they can't be fetched."""
    await load_packages(CALENDARS, CALENDAR_MODULES, PersonalFileProblem, "the packages that read calendars")
