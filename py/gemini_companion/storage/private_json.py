"""A private JSON file with rows by name."""

from __future__ import annotations

from pathlib import Path
from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from gemini_companion.storage.private_files import read_private, write_private

Row = TypeVar("Row")


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
        """Return the rows; none if the file is invalid, or if another user could have read or written it."""
        try:
            return self._rows.validate_json(read_private(self.path) or "{}", strict=True)
        except ValidationError:
            return {}

    def set(self, name: str, row: Row) -> None:
        """Save a row, replacing the previous one.

        Raises:
            FolderUnusable: The file can't be written.
        """
        self._write({**self.read(), name: row})

    def delete(self, name: str) -> bool:
        """Delete a row; return whether there was one.

        Raises:
            FolderUnusable: The file can't be written.
        """
        rows = self.read()
        if rows.pop(name, None) is None:
            return False
        self._write(rows)
        return True

    def replace(self, rows: dict[str, Row]) -> None:
        """Save these rows in place of all others.

        Raises:
            FolderUnusable: The file can't be written.
        """
        self._write(rows)

    def _write(self, rows: dict[str, Row]) -> None:
        write_private(self.path, self._rows.dump_json(rows, indent=1).decode())
