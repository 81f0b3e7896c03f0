"""Save which skills the user has allowed, with the fingerprint of the files that the user has seen."""

import time
from typing import Any

from gemini.core.encoding import decode, encode
from gemini.storage.database import Database

COLUMNS = ("folder", "name", "description", "tools", "fingerprint", "at")
ALLOW = f"INSERT OR REPLACE INTO skills ({', '.join(COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?)"


class SkillStore:
    """Allowed skills by folder. Every method raises StorageProblem or StorageFull if it fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def allow(
        self, folder: str, name: str, description: str, tools: list[str] | None, fingerprint: str
    ) -> None:
        """Save that the files of a folder with this fingerprint are allowed."""
        with self._database.transaction() as connection:
            connection.execute(ALLOW, (folder, name, description, encode(tools), fingerprint, time.time()))

    def withdraw(self, folder: str) -> bool:
        """Forget that a folder is allowed, and return whether it was."""
        with self._database.transaction() as connection:
            return connection.execute("DELETE FROM skills WHERE folder = ?", (folder,)).rowcount > 0

    def rows(self) -> list[dict[str, Any]]:
        """Return the allowed skills by name: `{folder, name, description, tools, fingerprint, at}`."""
        rows = self._database.rows(f"SELECT {', '.join(COLUMNS)} FROM skills ORDER BY name")
        found = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
        return [{**row, "tools": decode(row["tools"])} for row in found]
