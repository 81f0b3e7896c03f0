"""What files were before they changed, by checkpoints."""

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
# A row without contents takes about so much.
ROW_BYTES = 200
# What goes at once, of what is kept: the rest is looked at again.
SHARE = 20


@dataclass(frozen=True)
class Content:
    """Bytes to keep: by their hash, and packed by zlib or as they are."""

    hash: str
    data: bytes
    packed: bool


@dataclass(frozen=True)
class Change:
    """What was at a path before a change.

    Attributes:
        seq: Its number; later changes have higher ones.
        kind: As web/kernel/durable/capture.js has them.
        detail: A link's target, where it was moved to, or the numbers of the chunks that `content` has.
        content: The hash of what is kept.
        at: Seconds of the epoch.
        checkpoints: The ids of those whose change it is.
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
        """The numbers of the chunks of a part that are kept."""
        return json.loads(self.detail) if self.detail else []


class ChangeStore:
    """Changes and contents. Every method raises StorageProblem or StorageFull where it fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        batch: str,
        who: Sequence[Mapping[str, Any]],
        at: float,
        rows: Sequence[Mapping[str, Any]],
        contents: Iterable[Content],
    ) -> None:
        """Keep what changed at once. A batch that is here already isn't added again.

        Args:
            batch: Its name.
            who: The checkpoints: `{id, caller, run, about}` each.
            at: Seconds of the epoch.
            rows: `{path, kind, mode, size, detail?, content?}` each.
            contents: Those that the rows name, and that aren't here yet.
        """
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO change_contents (hash, stored, packed, data) VALUES (?, ?, ?, ?)",
                [(content.hash, len(content.data), content.packed, content.data) for content in contents],
            )
            for one in who:
                saved = (one["id"], one["caller"], one.get("run"), one.get("about"), at, at)
                connection.execute(SAVE_CHECKPOINT, saved)
            for place, row in enumerate(rows):
                added = connection.execute(ADD, (batch, place, *_values(row), at))
                if added.rowcount:
                    connection.executemany(
                        "INSERT INTO change_checkpoints (checkpoint_id, seq) VALUES (?, ?)",
                        [(one["id"], added.lastrowid) for one in who],
                    )

    def has(self, content: str) -> bool:
        return bool(self._database.rows("SELECT 1 FROM change_contents WHERE hash = ?", content))

    def content(self, content: str) -> tuple[bytes, bool] | None:
        """What is kept by a hash, and whether it is packed; None where it has gone."""
        rows = self._database.rows("SELECT data, packed FROM change_contents WHERE hash = ?", content)
        return (rows[0][0], bool(rows[0][1])) if rows else None

    def checkpoints(self, most: int = 200) -> list[dict[str, Any]]:
        """The latest, newest first: `{id, caller, run, about, began, changed, files}`."""
        names = ("id", "caller", "run", "about", "began", "changed", "files")
        return [dict(zip(names, row, strict=True)) for row in self._database.rows(LIST, most)]

    def find(self, checkpoint: str) -> dict[str, Any] | None:
        """The row of a checkpoint."""
        return next((row for row in self.checkpoints(-1) if row["id"] == checkpoint), None)

    def of_checkpoint(self, checkpoint: str) -> list[Change]:
        """Its changes, oldest first."""
        return self._changes(
            "seq IN (SELECT seq FROM change_checkpoints WHERE checkpoint_id = ?) ORDER BY seq", checkpoint
        )

    def since(self, seq: int) -> list[Change]:
        """All changes from that number on, oldest first."""
        return self._changes("seq >= ? ORDER BY seq", seq)

    def get(self, seq: int) -> Change | None:
        return next(iter(self._changes("seq = ?", seq)), None)

    def latest(self, path: str | None, most: int) -> list[Change]:
        """The latest changes, newest first: of a path and what is below it, or of all."""
        if path is None:
            return self._changes("1 ORDER BY seq DESC LIMIT ?", most)
        below = f"{path.rstrip('/')}/"
        where = "path = ? OR substr(path, 1, ?) = ? OR detail = ? ORDER BY seq DESC LIMIT ?"
        return self._changes(where, path, len(below), below, path, most)

    def stored_bytes(self) -> int:
        """What all of it takes, about."""
        query = "SELECT (SELECT total(stored) FROM change_contents) + (SELECT count(*) FROM changes) * ?"
        return int(self._database.rows(query, ROW_BYTES)[0][0])

    def tidy(self, most_bytes: int, oldest: float) -> None:
        """Let the oldest changes go, until there are no more bytes than that, and none from before a time."""
        with self._database.transaction() as connection:
            if connection.execute("DELETE FROM changes WHERE at < ?", (oldest,)).rowcount:
                _drop_strays(connection)
        while self.stored_bytes() > most_bytes:
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
        """Keep nothing any more."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM changes")
            _drop_strays(connection)

    def close(self) -> None:
        self._database.close()

    def _changes(self, where: str, *parameters: Any) -> list[Change]:
        rows = self._database.rows(
            f"""SELECT {COLUMNS}, (SELECT group_concat(checkpoint_id) FROM change_checkpoints
                    WHERE change_checkpoints.seq = changes.seq) FROM changes WHERE {where}""",
            *parameters,
        )
        return [Change(*row[:-1], checkpoints=frozenset((row[-1] or "").split(","))) for row in rows]


def _values(row: Mapping[str, Any]) -> tuple[Any, ...]:
    # SQLite takes no lone surrogates, which a name may have.
    path = str(row["path"]).encode(errors="replace").decode()
    detail = row.get("detail")
    return (path, row["kind"], row["mode"], row["size"], detail, row.get("content"))


def _drop_strays(connection: sqlite3.Connection) -> None:
    for statement in STRAYS:
        connection.execute(statement)
