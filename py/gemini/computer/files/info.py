"""The metadata of a file, and its position on the map view."""

import os
import re
import stat
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import NotRequired

from typing_extensions import TypedDict

from gemini.computer.files.kinds import kind_of

# The map's layout, in CSS pixels like the positions of terminals.
COLUMNS = 8
FIRST_X, FIRST_Y = 40, 40
STEP_X, STEP_Y = 120, 100

_NUMBER = re.compile("[0-9]+")

Fingerprint = list[tuple[str, int, int, int, bool]]

FIRST_SECOND = int(datetime.min.replace(tzinfo=UTC).timestamp())
LAST_SECOND = int(datetime.max.replace(tzinfo=UTC, microsecond=0).timestamp())


class FileRow(TypedDict):
    """A file as tools and events report it. Only symbolic links have `link_target` and `broken`."""

    name: str
    type: str
    size: int
    color: str
    path: str
    permissions: str
    modified: str
    x: int
    y: int
    link_target: NotRequired[str]
    broken: NotRequired[bool]


@dataclass(frozen=True, slots=True)
class FileInfo:
    """An entry of a directory.

    Attributes:
        name: The name in the directory.
        path: The absolute path.
        file_type: The name of the kind (`gemini.computer.files.kinds`): directory, link, code, text, document, image,
            media, archive, executable, other.
        size: The size in bytes; for a link, the length of its target's path.
        permissions: Nine characters, such as `rwxr-xr-x`.
        modified: The time of the last change, ISO 8601 in UTC: `2026-11-21T22:45:00Z`.
        x: The horizontal position on the map view, in CSS pixels from the left.
        y: The vertical position on the map view, in CSS pixels from the top.
        color: The color of the kind, `#rrggbb`.
        link_target: The target of a symbolic link, as written in the link; None for other kinds.
        broken: Whether a link's target is missing or in a loop.
    """

    name: str
    path: str
    file_type: str
    size: int
    permissions: str
    modified: str
    x: int
    y: int
    color: str
    link_target: str | None = None
    broken: bool = False

    def row(self) -> FileRow:
        """Return the file as tools and events report it."""
        row: FileRow = {
            "name": self.name,
            "type": self.file_type,
            "size": self.size,
            "color": self.color,
            "path": self.path,
            "permissions": self.permissions,
            "modified": self.modified,
            "x": self.x,
            "y": self.y,
        }
        if self.link_target is not None:
            row["link_target"] = self.link_target
            row["broken"] = self.broken
        return row


def scan(directory: str) -> list[os.DirEntry[str]]:
    """Return the entries of a directory in the map's order: directories first, then by name as a user sorts.

    Case doesn't count, and numbers in names count as numbers.

    Raises:
        OSError: The directory can't be listed.
    """
    with os.scandir(directory) as entries:
        return sorted(
            entries, key=lambda entry: (not entry.is_dir(follow_symlinks=False), *_natural(entry.name))
        )


def _natural(name: str) -> tuple[str, str]:
    """Return a sort key. Names that differ only in case follow code points."""
    return _NUMBER.sub(_number_key, name.casefold()), name


def _number_key(match: re.Match[str]) -> str:
    """Return a text that sorts by the number's size; it begins with a digit, which sorts after punctuation."""
    digits = match[0].lstrip("0")
    return f"0{chr(len(digits))}{digits}"


def fingerprint(directory: str) -> Fingerprint:
    """Return a value that changes with any entry of a directory. It takes a quarter of the time of a listing.

    Raises:
        OSError: The directory can't be listed.
    """
    found: Fingerprint = []
    with os.scandir(directory) as entries:
        for entry in entries:
            # Skip an entry that was deleted after it was listed.
            with suppress(FileNotFoundError):
                status = entry.stat(follow_symlinks=False)
                broken = entry.is_symlink() and not os.path.exists(entry.path)
                found.append((entry.name, status.st_mode, status.st_size, status.st_mtime_ns, broken))
    return found


def position(index: int) -> tuple[int, int]:
    """Return the x and y of a directory's entry number `index`: rows of eight, in the order of `scan`."""
    row, column = divmod(index, COLUMNS)
    return FIRST_X + column * STEP_X, FIRST_Y + row * STEP_Y


def describe(entry: os.DirEntry[str], index: int) -> FileInfo:
    """Return the metadata of entry number `index` of its directory.

    Raises:
        OSError: The entry was deleted after it was listed.
    """
    status = entry.stat(follow_symlinks=False)
    kind = kind_of(entry.name, status.st_mode)
    is_link = stat.S_ISLNK(status.st_mode)
    x, y = position(index)
    return FileInfo(
        name=entry.name,
        path=entry.path,
        file_type=kind.name,
        size=status.st_size,
        permissions=stat.filemode(status.st_mode)[1:],
        modified=timestamp(int(status.st_mtime // 1)),
        x=x,
        y=y,
        color=kind.color,
        link_target=os.readlink(entry.path) if is_link else None,
        broken=is_link and not os.path.exists(entry.path),
    )


@lru_cache(maxsize=1_000)
def timestamp(seconds: int) -> str:
    """Format seconds since 1970 as ISO 8601 in UTC, clamped to the years 1 to 9999."""
    inside = min(max(seconds, FIRST_SECOND), LAST_SECOND)
    return datetime.fromtimestamp(inside, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
