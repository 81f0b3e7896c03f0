"""The keys of providers in a file that only this user can read, for machines without a keyring."""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter

from gemini_companion.storage.folders import data_folder
from gemini_companion.storage.private_json import PrivateRows

FILE = "keys.json"

_KEYS = TypeAdapter(dict[str, str])


class KeyFile:
    """Keys by the name of their provider.

    Args:
        path: The file, with mode 0600; by default `keys.json` in the data folder.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    @property
    def path(self) -> Path:
        """The file, which may be missing."""
        return self._path or data_folder() / FILE

    def get(self, name: str) -> str | None:
        """Return a key; None if there is none, or if another user could have read or written the file."""
        return self._rows.read().get(name)

    def set(self, name: str, text: str) -> None:
        """Save a key, replacing the previous one.

        Raises:
            FolderUnusable: The file can't be written.
        """
        self._rows.set(name, text)

    def delete(self, name: str) -> bool:
        """Delete a key; return whether there was one.

        Raises:
            FolderUnusable: The file can't be written.
        """
        return self._rows.delete(name)

    @property
    def _rows(self) -> PrivateRows[str]:
        return PrivateRows(self.path, _KEYS)
