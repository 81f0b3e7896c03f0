"""Adding, changing and removing events and reminders. Everything else in the file stays as it is.

A change of a recurring event is for `this` time of it, for this one and all `following`, or for `all`.
"""

import secrets
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

from gemini.errors import InvalidArguments
from gemini.personal import documents
from gemini.personal.calendar_rows import CALENDAR, missing, read_calendar, series_of, text_of
from gemini.personal.components import (
    Fields,
    alarms_in,
    component,
    stamped,
    with_fields,
    with_texts,
    with_zones,
)
from gemini.personal.content_lines import Line, line, replaced
from gemini.personal.documents import Document, Part
from gemini.personal.packages import load_calendars
from gemini.personal.rules import checked, rule_text
from gemini.personal.splitting import moved, split, without
from gemini.personal.times import Form, When, form_of, given_time, in_form, instant, local, value_of, written

Scope = Literal["this", "following", "all"]


async def add_event(
    title: str,
    start: When,
    end: When | None = None,
    *,
    place: str = "",
    notes: str = "",
    repeats: str = "",
    alarms: Sequence[int] = (),
    zone: str = "",
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
        alarms: Minutes before the start at which to remind the user.
        zone: The name of the zone of times without one, such as `Europe/Berlin`.
        path: The file.

    Raises:
        InvalidArguments: A time, the zone or the rule can't be read, or the end isn't after the start.
        PersonalFileProblem: The file can't be read.
        FileProblem: It can't be written; it is unchanged.
    """
    await load_calendars()
    document = read_calendar(path)
    first = given_time(start, zone)
    last = given_time(end, zone) if end is not None else first + _usual_length(first)
    _require_order(first, last)
    form = form_of(first, repeats=bool(repeats))
    eol = document.end
    lines = component("VEVENT", _new_uid(), eol)
    lines = replaced(lines, "DTSTART", [written("DTSTART", first, form, eol)])
    lines = replaced(lines, "DTEND", [written("DTEND", last, _end_form(form, last), eol)])
    if repeats:
        rule = checked(repeats, local(in_form(first, form)))
        lines = replaced(lines, "RRULE", [line("RRULE", rule_text(rule), end=eol)])
    lines = with_texts(lines, {"SUMMARY": title, "LOCATION": place, "DESCRIPTION": notes}, eol)
    lines = alarms_in(lines, alarms, title, eol)
    return _add(document, lines, [form.zone, _end_form(form, last).zone], path)


async def change_event(
    uid: str,
    *,
    occurrence: When | None = None,
    scope: Scope = "all",
    title: str | None = None,
    start: When | None = None,
    end: When | None = None,
    place: str | None = None,
    notes: str | None = None,
    repeats: str | None = None,
    alarms: Sequence[int] | None = None,
    status: str | None = None,
    zone: str = "",
    path: str = CALENDAR,
) -> str:
    """Change an event and return the UID of what was changed, a new one if `following` divides it.

    What isn't passed stays. A start without a zone is in the event's own. If only the start is passed, the event keeps
    its length.

    Args:
        uid: The event.
        occurrence: `occurrence` of a row of `events`; needed for `this` and `following`.
        scope: What to change of a recurring event. A start for `all` with an `occurrence` moves all times by as much.
        title: Its title.
        start: Its start.
        end: Its end, exclusive.
        place: Where it takes place; empty removes it.
        notes: Further text; empty removes it.
        repeats: Another RRULE; empty ends the recurrence after the first time.
        alarms: Minutes before the start, in place of all earlier alarms.
        status: `CONFIRMED`, `TENTATIVE` or `CANCELLED`.
        zone: The name of the zone of times without one.
        path: The file.

    Raises:
        InvalidArguments: There is no such event or time of it, or a value can't be used.
        PersonalFileProblem: The file can't be read.
        FileProblem: It can't be written; it is unchanged.
    """
    await load_calendars()
    document = read_calendar(path)
    series = series_of(document, uid, path)
    key = _key_of(series, occurrence, scope)
    fields = Fields(
        {"SUMMARY": title, "LOCATION": place, "DESCRIPTION": notes, "STATUS": status and status.upper()},
        None if start is None else given_time(start, zone),
        None if end is None else given_time(end, zone),
        repeats,
        alarms,
    )
    if scope == "this" and repeats is not None:
        raise InvalidArguments("one time has no rule", hint="Pass scope all or following, or no repeats.")
    old = document.of(uid)
    if scope == "this" and key is not None:
        new, changed = moved(series, key, fields, document.end), uid
    elif scope == "following" and key is not None and key != series.first_key:
        changed = _new_uid()
        new = split(series, key, fields, changed, document.end)
    else:
        new, changed = with_fields(series, key, fields, document.end), uid
    events = [part for part in old if part.kind == "VEVENT"]
    after = with_zones(document.changed(events, new), fields.zones())
    documents.write(path, after)
    return changed


async def remove(
    uid: str, path: str = CALENDAR, *, occurrence: When | None = None, scope: Scope = "all"
) -> None:
    """Remove an event or a reminder, or times of a recurring event.

    Args:
        uid: The event or reminder.
        path: The file.
        occurrence: `occurrence` of a row of `events`; needed for `this` and `following`.
        scope: What to remove of a recurring event.

    Raises:
        InvalidArguments: There is none with this UID, or the event has no such time.
        PersonalFileProblem: The file can't be read.
        FileProblem: It can't be written; it is unchanged.
    """
    await load_calendars()
    document = read_calendar(path)
    old = document.of(uid)
    if not old:
        raise missing(path, uid)
    if scope == "all":
        documents.write(path, document.changed(old, []))
        return
    series = series_of(document, uid, path)
    key = _key_of(series, occurrence, scope)
    if key is None:
        raise InvalidArguments("the event doesn't recur", hint="Remove it with scope all.")
    new = (
        [] if scope == "following" and key == series.first_key else without(series, key, scope, document.end)
    )
    documents.write(path, document.changed(old, new))


async def add_reminder(
    title: str,
    due: When | None = None,
    *,
    notes: str = "",
    alarms: Sequence[int] = (),
    zone: str = "",
    path: str = CALENDAR,
) -> str:
    """Add a reminder and return its UID; see `add_event`. `alarms` are minutes before it is due."""
    await load_calendars()
    document = read_calendar(path)
    eol = document.end
    lines = component("VTODO", _new_uid(), eol)
    form = Form("", None)
    if due is not None:
        time = given_time(due, zone)
        form = form_of(time)
        lines = replaced(lines, "DUE", [written("DUE", time, form, eol)])
    elif alarms:
        raise InvalidArguments("a reminder without a time has no alarms", hint="Pass due.")
    lines = with_texts(lines, {"SUMMARY": title, "DESCRIPTION": notes, "STATUS": "NEEDS-ACTION"}, eol)
    lines = alarms_in(lines, alarms, title, eol, related_to_end=True)
    return _add(document, lines, [form.zone], path)


async def change_reminder(
    uid: str,
    *,
    title: str | None = None,
    due: When | None = None,
    notes: str | None = None,
    done: bool | None = None,
    alarms: Sequence[int] | None = None,
    zone: str = "",
    path: str = CALENDAR,
) -> None:
    """Change a reminder. What isn't passed stays.

    Raises:
        InvalidArguments: There is none with this UID, or a time can't be read.
        PersonalFileProblem: The file can't be read.
        FileProblem: It can't be written; it is unchanged.
    """
    await load_calendars()
    document = read_calendar(path)
    found = [part for part in document.of(uid) if part.kind == "VTODO"]
    if not found:
        raise InvalidArguments(
            f"{path} has no reminder with the UID {uid[:80]!r}", hint="List the reminders."
        )
    eol, zones = document.end, list[Any]()
    new: list[Part] = []
    for part in found:
        lines = with_texts(part.lines, {"SUMMARY": title, "DESCRIPTION": notes}, eol)
        if due is not None:
            time = given_time(due, zone)
            form = form_of(time)
            zones.append(form.zone)
            lines = replaced(lines, "DUE", [written("DUE", time, form, eol)])
        if done is not None:
            lines = _complete(lines, done, eol)
        if alarms is not None:
            lines = alarms_in(lines, alarms, title or text_of(part, "SUMMARY"), eol, related_to_end=True)
        new.append(stamped("VTODO", lines, eol))
    documents.write(path, with_zones(document.changed(found, new), zones))


async def complete(uid: str, path: str = CALENDAR) -> None:
    """Mark a reminder as done; see `change_reminder`."""
    await change_reminder(uid, done=True, path=path)


def _complete(lines: list[Line], done: bool, eol: str) -> list[Line]:
    lines = with_texts(lines, {"STATUS": "COMPLETED" if done else "NEEDS-ACTION"}, eol)
    lines = replaced(lines, "PERCENT-COMPLETE", [])
    at = [line("COMPLETED", value_of(datetime.now(UTC)), end=eol)] if done else []
    return replaced(lines, "COMPLETED", at)


def _add(document: Document, lines: list[Line], zones: Sequence[Any], path: str) -> str:
    kind = lines[0].value.strip().upper()
    part = Part(kind, "".join(each.raw for each in lines))
    documents.write(path, with_zones(document.changed([], [part]), zones))
    return part.uid


def _new_uid() -> str:
    return f"{secrets.token_hex(8)}@gemini"


def _key_of(series: Any, occurrence: When | None, scope: Scope) -> datetime | None:
    """Return the local time in the series that a caller names; None without one, or if the event doesn't recur."""
    if occurrence in (None, ""):
        if scope != "all" and series.recurs:
            raise InvalidArguments(
                f"{scope} needs an occurrence", hint="Pass `occurrence` of a row of events, or scope all."
            )
        return None
    named = given_time(occurrence)
    if not series.recurs:
        if series.start is not None and instant(named) == instant(series.start):
            return None
        raise InvalidArguments("the event doesn't recur", hint="Pass no occurrence.")
    return series.key_of(named)


def _require_order(first: date | datetime, last: date | datetime) -> None:
    if isinstance(first, datetime) is not isinstance(last, datetime) or instant(last) <= instant(first):
        raise InvalidArguments("the end isn't after the start", hint="Pass two dates, or two times.")


def _end_form(form: Form, last: date | datetime) -> Form:
    own = form_of(last)
    return own if isinstance(last, datetime) and own.zone is not form.zone and not form.parameters else form


def _usual_length(start: date | datetime) -> timedelta:
    return timedelta(hours=1) if isinstance(start, datetime) else timedelta(days=1)
