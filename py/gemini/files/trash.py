"""The trash: where a person's panel moves what it deletes, so that it can be undone.

It is laid out by the FreeDesktop.org Trash specification, version 1.0
(https://specifications.freedesktop.org/trash-spec/1.0/): a file in `files/`, and beside it in `info/` where it was and
when it was deleted. It stands below the home directory, which outlives the page, as /project does; moving a file there
is a rename and copies nothing.
"""

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import quote, unquote

from gemini.errors import FileMissing, FileProblem
from gemini.files.names import free_path
from gemini.files.paths import problems, require_way

# Deleted files take room from those that are needed.
MOST_BYTES = 200_000_000
LONGEST = timedelta(days=30)


@dataclass(frozen=True)
class Trashed:
    """One deletion: its name in the trash, where it was, when it was deleted (UTC), and how much it holds."""

    id: str
    path: str
    deleted: datetime
    size: int


class Trash:
    """What was deleted and can be restored, oldest first to go.

    Args:
        folder: Where it lies, an absolute path; made on first use.
        most_bytes: The oldest go where there is more; the latest deletion always stays.
        longest: What is older goes.
        now: Tells the time.
    """

    def __init__(
        self,
        folder: Path,
        most_bytes: int = MOST_BYTES,
        longest: timedelta = LONGEST,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        self._files = folder / "files"
        self._info = folder / "info"
        self._most_bytes = most_bytes
        self._longest = longest
        self._now = now

    def put(self, paths: Sequence[str]) -> list[Trashed]:
        """Move files and directories into the trash: all of them, or none.

        What is in the trash already is removed for good.

        Args:
            paths: Absolute paths; a link is deleted itself, not what it leads to.

        Raises:
            FileProblem: one of them isn't there, or can't be moved.
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
        """Move deletions back to where they were, or beside what has taken their place; gives their paths.

        Raises:
            FileMissing: one is no longer in the trash. Nothing was moved.
            FileProblem: it can't be moved.
        """
        known = {trashed.id: trashed for trashed in self.rows()}
        for missing in (id for id in ids if id not in known):
            raise FileMissing(
                f"{missing!r} is no longer in the trash",
                hint=f"It keeps {self._longest.days} days and {self._most_bytes // 1_000_000} MB; the oldest go first.",
            )
        return [self._move_out(known[id]) for id in ids]

    def rows(self) -> list[Trashed]:
        """What is in the trash, oldest first."""
        found: list[Trashed] = []
        for info in self._info.glob("*.trashinfo"):
            # What somebody has put there otherwise is left alone.
            with suppress(OSError, KeyError, ValueError):
                found.append(_read(info))
        there = [trashed for trashed in found if os.path.lexists(self._files / trashed.id)]
        return sorted(there, key=lambda trashed: (trashed.deleted, trashed.id))

    def _require_deletable(self, path: str) -> None:
        with problems(path):
            os.lstat(path)
        if _is_below(str(self._files), path) or path == str(self._files):
            raise FileProblem(
                f"{path!r} holds the trash itself",
                hint="Delete what is in it, or use rm in a terminal.",
                data={"path": path},
            )

    def _move_in(self, path: str) -> Trashed:
        place = free_path(str(self._files / os.path.basename(path)))
        trashed = Trashed(os.path.basename(place), path, self._now().replace(microsecond=0), _size(path))
        info = self._info / f"{trashed.id}.trashinfo"
        with problems(path):
            # First the note, says the specification: a file without one can't be restored.
            info.write_text(_note(trashed), encoding="utf-8")
            try:
                os.rename(path, place)
            except OSError:
                info.unlink()
                raise
        return trashed

    def _move_out(self, trashed: Trashed) -> str:
        place = free_path(trashed.path)
        require_way(place)
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
            if total > self._most_bytes or self._now() - trashed.deleted > self._longest:
                self._remove(str(self._files / trashed.id))
                total -= trashed.size


def _note(trashed: Trashed) -> str:
    """What stands in `info/`. Readers ignore keys that the specification doesn't have, as `Size`."""
    path = quote(os.fsencode(trashed.path))
    return f"[Trash Info]\nPath={path}\nDeletionDate={trashed.deleted.isoformat()}\nSize={trashed.size}\n"


def _read(info: Path) -> Trashed:
    lines = info.read_text(encoding="utf-8").splitlines()
    told = dict(line.split("=", 1) for line in lines if "=" in line)
    path = unquote(told["Path"], errors="surrogateescape")
    return Trashed(info.stem, path, datetime.fromisoformat(told["DeletionDate"]), int(told.get("Size", 0)))


def _size(path: str) -> int:
    """The bytes of a file, or of all that is below a directory."""
    total = os.lstat(path).st_size
    if os.path.isdir(path) and not os.path.islink(path):
        for folder, _, names in os.walk(path):
            total += sum(os.lstat(os.path.join(folder, name)).st_size for name in names)
    return total


def _is_below(path: str, directory: str) -> bool:
    return path.startswith(directory.rstrip("/") + "/")
