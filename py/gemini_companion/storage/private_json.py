"""A private JSON file with rows by name.

Companions of different releases may share the file. So a row that this release can't read stays in it until it is
deleted or set by name, and a row that doesn't change retains members that only another release knows.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from gemini_companion.storage.private_files import read_private, write_private

Row = TypeVar("Row")
_OBJECT = TypeAdapter(dict[str, Any])


class PrivateRows(Generic[Row]):
    """Rows by name in a file of mode 0600, which is read each time: another companion of this user may have changed it.

    Args:
        path: The file, which may be missing.
        rows: Validates and encodes the rows.
    """

    def __init__(self, path: Path, rows: TypeAdapter[dict[str, Row]]) -> None:
        self.path = path
        self._rows = rows

    def read(self) -> dict[str, Row]:
        """Return the valid rows; none if the file isn't an object, or if another user could have read or written it."""
        text = read_private(self.path) or "{}"
        try:
            return self._rows.validate_json(text, strict=True)
        except ValidationError:
            return self._valid(_object(text))

    def set(self, name: str, row: Row) -> None:
        """Save a row, replacing the previous one.

        Raises:
            FolderUnusable: The file can't be written.
        """
        self._write({**self._saved(), **self._encoded({name: row})})

    def delete(self, name: str) -> bool:
        """Delete a row, also one that this release can't read; return whether there was one.

        Raises:
            FolderUnusable: The file can't be written.
        """
        rows = self._saved()
        if rows.pop(name, None) is None:
            return False
        self._write(rows)
        return True

    def replace(self, rows: dict[str, Row]) -> None:
        """Save these rows in place of all others that this release can read.

        Raises:
            FolderUnusable: The file can't be written.
        """
        saved, known = self._saved(), self.read()
        unread = {name: row for name, row in saved.items() if name not in known}
        same = {name: saved[name] for name, row in rows.items() if name in known and known[name] == row}
        self._write({**unread, **self._encoded(rows), **same})

    def _saved(self) -> dict[str, Any]:
        return _object(read_private(self.path) or "{}")

    def _valid(self, saved: dict[str, Any]) -> dict[str, Row]:
        found: dict[str, Row] = {}
        for name, row in saved.items():
            try:
                found |= self._rows.validate_json(json.dumps({name: row}), strict=True)
            except ValidationError:
                continue
        return found

    def _encoded(self, rows: dict[str, Row]) -> dict[str, Any]:
        return self._rows.dump_python(rows, mode="json")

    def _write(self, rows: dict[str, Any]) -> None:
        write_private(self.path, _OBJECT.dump_json(rows, indent=1).decode())


def _object(text: str) -> dict[str, Any]:
    """Return a JSON object; an empty one for anything else."""
    try:
        return _OBJECT.validate_json(text, strict=True)
    except ValidationError:
        return {}
