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


def _team(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE agents (
               name TEXT NOT NULL,
               day TEXT NOT NULL,          -- YYYY-MM-DD in UTC; empty for the agent's file
               provided INTEGER NOT NULL DEFAULT 0,  -- whether the surface has written its file
               tokens INTEGER NOT NULL DEFAULT 0,
               cost REAL NOT NULL DEFAULT 0,         -- US dollars
               PRIMARY KEY (name, day)
           ) WITHOUT ROWID"""
    )
    connection.execute(
        """CREATE TABLE tasks (
               seq INTEGER PRIMARY KEY AUTOINCREMENT,
               id TEXT NOT NULL UNIQUE,
               team TEXT NOT NULL,         -- the id of the team's first task
               parent TEXT,                -- the task whose run added it; NULL for the first
               agent TEXT NOT NULL,
               brief TEXT NOT NULL,
               expects TEXT NOT NULL,
               files TEXT NOT NULL,        -- JSON: paths
               options TEXT NOT NULL,      -- JSON
               status TEXT NOT NULL,       -- waiting, running, parked, done, dead, cancelled
               stopping INTEGER NOT NULL DEFAULT 0,  -- whether its run is to be cancelled
               failures INTEGER NOT NULL DEFAULT 0,
               ready REAL NOT NULL,        -- not before; times are in seconds since 1970
               run_id TEXT,
               owner TEXT,                 -- the lease
               until REAL NOT NULL DEFAULT 0,
               question TEXT,
               answer TEXT,
               result TEXT,
               reason TEXT,
               sources TEXT NOT NULL DEFAULT '{}',   -- JSON
               tokens INTEGER NOT NULL DEFAULT 0,
               cost REAL NOT NULL DEFAULT 0,
               run_tokens INTEGER NOT NULL DEFAULT 0,  -- the part of the current run
               run_cost REAL NOT NULL DEFAULT 0,
               added REAL NOT NULL,
               ended REAL
           )"""
    )
    connection.execute("CREATE INDEX tasks_of_team ON tasks (team, seq)")
    connection.execute("CREATE INDEX tasks_of_status ON tasks (status)")
    connection.execute(
        """CREATE TABLE task_edges (
               task_id TEXT NOT NULL,
               after_id TEXT NOT NULL,     -- the task that must be done first
               PRIMARY KEY (task_id, after_id)
           ) WITHOUT ROWID"""
    )
    connection.execute(
        """CREATE TABLE messages (
               seq INTEGER PRIMARY KEY AUTOINCREMENT,
               team TEXT NOT NULL,
               agent TEXT NOT NULL,        -- the receiver
               task_id TEXT,               -- the only task that gets it; NULL for the agent's next
               sender TEXT NOT NULL,
               body TEXT NOT NULL,
               origin TEXT,                -- where its text from outside comes from; NULL if it has none
               run_id TEXT,                -- the run that has it
               sent REAL NOT NULL
           )"""
    )
    connection.execute("CREATE INDEX messages_of_agent ON messages (team, agent, run_id)")


def _skills(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE skills (
               folder TEXT PRIMARY KEY,
               name TEXT NOT NULL,
               description TEXT NOT NULL,
               tools TEXT NOT NULL,        -- JSON: names, or null for all
               fingerprint TEXT NOT NULL,  -- of the files that the user has allowed
               at REAL NOT NULL            -- seconds since 1970
           )"""
    )


def _schedules(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE schedules (
               seq INTEGER PRIMARY KEY AUTOINCREMENT,
               id TEXT NOT NULL UNIQUE,
               spoken TEXT NOT NULL,       -- the time as it was given
               cron TEXT,                  -- NULL for a single slot
               at REAL,                    -- the single slot; times are in seconds since 1970
               zone TEXT NOT NULL,
               agent TEXT,                 -- NULL for a plain run
               brief TEXT NOT NULL,
               catch_up TEXT NOT NULL,     -- once, all, skip
               oldest_s REAL NOT NULL,
               budget TEXT NOT NULL,       -- JSON
               paused INTEGER NOT NULL,
               approved INTEGER NOT NULL,  -- 0 while the user hasn't decided
               source TEXT NOT NULL,
               origin TEXT,                -- where text from outside in the brief comes from; NULL if there is none
               tools TEXT,                 -- JSON: the only tools of its runs, or NULL
               cursor REAL NOT NULL,       -- the last slot that was decided
               due REAL,
               made REAL NOT NULL
           )"""
    )
    connection.execute(
        """CREATE TABLE schedule_runs (
               schedule_id TEXT NOT NULL,
               slot REAL NOT NULL,
               status TEXT NOT NULL,       -- running, done, dead, cancelled, skipped, missed
               team TEXT,                  -- the team that is its run
               written REAL NOT NULL,
               ended REAL,
               result TEXT,
               reason TEXT,
               PRIMARY KEY (schedule_id, slot)
           ) WITHOUT ROWID"""
    )
    connection.execute("CREATE INDEX schedule_runs_of_status ON schedule_runs (status)")
    connection.execute(
        """CREATE TABLE waiting_questions (
               seq INTEGER PRIMARY KEY AUTOINCREMENT,
               run_id TEXT NOT NULL,
               text TEXT NOT NULL,
               at REAL NOT NULL
           )"""
    )


def _families_of_runs(connection: sqlite3.Connection) -> None:
    """Give runs a column for what a user began, so that the runs of a team count as one."""
    connection.execute("ALTER TABLE runs ADD COLUMN family TEXT")
    connection.execute(
        "UPDATE runs SET family = coalesce(CASE WHEN json_valid(row) THEN json_extract(row, '$.team') END, id)"
    )
    connection.execute("CREATE INDEX runs_of_family ON runs (family)")


def _embeddings(connection: sqlite3.Connection) -> None:
    """Create the table of embeddings."""
    connection.execute(
        """CREATE TABLE embeddings (
               id INTEGER PRIMARY KEY AUTOINCREMENT,
               model TEXT NOT NULL,
               hash BLOB NOT NULL,         -- SHA-256 of the text
               vector BLOB NOT NULL,       -- of length 1, in half precision (IEEE 754), little-endian
               UNIQUE (model, hash)
           )"""
    )


def _waits_of_tasks(connection: sqlite3.Connection) -> None:
    """Give tasks a column for what a parked one waits for: question, tasks, consent, call, pause, slot."""
    connection.execute("ALTER TABLE tasks ADD COLUMN waits TEXT")


MIGRATIONS: tuple[Migration, ...] = (
    _terminals_settings_calls,
    _runs,
    _run_pictures,
    _chats,
    _shells_of_terminals,
    _memories,
    _team,
    _skills,
    _schedules,
    _families_of_runs,
    _embeddings,
    _waits_of_tasks,
)
HISTORY_MIGRATIONS: tuple[Migration, ...] = (_file_changes,)
