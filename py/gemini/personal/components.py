"""Components of a calendar as they are written: their text properties, times, alarms and zones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from gemini.errors import InvalidArguments
from gemini.personal.content_lines import Line, escaped, first, line, lines_of, replaced
from gemini.personal.documents import Document, Part
from gemini.personal.rules import checked, rule_text
from gemini.personal.times import (
    Form,
    duration,
    form_of,
    in_form,
    instant,
    local,
    value_of,
    written,
)
from gemini.personal.zones import definition, tzid_of

if TYPE_CHECKING:
    from gemini.personal.series import Series

STATUSES = ("CONFIRMED", "TENTATIVE", "CANCELLED", "NEEDS-ACTION", "COMPLETED")


@dataclass(frozen=True)
class Fields:
    """A change of an event; None for what stays.

    Attributes:
        texts: Values by the name of their property; an empty one removes it.
        start: The start.
        end: The end, exclusive.
        repeats: The rule.
        alarms: Minutes before the start.
    """

    texts: Mapping[str, str | None]
    start: date | datetime | None
    end: date | datetime | None
    repeats: str | None
    alarms: Sequence[int] | None

    def zones(self) -> list[tzinfo | None]:
        """Return the zones that the file needs definitions of."""
        return [time.tzinfo for time in (self.start, self.end) if isinstance(time, datetime)]


def component(kind: str, uid: str, eol: str) -> list[Line]:
    """Return the lines of a new component."""
    stamp = value_of(datetime.now(UTC).replace(microsecond=0))
    text = eol.join([f"BEGIN:{kind}", f"UID:{uid}", f"DTSTAMP:{stamp}", f"END:{kind}", ""])
    return lines_of(text)


def stamped(kind: str, lines: list[Line], eol: str) -> Part:
    """Return a changed component, with the time of its change and the next number of its sequence."""
    now = value_of(datetime.now(UTC).replace(microsecond=0))
    for name in ("DTSTAMP", "LAST-MODIFIED"):
        if name == "DTSTAMP" or first(lines, name) is not None:
            lines = replaced(lines, name, [line(name, now, end=eol)])
    before = first(lines, "SEQUENCE")
    number = int(before.value) + 1 if before is not None and before.value.strip().isdecimal() else 1
    lines = replaced(lines, "SEQUENCE", [line("SEQUENCE", str(number), end=eol)])
    return Part(kind, "".join(each.raw for each in lines))


def with_texts(lines: list[Line], texts: Mapping[str, str | None], eol: str) -> list[Line]:
    """Return lines with other values. Parameters stay, such as a language."""
    for name, text in texts.items():
        if text is None:
            continue
        if name == "STATUS" and text and text not in STATUSES:
            raise InvalidArguments(
                f"{text[:40]!r} is no status", hint=f"Pass one of {', '.join(STATUSES[:3])}."
            )
        before = first(lines, name)
        # An alternative representation would still have the old text.
        retained = before.parameters if before is not None and not before.parameter("ALTREP") else ""
        lines = replaced(lines, name, [line(name, escaped(text), retained, eol)] if text else [])
    return lines


def alarms_in(
    lines: list[Line], minutes: Sequence[int], title: str, eol: str, *, related_to_end: bool = False
) -> list[Line]:
    """Return lines with these alarms in place of all others.

    Args:
        lines: The component.
        minutes: Minutes before the start; negative ones are after it.
        title: The text that an alarm shows.
        eol: The end of lines.
        related_to_end: Whether they count from the end, as of a to-do from when it is due.
    """
    retained, inside = list[Line](), False
    for each in lines:
        is_edge = each.name in ("BEGIN", "END") and each.value.strip().upper() == "VALARM"
        inside = each.name == "BEGIN" if is_edge else inside
        if not inside and not is_edge:
            retained.append(each)
    related = ";RELATED=END" if related_to_end else ""
    for before in minutes:
        new = [
            line("BEGIN", "VALARM", end=eol),
            line("ACTION", "DISPLAY", end=eol),
            line("DESCRIPTION", escaped(title or "Reminder"), end=eol),
            line("TRIGGER", duration(-timedelta(minutes=before)), related, eol),
            line("END", "VALARM", end=eol),
        ]
        retained[-1:-1] = new
    return retained


def with_zones(document: Document, zones: Sequence[tzinfo | None]) -> Document:
    """Return a document that defines zones which it uses, before its events."""
    defined = {part.value("TZID").strip() for part in document.parts if part.kind == "VTIMEZONE"}
    for zone in zones:
        tzid = tzid_of(zone) if zone is not None else ""
        is_used = any(
            f"TZID={tzid}:" in part.text or f'TZID="{tzid}"' in part.text for part in document.parts
        )
        if tzid and tzid not in defined and is_used:
            defined.add(tzid)
            at = sum(part.kind == "VTIMEZONE" for part in document.parts)
            parts, gaps = (
                list(document.parts),
                [*document.gaps, *[""] * len(document.parts)][: len(document.parts)],
            )
            parts.insert(at, Part("VTIMEZONE", definition(zone or UTC, document.end)))
            gaps.insert(at, "")
            document = Document(document.head, parts, document.tail, gaps, document.encoding)
    return document


def with_times(
    lines: list[Line], start: date | datetime, length: timedelta, form: Form, eol: str
) -> list[Line]:
    """Return lines with another start and length."""
    lines = replaced(lines, "DTSTART", [written("DTSTART", start, form, eol)])
    if first(lines, "DURATION") is not None and first(lines, "DTEND") is None:
        return replaced(lines, "DURATION", [line("DURATION", duration(length), end=eol)])
    end = in_form(start, form) + length
    return replaced(lines, "DTEND", [written("DTEND", end, form, eol)])


def new_times(
    start: date | datetime, length: timedelta, form: Form, fields: Fields
) -> tuple[date | datetime, timedelta, Form]:
    """Return the start, length and form of a time of an event after a change.

    Raises:
        InvalidArguments: The end isn't after the start.
    """
    begins = fields.start if fields.start is not None else start
    if isinstance(begins, datetime) and isinstance(start, datetime) and form.zone is not None:
        # The event's zone stays, since its rule counts in it. A time without a zone is in it, too.
        begins = in_form(begins, form)
    elif fields.start is not None:
        form = form_of(begins, repeats=False)
        if isinstance(begins, datetime) is not isinstance(start, datetime) and fields.end is None:
            length = timedelta(hours=1) if isinstance(begins, datetime) else timedelta(days=1)
    if fields.end is not None:
        ends = in_form(fields.end, form) if isinstance(fields.end, datetime) else fields.end
        if isinstance(ends, datetime) is not isinstance(begins, datetime) or instant(ends) <= instant(begins):
            raise InvalidArguments("the end isn't after the start", hint="Pass two dates, or two times.")
        length = local(ends) - local(in_form(begins, form))
    return begins, length, form


def with_fields(series: "Series", key: datetime | None, fields: Fields, eol: str) -> list[Part]:
    """Return all components of an event with a change for all of its times.

    Args:
        series: The event.
        key: The local time from which a new start counts; None for the first one.
        fields: The change.
        eol: The end of lines.

    Raises:
        InvalidArguments: The rule doesn't fit the start.
    """
    master = series.master
    if master is None:
        raise InvalidArguments("the event has only changed times", hint="Pass an occurrence and scope this.")
    lines = with_texts(master.lines, fields.texts, eol)
    shift = timedelta()
    if fields.start is not None or fields.end is not None:
        first_key = series.first_key
        named = series.zoned(key or first_key)
        begins, length, form = new_times(named, series.length, series.form, fields)
        shift = local(in_form(begins, form)) - (key or first_key)
        is_timed = isinstance(begins, datetime)
        start = begins if key is None else _shift(series, shift, is_timed)
        if shift and series.recurs and fields.repeats is None:
            _require_rule_fits(master, shift)
        lines = with_times(lines, start, length, form, eol)
        if is_timed is not isinstance(series.start, datetime) and len(series.exceptions_at) > 0:
            raise InvalidArguments(
                "a recurring event with exceptions can't change between whole days and times",
                hint="Change one time of it, or those that follow, or make a new event.",
            )
        lines = shifted_exceptions(lines, series, shift, eol)
    if fields.repeats is not None:
        rule = [line("RRULE", rule_text(checked(fields.repeats, series.first_key + shift)), end=eol)]
        lines = replaced(lines, "RRULE", rule if fields.repeats else [])
    if fields.alarms is not None:
        lines = alarms_in(lines, fields.alarms, _title(lines), eol)
    return [
        stamped("VEVENT", lines, eol),
        *(shifted_change(part, series, shift, eol) for part in series.changed.values()),
    ]


def _shift(series: "Series", shift: timedelta, is_timed: bool) -> date | datetime:
    time = series.first_key + shift
    return time.replace(tzinfo=series.form.zone) if is_timed else time.date()


def _title(lines: list[Line]) -> str:
    found = first(lines, "SUMMARY")
    return found.value if found is not None else ""


def _require_rule_fits(master: Part, shift: timedelta) -> None:
    days = any(
        f";BY{each}" in f";{rule.value}"
        for rule in master.every("RRULE")
        for each in ("DAY", "MONTH", "YEAR", "WEEK")
    )
    if days and shift % timedelta(days=1) != shift and shift.days:
        raise InvalidArguments(
            "the rule names days, which another day of the start doesn't fit",
            hint=f"Pass repeats, too. It is {master.value('RRULE')} now.",
        )


def shifted_exceptions(lines: list[Line], series: "Series", shift: timedelta, eol: str) -> list[Line]:
    """Return a master's lines whose further and left out times are moved by as much as its start."""
    if not shift:
        return lines
    for name in ("EXDATE", "RDATE"):
        new: list[Line] = []
        for each in (found for found in lines if found.name == name):
            times = series.times_of(each)
            values = ",".join(value_of(time + shift) for time in times)
            new.append(line(name, values, each.parameters, eol))
        lines = replaced(lines, name, new)
    return lines


def shifted_change(part: Part, series: "Series", shift: timedelta, eol: str, uid: str = "") -> Part:
    """Return a changed time of an event, named by the new time of the rule; its own times stay."""
    lines = part.lines
    named = part.first("RECURRENCE-ID")
    if shift and named is not None:
        time = series.times_of(named)[0] + shift
        lines = replaced(
            lines, "RECURRENCE-ID", [line("RECURRENCE-ID", value_of(time), named.parameters, eol)]
        )
    if uid:
        lines = replaced(lines, "UID", [line("UID", uid, end=eol)])
    return Part(part.kind, "".join(each.raw for each in lines))
