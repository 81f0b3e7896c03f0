"""Save schedules and their slots."""

import sqlite3
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal

from gemini.core.encoding import decode, encode
from gemini.storage.database import Database

SlotStatus = Literal["running", "done", "dead", "cancelled", "skipped", "missed"]

COLUMNS = (
    "id, spoken, cron, at, zone, agent, brief, catch_up, oldest_s, budget, paused, approved, source, origin, tools,"
    " cursor, due, made"
)
ADD = """
INSERT INTO schedules (id, spoken, cron, at, zone, agent, brief, catch_up, oldest_s, budget, paused, approved, source,
    origin, tools, cursor, due, made)
VALUES (:id, :spoken, :cron, :at, :zone, :agent, :brief, :catch_up, :oldest_s, :budget, :paused, :approved, :source,
    :origin, :tools, :cursor, :due, :made)
ON CONFLICT (id) DO UPDATE SET spoken = excluded.spoken, cron = excluded.cron, at = excluded.at, zone = excluded.zone,
    agent = excluded.agent, brief = excluded.brief, catch_up = excluded.catch_up, oldest_s = excluded.oldest_s,
    budget = excluded.budget, paused = excluded.paused, approved = excluded.approved, origin = excluded.origin,
    tools = excluded.tools, cursor = excluded.cursor, due = excluded.due
"""
SLOT_COLUMNS = "schedule_id, slot, status, team, written, ended, result, reason"
# A slot is written once, whichever kernel is the first.
WRITE_SLOT = """
INSERT INTO schedule_runs (schedule_id, slot, status, written) VALUES (?, ?, ?, ?)
ON CONFLICT (schedule_id, slot) DO NOTHING
"""
RETRY_SLOT = """
UPDATE schedule_runs SET status = 'running', written = ? WHERE schedule_id = ? AND slot = ? AND status = 'missed'
"""
# The run of a slot is a team, whose first task ends once.
ENDED = """
SELECT schedule_id, slot, tasks.status, tasks.result, tasks.reason, tasks.ended
FROM schedule_runs JOIN tasks ON tasks.id = schedule_runs.team
WHERE schedule_runs.status = 'running' AND tasks.status IN ('done', 'dead', 'cancelled')
"""
# A run whose task is in the middle of its work, or hasn't begun.
UNFINISHED = """
SELECT schedule_runs.team, tasks.run_id FROM schedule_runs JOIN tasks ON tasks.id = schedule_runs.team
WHERE schedule_runs.status = 'running' AND tasks.status IN ('waiting', 'running', 'parked') ORDER BY slot
"""
FORGET_SLOTS = """
DELETE FROM schedule_runs WHERE schedule_id = ? AND status NOT IN ('running', 'missed') AND slot NOT IN (
    SELECT slot FROM schedule_runs WHERE schedule_id = ? ORDER BY slot DESC LIMIT ?)
"""
# Slots of a schedule that are saved after they have ended.
MOST_SLOTS = 200


@dataclass(frozen=True)
class StoredSchedule:
    """A schedule. Times are in seconds since 1970.

    Attributes:
        spoken: The time as it was given, in words or as a cron expression.
        cron: The cron expression; None for a single slot.
        at: The single slot.
        agent: The agent's name; None for a plain run.
        oldest_s: Slots that are older than this don't run.
        budget: The limits of each run.
        approved: False while a schedule that an agent made waits for the user.
        source: Who made it.
        origin: Where text from outside in the brief comes from; None if there is none.
        tools: The names of the only tools of its runs; None for all that its agent has.
        cursor: The last slot that was decided, or the time at which the schedule began.
        due: The next slot; None if there is none.
    """

    id: str
    spoken: str
    cron: str | None
    at: float | None
    zone: str
    agent: str | None
    brief: str
    catch_up: Literal["once", "all", "skip"]
    oldest_s: float
    budget: dict[str, Any]
    paused: bool
    approved: bool
    source: str
    origin: str | None
    tools: list[str] | None
    cursor: float
    due: float | None
    made: float


@dataclass(frozen=True)
class Slot:
    """A slot that was decided. `team` is the id of the team that is its run; `ended` the end of that."""

    schedule: str
    slot: float
    status: SlotStatus
    team: str | None
    written: float
    ended: float | None
    result: str | None
    reason: str | None


