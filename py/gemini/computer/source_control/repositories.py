"""Finding repositories in the file system, without git, which needn't be loaded where there is none."""

import os
from collections.abc import Iterable

# Folders with more entries are unlikely to hold projects side by side.
MOST_ENTRIES = 200


def containing(directory: str) -> str | None:
    """Return the root of the repository that a directory is in."""
    while not _is_root(directory):
        parent = os.path.dirname(directory)
        if parent == directory:
            return None
        directory = parent
    return directory


def find(directories: Iterable[str], projects: str) -> list[str]:
    """Return the roots of the repositories of the directories, then those in and directly below `projects`."""
    found = [containing(directory) for directory in directories]
    if _is_root(projects):
        found.append(projects)
    try:
        with os.scandir(projects) as entries:
            names = sorted(entry.name for entry in entries if entry.is_dir())
    except OSError:
        # The folder was deleted; there is no repository in it.
        names = []
    if len(names) <= MOST_ENTRIES:
        found += [path for path in (os.path.join(projects, name) for name in names) if _is_root(path)]
    return list(dict.fromkeys(root for root in found if root is not None))


def _is_root(directory: str) -> bool:
    return os.path.exists(os.path.join(directory, ".git"))
