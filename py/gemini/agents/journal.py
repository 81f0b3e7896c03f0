"""What is kept of a run as it happens, so that it goes on where it was after its tab was killed."""

import time
from typing import Any, Literal, Protocol

Kind = Literal["message", "messages", "fact", "intent", "spent", "step", "plan"]
"""An entry's kind. Its body is, in this order: a message; all messages, as compaction left them; `{text}`; a call that
is about to be made, `{call_id, tool}`; a `Spent`; a `Step`; a `Plan`."""

Entry = tuple[Kind, Any]
Row = dict[str, Any]
MOST_PICTURES = 50


class Journal(Protocol):
    """Runs with their entries, in order. Every method raises StorageProblem or StorageFull where it fails."""

    def begin(self, run_id: str, row: Row) -> None:
        """Keep a new run; `row` says what was asked."""
        ...

    def write(self, run_id: str, kind: Kind, body: Any) -> None:
        """Keep an entry, for good when this returns; JSON can hold `body`."""
        ...

    def end(self, run_id: str, outcome: Row) -> None:
        """Keep how a run ended."""
        ...

    def find(self, run_id: str) -> tuple[Row, Row | None] | None:
        """What was asked, and how it ended if it has; None where there is no such run."""
        ...

    def entries(self, run_id: str) -> list[Entry]:
        """All that was written of a run."""
        ...

    def unfinished(self) -> list[str]:
        """The runs that have not ended, oldest first."""
        ...

    def rows(self) -> list[Row]:
        """All runs, oldest first: `{id, row, outcome, began, steps}`, `began` in seconds of the epoch."""
        ...

    def forget(self, run_id: str) -> None:
        """Keep nothing of a run any more."""
        ...

    def expect_picture(self, run_id: str) -> int:
        """The number of a picture of a run; the oldest pictures go where there are many."""
        ...

    def fill_picture(self, number: int, data: bytes) -> None:
        """Keep the JPEG of that number."""
        ...

    def picture(self, number: int) -> bytes | None:
        """A picture; None where it is gone, or never came."""
        ...


class MemoryJournal:
    """A journal that lives as long as its Python."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}
        self._outcomes: dict[str, Row] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._began: dict[str, float] = {}
        self._pictures: dict[int, tuple[str, bytes]] = {}

    def begin(self, run_id: str, row: Row) -> None:
        self._rows[run_id] = row
        self._entries[run_id] = []
        self._began[run_id] = time.time()

    def write(self, run_id: str, kind: Kind, body: Any) -> None:
        self._entries[run_id].append((kind, body))

    def end(self, run_id: str, outcome: Row) -> None:
        self._outcomes[run_id] = outcome

    def find(self, run_id: str) -> tuple[Row, Row | None] | None:
        row = self._rows.get(run_id)
        return None if row is None else (row, self._outcomes.get(run_id))

    def entries(self, run_id: str) -> list[Entry]:
        return list(self._entries.get(run_id, []))

    def unfinished(self) -> list[str]:
        return [run_id for run_id in self._rows if run_id not in self._outcomes]

    def rows(self) -> list[Row]:
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
        for kept in (self._rows, self._outcomes, self._entries, self._began):
            kept.pop(run_id, None)
        self._pictures = {number: kept for number, kept in self._pictures.items() if kept[0] != run_id}

    def expect_picture(self, run_id: str) -> int:
        number = max(self._pictures, default=0) + 1
        self._pictures[number] = (run_id, b"")
        if len(self._pictures) > MOST_PICTURES:
            del self._pictures[min(self._pictures)]
        return number

    def fill_picture(self, number: int, data: bytes) -> None:
        if number in self._pictures:
            self._pictures[number] = (self._pictures[number][0], data)

    def picture(self, number: int) -> bytes | None:
        return self._pictures.get(number, ("", b""))[1] or None
