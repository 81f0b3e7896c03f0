"""What a person chose."""

import json
from typing import Any

from gemini.storage.database import Database

SET = "INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"


class Settings:
    """Values by name. Every method raises StorageProblem or StorageFull where it fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, name: str, default: Any = None) -> Any:
        """The value, or `default` where none was set."""
        rows = self._database.rows("SELECT value FROM settings WHERE name = ?", name)
        return json.loads(rows[0][0]) if rows else default

    def set(self, name: str, value: Any) -> None:
        """Keep a value, which JSON can hold."""
        with self._database.transaction() as connection:
            connection.execute(SET, (name, json.dumps(value)))
