"""The journal of runs, which lets a run resume after its tab was killed."""

import time
from typing import Any, Literal, Protocol

Kind = Literal["message", "messages", "fact", "intent", "spent", "step", "plan", "tools", "narrowed"]
"""The kind of an entry. The bodies, in the same order: a message; all messages after a compaction; `{text}`; a call
that is about to be made, `{call_id, tool}`; a `Spent`; a `Step`; a `Plan`; the names of tools that the model has
found; those that a skill has narrowed the run's tools to."""

Entry = tuple[Kind, Any]
Row = dict[str, Any]
MOST_PICTURES = 50


class Journal(Protocol):
    """Stores runs and their entries in order. Every method may raise StorageProblem or StorageFull."""

    def begin(self, run_id: str, row: Row) -> None:
        """Save a new run; `row` is its `RunSpec`."""
        ...

    def write(self, run_id: str, kind: Kind, body: Any) -> None:
        """Save an entry durably before returning; `body` must be JSON-serializable."""
        ...

    def end(self, run_id: str, outcome: Row) -> None:
        """Save the outcome of a run."""
        ...

    def find(self, run_id: str) -> tuple[Row, Row | None] | None:
        """Return a run's spec, and its outcome if it has ended; None if there is no such run."""
        ...

    def entries(self, run_id: str) -> list[Entry]:
        """Return all entries of a run."""
        ...

    def unfinished(self) -> list[str]:
        """Return the ids of the runs that haven't ended, oldest first."""
        ...

    def rows(self) -> list[Row]:
        """Return all runs, oldest first: `{id, row, outcome, began, steps}`, `began` in seconds since the epoch."""
        ...

    def forget(self, run_id: str) -> None:
        """Delete a run and its entries."""
        ...

    def expect_picture(self, run_id: str) -> int:
        """Reserve a picture for a run, and return its number. If there are too many, delete the oldest."""
        ...

    def fill_picture(self, number: int, data: bytes) -> None:
        """Save the JPEG of a reserved picture."""
        ...

    def picture(self, number: int) -> bytes | None:
        """Return a picture; None if it was deleted or never taken."""
        ...


class MemoryJournal:
    """A journal in memory, which lasts as long as the interpreter."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}
        self._outcomes: dict[str, Row] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._began: dict[str, float] = {}
        self._pictures: dict[int, tuple[str, bytes]] = {}

    def begin(self, run_id: str, row: Row) -> None:
        """Save a new run."""
        self._rows[run_id] = row
        self._entries[run_id] = []
        self._began[run_id] = time.time()

    def write(self, run_id: str, kind: Kind, body: Any) -> None:
        """Save an entry."""
        self._entries[run_id].append((kind, body))

    def end(self, run_id: str, outcome: Row) -> None:
        """Save the outcome of a run."""
        self._outcomes[run_id] = outcome

    def find(self, run_id: str) -> tuple[Row, Row | None] | None:
        """Return a run's spec and outcome; None if there is no such run."""
        row = self._rows.get(run_id)
        return None if row is None else (row, self._outcomes.get(run_id))

    def entries(self, run_id: str) -> list[Entry]:
        """Return a copy of a run's entries."""
        return list(self._entries.get(run_id, []))

    def unfinished(self) -> list[str]:
        """Return the ids of the runs that haven't ended, oldest first."""
        return [run_id for run_id in self._rows if run_id not in self._outcomes]

    def rows(self) -> list[Row]:
        """Return all runs, as `Journal.rows` describes."""
        return [
            {
                "id": run_id,
                "row": row,
                "outcome": self._outcomes.get(run_id),
                "began": self._began[run_id],
                "steps": sum(kind == "step" for kind, _ in self._entries[run_id]),
            }
            for run_id, row in self._rows.items()
        ]

    def forget(self, run_id: str) -> None:
        """Delete a run with its entries and pictures."""
        for table in (self._rows, self._outcomes, self._entries, self._began):
            table.pop(run_id, None)
        self._pictures = {number: row for number, row in self._pictures.items() if row[0] != run_id}

    def expect_picture(self, run_id: str) -> int:
        """Reserve a picture, and delete the oldest above MAX_PICTURES."""
        number = max(self._pictures, default=0) + 1
        self._pictures[number] = (run_id, b"")
        if len(self._pictures) > MOST_PICTURES:
            del self._pictures[min(self._pictures)]
        return number

    def fill_picture(self, number: int, data: bytes) -> None:
        """Save the JPEG of a reserved picture, if it hasn't been deleted."""
        if number in self._pictures:
            self._pictures[number] = (self._pictures[number][0], data)

    def picture(self, number: int) -> bytes | None:
        """Return a picture; None if it was deleted or never taken."""
        return self._pictures.get(number, ("", b""))[1] or None
