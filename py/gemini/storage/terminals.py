"""What is kept of terminals, so that they come back."""

import json
import time
from typing import Any

from gemini.storage.database import Database

SAVE = """
INSERT INTO terminals (id, position, state, updated)
VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM terminals), ?, ?)
ON CONFLICT (id) DO UPDATE SET state = excluded.state, updated = excluded.updated
"""


class TerminalStore:
    """The states of terminals by their id. Every method raises StorageProblem or StorageFull where it fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, terminal_id: str, state: dict[str, Any]) -> None:
        """Keep a terminal's state, which JSON can hold; the place in the order is that of its first state."""
        with self._database.transaction() as connection:
            connection.execute(SAVE, (terminal_id, json.dumps(state), time.time()))

    def forget(self, terminal_id: str) -> None:
        """Keep nothing of a terminal any more."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM terminals WHERE id = ?", (terminal_id,))

    def load(self) -> list[tuple[str, dict[str, Any]]]:
        """Every terminal's id and last state, in order of creation."""
        rows = self._database.rows("SELECT id, state FROM terminals ORDER BY position")
        return [(terminal_id, json.loads(state)) for terminal_id, state in rows]
