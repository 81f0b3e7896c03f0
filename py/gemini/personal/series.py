"""An event with all its times: by rules, further, left out and changed ones (RFC 5545, 3.8.4 and 3.8.5)."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta, tzinfo
from functools import cached_property, lru_cache
from typing import NamedTuple

from gemini.errors import InvalidArguments
from gemini.personal.content_lines import Line, line
from gemini.personal.documents import Part
from gemini.personal.rules import times_of_rule
from gemini.personal.times import (
    Form,
    existing,
    instant,
    local,
    read_duration,
    read_form,
    read_times,
    value_of,
)

DAY = timedelta(days=1)


class Occurrence(NamedTuple):
    """One time of an event.

    Attributes:
        part: The component that describes it.
        start: Its start.
        end: Its end, exclusive.
        original: The time that it has by the rule, by which it is named; None for an event that doesn't recur.
    """

    part: Part
    start: date | datetime
    end: date | datetime
    original: date | datetime | None


@lru_cache(maxsize=20_000)
def cached_series(parts: tuple[Part, ...], definitions: tuple[str, ...]) -> "Series":
    """Return the event of components, the same object for the same ones; see `Series`."""
    return Series(parts, definitions)


class Series:
    """The components of one UID.

    Args:
        parts: The event, and the changed times of a recurring one.
        definitions: The text of the file's VTIMEZONE components.

    Raises:
        ValueError: A time can't be read.
    """

    def __init__(self, parts: Sequence[Part], definitions: Sequence[str]) -> None:
        self.definitions = definitions
        self.parts = parts
        changed = [
            part for part in parts if "RECURRENCE-ID" in part.text and part.first("RECURRENCE-ID") is not None
        ]
        self.master = next((part for part in parts if part not in changed), None)
        self.changed: dict[datetime, Part] = {}
        for part in changed:
            line = part.first("RECURRENCE-ID")
            if line is not None:
                self.changed[self._key(read_times(line, definitions)[0])] = part

    @cached_property
    def form(self) -> Form:
        """The form of the start of the event."""
        line = self.master and self.master.first("DTSTART")
        return Form("", None) if not line else read_form(line, self.definitions)

    @cached_property
    def start(self) -> date | datetime | None:
        """The first time; None without an event that recurs."""
        times = [] if self.master is None else self._times(self.master, "DTSTART")
        return times[0] if times else None

    @property
    def recurs(self) -> bool:
        """True if the event has several times."""
        names = ("RRULE", "RDATE")
        return self.master is None or any(self.master.first(name) is not None for name in names)

    def between(self, begin: datetime, end: datetime, zone: tzinfo) -> Iterator[Occurrence]:
        """Return the times of the event that overlap a window of moments.

        Args:
            begin: The begin, with a zone.
            end: The end, exclusive.
            zone: The zone of whole days and floating times.
        """
        for found in self._near(begin, end):
            first, last = instant(found.start, zone), instant(found.end, zone)
            if first < end and (last > begin or first == last >= begin):
                yield found

    def _near(self, begin: datetime, end: datetime) -> Iterator[Occurrence]:
        used: set[datetime] = set()
        if self.master is not None and self.start is not None:
            length = self._length(self.master)
            # Zones are at most a day apart; moved times may come from anywhere and are listed below.
            margin = 2 * DAY + max(length, timedelta())
            window = (
                instant(begin).replace(tzinfo=None) - margin,
                instant(end).replace(tzinfo=None) + 2 * DAY,
            )
            for time in self._originals(*window):
                if time not in self.changed:
                    yield self._occurrence(time)
                used.add(time)
        left_out = self._left_out
        for time, part in self.changed.items():
            if not left_out(time):
                times = self._times(part, "DTSTART")
                start = times[0] if times else self._zone(time)
                yield Occurrence(part, start, _end(start, self._length(part)), self._zone(time))

    def only(self, part: Part | None = None) -> Occurrence:
        """Return the first occurrence of the event, or a changed one.

        Raises:
            ValueError: It has no start.
        """
        chosen = part or self.master or next(iter(self.changed.values()))
        times = self._times(chosen, "DTSTART")
        if not times:
            raise ValueError("it has no start")
        key = next((time for time, each in self.changed.items() if each is part), local(times[0]))
        return Occurrence(chosen, times[0], _end(times[0], self._length(chosen)), self._zone(key))

    def at(self, key: datetime) -> Occurrence:
        """Return a time of the event, changed or not, by its local time in the series."""
        return self.only(self.changed[key]) if key in self.changed else self._occurrence(key)

    def _occurrence(self, time: datetime) -> Occurrence:
        if self.master is None:
            raise AssertionError("only an event has times by a rule")
        original = self._zone(time)
        if not self.recurs:
            return Occurrence(self.master, original, _end(original, self._length(self.master)), None)
        for since, part in reversed(self._following):
            if time >= since:
                shift = local(self._times(part, "DTSTART")[0]) - since
                start = self._zone(time + shift)
                return Occurrence(part, start, _end(start, self._length(part)), original)
        return Occurrence(self.master, original, _end(original, self._length(self.master)), original)

    @cached_property
    def _following(self) -> list[tuple[datetime, Part]]:
        """Changes of a time and all that follow it."""
        return sorted(
            (
                (time, part)
                for time, part in self.changed.items()
                if (line := part.first("RECURRENCE-ID")) and line.parameter("RANGE") == "THISANDFUTURE"
            ),
            key=lambda each: each[0],
        )

    def originals(self, begin: datetime, end: datetime) -> list[datetime]:
        """Return the times by the rule in local time, those that were changed included, without those left out."""
        return sorted(self._originals(begin, end))

    def _originals(self, begin: datetime, end: datetime) -> set[datetime]:
        if self.master is None or self.start is None:
            return set()
        first = local(self.start)
        found = {first} if begin <= first < end else set[datetime]()
        for rule in self.master.every("RRULE"):
            found.update(times_of_rule(rule.value, first, self.form.zone, begin, end))
        found.update(time for time in self._keys("RDATE") if begin <= time < end)
        for rule in self.master.every("EXRULE"):
            found.difference_update(times_of_rule(rule.value, first, self.form.zone, begin, end))
        return {time for time in found if not self._left_out(time)}

    def _left_out(self, time: datetime) -> bool:
        times, days = self._exceptions
        return time in times or time.date() in days

    @cached_property
    def _exceptions(self) -> tuple[set[datetime], set[date]]:
        if self.master is None:
            return set(), set()
        values = [each for line in self.master.every("EXDATE") for each in read_times(line, self.definitions)]
        # A date excludes its full day. Some programs write one along with times.
        days = {each for each in values if not isinstance(each, datetime)}
        return {self._key(each) for each in values if isinstance(each, datetime)}, days

    def _keys(self, name: str) -> list[datetime]:
        lines = [] if self.master is None else self.master.every(name)
        return [self._key(each) for line in lines for each in read_times(line, self.definitions)]

    @property
    def first_key(self) -> datetime:
        """The local time of the first time. Raises InvalidArguments without an event that has one."""
        self.require_master()
        if self.start is None:
            raise InvalidArguments("the event has no start", hint="Correct it with file_edit.")
        return local(self.start)

    def require_master(self) -> Part:
        """Return the event. Raises InvalidArguments if the file has only changed times of it."""
        if self.master is None:
            raise InvalidArguments(
                "the file has only changed times of this event", hint="Change them with scope this."
            )
        return self.master

    @property
    def length(self) -> timedelta:
        """The length of the event."""
        return self._length(self.require_master())

    def length_of(self, part: Part) -> timedelta:
        """Return how long a component lasts."""
        return self._length(part)

    def start_of(self, part: Part) -> date | datetime:
        """Return the start of a component."""
        return self._times(part, "DTSTART")[0]

    def form_of_part(self, part: Part) -> Form:
        """Return the form of a component's start."""
        found = part.first("DTSTART")
        return self.form if found is None else read_form(found, self.definitions)

    def times_of(self, line: Line) -> list[date | datetime]:
        """Return the times of a property."""
        return read_times(line, self.definitions)

    @property
    def exceptions_at(self) -> list[datetime]:
        """The local times that were left out, added or changed."""
        return [*self.changed, *self._keys("EXDATE"), *self._keys("RDATE")]

    def key(self, time: date | datetime) -> datetime:
        """Return a time in the local time of the series."""
        return self._key(time)

    def _key(self, time: date | datetime) -> datetime:
        """Return a time in the local time of the series."""
        zone = self.form.zone
        if isinstance(time, datetime) and time.tzinfo is not None and zone is not None:
            time = time.astimezone(zone)
        return local(time)

    def key_of(self, time: date | datetime) -> datetime:
        """Return the local time in the series of a time that a caller names.

        Raises:
            InvalidArguments: The event has no such time.
        """
        key = self._key(time)
        near = self._originals(key - DAY, key + DAY) | self.changed.keys()
        # A time in the gap of a change of the clock is shown later than the rule says.
        same = [each for each in near if each == key or instant(self._zone(each)) == instant(time)]
        if not same:
            raise InvalidArguments(
                f"the event doesn't take place at {time.isoformat()}",
                hint="Pass `occurrence` of a row of events.",
            )
        return same[0]

    def _zone(self, time: datetime) -> date | datetime:
        if self.start is not None and not isinstance(self.start, datetime):
            return time.date() if time == datetime(time.year, time.month, time.day) else time
        return existing(time.replace(tzinfo=self.form.zone))

    def line_of(self, name: str, key: datetime, end: str) -> Line:
        """Return a property that names a time of the series, as its rule has it."""
        is_day = self.start is not None and not isinstance(self.start, datetime)
        time = key.date() if is_day else key.replace(tzinfo=self.form.zone)
        return line(name, value_of(time), self.form.parameters, end)

    def zoned(self, time: datetime) -> date | datetime:
        """Return a local time of the series with its zone, or as a date."""
        return self._zone(time)

    def _times(self, part: Part, name: str) -> list[date | datetime]:
        line = part.first(name)
        return [] if line is None else read_times(line, self.definitions)

    def _length(self, part: Part) -> timedelta:
        """Return how long a time lasts, by the clock on the wall where start and end share a zone."""
        starts, ends = self._times(part, "DTSTART"), self._times(part, "DTEND")
        if ends and starts:
            start, end = starts[0], ends[0]
            if isinstance(start, datetime) and isinstance(end, datetime) and start.tzinfo is not end.tzinfo:
                return instant(end) - instant(start)
            return local(end) - local(start)
        if value := part.value("DURATION"):
            return read_duration(value)
        return DAY if starts and not isinstance(starts[0], datetime) else timedelta()


def _end(start: date | datetime, length: timedelta) -> date | datetime:
    if isinstance(start, datetime):
        return existing(start + length)
    return (
        start + length
        if length % DAY == timedelta()
        else datetime(start.year, start.month, start.day) + length
    )
