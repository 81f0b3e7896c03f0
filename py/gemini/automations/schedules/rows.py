"""The rows that the page shows of schedules. They load with the page's other types, before any schedule."""

from typing import Literal

from typing_extensions import TypedDict


class SlotRow(TypedDict):
    """A slot of a schedule; times are in ISO 8601. `run_id` is the run that works on it, or has."""

    slot: str
    status: Literal["running", "done", "dead", "cancelled", "skipped", "missed"]
    run_id: str | None
    ended: str | None
    result: str | None
    reason: str | None


class ScheduleRow(TypedDict):
    """A schedule; times are in ISO 8601.

    `when` is the time as it was given, `cron` the expression, `due` the next slot. `approved` is false while it waits
    for the user; `outside` says what text from outside its brief may have, `tools` the only tools of its runs. `slots`
    has the newest ones, the newest first; `missed` those that wait for the user to run or skip them.
    """

    id: str
    when: str
    cron: str | None
    zone: str
    agent: str | None
    brief: str
    catch_up: Literal["once", "all", "skip"]
    oldest_days: float
    budget: dict[str, float]
    paused: bool
    approved: bool
    source: str
    outside: str | None
    tools: list[str] | None
    due: str | None
    slots: list[SlotRow]
    missed: list[SlotRow]
