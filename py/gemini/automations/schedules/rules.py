"""The rule of a schedule: the times, its slots, at which it is due.

Cron expressions and changes of the clock follow cronsim (https://github.com/cuu508/cronsim), which follows Debian's
cron: an expression with fixed times whose time is skipped in spring is due at the end of the gap, and one whose time
comes twice in autumn is due the first time. Expressions that begin their minutes or hours with `*` are due at each real
match.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError

from gemini.automations.schedules.words import DAY_S, HOUR_S, read, unclear
from gemini.errors import InvalidArguments

CRON_FIELDS = 5
# The newest slots are looked for in these times before the end, so that a long absence costs little.
WINDOWS_S = (HOUR_S, DAY_S, 7 * DAY_S)


@dataclass(frozen=True)
class Rule:
    """The rule of a schedule.

    Attributes:
        cron: The cron expression; None for a single slot.
        at: The only slot, in seconds since 1970; None with an expression.
        zone: The name of the time zone, such as `Europe/Berlin`.
    """

    cron: str | None
    at: float | None
    zone: str

    def next_after(self, after: float) -> float | None:
        """Return the first slot later than `after`; None if there is none."""
        return next(self._slots(after), None)

    def newest(self, after: float, until: float, most: int) -> list[float]:
        """Return the slots later than `after` and not later than `until`, oldest first, at most the newest `most`."""
        found: list[float] = []
        for window_s in (*WINDOWS_S, until - after):
            start = max(after, until - window_s)
            found = [*self._until(start, until)]
            if len(found) >= most or start <= after:
                break
        return found[-most:]

    def _until(self, after: float, until: float) -> Iterator[float]:
        for slot in self._slots(after):
            if slot > until:
                return
            yield slot

    def _slots(self, after: float) -> Iterator[float]:
        if self.cron is None:
            if self.at is not None and self.at > after:
                yield self.at
            return
        local = datetime.fromtimestamp(after, ZoneInfo(self.zone))
        last = after
        for slot in CronSim(self.cron, local):
            seconds = slot.timestamp()
            # In an hour that comes twice, cronsim begins again at its first time.
            if seconds > last:
                last = seconds
                yield seconds


def rule_of(when: str, zone: str, now: float) -> Rule:
    """Return the rule that a text describes.

    Args:
        when: The time, in words or as a cron expression; see `gemini.automations.schedules.words`.
        zone: The name of the time zone.
        now: The time, in seconds since 1970.

    Raises:
        ScheduleUnclear: The text isn't understood, or names no time to come.
        InvalidArguments: There is no such time zone.
    """
    local = datetime.fromtimestamp(now, _zone(zone)).replace(tzinfo=None)
    cron, single = read(when, local)
    if cron is None:
        at = now + single if isinstance(single, float) else _instant(single, zone)  # type: ignore[arg-type]
        return Rule(None, at, zone)
    rule = Rule(cron, None, zone)
    try:
        if rule.next_after(now) is None:
            raise unclear(f"{when[:80]!r} is never due")
    except CronSimError as error:
        raise unclear(f"{when[:80]!r} is no cron expression: {error}") from None
    return rule


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    # zoneinfo raises the others for names that are no paths, or name a folder.
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidArguments(
            f"zone: there is no time zone {name[:60]!r}",
            hint="Use a name of the IANA database, such as Europe/Berlin or UTC.",
        ) from None


def _instant(local: datetime, zone: str) -> float:
    """Return the time of a local time: the first if it comes twice, the end of the gap if it is skipped."""
    aware = local.replace(tzinfo=ZoneInfo(zone), fold=0)
    while aware.astimezone(UTC).astimezone(aware.tzinfo).replace(tzinfo=None) != aware.replace(tzinfo=None):
        aware += timedelta(minutes=1)
    return aware.timestamp()
