"""What takes up storage, and where."""

import os
import stat
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Used:
    """One kind of what is kept.

    Attributes:
        what: In words.
        path: The directory where it is.
        entries: How many files and links.
        bytes: What the files hold.
    """

    what: str
    path: str
    entries: int
    bytes: int


def used_storage(roots: Sequence[Path], folder: Path | None, database: Collection[str]) -> list[Used]:
    """What is below the kept directories, and beside the database; what can't be read counts as nothing.

    Args:
        roots: The kept directories.
        folder: Where the database is; None where it is in memory.
        database: The names of its files.
    """
    found = [_used("Files", root, _below(root)) for root in roots]
    if folder is None:
        return found
    beside = [path for path in folder.iterdir() if path.is_file()]
    return [
        *found,
        _used(
            "Activity log, settings, terminals", folder, [path for path in beside if path.name in database]
        ),
        _used("Copies of before imports", folder, [path for path in beside if path.name not in database]),
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
