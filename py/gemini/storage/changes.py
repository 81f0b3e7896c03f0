"""Save the earlier states of changed files, by checkpoint."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gemini.storage.database import Database

COLUMNS = "seq, path, kind, mode, size, detail, content, at"
ADD = """
INSERT OR IGNORE INTO changes (batch, place, path, kind, mode, size, detail, content, at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
SAVE_CHECKPOINT = """
INSERT INTO checkpoints (id, caller, run_id, about, began, changed) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET changed = max(changed, excluded.changed)
"""
LIST = """
SELECT id, caller, run_id, about, began, changed,
    (SELECT count(DISTINCT path) FROM change_checkpoints JOIN changes USING (seq) WHERE checkpoint_id = checkpoints.id)
    FROM checkpoints ORDER BY changed DESC, rowid DESC LIMIT ?
"""
STRAYS = (
    "DELETE FROM change_checkpoints WHERE seq NOT IN (SELECT seq FROM changes)",
    "DELETE FROM checkpoints WHERE id NOT IN (SELECT checkpoint_id FROM change_checkpoints)",
    "DELETE FROM change_contents WHERE hash NOT IN (SELECT content FROM changes WHERE content IS NOT NULL)",
)
# The approximate size of a row without contents.
ROW_BYTES = 200
# `tidy` deletes one in this many changes at a time, then measures again.
SHARE = 20


@dataclass(frozen=True)
class Content:
    """Content to save: its hash, and its bytes, which may be compressed with zlib."""

    hash: str
    data: bytes
    packed: bool


@dataclass(frozen=True)
class Change:
    """The state of a path before a change.

    Attributes:
        seq: The number of the change; later changes have higher numbers.
        path: The absolute path.
        kind: One of the kinds of web/kernel/durable/capture.ts.
        mode: The permissions before the change.
        size: The size before the change, in bytes.
        detail: A link's target, the path after a move, or the numbers of the chunks in `content`.
        content: The hash of the saved content.
        at: The time, in seconds since 1970.
        checkpoints: The ids of the checkpoints that the change belongs to.
    """

    seq: int
    path: str
    kind: str
    mode: int
    size: int
    detail: str | None
    content: str | None
    at: float
    checkpoints: frozenset[str] = field(default=frozenset())

    @property
    def chunks(self) -> list[int]:
        """The numbers of the saved chunks."""
        return json.loads(self.detail) if self.detail else []


class ChangeStore:
    """Changes and contents. Every method raises StorageProblem or StorageFull if it fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        batch: str,
        checkpoints: Sequence[Mapping[str, Any]],
        at: float,
        rows: Sequence[Mapping[str, Any]],
        contents: Iterable[Content],
    ) -> None:
        """Save a batch of changes atomically. A batch that is already saved isn't added again.

        Args:
            batch: The name of the batch.
            checkpoints: The checkpoints of the changes, as `{id, caller, run, about}`.
            at: The time, in seconds since 1970.
            rows: The changes, as `{path, kind, mode, size, detail?, content?}`.
            contents: The contents that the rows name and that aren't saved yet.
        """
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO change_contents (hash, stored, packed, data) VALUES (?, ?, ?, ?)",
                [(content.hash, len(content.data), content.packed, content.data) for content in contents],
            )
            for one in checkpoints:
                saved = (one["id"], one["caller"], one.get("run"), one.get("about"), at, at)
                connection.execute(SAVE_CHECKPOINT, saved)
            for place, row in enumerate(rows):
                added = connection.execute(ADD, (batch, place, *_values(row), at))
                if added.rowcount:
                    connection.executemany(
                        "INSERT INTO change_checkpoints (checkpoint_id, seq) VALUES (?, ?)",
                        [(one["id"], added.lastrowid) for one in checkpoints],
                    )

    def has(self, content: str) -> bool:
        """Return whether the content with this hash is saved."""
        return bool(self._database.rows("SELECT 1 FROM change_contents WHERE hash = ?", content))

    def content(self, content: str) -> tuple[bytes, bool] | None:
        """Return the bytes saved under a hash, and whether they are compressed; None if they were deleted."""
        rows = self._database.rows("SELECT data, packed FROM change_contents WHERE hash = ?", content)
        return (rows[0][0], bool(rows[0][1])) if rows else None

    def checkpoints(self, limit: int = 200) -> list[dict[str, Any]]:
        """Return the latest checkpoints, newest first: `{id, caller, run, about, began, changed, files}`."""
        names = ("id", "caller", "run", "about", "began", "changed", "files")
        return [dict(zip(names, row, strict=True)) for row in self._database.rows(LIST, limit)]

    def find(self, checkpoint: str) -> dict[str, Any] | None:
        """Return the row of a checkpoint."""
        return next((row for row in self.checkpoints(-1) if row["id"] == checkpoint), None)

    def of_checkpoint(self, checkpoint: str) -> list[Change]:
        """Return the changes of a checkpoint, oldest first."""
        return self._changes(
            "seq IN (SELECT seq FROM change_checkpoints WHERE checkpoint_id = ?) ORDER BY seq", checkpoint
        )

    def since(self, seq: int) -> list[Change]:
        """Return all changes from a number on, oldest first."""
        return self._changes("seq >= ? ORDER BY seq", seq)

    def get(self, seq: int) -> Change | None:
        """Return a change by its number."""
        return next(iter(self._changes("seq = ?", seq)), None)

    def latest(self, path: str | None, limit: int) -> list[Change]:
        """Return the latest changes, newest first: of a path and everything below it, or of all files."""
        if path is None:
            return self._changes("1 ORDER BY seq DESC LIMIT ?", limit)
        below = f"{path.rstrip('/')}/"
        where = "path = ? OR substr(path, 1, ?) = ? OR detail = ? ORDER BY seq DESC LIMIT ?"
        return self._changes(where, path, len(below), below, path, limit)

    def stored_bytes(self) -> int:
        """Return the approximate size of everything, in bytes."""
        query = "SELECT (SELECT total(stored) FROM change_contents) + (SELECT count(*) FROM changes) * ?"
        return int(self._database.rows(query, ROW_BYTES)[0][0])

    def tidy(self, max_bytes: int, oldest: float) -> None:
        """Delete the changes from before a time, and the oldest ones until the rest fits into `max_bytes`."""
        with self._database.transaction() as connection:
            if connection.execute("DELETE FROM changes WHERE at < ?", (oldest,)).rowcount:
                _drop_strays(connection)
        while self.stored_bytes() > max_bytes:
            with self._database.transaction() as connection:
                dropped = connection.execute(
                    """DELETE FROM changes WHERE seq IN (SELECT seq FROM changes ORDER BY seq
                           LIMIT (SELECT 1 + count(*) / ? FROM changes))""",
                    (SHARE,),
                )
                _drop_strays(connection)
                if not dropped.rowcount:
                    break

    def clear(self) -> None:
        """Delete all changes."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM changes")
            _drop_strays(connection)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _changes(self, where: str, *parameters: Any) -> list[Change]:
        rows = self._database.rows(
            f"""SELECT {COLUMNS}, (SELECT group_concat(checkpoint_id) FROM change_checkpoints
                    WHERE change_checkpoints.seq = changes.seq) FROM changes WHERE {where}""",
            *parameters,
        )
        return [Change(*row[:-1], checkpoints=frozenset((row[-1] or "").split(","))) for row in rows]


def _values(row: Mapping[str, Any]) -> tuple[Any, ...]:
    # A name may have lone surrogates, which SQLite can't store.
    path = str(row["path"]).encode(errors="replace").decode()
    detail = row.get("detail")
    return (path, row["kind"], row["mode"], row["size"], detail, row.get("content"))


def _drop_strays(connection: sqlite3.Connection) -> None:
    for statement in STRAYS:
        connection.execute(statement)
