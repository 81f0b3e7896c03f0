"""The space of file systems, for `df`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

UNKNOWN = "-"
# Files that are no content: devices, and views of the kernel.
VIEWS = ("/dev", "/proc", "/sys")


@dataclass(frozen=True)
class Space:
    """The space of a file system, in bytes; None for what isn't known."""

    name: str
    kind: str
    place: str
    total: int | None
    used: int
    free: int | None


def spaces(paths: Sequence[str]) -> list[Space]:
    """Return the file systems that hold files."""
    if sys.platform == "emscripten":
        return [Space("memory", "memfs", "/", None, _size("/"), None)]
    found: dict[str, Space] = {}
    for path in paths:
        place = os.path.realpath(path)
        while not os.path.ismount(place):
            place = os.path.dirname(place)
        about = os.statvfs(place)
        total, free = about.f_blocks * about.f_frsize, about.f_bavail * about.f_frsize
        used = total - about.f_bfree * about.f_frsize
        found[place] = Space(UNKNOWN, UNKNOWN, place, total, used, free)
    return list(found.values())


def _size(root: str) -> int:
    """Return the size of all files below a folder."""
    total = 0
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in VIEWS]
        for name in names:
            try:
                total += os.lstat(os.path.join(folder, name)).st_size
            # It was removed since.
            except FileNotFoundError:
                continue
    return total
