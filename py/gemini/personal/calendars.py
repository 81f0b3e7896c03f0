"""The user's calendar and reminders in iCalendar files (RFC 5545): listing, searching, and changing.

Other contents of a file, such as fields of other programs, stay in it.
"""

from gemini.personal.calendar_changes import (
    Scope,
    add_event,
    add_reminder,
    change_event,
    change_reminder,
    complete,
    remove,
)
from gemini.personal.calendar_rows import (
    CALENDAR,
    alarms,
    event,
    events,
    find_events,
    reminders,
    time_of_event,
)
from gemini.personal.rows import AlarmRow, EventRow, ReminderRow
from gemini.personal.times import When

__all__ = [
    "CALENDAR",
    "AlarmRow",
    "EventRow",
    "ReminderRow",
    "Scope",
    "When",
    "add_event",
    "add_reminder",
    "alarms",
    "change_event",
    "change_reminder",
    "complete",
    "event",
    "events",
    "find_events",
    "reminders",
    "remove",
    "time_of_event",
]
