"""Report how much storage is used, and by what."""

import os
import stat
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Used:
    """The storage that one kind of data uses.

    Attributes:
        what: The label of the kind.
        path: The directory of the data.
        entries: The number of files and links.
        bytes: The total size of the files.
    """

    what: str
    path: str
    entries: int
    bytes: int


def used_storage(roots: Sequence[Path], folder: Path | None, database: Collection[str]) -> list[Used]:
    """Return the usage of the persistent directories and of the database's folder.

    Args:
        roots: The persistent directories.
        folder: The database's folder; None if the database is in memory.
        database: The names of the database's files.
    """
    found = [_used("Files", root, _below(root)) for root in roots]
    if folder is None:
        return found
    stored = [path for path in folder.iterdir() if path.is_file()]
    return [
        *found,
        _used(
            "Activity log, settings, terminals", folder, [path for path in stored if path.name in database]
        ),
        _used("Backups before imports", folder, [path for path in stored if path.name not in database]),
    ]


def _below(root: Path) -> Iterable[Path]:
    for directory, _, names in os.walk(root):
        yield from (Path(directory, name) for name in names)


def _used(what: str, path: Path, files: Iterable[Path]) -> Used:
    entries = size = 0
    for file in files:
        status = os.lstat(file)
        entries += 1
        size += status.st_size if stat.S_ISREG(status.st_mode) else 0
    return Used(what, str(path), entries, size)
