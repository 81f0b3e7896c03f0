"""The user's calendar and reminders in iCalendar files (RFC 5545): listing and searching.

`calendar_changes` writes them. Other contents of a file, such as fields of other programs, stay in it.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo

from gemini.errors import InvalidArguments, PersonalFileProblem
from gemini.personal import documents
from gemini.personal.alarms import alarm_time, minutes_before, triggers
from gemini.personal.content_lines import Line, unescaped
from gemini.personal.documents import Document, Part
from gemini.personal.packages import load_calendars
from gemini.personal.rows import AlarmRow, EventRow, ReminderRow
from gemini.personal.series import Occurrence, Series, cached_series
from gemini.personal.times import When, given_time, instant, read_times
from gemini.personal.zones import zone_named

CALENDAR = "/home/user/calendar.ics"
# More times than a user can look at, such as an event of each minute.
MOST_EVENTS = 1_000
MOST_FOUND = 200
EMPTY = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//gemini control surface//EN\r\n"
SEARCHED = ("SUMMARY", "LOCATION", "DESCRIPTION", "CATEGORIES", "ATTENDEE", "ORGANIZER", "COMMENT", "CONTACT")
FORMAT = "an iCalendar file"
# Calculating with zones and lengths needs room on both sides.
_FIRST, _LAST = datetime(10, 1, 1, tzinfo=UTC), datetime(9990, 1, 1, tzinfo=UTC)
_ACCENTS = re.compile("[\u0300-\u036f]")


async def events(start: When, end: When, path: str = CALENDAR, *, zone: str = "") -> list[EventRow]:
    """Return the times of events between two times, recurring ones each time they take place, in order.

    Args:
        start: The first time: a date or time, or its text in ISO 8601.
        end: The end, exclusive.
        path: The file.
        zone: The name of a zone, such as `Europe/Berlin`: it applies to the window, floating times, whole days and
            the answer. Without one, it is UTC for the first ones, and each answer has its event's own.

    Raises:
        InvalidArguments: A time can't be read, or there are too many events.
        PersonalFileProblem: The file can't be read.
    """
    await load_calendars()
    shown = zone_named(zone) if zone else None
    begin, last = _window(start, end, shown or UTC)
    document = read_calendar(path)
    zones = definitions(document)
    found: list[tuple[datetime, EventRow]] = []
    for series in _series_near(document, begin, last, path):
        for occurrence in _between(series, begin, last, shown or UTC, path):
            if len(found) == MOST_EVENTS:
                raise InvalidArguments(
                    f"there are more than {MOST_EVENTS} events", hint="Ask for a shorter time."
                )
            row = event_row(occurrence, series, zones, shown)
            found.append((instant(occurrence.start, shown or UTC), row))
    return [row for _, row in sorted(found, key=lambda each: (each[0], each[1]["title"]))]


async def find_events(query: str, path: str = CALENDAR, *, count: int = MOST_FOUND) -> list[EventRow]:
    """Return events that have all words of a query in title, place, notes, categories or people, the latest first.

    A recurring event is returned once, with its first time; each changed time is a separate row.

    Args:
        query: Words, in any case, with or without accents.
        path: The file.
        count: The most events.

    Raises:
        InvalidArguments: The query is empty.
        PersonalFileProblem: The file can't be read.
    """
    await load_calendars()
    words = plain(query).split()
    if not words:
        raise InvalidArguments("the query is empty", hint="Pass words, or list events between two times.")
    document = read_calendar(path)
    zones = definitions(document)
    found = (part for part in document.parts if part.kind == "VEVENT" and _has(part, words))
    # Only an invitation may leave out the start.
    parts = [part for part in found if part.first("DTSTART") is not None]
    parts.sort(key=lambda part: part.days[0], reverse=True)
    return [_first_row(part, document, zones, path) for part in parts[:count]]


async def event(uid: str, path: str = CALENDAR) -> EventRow:
    """Return an event by its UID, with its first time.

    Raises:
        InvalidArguments: There is none.
        PersonalFileProblem: The file can't be read.
    """
    await load_calendars()
    document = read_calendar(path)
    parts = [part for part in document.of(uid) if part.kind == "VEVENT"]
    if not parts:
        raise missing(path, uid)
    return _first_row(parts[0], document, definitions(document), path)


async def time_of_event(uid: str, occurrence: When, path: str = CALENDAR) -> EventRow:
    """Return one time of a recurring event, by its `occurrence`. Raises as `event` does."""
    await load_calendars()
    document = read_calendar(path)
    series = series_of(document, uid, path)
    return event_row(series.at(series.key_of(given_time(occurrence))), series, definitions(document))


async def alarms(start: When, end: When, path: str = CALENDAR, *, zone: str = "") -> list[AlarmRow]:
    """Return when events and reminders remind the user between two times, in order; see `events`.

    Raises:
        InvalidArguments: A time can't be read, or there are too many events.
        PersonalFileProblem: The file can't be read.
    """
    await load_calendars()
    shown = zone_named(zone) if zone else UTC
    begin, last = _window(start, end, shown)
    document = read_calendar(path)
    found: list[tuple[datetime, AlarmRow]] = []
    # An alarm can be at most so long before its event.
    for series in _series_near(document, begin, last + timedelta(weeks=5), path):
        for each in _between(series, begin - timedelta(days=1), last + timedelta(weeks=5), shown, path):
            found += _alarms_of(each.part, each.start, each.end, begin, last, shown)
    for part in document.parts:
        if part.kind == "VTODO" and (due := due_of(part, document)) is not None and not _is_done(part):
            found += _alarms_of(part, due, due, begin, last, shown)
    return [row for _, row in sorted(found, key=lambda each: each[0])]


async def reminders(path: str = CALENDAR, *, done: bool = False) -> list[ReminderRow]:
    """Return the reminders of a file, by the time when they are due; those that are done only with `done`.

    Raises:
        PersonalFileProblem: The file can't be read.
    """
    await load_calendars()
    document = read_calendar(path)
    parts = [part for part in document.parts if part.kind == "VTODO" and (done or not _is_done(part))]
    rows = [(due_of(part, document), _reminder_row(part, document)) for part in parts]
    rows.sort(key=lambda each: (each[0] is None, each[0] and instant(each[0]), each[1]["title"]))
    return [row for _, row in rows]


def read_calendar(path: str) -> Document:
    """Return the calendar of a file, or an empty one. Raises PersonalFileProblem if the file is none."""
    found = documents.read(path, "VCALENDAR", FORMAT)
    return found or Document(EMPTY, [], "END:VCALENDAR\r\n")


def definitions(document: Document) -> tuple[str, ...]:
    """Return the definitions of a calendar's time zones."""
    return tuple(part.text for part in document.parts if part.kind == "VTIMEZONE")


