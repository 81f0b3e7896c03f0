"""What is kept of agents' runs, so that they go on after a killed tab."""

import time
from typing import Any

from gemini.encoding import decode, encode
from gemini.storage.database import Database

# Runs that have ended, with all that they did; the oldest go first.
MOST_ENDED = 50
WRITE = "INSERT INTO run_entries (run_id, kind, body) VALUES (?, ?, ?)"
TIDY = """
DELETE FROM runs WHERE outcome IS NOT NULL AND id NOT IN
    (SELECT id FROM runs WHERE outcome IS NOT NULL ORDER BY began DESC LIMIT ?)
"""


class RunStore:
    """Runs with their entries, in order. Every method raises StorageProblem or StorageFull where it fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, run_id: str, row: dict[str, Any]) -> None:
        """Keep a new run; `row` says what was asked."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO runs (id, row, began) VALUES (?, ?, ?)", (run_id, encode(row), time.time())
            )

    def write(self, run_id: str, kind: str, body: Any) -> None:
        """Keep an entry, for good when this returns; JSON can hold `body`."""
        with self._database.transaction() as connection:
            connection.execute(WRITE, (run_id, kind, encode(body)))

    def end(self, run_id: str, outcome: dict[str, Any]) -> None:
        """Keep how a run ended."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE runs SET outcome = ? WHERE id = ?", (encode(outcome), run_id))
            connection.execute(TIDY, (MOST_ENDED,))
            connection.execute("DELETE FROM run_entries WHERE run_id NOT IN (SELECT id FROM runs)")

    def find(self, run_id: str) -> tuple[dict[str, Any], dict[str, Any] | None] | None:
        """What was asked, and how it ended if it has; None where there is no such run."""
        rows = self._database.rows("SELECT row, outcome FROM runs WHERE id = ?", run_id)
        if not rows:
            return None
        row, outcome = rows[0]
        return decode(row), None if outcome is None else decode(outcome)

    def entries(self, run_id: str) -> list[tuple[Any, Any]]:
        """All that was written of a run: kind and body."""
        rows = self._database.rows("SELECT kind, body FROM run_entries WHERE run_id = ? ORDER BY seq", run_id)
        return [(kind, decode(body)) for kind, body in rows]

    def unfinished(self) -> list[str]:
        """The runs that have not ended, oldest first."""
        return [
            run_id
            for (run_id,) in self._database.rows("SELECT id FROM runs WHERE outcome IS NULL ORDER BY began")
        ]
