"""What is kept of terminals, so that they come back."""

import json
import time
from collections.abc import Callable
from typing import Any

from gemini.errors import StorageFull, StorageProblem
from gemini.storage.database import Database

SAVE = """
INSERT INTO terminals (id, position, state, updated)
VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM terminals), ?, ?)
ON CONFLICT (id) DO UPDATE SET state = excluded.state, updated = excluded.updated
"""


class TerminalStore:
    """The states of terminals by their id.

    Args:
        database: Where they are kept.
        on_problem: Told when one can't be written; terminals go on without.
    """

    def __init__(
        self, database: Database, on_problem: Callable[[StorageProblem | StorageFull], None]
    ) -> None:
        self._database = database
        self._on_problem = on_problem

    def save(self, terminal_id: str, state: dict[str, Any]) -> None:
        """Keep a terminal's state, which JSON can hold; the place in the order is that of its first state."""
        self._write(SAVE, terminal_id, json.dumps(state), time.time())

    def forget(self, terminal_id: str) -> None:
        """Keep nothing of a terminal any more."""
        self._write("DELETE FROM terminals WHERE id = ?", terminal_id)

    def load(self) -> list[tuple[str, dict[str, Any]]]:
        """Every terminal's id and last state, in order of creation.

        Raises:
            StorageProblem, StorageFull: they can't be read.
        """
        rows = self._database.rows("SELECT id, state FROM terminals ORDER BY position")
        return [(terminal_id, json.loads(state)) for terminal_id, state in rows]

    def _write(self, statement: str, *parameters: Any) -> None:
        try:
            with self._database.transaction() as connection:
                connection.execute(statement, parameters)
        except (StorageProblem, StorageFull) as problem:
            self._on_problem(problem)
