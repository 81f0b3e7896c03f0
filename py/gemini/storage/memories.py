"""Save what agents remember, and find it by words (FTS5, https://www.sqlite.org/fts5.html, ranked by BM25)."""

import time
from typing import Any

from gemini.core.words import any_word, plain_words, seamed
from gemini.storage.database import Database

COLUMNS = "id, agent, text, source, approved, at"
ADD = """
INSERT INTO memories (agent, text, words, source, approved, at) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (agent, words) DO UPDATE SET approved = max(approved, excluded.approved)
RETURNING id, at = ?
"""
FIND = f"""
SELECT {COLUMNS} FROM memories JOIN memory_words ON memory_words.rowid = memories.id
WHERE memory_words MATCH ? AND agent = ? AND approved ORDER BY rank LIMIT ?
"""
PIN = "INSERT INTO pinned_memories (agent, text) VALUES (?, ?) ON CONFLICT (agent) DO UPDATE SET text = excluded.text"

Row = dict[str, Any]


class MemoryStore:
    """Memories by agent, and the pinned text of each agent.

    A row is `{id, agent, text, source, approved, at}`, with `at` in seconds since 1970. Every method raises
    StorageProblem or StorageFull if it fails.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, agent: str, text: str, source: str, *, approved: bool) -> tuple[int, bool]:
        """Save a memory, unless the agent has one with the same words, which is approved if this one is.

        Returns:
            The id of the memory, and whether it is new.
        """
        now = time.time()
        with self._database.transaction() as connection:
            row = (agent, text, plain_words(text), source, approved, now, now)
            number, is_new = connection.execute(ADD, row).fetchone()
            if is_new:
                connection.execute(
                    "INSERT INTO memory_words (rowid, body) VALUES (?, ?)", (number, seamed(text))
                )
        return number, bool(is_new)

    def find(self, agent: str, query: str, limit: int) -> list[Row]:
        """Return the approved memories of an agent with any word of the query, the best first."""
        words = any_word(query)
        return [] if words is None else _rows(self._database.rows(FIND, words, agent, limit))

    def newest(self, agent: str, limit: int) -> list[Row]:
        """Return the newest approved memories of an agent, the newest first."""
        where = "WHERE agent = ? AND approved ORDER BY id DESC LIMIT ?"
        return _rows(self._database.rows(f"SELECT {COLUMNS} FROM memories {where}", agent, limit))

    def all(self) -> list[Row]:
        """Return all memories, those that wait for approval first, then the newest."""
        return _rows(self._database.rows(f"SELECT {COLUMNS} FROM memories ORDER BY approved, id DESC"))

    def count(self, agent: str) -> int:
        """Return how many memories an agent has."""
        return int(self._database.rows("SELECT count(*) FROM memories WHERE agent = ?", agent)[0][0])

    def approve(self, number: int) -> bool:
        """Approve a memory, and return whether there is one with this id."""
        with self._database.transaction() as connection:
            done = connection.execute("UPDATE memories SET approved = 1 WHERE id = ?", (number,))
            return done.rowcount > 0

    def forget(self, number: int) -> bool:
        """Delete a memory, and return whether there was one with this id."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM memory_words WHERE rowid = ?", (number,))
            return connection.execute("DELETE FROM memories WHERE id = ?", (number,)).rowcount > 0

    def pinned(self, agent: str) -> str:
        """Return the pinned text of an agent; it is empty if there is none."""
        rows = self._database.rows("SELECT text FROM pinned_memories WHERE agent = ?", agent)
        return rows[0][0] if rows else ""

    def all_pinned(self) -> dict[str, str]:
        """Return the pinned texts by agent."""
        return dict(self._database.rows("SELECT agent, text FROM pinned_memories ORDER BY agent"))

    def pin(self, agent: str, text: str) -> None:
        """Replace the pinned text of an agent; an empty one deletes it."""
        with self._database.transaction() as connection:
            if text:
                connection.execute(PIN, (agent, text))
            else:
                connection.execute("DELETE FROM pinned_memories WHERE agent = ?", (agent,))


def _rows(rows: list[Any]) -> list[Row]:
    names = COLUMNS.split(", ")
    return [{**dict(zip(names, row, strict=True)), "approved": bool(row[4])} for row in rows]
