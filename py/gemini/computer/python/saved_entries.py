"""The console's last entries, which are saved for the next visit without secrets."""

import json
from collections.abc import Callable, Iterable
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from gemini.computer.python.events import ConsoleEntry, ErrorRow
from gemini.core.delayed import Delayed

SAVED_ENTRIES = 50
# The limit for one entry, and for all together, as JSON; results that are larger are left out.
MOST_OF_ENTRY = 20_000
MOST_OF_ALL = 200_000
SAVE_DELAY_S = 0.5
LEFT_OUT = "[The result is too large to be saved.]"


class SavedEntries:
    """Saves entries a moment after one has ended.

    Args:
        rows: Returns the entries to save, oldest first.
        save: Called with the rows that fit.
    """

    def __init__(
        self, rows: Callable[[], list[ConsoleEntry]], save: Callable[[list[ConsoleEntry]], object]
    ) -> None:
        self._rows = rows
        self._save = save
        self._saving = Delayed(self._save_fitting, SAVE_DELAY_S)
        # The JSON of entries by id: one that has ended stays as it is, and may have large pictures.
        self._texts: dict[int, str] = {}

    def changed(self) -> None:
        """Save the entries soon."""
        self._saving.request()

    def save(self) -> None:
        """Save the entries now."""
        self._saving.now()

    def _save_fitting(self) -> None:
        rows = self._rows()
        present = {row["id"] for row in rows}
        self._texts = {number: text for number, text in self._texts.items() if number in present}
        self._save(fitting(rows, self._texts))


def fitting(rows: Iterable[ConsoleEntry], texts: dict[int, str] | None = None) -> list[ConsoleEntry]:
    """Return the last entries that fit into the limits, without secrets and without what only this visit can do.

    Args:
        rows: The entries, oldest first.
        texts: The JSON of entries by id, as far as it is known; the others' is added.
    """
    # Loaded here, because its patterns take a while to compile.
    from gemini.core.secret_words import json_without_secrets

    known = {} if texts is None else texts
    room, saved = MOST_OF_ALL, list[ConsoleEntry]()
    for row in reversed([row for row in rows if not row["running"]][-SAVED_ENTRIES:]):
        text = known.get(row["id"]) or json_without_secrets(json.dumps(_reduce(row)))
        known[row["id"]] = text
        room -= len(text)
        if room < 0:
            break
        saved.append(json.loads(text))
    return saved[::-1]


def earlier_entries(saved: Any) -> list[ConsoleEntry]:
    """Return saved entries with ids below zero, marked as earlier; none if they are damaged."""
    if not isinstance(saved, list) or not saved:
        return []
    try:
        rows = TypeAdapter(list[ConsoleEntry]).validate_python(cast("list[Any]", saved)[-SAVED_ENTRIES:])
    except ValidationError:
        return []
    return [
        {**row, "id": number - len(rows), "earlier": True, "running": False, "asks": None}
        for number, row in enumerate(rows)
    ]


def _reduce(row: ConsoleEntry) -> ConsoleEntry:
    """Return an entry that isn't too large, and whose error offers no installation."""
    reduced: ConsoleEntry = {**row, "error": _without_package(row["error"]), "asks": None}
    if len(json.dumps(reduced)) <= MOST_OF_ENTRY:
        return reduced
    error = row["error"]
    return {
        **reduced,
        "code": row["code"][:MOST_OF_ENTRY],
        "output": [{"stream": "stdout", "text": LEFT_OUT}],
        "display": None,
        "error": None if error is None else {"type": error["type"], "message": error["message"][:1_000]},
    }


def _without_package(error: ErrorRow | None) -> ErrorRow | None:
    if error is None:
        return None
    traceback = cast("dict[str, Any]", error.get("data") or {}).get("traceback")
    copied = error.copy()
    copied["data"] = {"traceback": traceback, "package": None}
    return copied
