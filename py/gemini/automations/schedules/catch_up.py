"""Decide what becomes of slots that are due: those on time, and those that passed while nothing could run."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    # It loads with its packages.
    from gemini.automations.schedules.rules import Rule

CatchUp = Literal["once", "all", "skip"]
Fate = Literal["running", "skipped", "missed"]
"""`skipped`: a newer slot runs instead. `missed`: it doesn't run unless the user wants it."""
# A slot that is noticed within this time is on time. Hidden pages wake once a minute.
ON_TIME_S = 90.0
# The newest slots that are decided at once.
MOST = 50


@dataclass(frozen=True)
class Decided:
    """A slot, in seconds since 1970, and what becomes of it."""

    slot: float
    fate: Fate


def decide(rule: "Rule", catch_up: CatchUp, oldest_s: float, after: float, now: float) -> list[Decided]:
    """Return what becomes of each slot later than `after` that is due, oldest first.

    Args:
        rule: The schedule's rule.
        catch_up: `all`: each slot runs. `once`: the newest runs for all. `skip`: only one on time runs.
        oldest_s: Slots that are older than this, in seconds, don't run.
        after: The last slot that was decided.
        now: The time.
    """
    slots = rule.newest(after, now, MOST)
    if not slots:
        return []
    young = [slot for slot in slots if now - slot <= max(oldest_s, ON_TIME_S)]
    if catch_up == "skip":
        young = [slot for slot in young if now - slot <= ON_TIME_S]
    runs = set(young if catch_up == "all" else young[-1:])
    return [Decided(slot, _fate(slot, slot in runs, slot in young)) for slot in slots]


def _fate(slot: float, runs: bool, is_young: bool) -> Fate:
    if runs:
        return "running"
    return "skipped" if is_young else "missed"
