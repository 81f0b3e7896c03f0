"""The trash, which makes deletions in the files panel undoable.

The layout follows the FreeDesktop.org Trash specification, version 1.0
(https://specifications.freedesktop.org/trash-spec/1.0/): the file is in `files/`, and its original path and deletion
time are in `info/`. The trash is below the persistent home directory, so deleting is a rename and copies nothing.
"""

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import quote, unquote

from gemini.computer.files.names import free_path
from gemini.computer.files.paths import problems, require_parent
from gemini.errors import FileMissing, FileProblem

MAX_BYTES = 200_000_000
MAX_AGE = timedelta(days=30)


@dataclass(frozen=True)
class Trashed:
    """A deletion: its name in the trash, its original path, the time it was deleted (UTC), and its size in bytes."""

    id: str
    path: str
    deleted: datetime
    size: int


class Trash:
    """The deleted files that can be restored.

    Args:
        folder: The absolute path of the trash; it is created on first use.
        max_bytes: The size above which the oldest deletions are removed. The latest one always stays.
        max_age: The age after which a deletion is removed.
        now: Returns the current time.
    """

    def __init__(
        self,
        folder: Path,
        max_bytes: int = MAX_BYTES,
        max_age: timedelta = MAX_AGE,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        self._files = folder / "files"
        self._info = folder / "info"
        self._max_bytes = max_bytes
        self._max_age = max_age
        self._now = now

    def put(self, paths: Sequence[str]) -> list[Trashed]:
        """Move files and directories into the trash: all of them, or none.

        Files that are already in the trash are deleted permanently.

        Args:
            paths: Absolute paths. A link itself is deleted, not its target.

        Raises:
            FileProblem: One of them is missing or can't be moved.
        """
        given = set(paths)
        outermost = [path for path in dict.fromkeys(paths) if given.isdisjoint(map(str, Path(path).parents))]
        for path in outermost:
            self._require_deletable(path)
        with problems(str(self._files)):
            self._files.mkdir(parents=True, exist_ok=True)
            self._info.mkdir(exist_ok=True)
        done: list[Trashed] = []
        try:
            for path in outermost:
                if _is_below(path, str(self._files)):
                    self._remove(path)
                else:
                    done.append(self._move_in(path))
        except FileProblem:
            self.restore([trashed.id for trashed in done])
            raise
        self._make_room({trashed.id for trashed in done})
        return done

    def restore(self, ids: Sequence[str]) -> list[str]:
        """Restore deletions to their original paths, or to a free name if a path is taken; return the paths.

        Raises:
            FileMissing: One is no longer in the trash. Nothing was moved.
            FileProblem: One can't be moved.
        """
        known = {trashed.id: trashed for trashed in self.rows()}
        for missing in (id for id in ids if id not in known):
            raise FileMissing(
                f"{missing!r} is no longer in the trash",
                hint=f"It stores {self._max_bytes // 1_000_000} MB for {self._max_age.days} days; the oldest go first.",
            )
        return [self._move_out(known[id]) for id in ids]

    def rows(self) -> list[Trashed]:
        """Return the deletions in the trash, oldest first."""
        found: list[Trashed] = []
        for info in self._info.glob("*.trashinfo"):
            # Leave files that other programs have put there.
            with suppress(OSError, KeyError, ValueError):
                found.append(_read(info))
        existing = [trashed for trashed in found if os.path.lexists(self._files / trashed.id)]
        return sorted(existing, key=lambda trashed: (trashed.deleted, trashed.id))

    def _require_deletable(self, path: str) -> None:
        with problems(path):
            os.lstat(path)
        if _is_below(str(self._files), path) or path == str(self._files):
            raise FileProblem(
                f"{path!r} contains the trash itself",
                hint="Delete files inside it, or use rm in a terminal.",
                data={"path": path},
            )

    def _move_in(self, path: str) -> Trashed:
        place = free_path(str(self._files / os.path.basename(path)))
        trashed = Trashed(os.path.basename(place), path, self._now().replace(microsecond=0), _size(path))
        info = self._info / f"{trashed.id}.trashinfo"
        with problems(path):
            # The specification requires this order: a file without its info can't be restored.
            info.write_text(_info_text(trashed), encoding="utf-8")
            try:
                os.rename(path, place)
            except OSError:
                info.unlink()
                raise
        return trashed

    def _move_out(self, trashed: Trashed) -> str:
        place = free_path(trashed.path)
        require_parent(place)
        with problems(place):
            os.makedirs(os.path.dirname(place), exist_ok=True)
            os.rename(self._files / trashed.id, place)
            (self._info / f"{trashed.id}.trashinfo").unlink()
        return place

    def _remove(self, path: str) -> None:
        with problems(path):
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            else:
                os.unlink(path)
            if os.path.dirname(path) == str(self._files):
                (self._info / f"{os.path.basename(path)}.trashinfo").unlink(missing_ok=True)

    def _make_room(self, latest: set[str]) -> None:
        rows = self.rows()
        total = sum(trashed.size for trashed in rows)
        for trashed in rows:
            if trashed.id in latest:
                continue
            if total > self._max_bytes or self._now() - trashed.deleted > self._max_age:
                self._remove(str(self._files / trashed.id))
                total -= trashed.size


def _info_text(trashed: Trashed) -> str:
    """Return the content of the `info/` file. `Size` isn't in the specification; readers ignore unknown keys."""
    path = quote(os.fsencode(trashed.path))
    return f"[Trash Info]\nPath={path}\nDeletionDate={trashed.deleted.isoformat()}\nSize={trashed.size}\n"


def _read(info: Path) -> Trashed:
    lines = info.read_text(encoding="utf-8").splitlines()
    fields = dict(line.split("=", 1) for line in lines if "=" in line)
    path = unquote(fields["Path"], errors="surrogateescape")
    return Trashed(
        info.stem, path, datetime.fromisoformat(fields["DeletionDate"]), int(fields.get("Size", 0))
    )


def _size(path: str) -> int:
    """Return the size of a file, or of everything below a directory, in bytes."""
    total = os.lstat(path).st_size
    if os.path.isdir(path) and not os.path.islink(path):
        for folder, _, names in os.walk(path):
            total += sum(os.lstat(os.path.join(folder, name)).st_size for name in names)
    return total


def _is_below(path: str, directory: str) -> bool:
    return path.startswith(directory.rstrip("/") + "/")
