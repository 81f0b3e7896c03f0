"""Read a schedule's time in words, or as a cron expression.

The grammar is small, and anything else is an error that lists it. Times of day are in 24 hours unless `am` or `pm`
follows.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta

from gemini.errors import ScheduleUnclear

UNDERSTOOD = (
    "in 20 minutes",
    "at 18:00",
    "tomorrow at 8:30",
    "on friday at 9",
    "2027-01-31 at 14:00",
    "every 15 minutes",
    "every 2 hours",
    "every hour",
    "every day at 9",
    "every weekday at 9:30",
    "every monday and thursday at 18:00",
    "every month on the 1st at 8",
    "every month on the last day at 17:00",
    "a cron expression such as 30 9 * * 1-5",
)
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# Names of cron(8) for common expressions.
NAMED = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86_400
UNITS = {"minute": MINUTE_S, "hour": HOUR_S, "day": DAY_S, "week": 7 * DAY_S}
# "in 400 days" is rather a mistake, or a date.
MAX_AHEAD_S = 366 * DAY_S

TIME = r"(?:at )?(?P<time>noon|midnight|\d{1,2}(?::\d{2})?(?: ?[ap]m)?)"
DAY = "|".join(DAYS)
CRON = re.compile(r"[\d*/,\-]+ [\d*/,\-]+( [\d*/,\-a-z#]+){3}")
IN = re.compile(r"in (?P<count>\d{1,4}|an?) (?P<unit>minute|hour|day|week)s?")
AT = re.compile(TIME)
ON_DAY = re.compile(
    rf"(?:(?P<near>today|tomorrow)|(?:on |next )?(?P<day>{DAY})|(?:on )?(?P<date>\d{{4}}-\d{{2}}-\d{{2}})) {TIME}"
)
EVERY_FEW = re.compile(r"every (?:(?P<count>\d{1,2}) )?(?P<unit>minute|hour)s?")
EVERY_DAY = re.compile(rf"(?:every (?P<kind>day|weekday|weekend)|(?P<daily>daily)) {TIME}")
EVERY_DAYS = re.compile(rf"every (?P<days>(?:{DAY})(?:(?:, | and |, and )(?:{DAY}))*) {TIME}")
EVERY_MONTH = re.compile(
    rf"every month on the (?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?|(?P<last>last day)) {TIME}"
)
KINDS = {"day": "*", "weekday": "1-5", "weekend": "0,6"}

Read = tuple[str, None] | tuple[None, datetime | float]
"""A cron expression; or a single time: a local one, or seconds from now."""


def read(text: str, now: datetime) -> Read:
    """Return the cron expression of a text, or the single time that it names.

    Args:
        text: The time, in words or as a cron expression.
        now: The local time, without a zone.

    Returns:
        `(expression, None)`, `(None, local time without a zone)` or `(None, seconds from now)`.

    Raises:
        ScheduleUnclear: The text isn't understood, or names a time that has passed. The hint lists the accepted forms.
    """
    words = " ".join(text.lower().replace(";", " ").split())
    if words in NAMED:
        return NAMED[words], None
    if CRON.fullmatch(words):
        return words, None
    readers: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], datetime], Read]], ...] = (
        *(
            (IN, _after),
            (AT, _next_time),
            (ON_DAY, _on_day),
            (EVERY_FEW, _every_few),
            (EVERY_DAY, _every_day),
        ),
        *((EVERY_DAYS, _every_days), (EVERY_MONTH, _every_month)),
    )
    for pattern, reader in readers:
        if found := pattern.fullmatch(words):
            return reader(found, now)
    raise unclear(f"the time {text[:80]!r} isn't understood")


def unclear(message: str) -> ScheduleUnclear:
    """Return an error with a hint that lists the accepted forms."""
    return ScheduleUnclear(message, hint=f"These are understood: {'; '.join(UNDERSTOOD)}.")


def _after(found: re.Match[str], now: datetime) -> Read:
    count = 1 if found["count"].startswith("a") else int(found["count"])
    seconds = count * UNITS[found["unit"]]
    if not 0 < seconds <= MAX_AHEAD_S:
        raise unclear(f"{found[0]!r} isn't within a year from now")
    return None, float(seconds)


def _next_time(found: re.Match[str], now: datetime) -> Read:
    local = datetime.combine(now.date(), _time(found))
    return None, local if local > now else local + timedelta(days=1)


def _on_day(found: re.Match[str], now: datetime) -> Read:
    of_day = _time(found)
    if found["date"]:
        try:
            local = datetime.combine(date.fromisoformat(found["date"]), of_day)
        except ValueError:
            raise unclear(f"there is no day {found['date']}") from None
    elif found["near"]:
        local = datetime.combine(now.date() + timedelta(days=found["near"] == "tomorrow"), of_day)
    else:
        ahead = (DAYS.index(found["day"]) - now.weekday()) % 7
        local = datetime.combine(now.date() + timedelta(days=ahead), of_day)
        if local <= now:
            local += timedelta(days=7)
    if local <= now:
        raise unclear(f"{found[0]!r} has passed")
    return None, local


def _every_few(found: re.Match[str], now: datetime) -> Read:
    count, is_hours = int(found["count"] or 1), found["unit"] == "hour"
    whole = 24 if is_hours else 60
    if not 0 < count < whole or whole % count:
        fitting = ", ".join(str(each) for each in range(1, whole) if whole % each == 0)
        raise unclear(f"{found[0]!r} doesn't divide {whole} evenly; {fitting} {found['unit']}s do")
    step = "*" if count == 1 else f"*/{count}"
    return (f"0 {step} * * *" if is_hours else f"{step} * * * *"), None


def _every_day(found: re.Match[str], now: datetime) -> Read:
    return _cron(found, "*", KINDS[found["kind"] or "day"]), None


def _every_days(found: re.Match[str], now: datetime) -> Read:
    days = sorted({DAYS.index(day) + 1 for day in re.findall(DAY, found["days"])})
    return _cron(found, "*", ",".join(str(day % 7) for day in days)), None


def _every_month(found: re.Match[str], now: datetime) -> Read:
    if found["last"]:
        return _cron(found, "L", "*"), None
    if not 1 <= int(found["day"]) <= 31:
        raise unclear(f"a month has no day {found['day']}")
    return _cron(found, str(int(found["day"])), "*"), None


def _cron(found: re.Match[str], days: str, weekdays: str) -> str:
    of_day = _time(found)
    return f"{of_day.minute} {of_day.hour} {days} * {weekdays}"


def _time(found: re.Match[str]) -> time:
    text = found["time"]
    if text in ("noon", "midnight"):
        return time(12 if text == "noon" else 0)
    clock, half = re.fullmatch(r"([\d:]+) ?([ap]m)?", text).groups()  # type: ignore[union-attr] # pyright: ignore - TIME matched
    hours, _, minutes = clock.partition(":")
    hour = int(hours)
    if half:
        if not 1 <= hour <= 12:
            raise unclear(f"there is no time {text!r}")
        hour = hour % 12 + (12 if half == "pm" else 0)
    try:
        return time(hour, int(minutes or 0))
    except ValueError:
        raise unclear(f"there is no time {text!r}") from None
