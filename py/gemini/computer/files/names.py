"""Find names that aren't taken."""

import os
from itertools import count


def free_path(path: str) -> str:
    """Return `path` if it is free, else the first free one of `name (2).ext`, `name (3).ext`, …."""
    if not os.path.lexists(path):
        return path
    directory, name = os.path.split(path)
    stem, suffix = os.path.splitext(name)
    stem, before = os.path.splitext(stem) if stem.endswith(".tar") else (stem, "")
    candidates = (os.path.join(directory, f"{stem} ({number}){before}{suffix}") for number in count(2))
    return next(candidate for candidate in candidates if not os.path.lexists(candidate))
