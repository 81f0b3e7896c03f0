"""Names that are free."""

import os
from itertools import count


def free_path(path: str) -> str:
    """`path`, or where something has that name, the first of `name (2).ext`, `name (3).ext`, … that is free."""
    if not os.path.lexists(path):
        return path
    directory, name = os.path.split(path)
    stem, suffix = os.path.splitext(name)
    stem, before = os.path.splitext(stem) if stem.endswith(".tar") else (stem, "")
    candidates = (os.path.join(directory, f"{stem} ({number}){before}{suffix}") for number in count(2))
    return next(candidate for candidate in candidates if not os.path.lexists(candidate))