class ScheduleStore:
    """Schedules and their slots. Every method raises StorageProblem or StorageFull if it fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        """Commit all changes of the block together, including changes to other stores of the database."""
        return self._database.transaction()

    def save(self, schedule: StoredSchedule) -> None:
        """Add a schedule, or replace the one with its id."""
        row = {**vars(schedule), "budget": encode(schedule.budget)}
        row["tools"] = None if schedule.tools is None else encode(schedule.tools)
        with self.transaction() as connection:
            connection.execute(ADD, row)

    def all(self) -> list[StoredSchedule]:
        """Return all schedules, oldest first."""
        return [
            _schedule(row) for row in self._database.rows(f"SELECT {COLUMNS} FROM schedules ORDER BY seq")
        ]

    def find(self, schedule_id: str) -> StoredSchedule | None:
        """Return a schedule; None if there is none with this id."""
        rows = self._database.rows(f"SELECT {COLUMNS} FROM schedules WHERE id = ?", schedule_id)
        return _schedule(rows[0]) if rows else None

    def forget(self, schedule_id: str) -> None:
        """Delete a schedule with its slots. Runs that it has started continue."""
        with self.transaction() as connection:
            connection.execute("DELETE FROM schedules WHERE id = ?", (schedule_id,))
            connection.execute("DELETE FROM schedule_runs WHERE schedule_id = ?", (schedule_id,))

    def exist(self) -> bool:
        """Return whether there is any schedule, or a run of one."""
        return bool(self._database.rows("SELECT 1 FROM schedules UNION SELECT 1 FROM schedule_runs LIMIT 1"))

    def write_slot(self, schedule_id: str, slot: float, status: SlotStatus, now: float) -> bool:
        """Save what becomes of a slot; return False if that was saved before."""
        with self.transaction() as connection:
            written = connection.execute(WRITE_SLOT, (schedule_id, slot, status, now)).rowcount == 1
            connection.execute(FORGET_SLOTS, (schedule_id, schedule_id, MOST_SLOTS))
            return written

    def run_missed(self, schedule_id: str, slot: float, now: float) -> bool:
        """Have a missed slot run; return False if it isn't missed."""
        with self.transaction() as connection:
            return connection.execute(RETRY_SLOT, (now, schedule_id, slot)).rowcount == 1

    def set_team(self, schedule_id: str, slot: float, team: str) -> None:
        """Save the team that is the run of a slot."""
        self._change(
            "UPDATE schedule_runs SET team = ? WHERE schedule_id = ? AND slot = ?", team, schedule_id, slot
        )

    def skip_missed(self, schedule_id: str) -> None:
        """Skip all missed slots of a schedule."""
        self._change(
            "UPDATE schedule_runs SET status = 'skipped' WHERE schedule_id = ? AND status = 'missed'",
            schedule_id,
        )

    def end_slots(self) -> list[Slot]:
        """Save and return the ends of slots whose runs have ended since the last call."""
        with self.transaction() as connection:
            ended = connection.execute(ENDED).fetchall()
            for schedule_id, slot, status, result, reason, at in ended:
                connection.execute(
                    "UPDATE schedule_runs SET status = ?, result = ?, reason = ?, ended = ?"
                    " WHERE schedule_id = ? AND slot = ?",
                    (status, result, reason, at, schedule_id, slot),
                )
        return [self.slot(schedule_id, slot) for schedule_id, slot, *_ in ended]

    def slot(self, schedule_id: str, slot: float) -> Slot:
        """Return a slot that is saved."""
        query = f"SELECT {SLOT_COLUMNS} FROM schedule_runs WHERE schedule_id = ? AND slot = ?"
        [row] = self._database.rows(query, schedule_id, slot)
        return Slot(*row)

    def slots(self, schedule_id: str, most: int) -> list[Slot]:
        """Return the newest slots of a schedule, the newest first."""
        query = f"SELECT {SLOT_COLUMNS} FROM schedule_runs WHERE schedule_id = ? ORDER BY slot DESC LIMIT ?"
        return [Slot(*row) for row in self._database.rows(query, schedule_id, most)]

    def missed(self, schedule_id: str) -> list[Slot]:
        """Return the missed slots of a schedule, the newest first."""
        where = "WHERE schedule_id = ? AND status = 'missed' ORDER BY slot DESC"
        query = f"SELECT {SLOT_COLUMNS} FROM schedule_runs {where}"
        return [Slot(*row) for row in self._database.rows(query, schedule_id)]

    def unfinished(self) -> list[tuple[str, str | None]]:
        """Return the team and the run of each slot that hasn't ended, oldest first."""
        return self._database.rows(UNFINISHED)

    def run_of(self, team: str) -> str | None:
        """Return the id of the run of a team's first task; None if it has none."""
        rows = self._database.rows("SELECT run_id FROM tasks WHERE id = ?", team)
        return rows[0][0] if rows else None

    def _change(self, statement: str, *values: Any) -> None:
        with self.transaction() as connection:
            connection.execute(statement, values)


def _schedule(row: tuple[Any, ...]) -> StoredSchedule:
    named: dict[str, Any] = dict(zip(COLUMNS.split(", "), row, strict=True))
    named["budget"] = decode(named["budget"])
    named["tools"] = None if named["tools"] is None else decode(named["tools"])
    named["paused"], named["approved"] = bool(named["paused"]), bool(named["approved"])
    return StoredSchedule(**named)
