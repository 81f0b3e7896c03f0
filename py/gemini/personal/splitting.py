"""Separate one time of a recurring event: change it, leave it out, or start a new series with it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from gemini.personal.components import (
    Fields,
    alarms_in,
    new_times,
    shifted_change,
    stamped,
    with_fields,
    with_texts,
    with_times,
)
from gemini.personal.content_lines import Line, line, replaced
from gemini.personal.documents import Part
from gemini.personal.rules import rule_parts, rule_text, times_of_rule
from gemini.personal.series import Series
from gemini.personal.times import Form, value_of

OF_SERIES = ("RRULE", "RDATE", "EXDATE", "EXRULE")
SECOND = timedelta(seconds=1)


def moved(series: Series, key: datetime, fields: Fields, eol: str) -> list[Part]:
    """Return the components of an event of which one time is changed."""
    before = series.changed.get(key)
    source = before or series.require_master()
    lines = source.lines
    if before is None:
        for name in OF_SERIES:
            lines = replaced(lines, name, [])
        named = series.line_of("RECURRENCE-ID", key, eol)
        lines = replaced(lines, "RECURRENCE-ID", [named])
    form = series.form_of_part(source)
    start = series.start_of(before) if before is not None else series.zoned(key)
    begins, length, form = new_times(start, series.length_of(source), form, fields)
    if before is None or fields.start is not None or fields.end is not None:
        lines = with_times(lines, begins, length, form, eol)
    lines = with_texts(lines, fields.texts, eol)
    if fields.alarms is not None:
        title = fields.texts.get("SUMMARY") or source.value("SUMMARY")
        lines = alarms_in(lines, fields.alarms, title, eol)
    part = stamped("VEVENT", lines, eol)
    others = [each for each in series.changed.values() if each is not before]
    return [*([series.master] if series.master else []), *others, part]


def without(series: Series, key: datetime, scope: str, eol: str) -> list[Part]:
    """Return the components of an event without one of its times, or without that and all that follow."""
    if scope == "following":
        return [_end(series, key, eol), *(part for at, part in series.changed.items() if at < key)]
    others = [part for at, part in series.changed.items() if at != key]
    if series.master is None:
        return others
    left_out = series.line_of("EXDATE", key, eol)
    lines = replaced(series.master.lines, "EXDATE", [*series.master.every("EXDATE"), left_out])
    return [stamped("VEVENT", lines, eol), *others]


def split(series: Series, key: datetime, fields: Fields, uid: str, eol: str) -> list[Part]:
    """Return the components of an event that ends before a time, then of a new one that begins there."""
    before = [_end(series, key, eol), *(part for at, part in series.changed.items() if at < key)]
    master = series.require_master()
    lines = with_times(master.lines, series.zoned(key), series.length, series.form, eol)
    lines = replaced(lines, "UID", [line("UID", uid, end=eol)])
    lines = replaced(lines, "SEQUENCE", [])
    lines = _rules_from(lines, series, key, eol)
    for name in ("EXDATE", "RDATE"):
        lines = replaced(lines, name, _times(series, name, lambda at: at >= key, eol))
    after = [
        shifted_change(part, series, timedelta(), eol, uid)
        for at, part in series.changed.items()
        if at >= key
    ]
    new = Series([Part("VEVENT", "".join(each.raw for each in lines)), *after], series.definitions)
    return [*before, *with_fields(new, None, fields, eol)]


def _end(series: Series, key: datetime, eol: str) -> Part:
    """Return the event with its last time before `key`."""
    master = series.require_master()
    rules: list[Line] = []
    for rule in master.every("RRULE"):
        parts = {
            name: value for name, value in rule_parts(rule.value).items() if name not in ("COUNT", "UNTIL")
        }
        parts["UNTIL"] = _until(series.form, key, is_day=not isinstance(series.start, datetime))
        rules.append(line("RRULE", rule_text(parts), rule.parameters, eol))
    lines = replaced(master.lines, "RRULE", rules)
    for name in ("EXDATE", "RDATE"):
        lines = replaced(lines, name, _times(series, name, lambda at: at < key, eol))
    return stamped("VEVENT", lines, eol)


def _until(form: Form, key: datetime, *, is_day: bool) -> str:
    if is_day:
        return value_of((key - timedelta(days=1)).date())
    last = key - SECOND
    # With a zone, UNTIL is in UTC (RFC 5545, 3.3.10).
    return value_of(last if form.zone is None else last.replace(tzinfo=form.zone).astimezone(UTC))


def _rules_from(lines: list[Line], series: Series, key: datetime, eol: str) -> list[Line]:
    """Return lines whose rules count only the times from `key` on."""
    rules: list[Line] = []
    first = series.first_key
    for rule in series.require_master().every("RRULE"):
        parts = rule_parts(rule.value)
        if "COUNT" in parts:
            passed = sum(1 for _ in times_of_rule(rule.value, first, series.form.zone, first, key))
            parts["COUNT"] = str(max(1, int(parts["COUNT"]) - passed))
        rules.append(line("RRULE", rule_text(parts), rule.parameters, eol))
    return replaced(lines, "RRULE", rules)


def _times(series: Series, name: str, fits: Callable[[datetime], bool], eol: str) -> list[Line]:
    """Return the lines of further or left out times that fit; a line of which all fit stays as it is."""
    found: list[Line] = []
    for each in series.require_master().every(name):
        times = series.times_of(each)
        retained = [time for time in times if fits(series.key(time))]
        if len(retained) == len(times):
            found.append(each)
        elif retained:
            found.append(line(name, ",".join(value_of(time) for time in retained), each.parameters, eol))
    return found
