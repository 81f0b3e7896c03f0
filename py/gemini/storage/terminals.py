"""Save terminals, so that a reload restores them."""

import json
import time
from collections.abc import Callable
from typing import Any, cast

from gemini.errors import StorageFull, StorageProblem
from gemini.storage.database import Database

SAVE = """
INSERT INTO terminals (id, position, state, shell, updated)
VALUES (?1, (SELECT coalesce(max(position), 0) + 1 FROM terminals), ?2, ?3, ?4)
ON CONFLICT (id) DO UPDATE SET state = excluded.state, shell = excluded.shell, updated = excluded.updated
"""
SAVE_WITHOUT_SHELL = "UPDATE terminals SET state = ?2, updated = ?3 WHERE id = ?1"


class TerminalStore:
    """The states of terminals by id.

    Args:
        database: The database to save them in.
        on_problem: Called when a state can't be written; the terminals continue unsaved.
    """

    def __init__(
        self, database: Database, on_problem: Callable[[StorageProblem | StorageFull], None]
    ) -> None:
        self._database = database
        self._on_problem = on_problem
        # The saved shell states: they are the largest part, and most commands don't change them.
        self._shells: dict[str, str | None] = {}

    def save(self, terminal_id: str, state: dict[str, Any]) -> None:
        """Save a terminal's state, which must be JSON-serializable. It retains the position of its first state."""
        rest = {name: value for name, value in state.items() if name != "shell"}
        shell, text = state.get("shell"), json.dumps(rest)
        if terminal_id in self._shells and self._shells[terminal_id] == shell:
            self._write(SAVE_WITHOUT_SHELL, terminal_id, text, time.time())
        elif self._write(SAVE, terminal_id, text, shell, time.time()):
            self._shells[terminal_id] = shell

    def forget(self, terminal_id: str) -> None:
        """Delete a terminal's state."""
        self._shells.pop(terminal_id, None)
        self._write("DELETE FROM terminals WHERE id = ?", terminal_id)

    def load(self) -> list[tuple[str, dict[str, Any]]]:
        """Return every terminal's id and last state, in order of creation. A damaged state may be any JSON value.

        Raises:
            StorageProblem, StorageFull: The states can't be read.
        """
        rows = self._database.rows("SELECT id, state, shell FROM terminals ORDER BY position")
        return [(terminal_id, _join(json.loads(state), shell)) for terminal_id, state, shell in rows]

    def _write(self, statement: str, *parameters: Any) -> bool:
        """Execute a statement; return whether it succeeded."""
        try:
            with self._database.transaction() as connection:
                connection.execute(statement, parameters)
        except (StorageProblem, StorageFull) as problem:
            self._on_problem(problem)
            return False
        return True


def _join(state: Any, shell: str | None) -> Any:
    return {**cast("dict[str, Any]", state), "shell": shell} if isinstance(state, dict) else state
