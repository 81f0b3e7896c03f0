"""When the alarms of events and reminders go off (RFC 5545, 3.6.6)."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo

from gemini.personal.content_lines import Line
from gemini.personal.documents import Part
from gemini.personal.times import instant, read_duration, read_times


def triggers(part: Part, zones: Sequence[str]) -> list[tuple[timedelta | datetime, bool]]:
    """Return when a component's alarms go off: a time, or a distance and whether it is from the end."""
    found: list[tuple[timedelta | datetime, bool]] = []
    for line in _triggers_of(part.lines):
        try:
            if line.parameter("VALUE").upper() == "DATE-TIME":
                time = read_times(line, zones)[0]
                found.append((instant(time), False))
            else:
                found.append((read_duration(line.value), line.parameter("RELATED").upper() == "END"))
        except ValueError:
            # An alarm that can't be read goes off at no time.
            continue
    return found


def _triggers_of(lines: Iterable[Line]) -> Iterable[Line]:
    """Return the TRIGGER of each alarm of a component."""
    inside = False
    for line in lines:
        if line.name in ("BEGIN", "END") and line.value.strip().upper() == "VALARM":
            inside = line.name == "BEGIN"
        elif inside and line.name == "TRIGGER":
            yield line


def minutes_before(
    part: Part, start: date | datetime, end: date | datetime, zones: Sequence[str]
) -> list[int]:
    """Return how many minutes before its start a component's alarms go off."""
    if "VALARM" not in part.text:
        return []
    begins = instant(start)
    return [
        round((begins - alarm_time(when, at_end, start, end, UTC)).total_seconds() / 60)
        for when, at_end in triggers(part, zones)
    ]


def alarm_time(
    when: timedelta | datetime, at_end: bool, start: date | datetime, end: date | datetime, zone: tzinfo
) -> datetime:
    """Return the moment of an alarm."""
    return when if isinstance(when, datetime) else instant(end if at_end else start, zone) + when
