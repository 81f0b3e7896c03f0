"""The output of `git status --porcelain`, as git-status(1) describes version 1."""

import re
from typing import Literal

from typing_extensions import TypedDict

# Renames are listed as an added and a deleted file, each of which can be staged alone.
ARGUMENTS = ("status", "--porcelain", "-b", "-z", "-uall", "--no-renames")
CONFLICTS = frozenset({"DD", "AU", "UD", "UA", "DU", "AA", "UU"})
_COUNTS = re.compile(r"(ahead|behind) (\d+)")

Letter = Literal["M", "A", "D", "T", "U", "!"]
"""The kind of a change: modified, added, deleted, type changed, untracked, in conflict."""


class Change(TypedDict):
    """A changed file, with its path from the root of the repository."""

    path: str
    letter: Letter


class Head(TypedDict):
    """The branch, which is None if HEAD is detached, and how it differs from its upstream branch."""

    branch: str | None
    upstream: str | None
    ahead: int
    behind: int


class Status(TypedDict):
    """The state of a repository."""

    head: Head
    staged: list[Change]
    changes: list[Change]


def parse_status(output: bytes) -> Status:
    """Parse the output of `git` with `ARGUMENTS`."""
    head: Head = {"branch": None, "upstream": None, "ahead": 0, "behind": 0}
    staged: list[Change] = []
    changes: list[Change] = []
    for row in output.decode("utf-8", "replace").split("\0"):
        letters, path = row[:2], row[3:]
        if letters == "##":
            head = _head(path)
        elif letters == "??":
            changes.append({"path": path, "letter": "U"})
        elif letters in CONFLICTS:
            changes.append({"path": path, "letter": "!"})
        elif path:
            if letters[0] != " ":
                staged.append({"path": path, "letter": _letter(letters[0])})
            if letters[1] != " ":
                changes.append({"path": path, "letter": _letter(letters[1])})
    changes.sort(key=lambda change: change["path"])
    return {"head": head, "staged": staged, "changes": changes}


def _letter(letter: str) -> Letter:
    match letter:
        case "A" | "D" | "T":
            return letter
        case _:
            return "M"


def _head(line: str) -> Head:
    if line.startswith("HEAD (no branch)"):
        return {"branch": None, "upstream": None, "ahead": 0, "behind": 0}
    names, _, counts = line.removeprefix("No commits yet on ").partition(" ")
    branch, _, upstream = names.partition("...")
    found = {name: int(count) for name, count in _COUNTS.findall(counts)}
    return {
        "branch": branch,
        "upstream": upstream or None,
        "ahead": found.get("ahead", 0),
        "behind": found.get("behind", 0),
    }
