"""Save agents' runs, so that they continue after a tab was killed."""

import sqlite3
import time
from typing import Any

from gemini.core.encoding import decode, encode
from gemini.storage.database import Database

# Runs and teams that a user began, each with all runs that they led to. The oldest that have ended are deleted first.
MAX_ENDED = 50
# Finished runs in all: one family may have any number.
MAX_RUNS = 1_000
# Of all runs together. They are at most 640 pixels wide and take about 30 KB each.
MAX_PICTURES = 200
TIDY_PICTURES = (
    "DELETE FROM run_pictures WHERE id NOT IN (SELECT id FROM run_pictures ORDER BY id DESC LIMIT ?)"
)
LIST = """
SELECT id, row, outcome, began, (SELECT count(*) FROM run_entries WHERE run_id = runs.id AND kind = 'step')
    FROM runs ORDER BY began
"""
WRITE = "INSERT INTO run_entries (run_id, kind, body) VALUES (?, ?, ?)"
TIDY = """
DELETE FROM runs WHERE outcome IS NOT NULL AND (
    family NOT IN (
        SELECT family FROM runs WHERE outcome IS NULL
        UNION SELECT * FROM (SELECT family FROM runs GROUP BY family HAVING count(*) = count(outcome)
            ORDER BY max(began) DESC LIMIT ?))
    OR id NOT IN (SELECT id FROM runs WHERE outcome IS NOT NULL ORDER BY began DESC LIMIT ?))
"""


class RunStore:
    """Runs with their entries, in order. Every method raises StorageProblem or StorageFull if it fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, run_id: str, row: dict[str, Any]) -> None:
        """Save a new run; `row` describes the task."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO runs (id, row, began, family) VALUES (?, ?, ?, ?)",
                (run_id, encode(row), time.time(), row.get("family") or run_id),
            )

    def write(self, run_id: str, kind: str, body: Any) -> None:
        """Save an entry durably; `body` must be JSON-serializable."""
        with self._database.transaction() as connection:
            connection.execute(WRITE, (run_id, kind, encode(body)))

    def end(self, run_id: str, outcome: dict[str, Any]) -> None:
        """Save the outcome of a run."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE runs SET outcome = ? WHERE id = ?", (encode(outcome), run_id))
            connection.execute(TIDY, (MAX_ENDED, MAX_RUNS))
            _drop_strays(connection)

    def find(self, run_id: str) -> tuple[dict[str, Any], dict[str, Any] | None] | None:
        """Return a run's row, and its outcome if it has ended; None if there is no such run."""
        rows = self._database.rows("SELECT row, outcome FROM runs WHERE id = ?", run_id)
        if not rows:
            return None
        row, outcome = rows[0]
        return decode(row), None if outcome is None else decode(outcome)

    def entries(self, run_id: str) -> list[tuple[Any, Any]]:
        """Return all entries of a run, as kind and body."""
        rows = self._database.rows("SELECT kind, body FROM run_entries WHERE run_id = ? ORDER BY seq", run_id)
        return [(kind, decode(body)) for kind, body in rows]

    def rows(self) -> list[dict[str, Any]]:
        """Return all runs, oldest first: `{id, row, outcome, began, steps}`, with `began` in seconds since 1970."""
        return [
            {
                "id": run_id,
                "row": decode(row),
                "outcome": None if outcome is None else decode(outcome),
                "began": began,
                "steps": steps,
            }
            for run_id, row, outcome, began, steps in self._database.rows(LIST)
        ]

    def forget(self, run_id: str) -> None:
        """Delete a run."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))
            _drop_strays(connection)

    def expect_picture(self, run_id: str) -> int:
        """Reserve a number for a picture of a run, and delete the oldest pictures over the limit."""
        with self._database.transaction() as connection:
            added = connection.execute("INSERT INTO run_pictures (run_id, data) VALUES (?, x'')", (run_id,))
            connection.execute(TIDY_PICTURES, (MAX_PICTURES,))
            return int(added.lastrowid or 0)

    def fill_picture(self, number: int, data: bytes) -> None:
        """Save the JPEG of a number."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE run_pictures SET data = ? WHERE id = ?", (data, number))

    def picture(self, number: int) -> bytes | None:
        """Return a picture; None if it was deleted or never saved."""
        rows = self._database.rows("SELECT data FROM run_pictures WHERE id = ?", number)
        return (rows[0][0] or None) if rows else None

    def unfinished(self) -> list[str]:
        """Return the ids of the runs that haven't ended, oldest first."""
        return [
            run_id
            for (run_id,) in self._database.rows("SELECT id FROM runs WHERE outcome IS NULL ORDER BY began")
        ]


def _drop_strays(connection: sqlite3.Connection) -> None:
    """Delete the entries and pictures of deleted runs."""
    for table in ("run_entries", "run_pictures"):
        connection.execute(f"DELETE FROM {table} WHERE run_id NOT IN (SELECT id FROM runs)")
