"""Parses file modes: octal digits, or clauses such as `u=rwx,go-w`.

Source: POSIX.1-2017, chmod, "Extended Description".
"""

from __future__ import annotations

import re

SHIFTS = {"u": 6, "g": 3, "o": 0}
BITS = {"r": 4, "w": 2, "x": 1}
SET_ID = {"u": 0o4000, "g": 0o2000}
STICKY = 0o1000
CLAUSE = re.compile(r"([ugoa]*)((?:[-+=](?:[ugo]|[rwxXst]*))+)")
ACTION = re.compile(r"([-+=])([ugo]|[rwxXst]*)")


def parse_mode(text: str, start: int = 0, *, directory: bool = False, umask: int = 0) -> int:
    """Apply a mode to permissions and return the result.

    Args:
        text: Octal digits, or clauses separated by commas.
        start: The current permissions, as in `os.stat`.
        directory: Whether they belong to a directory, so `X` sets the execute permission.
        umask: The permissions that a clause without `u`, `g`, `o` or `a` leaves alone.

    Raises:
        ValueError: `text` is not a mode.
    """
    if re.fullmatch(r"[0-7]+", text) and int(text, 8) <= 0o7777:
        return int(text, 8)
    mode = start
    for clause in text.split(","):
        match = CLAUSE.fullmatch(clause)
        if match is None:
            raise ValueError(f"invalid mode '{text}'")
        for operator, permissions in ACTION.findall(match[2]):
            mode = _apply(mode, match[1], operator, permissions, directory, umask)
    return mode


def _apply(mode: int, who: str, operator: str, permissions: str, directory: bool, umask: int) -> int:
    people = "ugo" if not who or "a" in who else who
    special = (STICKY if "t" in permissions else 0) | sum(
        SET_ID.get(one, 0) for one in set(people) if "s" in permissions
    )
    bits = special | sum(_bits(mode, permissions, directory) << SHIFTS[one] for one in set(people))
    if not who:
        bits &= ~umask
    if operator == "+":
        return mode | bits
    if operator == "-":
        return mode & ~bits
    return mode & ~sum(7 << SHIFTS[one] for one in set(people)) | bits


def _bits(mode: int, permissions: str, directory: bool) -> int:
    if permissions in SHIFTS:
        return mode >> SHIFTS[permissions] & 7
    executes = "X" in permissions and (directory or mode & 0o111)
    return sum(BITS.get(one, 0) for one in set(permissions) - {"x"}) | (
        1 if executes or "x" in permissions else 0
    )
