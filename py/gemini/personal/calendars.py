"""Calendars and reminders in iCalendar files (RFC 5545): events with recurrences, and to-dos.

What a file has beside the events, such as alarms and fields of other programs, stays in it.
"""

import secrets
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from typing_extensions import TypedDict

from gemini.errors import InvalidArguments, PersonalFileProblem
from gemini.files.edit import write
from gemini.personal.files import read_text
from gemini.personal.packages import load_calendars

if TYPE_CHECKING:
    from icalendar import Calendar, Event, Todo

CALENDAR = "/home/user/calendar.ics"
When = str | date | datetime
# More times than a person can look at, such as an event of each minute.
MOST_EVENTS = 1_000


class EventRow(TypedDict):
    """One time of an event; `start` and `end` in ISO 8601, dates alone for whole days. `repeats` is its RRULE."""

    uid: str
    title: str
    start: str
    end: str
    place: str
    notes: str
    repeats: str


class ReminderRow(TypedDict):
    """A to-do. `due` is in ISO 8601, or empty."""

    uid: str
    title: str
    due: str
    notes: str
    done: bool


async def events(start: When, end: When, path: str = CALENDAR) -> list[EventRow]:
    """Return the times of events between two times, recurring ones each time they take place, in order.

    Args:
        start: The first time: a date or time, or its text in ISO 8601.
        end: The end, exclusive.
        path: The file.

    Raises:
        InvalidArguments: A time can't be read, or there are too many events.
        PersonalFileProblem: The file can't be read.
    """
    await load_calendars()
    recurring: Any = import_module("recurring_ical_events")
    found: list[EventRow] = []
    calendar = _read(path)
    # The times of an event have its UID, but not its rule.
    rules = {str(event.get("uid", "")): rule for event in calendar.events if (rule := _rule(event))}
    for event in recurring.of(calendar).between(_time(start), _time(end)):
        if len(found) == MOST_EVENTS:
            raise InvalidArguments(
                f"there are more than {MOST_EVENTS} events", hint="Ask for a shorter time."
            )
        found.append(_event_row(cast("Event", event), rules))
    return sorted(found, key=lambda row: row["start"])


async def add_event(
    title: str,
    start: When,
    end: When | None = None,
    *,
    place: str = "",
    notes: str = "",
    repeats: str = "",
    path: str = CALENDAR,
) -> str:
    """Add an event and return its UID. The file is created if it doesn't exist.

    Args:
        title: Its title.
        start: Its start; a date alone for whole days. Without a time zone, it is local wherever the user is.
        end: Its end, exclusive; an hour or a day after the start by default.
        place: Where it takes place.
        notes: Further text.
        repeats: An RRULE, such as `FREQ=WEEKLY;BYDAY=MO;COUNT=10`.
        path: The file.

    Raises:
        InvalidArguments: A time or the rule can't be read, or the end isn't after the start.
        PersonalFileProblem: The file can't be read.
        FileProblem: It can't be written; it is unchanged.
    """
    await load_calendars()
    from icalendar import Event

    first = _time(start)
    last = _time(end) if end is not None else first + _usual_length(first)
    if type(first) is not type(last) or _comparable(last) <= _comparable(first):
        raise InvalidArguments("the end isn't after the start", hint="Pass two dates, or two times.")
    event: Any = Event()
    event.add("dtstart", first)
    event.add("dtend", last)
    event.add("summary", title)
    for name, text in (("location", place), ("description", notes)):
        if text:
            event.add(name, text)
    if repeats:
        event.add("rrule", _read_rule(repeats))
    return _add(event, path)


async def remove(uid: str, path: str = CALENDAR) -> None:
    """Remove an event, with all its times, or a reminder.

    Raises:
        InvalidArguments: There is none with this UID.
        PersonalFileProblem: The file can't be read.
        FileProblem: It can't be written; it is unchanged.
    """
    await load_calendars()
    calendar = _read(path)
    left = [part for part in calendar.subcomponents if str(part.get("uid", "")) != uid]
    if len(left) == len(calendar.subcomponents):
        raise InvalidArguments(
            f"{path} has nothing with the UID {uid[:80]!r}", hint="List events or reminders."
        )
    calendar.subcomponents = left
    _write(calendar, path)


