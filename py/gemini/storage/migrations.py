"""The migrations that create the database's tables. The list only grows at its end.

A migration runs once, in its own transaction. A released migration never changes; a later one corrects it.
"""

import sqlite3
from collections.abc import Callable

from gemini.core.words import TOKENIZER

Migration = Callable[[sqlite3.Connection], None]


def _terminals_settings_calls(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE terminals (
               id TEXT PRIMARY KEY,
               position INTEGER NOT NULL,  -- in order of creation
               state TEXT NOT NULL,        -- JSON
               updated REAL NOT NULL       -- seconds since 1970
           )"""
    )
    connection.execute("CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    connection.execute(
        """CREATE TABLE calls (
               id INTEGER PRIMARY KEY,
               tool TEXT NOT NULL,
               caller TEXT NOT NULL,
               effect TEXT NOT NULL,
               arguments TEXT NOT NULL,    -- JSON, cut as the log has it
               started TEXT NOT NULL,      -- ISO 8601
               ok INTEGER,                 -- NULL while it runs
               result_preview TEXT,
               duration_ms REAL
           )"""
    )


def _runs(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE runs (
               id TEXT PRIMARY KEY,
               row TEXT NOT NULL,          -- JSON: the task
               outcome TEXT,               -- JSON; NULL while it runs
               began REAL NOT NULL         -- seconds since 1970
           )"""
    )
    connection.execute(
        """CREATE TABLE run_entries (
               seq INTEGER PRIMARY KEY AUTOINCREMENT,
               run_id TEXT NOT NULL,
               kind TEXT NOT NULL,
               body TEXT NOT NULL          -- JSON
           )"""
    )
    connection.execute("CREATE INDEX run_entries_of_run ON run_entries (run_id, seq)")


def _run_pictures(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE run_pictures (
               id INTEGER PRIMARY KEY AUTOINCREMENT,
               run_id TEXT NOT NULL,
               data BLOB NOT NULL          -- JPEG
           )"""
    )


def _chats(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE chats (
               id TEXT PRIMARY KEY,
               row TEXT NOT NULL,          -- JSON
               updated REAL NOT NULL       -- seconds since 1970
           )"""
    )
    connection.execute(
        """CREATE TABLE chat_messages (
               seq INTEGER PRIMARY KEY AUTOINCREMENT,
               id TEXT NOT NULL UNIQUE,
               chat_id TEXT NOT NULL,
               body TEXT NOT NULL          -- JSON
           )"""
    )
    connection.execute("CREATE INDEX chat_messages_of_chat ON chat_messages (chat_id, seq)")


def _file_changes(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE checkpoints (
               id TEXT PRIMARY KEY,
               caller TEXT NOT NULL,
               run_id TEXT,
               about TEXT,                 -- the checkpoint that it reverted
               began REAL NOT NULL,        -- seconds since 1970
               changed REAL NOT NULL
           )"""
    )
    connection.execute(
        """CREATE TABLE changes (
               seq INTEGER PRIMARY KEY AUTOINCREMENT,
               batch TEXT NOT NULL,        -- changes that were committed together
               place INTEGER NOT NULL,     -- in the batch
               path TEXT NOT NULL,
               kind TEXT NOT NULL,         -- made, whole, part, lost, mode, link, dir, moved
               mode INTEGER NOT NULL,
               size INTEGER NOT NULL,
               detail TEXT,
               content TEXT,               -- hash
               at REAL NOT NULL,
               UNIQUE (batch, place)
           )"""
    )
    connection.execute("CREATE INDEX changes_of_path ON changes (path, seq)")
    connection.execute("CREATE INDEX changes_of_content ON changes (content)")
    connection.execute(
        """CREATE TABLE change_checkpoints (
               checkpoint_id TEXT NOT NULL,
               seq INTEGER NOT NULL,
               PRIMARY KEY (checkpoint_id, seq)
           ) WITHOUT ROWID"""
    )
    connection.execute("CREATE INDEX checkpoints_of_change ON change_checkpoints (seq)")
    connection.execute(
        """CREATE TABLE change_contents (
               hash TEXT PRIMARY KEY,      -- SHA-256
               stored INTEGER NOT NULL,    -- bytes
               packed INTEGER NOT NULL,    -- by zlib
               data BLOB NOT NULL
           )"""
    )


def _shells_of_terminals(connection: sqlite3.Connection) -> None:
    """Give the shell's state a column, so that it is written only when it has changed."""
    connection.execute("ALTER TABLE terminals ADD COLUMN shell TEXT")
    connection.execute(
        "UPDATE terminals SET shell = json_extract(state, '$.shell'), state = json_remove(state, '$.shell')"
        " WHERE json_valid(state)"
    )


def _memories(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE memories (
               id INTEGER PRIMARY KEY AUTOINCREMENT,
               agent TEXT NOT NULL,
               text TEXT NOT NULL,
               words TEXT NOT NULL,        -- without case and punctuation; equal ones are stored once
               source TEXT NOT NULL,
               approved INTEGER NOT NULL,  -- 0 while the user hasn't decided
               at REAL NOT NULL,           -- seconds since 1970
               UNIQUE (agent, words)
           )"""
    )
    connection.execute(f"CREATE VIRTUAL TABLE memory_words USING fts5(body, {TOKENIZER})")
    connection.execute("CREATE TABLE pinned_memories (agent TEXT PRIMARY KEY, text TEXT NOT NULL)")


MIGRATIONS: tuple[Migration, ...] = (
    _terminals_settings_calls,
    _runs,
    _run_pictures,
    _chats,
    _shells_of_terminals,
    _memories,
)
HISTORY_MIGRATIONS: tuple[Migration, ...] = (_file_changes,)
