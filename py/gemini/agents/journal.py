"""What is kept of a run as it happens, so that it goes on where it was after its tab was killed."""

from typing import Any, Literal, Protocol

Kind = Literal["message", "messages", "fact", "intent", "spent", "step", "plan"]
"""An entry's kind. Its body is, in this order: a message; all messages, as compaction left them; `{text}`; a call that
is about to be made, `{call_id, tool}`; a `Spent`; a `Step`; a `Plan`."""

Entry = tuple[Kind, Any]
Row = dict[str, Any]


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


class MemoryJournal:
    """A journal that lives as long as its Python."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}
        self._outcomes: dict[str, Row] = {}
        self._entries: dict[str, list[Entry]] = {}

    def begin(self, run_id: str, row: Row) -> None:
        self._rows[run_id] = row
        self._entries[run_id] = []

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