def series_of(document: Document, uid: str, path: str) -> Series:
    """Return the event of a UID with its changed times.

    Raises:
        InvalidArguments: There is none.
        PersonalFileProblem: Its times can't be read.
    """
    parts = [part for part in document.of(uid) if part.kind == "VEVENT"]
    if not parts:
        raise missing(path, uid)
    return _series(parts, definitions(document), path)


def missing(path: str, uid: str) -> InvalidArguments:
    """Return the error for a UID that a file doesn't have."""
    return InvalidArguments(f"{path} has nothing with the UID {uid[:80]!r}", hint="List events or reminders.")


def plain(text: str) -> str:
    """Return a text for comparing: without case, accents and forms of the same letter."""
    if text.isascii():
        return text.lower()
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold())).casefold()


def text_of(part: Part, name: str) -> str:
    """Return the text of a property; empty if it is missing."""
    return unescaped(part.value(name))


def _series(parts: Sequence[Part], zones: tuple[str, ...], path: str) -> Series:
    try:
        return cached_series(tuple(parts), zones)
    except ValueError as error:
        raise _broken(parts[0], path, error) from error


def _broken(part: Part, path: str, error: Exception) -> PersonalFileProblem:
    title = text_of(part, "SUMMARY")[:60]
    return PersonalFileProblem(
        f"the event {title!r} ({part.uid[:80]}) of {path} can't be read: {error}",
        hint="Correct or remove it.",
    )


def _series_near(document: Document, begin: datetime, end: datetime, path: str) -> Iterable[Series]:
    first, last = f"{begin - timedelta(days=2):%Y%m%d}", f"{end + timedelta(days=2):%Y%m%d}"
    groups = document.groups("VEVENT")
    near = {
        part.uid
        for part in document.parts
        if part.kind == "VEVENT" and part.days[0] <= last and part.days[1] >= first
    }
    zones = definitions(document)
    for uid in near:
        yield _series(groups[uid], zones, path)


