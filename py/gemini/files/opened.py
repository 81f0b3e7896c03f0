"""The files that are open in the page's editor: opened by a person or an agent, and there again after a reload.

Python keeps the list, so that a file which a tool opens while no page is there is open when one comes, and all pages
show the same. What was typed and not saved is the page's, which keeps it without asking Python.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from typing_extensions import TypedDict

from gemini.errors import FileMissing, FileProblem
from gemini.files import texts

# Of those that a search finds. The terminal has them all.
MOST_FOUND = 10


class OpenRow(TypedDict):
    """`stamp` is another one whenever the file was written; None where it is gone."""

    id: int
    path: str
    stamp: str | None


class OpenedRow(TypedDict):
    """`opened` counts what was opened, so that whoever watches sees the latest, at `line` of the `active` one."""

    files: list[OpenRow]
    active: int | None
    line: int | None
    opened: int


@dataclass
class OpenFile:
    id: int
    path: str
    stamp: str | None


class OpenFiles:
    """Open files in the order of their tabs.

    Args:
        on_change: Called when anything that `row` tells is another.
        keep: Keeps what `restore` takes.
    """

    def __init__(self, on_change: Callable[[], None], keep: Callable[[dict[str, Any]], None]) -> None:
        self._on_change = on_change
        self._keep = keep
        self._files: list[OpenFile] = []
        self._active: int | None = None
        self._line: int | None = None
        self._opened = 0
        self._last_id = 0

    @property
    def paths(self) -> list[str]:
        return [file.path for file in self._files]

    def row(self) -> OpenedRow:
        files: list[OpenRow] = [
            {"id": file.id, "path": file.path, "stamp": file.stamp} for file in self._files
        ]
        return {"files": files, "active": self._active, "line": self._line, "opened": self._opened}

    def open(self, path: str, line: int | None = None) -> None:
        """Open a file by its absolute path, or bring it forward; `line` counts from 1."""
        file = self._find(path)
        if file is None:
            self._last_id += 1
            file = OpenFile(self._last_id, path, texts.stamp(path))
            self._files.append(file)
        self._active, self._line = file.id, line
        self._opened += 1
        self._changed()

    def open_found(self, paths: Sequence[str]) -> None:
        """Open the first few of these that are text, the first one in front."""
        found = list(islice(filter(_is_text, paths), MOST_FOUND))
        for path in [*found, *found[:1]]:
            self.open(path)

    def close(self, path: str) -> None:
        """Close a file; the one beside it comes forward.

        Raises:
            FileMissing: it isn't open.
        """
        file = self._find(path)
        if file is None:
            raise FileMissing(f"{path!r} isn't open", data={"path": path})
        index = self._files.index(file)
        self._files.remove(file)
        if self._active == file.id:
            beside = self._files[index : index + 1] or self._files[-1:]
            self._active, self._line = (beside[0].id if beside else None), None
        self._changed()

    def follow_move(self, path: str, to: str) -> None:
        """What was open below `path` is open below `to`."""
        moved = False
        for file in self._files:
            if file.path == path or file.path.startswith(f"{path}/"):
                file.path = to + file.path[len(path) :]
                moved = True
        if moved:
            self._changed()

    def look(self) -> None:
        """See whether one of the files was written, made or removed."""
        changed = False
        for file in self._files:
            stamp = texts.stamp(file.path)
            changed = changed or stamp != file.stamp
            file.stamp = stamp
        if changed:
            self._on_change()

    def restore(self, kept: dict[str, Any]) -> None:
        """Open again what was open when `keep` was last called."""
        self._files = [OpenFile(id, path, texts.stamp(path)) for id, path in kept["files"]]
        self._active = kept["active"]
        self._last_id = max([0, *(file.id for file in self._files)])
        self._on_change()

    def _find(self, path: str) -> OpenFile | None:
        return next((file for file in self._files if file.path == path), None)

    def _changed(self) -> None:
        self._keep({"files": [[file.id, file.path] for file in self._files], "active": self._active})
        self._on_change()


def _is_text(path: str) -> bool:
    try:
        return texts.is_text(path)
    except FileProblem:
        # Gone or forbidden since it was found.
        return False
