"""The packages that read calendars and contacts. They load with the first file."""

from gemini.core.late_packages import load_packages
from gemini.errors import PersonalFileProblem

CALENDARS = ("icalendar", "recurring-ical-events", "tzdata")
CALENDAR_MODULES = ("tzdata", "icalendar", "recurring_ical_events")
CONTACTS = ("vobject",)


async def load_calendars() -> None:
    """Load the packages of calendars, unless they are loaded. Raises PersonalFileProblem if they can't be fetched."""
    await load_packages(CALENDARS, CALENDAR_MODULES, PersonalFileProblem, "the packages that read calendars")


async def load_contacts() -> None:
    """Load the package of contacts, unless it is loaded. Raises PersonalFileProblem if it can't be fetched."""
    await load_packages(CONTACTS, CONTACTS, PersonalFileProblem, "the package that reads contacts")
