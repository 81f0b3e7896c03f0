"""Save chats with their messages."""

import time
from typing import Any

from gemini.core.encoding import decode, encode
from gemini.storage.database import Database

SAVE = """
INSERT INTO chats (id, row, updated) VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET row = excluded.row, updated = excluded.updated
"""
SAVE_MESSAGE = """
INSERT INTO chat_messages (id, chat_id, body) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body
"""


class ChatStore:
    """Chats and messages as JSON. Every method raises StorageProblem or StorageFull if it fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, chat_id: str, row: dict[str, Any], *messages: tuple[str, dict[str, Any]]) -> None:
        """Save a chat, with messages by id, atomically."""
        with self._database.transaction() as connection:
            connection.execute(SAVE, (chat_id, encode(row), time.time()))
            connection.executemany(SAVE_MESSAGE, [(name, chat_id, encode(body)) for name, body in messages])

    def save_message(self, chat_id: str, message_id: str, body: dict[str, Any]) -> None:
        """Save a message."""
        with self._database.transaction() as connection:
            connection.execute(SAVE_MESSAGE, (message_id, chat_id, encode(body)))

    def load(self) -> list[dict[str, Any]]:
        """Return the row of every chat, the latest changed first."""
        rows = self._database.rows("SELECT row FROM chats ORDER BY updated DESC")
        return [decode(row) for (row,) in rows]

    def is_empty(self) -> bool:
        """Return whether there is no chat."""
        return not self._database.rows("SELECT 1 FROM chats LIMIT 1")

    def messages(self, chat_id: str) -> list[dict[str, Any]]:
        """Return the messages of a chat, in order of creation."""
        rows = self._database.rows("SELECT body FROM chat_messages WHERE chat_id = ? ORDER BY seq", chat_id)
        return [decode(body) for (body,) in rows]

    def delete(self, chat_id: str) -> None:
        """Delete a chat and its messages."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM chats WHERE id = ?", (chat_id,))
            connection.execute("DELETE FROM chat_messages WHERE chat_id = ?", (chat_id,))
