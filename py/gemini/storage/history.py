"""Save the activity log, so that it has the calls of earlier kernels."""

from collections.abc import Callable
from typing import Any

from gemini.core.delayed import Delayed
from gemini.core.encoding import decode, encode
from gemini.core.events import Event
from gemini.errors import KernelDied, StorageFull, StorageProblem
from gemini.storage.database import Database
from gemini.tools.events import CallChanged, CallRow, HasRow

COLUMNS = ("id", "tool", "caller", "effect", "arguments", "started", "ok", "result_preview", "duration_ms")
SAVE = f"INSERT OR REPLACE INTO calls ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
# Calls don't wait for the write, so a worker that dies may lose the last half second.
DELAY_S = 0.5


class CallHistory:
    """The saved calls. They are written in batches: a commit takes longer than a trivial call.

    Args:
        database: The database to save them in.
        max_calls: The number of calls to save.
        on_problem: Called when calls can't be written; the next batch tries them again.
    """

    def __init__(
        self, database: Database, max_calls: int, on_problem: Callable[[StorageProblem | StorageFull], None]
    ) -> None:
        self._database = database
        self._max_calls = max_calls
        self._on_problem = on_problem
        self._changed: dict[int, HasRow] = {}
        self._writing = Delayed(self._write, DELAY_S)

    def load(self) -> list[CallRow]:
        """Return the saved calls as rows of the log, oldest first. Calls that a dead kernel left running have failed.

        Raises:
            StorageProblem, StorageFull: The calls can't be read.
        """
        error = encode(KernelDied("the Python kernel ended while the call ran").as_json())
        with self._database.transaction() as connection:
            connection.execute("UPDATE calls SET ok = 0, result_preview = ? WHERE ok IS NULL", (error,))
        rows = self._database.rows(f"SELECT {', '.join(COLUMNS)} FROM calls ORDER BY id")
        return [_as_row(values) for values in rows]

    def follow(self, _: int, event: Event) -> None:
        """Record a call from an event of `EventLog`."""
        if isinstance(event, CallChanged):
            self._changed[event.call.id] = event.call
            self._writing.request()

    def flush(self) -> None:
        """Write the changed calls now."""
        self._writing.now()

    def _write(self) -> None:
        calls = list(self._changed.values())[-self._max_calls :]
        if not calls:
            return
        try:
            with self._database.transaction() as connection:
                connection.executemany(SAVE, [_as_values(call.row()) for call in calls])
                connection.execute(
                    "DELETE FROM calls WHERE id <= (SELECT max(id) FROM calls) - ?", (self._max_calls,)
                )
        except (StorageProblem, StorageFull) as problem:
            self._changed = {call.id: call for call in calls}
            self._on_problem(problem)
        else:
            self._changed.clear()

    def forget(self) -> None:
        """Drop the calls that aren't written yet."""
        self._changed.clear()


def _as_values(row: CallRow) -> list[Any]:
    return [encode(row[column]) if column == "arguments" else row[column] for column in COLUMNS]


def _as_row(values: tuple[Any, ...]) -> CallRow:
    row: Any = dict(zip(COLUMNS, values, strict=True))
    row |= {"arguments": decode(row["arguments"]), "ok": bool(row["ok"])}
    return row
