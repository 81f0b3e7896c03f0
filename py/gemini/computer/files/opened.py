"""The files that are open in the page's editor. The user or an agent opens them, and a reload restores them.

Python owns the list, so every page shows the same tabs, and a file can be opened while no page is connected. The page
stores unsaved text itself.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from typing_extensions import TypedDict

from gemini.computer.files import texts
from gemini.errors import FileMissing, FileProblem

# The terminal lists all matches; only the first few open.
MAX_FOUND = 10


class OpenRow(TypedDict):
    """An open file. `stamp` changes whenever the file is written; it is None if the file is missing."""

    id: int
    path: str
    stamp: str | None


class OpenFilesRow(TypedDict):
    """The open files, the id of the active one, and the line to show in it.

    `opened` counts the calls of `open`, so that the page notices when the same file is opened again. `typed` counts
    those by a command that the user typed, such as `nano`, who then continues in the editor.
    """

    files: list[OpenRow]
    active: int | None
    line: int | None
    opened: int
    typed: int


@dataclass
class OpenFile:
    """A file in a tab of the editor."""

    id: int
    path: str
    stamp: str | None


class OpenFiles:
    """The open files, in the order of their tabs.

    Args:
        on_change: Called when the result of `row` changes.
        save: Saves the state for `restore`.
    """

    def __init__(self, on_change: Callable[[], None], save: Callable[[dict[str, Any]], None]) -> None:
        self._on_change = on_change
        self._save = save
        self._files: list[OpenFile] = []
        self._active: int | None = None
        self._line: int | None = None
        self._opened = 0
        self._typed = 0
        self._last_id = 0
        self._waiting: dict[str, list[asyncio.Future[None]]] = {}

    @property
    def paths(self) -> list[str]:
        """The absolute paths of the open files."""
        return [file.path for file in self._files]

    def row(self) -> OpenFilesRow:
        """Return the open files, as the page receives them."""
        files: list[OpenRow] = [
            {"id": file.id, "path": file.path, "stamp": file.stamp} for file in self._files
        ]
        return {
            "files": files,
            "active": self._active,
            "line": self._line,
            "opened": self._opened,
            "typed": self._typed,
        }

    def open(self, path: str, line: int | None = None) -> None:
        """Open a file, or switch to its tab, given its absolute path; `line` counts from 1."""
        file = self._find(path)
        if file is None:
            self._last_id += 1
            file = OpenFile(self._last_id, path, texts.stamp(path))
            self._files.append(file)
        self._active, self._line = file.id, line
        self._opened += 1
        self._changed()

    async def edit(self, path: str) -> None:
        """Open a file for a command that the user typed, and return when it is closed."""
        self._typed += 1
        closed = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(path, []).append(closed)
        self.open(path)
        try:
            await closed
        finally:
            self._waiting[path].remove(closed)

    def open_found(self, paths: Sequence[str]) -> None:
        """Open the first ten paths that are text, and activate the first of them."""
        found = list(islice(filter(_is_text, paths), MAX_FOUND))
        for path in [*found, *found[:1]]:
            self.open(path)

    def close(self, path: str) -> None:
        """Close a file. If it was active, activate its neighbor.

        Raises:
            FileMissing: The file isn't open.
        """
        file = self._find(path)
        if file is None:
            raise FileMissing(f"{path!r} isn't open", data={"path": path})
        for closed in self._waiting.get(path, []):
            if not closed.done():
                closed.set_result(None)
        index = self._files.index(file)
        self._files.remove(file)
        if self._active == file.id:
            neighbor = self._files[index : index + 1] or self._files[-1:]
            self._active, self._line = (neighbor[0].id if neighbor else None), None
        self._changed()

    def follow_move(self, path: str, to: str) -> None:
        """Update the paths of open files after `path` was moved to `to`."""
        moved = False
        for file in self._files:
            if file.path == path or file.path.startswith(f"{path}/"):
                file.path = to + file.path[len(path) :]
                moved = True
        if moved:
            self._changed()

    def refresh(self) -> None:
        """Check whether any of the files was written, created or removed."""
        changed = False
        for file in self._files:
            stamp = texts.stamp(file.path)
            changed = changed or stamp != file.stamp
            file.stamp = stamp
        if changed:
            self._on_change()

    def restore(self, saved: dict[str, Any]) -> None:
        """Open the files of a saved state."""
        self._files = [OpenFile(id, path, texts.stamp(path)) for id, path in saved["files"]]
        self._active = saved["active"]
        self._last_id = max([0, *(file.id for file in self._files)])
        self._on_change()

    def _find(self, path: str) -> OpenFile | None:
        return next((file for file in self._files if file.path == path), None)

    def _changed(self) -> None:
        self._save({"files": [[file.id, file.path] for file in self._files], "active": self._active})
        self._on_change()


def _is_text(path: str) -> bool:
    try:
        return texts.is_text(path)
    except FileProblem:
        # Deleted or made unreadable since the search.
        return False