def _between(series: Series, begin: datetime, end: datetime, zone: tzinfo, path: str) -> Iterable[Occurrence]:
    try:
        yield from series.between(begin, end, zone)
    except ValueError as error:
        raise _broken(series.parts[0], path, error) from error
    except InvalidArguments as error:
        title = text_of(series.parts[0], "SUMMARY")[:60]
        raise InvalidArguments(f"the event {title!r}: {error.message}", hint=error.hint) from error


def _window(start: When, end: When, zone: tzinfo) -> tuple[datetime, datetime]:
    begin, last = (instant(given_time(each), zone) for each in (start, end))
    if last < begin:
        raise InvalidArguments("the end is before the start", hint="Pass the earlier time first.")
    return max(begin, _FIRST), min(last, _LAST)


def event_row(
    occurrence: Occurrence, series: Series, zones: Sequence[str], shown: tzinfo | None = None
) -> EventRow:
    """Return the row of a time of an event.

    Args:
        occurrence: The time.
        series: Its event.
        zones: The definitions of the file's time zones.
        shown: The zone to show times in; each its own by default.
    """
    part, master = occurrence.part, series.master or occurrence.part
    line = part.first("DTSTART")
    original = occurrence.original
    return {
        "uid": part.uid,
        "occurrence": original.isoformat() if original is not None and series.recurs else "",
        "title": text_of(part, "SUMMARY"),
        "start": _format(occurrence.start, shown),
        "end": _format(occurrence.end, shown),
        "zone": _zone_name(line),
        "place": text_of(part, "LOCATION"),
        "notes": text_of(part, "DESCRIPTION"),
        "repeats": master.value("RRULE"),
        "alarms": minutes_before(part, occurrence.start, occurrence.end, zones),
        "status": part.value("STATUS"),
    }


def _first_row(part: Part, document: Document, zones: tuple[str, ...], path: str) -> EventRow:
    series = series_of(document, part.uid, path)
    alone = part if part.first("RECURRENCE-ID") else None
    try:
        return event_row(series.only(alone), series, zones)
    except ValueError as error:
        raise _broken(part, path, error) from error


def _zone_name(line: Line | None) -> str:
    if line is None:
        return ""
    return line.parameter("TZID") or ("UTC" if line.value.rstrip().endswith("Z") else "")


def _format(time: date | datetime, zone: tzinfo | None) -> str:
    if zone is not None and isinstance(time, datetime) and time.tzinfo is not None:
        time = time.astimezone(zone)
    return time.isoformat()


def _has(part: Part, words: Sequence[str]) -> bool:
    text = plain(part.text.replace("\r\n ", "").replace("\n ", "").replace("\\", ""))
    if not all(word.replace("\\", "") in text for word in words):
        return False
    lines = (line for name in SEARCHED for line in part.every(name))
    searched = plain("\n".join(f"{line.parameter('CN')} {unescaped(line.value)}" for line in lines))
    return all(word in searched for word in words)


def _alarms_of(
    part: Part, start: date | datetime, end: date | datetime, begin: datetime, last: datetime, zone: tzinfo
) -> list[tuple[datetime, AlarmRow]]:
    times = [alarm_time(when, at_end, start, end, zone) for when, at_end in triggers(part, ())]
    title, at_start = text_of(part, "SUMMARY"), _format(start, zone)
    return [
        (time, {"at": time.astimezone(zone).isoformat(), "uid": part.uid, "title": title, "start": at_start})
        for time in times
        if begin <= time < last
    ]


def due_of(part: Part, document: Document) -> date | datetime | None:
    """Return when a to-do is due; None if it doesn't say."""
    line = part.first("DUE")
    try:
        return None if line is None else read_times(line, definitions(document))[0]
    except (ValueError, IndexError):
        return None


def _is_done(part: Part) -> bool:
    return part.value("STATUS").upper() == "COMPLETED"


def _reminder_row(part: Part, document: Document) -> ReminderRow:
    due = due_of(part, document)
    return {
        "uid": part.uid,
        "title": text_of(part, "SUMMARY"),
        "due": "" if due is None else due.isoformat(),
        "notes": text_of(part, "DESCRIPTION"),
        "done": _is_done(part),
        "alarms": [] if due is None else minutes_before(part, due, due, definitions(document)),
    }
