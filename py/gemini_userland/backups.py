"""The backups of files that `cp`, `mv`, `ln` and `install` replace (GNU coreutils manual, 2.2 "Backup options")."""

from __future__ import annotations

import os
import re

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, synonyms

METHODS = synonyms("none off", "numbered t", "existing nil", "simple never")
"""The values of `--backup`, and of the variable VERSION_CONTROL."""


def set_aside(invocation: Invocation, given: Arguments, place: str) -> str | None:
    """Rename a file that will be replaced, if the options `b` or `S` ask for that.

    Returns:
        The new name, or None if there is no backup.

    Raises:
        OSError: The file can't be renamed.
    """
    if "b" not in given and "S" not in given:
        return None
    env = invocation.env
    method = given.last("b") or METHODS.get(env.get("VERSION_CONTROL", ""), "existing")
    if method == "none":
        return None
    numbers = _numbers(invocation.path(place))
    if method == "numbered" or (method == "existing" and numbers):
        backup = f"{place}.~{max(numbers, default=0) + 1}~"
    else:
        backup = place + (given.last("S") or env.get("SIMPLE_BACKUP_SUFFIX") or "~")
    os.replace(invocation.path(place), invocation.path(backup))
    return backup


def _numbers(path: str) -> list[int]:
    """Return the numbers of the backups that there are."""
    folder, name = os.path.split(path)
    pattern = re.compile(re.escape(name) + r"\.~([1-9]\d*)~")
    return [int(match[1]) for one in os.listdir(folder) if (match := pattern.fullmatch(one))]
