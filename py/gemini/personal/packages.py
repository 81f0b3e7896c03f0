"""The packages that read calendars and contacts. They load with the first file."""

from gemini.core.late_packages import load_package
from gemini.errors import PersonalFileProblem


async def load_calendars() -> None:
    """Load the packages of calendars, unless they are loaded. Raises PersonalFileProblem if they can't be fetched."""
    described = "the packages that read calendars"
    await load_package("tzdata", ("tzdata",), PersonalFileProblem, described)
    await load_package("icalendar", ("icalendar",), PersonalFileProblem, described)
    await load_package("recurring-ical-events", ("recurring_ical_events",), PersonalFileProblem, described)


async def load_contacts() -> None:
    """Load the package of contacts, unless it is loaded. Raises PersonalFileProblem if it can't be fetched."""
    await load_package("vobject", ("vobject",), PersonalFileProblem, "the package that reads contacts")
