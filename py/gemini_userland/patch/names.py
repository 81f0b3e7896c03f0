"""Chooses the file that a patch changes."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from gemini_userland.patch.hunks import FilePatch


def stripped(name: str | None, count: int | None) -> str | None:
    """Remove `count` leading components from a name, or all but the last for None.

    Returns:
        The rest; None if the name has too few components.
    """
    if not name:
        return None
    if count is None:
        return name.rsplit("/", 1)[-1]
    rest = name
    for _ in range(count):
        _, slash, rest = rest.partition("/")
        rest = rest.lstrip("/")
        if not slash:
            return None
    return rest or None


def is_dangerous(name: str) -> bool:
    """Return whether a name of a patch leads out of the working directory."""
    return name.startswith("/") or ".." in name.split("/")


def choose(found: FilePatch, count: int | None, path: Callable[[str], str]) -> str | None:
    """Return the name of the file to patch; None if no named file exists and the patch creates none.

    Args:
        found: The patch.
        count: The number of components to strip; None for all but the last.
        path: Returns the path of a name.
    """
    sides = [found.old, found.new, found.index]
    named = [
        (side, name) for side in sides if (name := stripped(side.name, count)) and not is_dangerous(name)
    ]
    existing = [name for _, name in named if os.path.lexists(path(name))]
    if not existing and (found.old.is_missing or found.new.is_missing):
        return best([name for _, name in named])
    return best(existing)


def best(names: Sequence[str]) -> str | None:
    """Return the name with the fewest components, then the shortest last one, then the shortest."""
    return min(
        names,
        key=lambda name: (len(re.findall(r"/+", name)), len(os.path.basename(name)), len(name)),
        default=None,
    )


def dangerous(found: FilePatch, count: int | None) -> list[str]:
    """Return the names that are ignored because they lead out of the working directory."""
    names: list[str] = []
    for side in (found.old, found.new, found.index):
        name = stripped(side.name, count)
        if name and is_dangerous(name) and name not in names:
            names.append(name)
    return names
