"""The user's settings."""

import json
from typing import Any

from gemini.storage.database import Database

SET = "INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"


class Settings:
    """Values by name. Every method raises StorageProblem or StorageFull if it fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, name: str, default: Any = None) -> Any:
        """Return a value, or `default` if it isn't set."""
        rows = self._database.rows("SELECT value FROM settings WHERE name = ?", name)
        return json.loads(rows[0][0]) if rows else default

    def set(self, name: str, value: Any) -> None:
        """Save a value, which must be JSON-serializable."""
        with self._database.transaction() as connection:
            connection.execute(SET, (name, json.dumps(value)))