async def reminders(path: str = CALENDAR, *, done: bool = False) -> list[ReminderRow]:
    """Return the reminders of a file, by the time when they are due; those that are done only with `done`.

    Raises:
        PersonalFileProblem: The file can't be read.
    """
    await load_calendars()
    rows = [_reminder_row(todo) for todo in _read(path).todos]
    shown = [row for row in rows if done or not row["done"]]
    return sorted(shown, key=lambda row: (not row["due"], row["due"]))


async def add_reminder(title: str, due: When | None = None, *, notes: str = "", path: str = CALENDAR) -> str:
    """Add a reminder and return its UID; see `add_event`."""
    await load_calendars()
    from icalendar import Todo

    todo: Any = Todo()
    todo.add("summary", title)
    if due is not None:
        todo.add("due", _time(due))
    if notes:
        todo.add("description", notes)
    todo.add("status", "NEEDS-ACTION")
    return _add(todo, path)


async def complete(uid: str, path: str = CALENDAR) -> None:
    """Mark a reminder as done.

    Raises:
        InvalidArguments: There is none with this UID.
        PersonalFileProblem: The file can't be read.
        FileProblem: It can't be written; it is unchanged.
    """
    await load_calendars()
    calendar = _read(path)
    found: list[Any] = [todo for todo in calendar.todos if str(todo.get("uid", "")) == uid]
    if not found:
        raise InvalidArguments(
            f"{path} has no reminder with the UID {uid[:80]!r}", hint="List the reminders."
        )
    for todo in found:
        for name in ("status", "completed"):
            todo.pop(name, None)
        todo.add("status", "COMPLETED")
        todo.add("completed", datetime.now(UTC))
    _write(calendar, path)


def _read(path: str) -> "Calendar":
    """Return the calendar of a file, or an empty one. Each call reads it, since programs write it, too."""
    from icalendar import Calendar

    text = read_text(path)
    if text is None:
        calendar: Any = Calendar()
        calendar.add("prodid", "-//gemini control surface//EN")
        calendar.add("version", "2.0")
        return calendar
    try:
        return Calendar.from_ical(text)
    except ValueError as error:
        raise PersonalFileProblem(
            f"{path} isn't an iCalendar file: {error}", hint="Correct it, or use another file."
        ) from error


def _write(calendar: "Calendar", path: str) -> None:
    write(path, calendar.to_ical().decode())


def _add(part: Any, path: str) -> str:
    uid = f"{secrets.token_hex(8)}@gemini"
    part.add("uid", uid)
    part.add("dtstamp", datetime.now(UTC))
    calendar = _read(path)
    calendar.add_component(part)
    _write(calendar, path)
    return uid


def _time(given: When) -> date | datetime:
    if not isinstance(given, str):
        return given
    try:
        return date.fromisoformat(given) if len(given) <= len("2026-01-31") else datetime.fromisoformat(given)
    except ValueError as error:
        raise InvalidArguments(
            f"{given[:60]!r} isn't a time",
            hint="Pass ISO 8601, such as 2026-11-30 or 2026-11-30T09:00+01:00.",
        ) from error


def _usual_length(start: date) -> timedelta:
    return timedelta(hours=1) if isinstance(start, datetime) else timedelta(days=1)


def _comparable(time: date) -> datetime:
    if not isinstance(time, datetime):
        return datetime(time.year, time.month, time.day, tzinfo=UTC)
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)


def _read_rule(text: str) -> Any:
    from icalendar import vRecur

    try:
        return vRecur.from_ical(text.removeprefix("RRULE:"))
    except ValueError as error:
        raise InvalidArguments(
            f"{text[:80]!r} isn't a rule: {error}",
            hint="Pass an RRULE, such as FREQ=WEEKLY;BYDAY=MO;COUNT=10.",
        ) from error


def _rule(event: "Event") -> str:
    rule = event.get("rrule")
    return "" if rule is None else rule.to_ical().decode()


def _event_row(event: "Event", rules: dict[str, str]) -> EventRow:
    uid = str(event.get("uid", ""))
    return {
        "uid": uid,
        "title": str(event.get("summary", "")),
        "start": event.start.isoformat(),
        "end": event.end.isoformat(),
        "place": str(event.get("location", "")),
        "notes": str(event.get("description", "")),
        "repeats": rules.get(uid, ""),
    }


def _reminder_row(todo: "Todo") -> ReminderRow:
    due = todo.get("due")
    return {
        "uid": str(todo.get("uid", "")),
        "title": str(todo.get("summary", "")),
        "due": "" if due is None else due.dt.isoformat(),
        "notes": str(todo.get("description", "")),
        "done": str(todo.get("status", "")) == "COMPLETED",
    }
