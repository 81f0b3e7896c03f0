"""The calls of earlier kernels: the activity log, kept."""

import asyncio
from collections.abc import Callable
from typing import Any

from gemini.core.encoding import decode, encode
from gemini.core.events import Event
from gemini.errors import KernelDied, StorageFull, StorageProblem
from gemini.storage.database import Database
from gemini.tools.events import CallChanged, HasRow

COLUMNS = ("id", "tool", "caller", "effect", "arguments", "started", "ok", "result_preview", "duration_ms")
SAVE = f"INSERT OR REPLACE INTO calls ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
# A call doesn't wait for this: so long its row may be lost with the worker.
DELAY_S = 0.5


class CallHistory:
    """Keeps the last calls, in batches: a commit for each would take longer than a trivial call.

    Args:
        database: Where they are kept.
        most: How many.
        on_problem: Told when they can't be written; they are tried again with the next calls.
    """

    def __init__(
        self, database: Database, most: int, on_problem: Callable[[StorageProblem | StorageFull], None]
    ) -> None:
        self._database = database
        self._most = most
        self._on_problem = on_problem
        self._changed: dict[int, HasRow] = {}
        self._timer: asyncio.TimerHandle | None = None

    def load(self) -> list[dict[str, Any]]:
        """The kept calls, oldest first, as the log's rows; what ran when its kernel ended has failed.

        Raises:
            StorageProblem, StorageFull: they can't be read.
        """
        died = encode(KernelDied("the Python kernel ended while the call ran").as_json())
        with self._database.transaction() as connection:
            connection.execute("UPDATE calls SET ok = 0, result_preview = ? WHERE ok IS NULL", (died,))
        rows = self._database.rows(f"SELECT {', '.join(COLUMNS)} FROM calls ORDER BY id")
        return [_as_row(values) for values in rows]

    def follow(self, _: int, event: Event) -> None:
        """Note what `EventLog` tells."""
        if isinstance(event, CallChanged):
            self._changed[event.call.id] = event.call
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(DELAY_S, self.flush)

    def flush(self) -> None:
        """Write what changed, now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        calls = list(self._changed.values())[-self._most :]
        if not calls:
            return
        try:
            with self._database.transaction() as connection:
                connection.executemany(SAVE, [_as_values(call.row()) for call in calls])
                connection.execute(
                    "DELETE FROM calls WHERE id <= (SELECT max(id) FROM calls) - ?", (self._most,)
                )
        except (StorageProblem, StorageFull) as problem:
            self._changed = {call.id: call for call in calls}
            self._on_problem(problem)
        else:
            self._changed.clear()

    def forget(self) -> None:
        """Write nothing of what was noted up to now."""
        self._changed.clear()


def _as_values(row: dict[str, Any]) -> list[Any]:
    return [encode(row[column]) if column == "arguments" else row[column] for column in COLUMNS]


def _as_row(values: tuple[Any, ...]) -> dict[str, Any]:
    row = dict(zip(COLUMNS, values, strict=True))
    return {**row, "arguments": decode(row["arguments"]), "ok": bool(row["ok"])}
