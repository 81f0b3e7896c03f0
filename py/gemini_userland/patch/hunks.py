"""The parts of a patch: hunks and the files that they change."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby

CONTEXT, REMOVED, ADDED = " ", "-", "+"
Row = tuple[str, bytes]
"""A line of a hunk: CONTEXT, REMOVED or ADDED, and the line with its end."""


class PatchError(Exception):
    """The patch can't be read or applied; the message follows "patch: **** "."""


@contextmanager
def creating(name: str) -> Generator[None]:
    """Turn an error of the system, while a file is created, into patch's own.

    Raises:
        PatchError: The file can't be created.
    """
    try:
        yield
    except OSError as error:
        raise PatchError(f"Can't create file {name} : {error.strerror}") from error


@dataclass(frozen=True)
class Hunk:
    """A change at one place.

    Attributes:
        first: The number of its first line in the old file, from 1.
        new_first: The number of its first line in the new file, from 1.
        rows: Its lines.
        function: The text after the second "@@".
    """

    first: int
    new_first: int
    rows: tuple[Row, ...]
    function: bytes = b""

    @cached_property
    def old(self) -> list[bytes]:
        """The lines that it replaces, with context."""
        return [text for kind, text in self.rows if kind != ADDED]

    @cached_property
    def new(self) -> list[bytes]:
        """The lines that replace them, with context."""
        return [text for kind, text in self.rows if kind != REMOVED]

    @property
    def prefix(self) -> int:
        """The number of context lines before the first change."""
        return next((at for at, (kind, _) in enumerate(self.rows) if kind != CONTEXT), len(self.rows))

    @property
    def suffix(self) -> int:
        """The number of context lines after the last change."""
        rows = self.rows[::-1]
        return next((at for at, (kind, _) in enumerate(rows) if kind != CONTEXT), len(rows))

    def reversed(self) -> Hunk:
        """Return the hunk that undoes this one."""
        swapped = {REMOVED: ADDED, ADDED: REMOVED, CONTEXT: CONTEXT}
        rows: list[Row] = []
        for is_context, run in groupby(self.rows, key=lambda row: row[0] == CONTEXT):
            turned = [(swapped[kind], text) for kind, text in run]
            # Within a change, the removed lines come first.
            rows += turned if is_context else sorted(turned, key=lambda row: row[0] == ADDED)
        return Hunk(self.new_first, self.first, tuple(rows), self.function)


@dataclass(frozen=True)
class Side:
    """A file as a header names it.

    Attributes:
        name: The name; None if the header has none, "" for `/dev/null`.
        rest: The text after the name, such as a tab and the time.
        is_missing: The file doesn't exist on this side: it is `/dev/null`, or its time is the epoch.
    """

    name: str | None = None
    rest: bytes = b""
    is_missing: bool = False


@dataclass(frozen=True)
class FilePatch:
    """The hunks of one file.

    Attributes:
        style: `unified`, `context` or `normal`.
        old: The file before the change.
        new: The file after it.
        index: The name in a line `Index:`.
        hunks: The changes.
        header: The lines before the first hunk.
        line: The number of the line of the first hunk in the input, from 1.
        git: The extended header lines of Git: `rename from`, `new file mode`, …, with their values.
    """

    style: str
    old: Side
    new: Side
    index: Side
    hunks: tuple[Hunk, ...]
    header: tuple[bytes, ...] = ()
    line: int = 1
    git: dict[str, str] = field(default_factory=dict[str, str])

    def reversed(self) -> FilePatch:
        """Return the patch that undoes this one."""
        opposite = {
            "rename from": "rename to",
            "rename to": "rename from",
            "old mode": "new mode",
            "new mode": "old mode",
            "new file mode": "deleted file mode",
            "deleted file mode": "new file mode",
        }
        git = {opposite.get(key, key): value for key, value in self.git.items() if not key.startswith("copy")}
        hunks = tuple(hunk.reversed() for hunk in self.hunks)
        return replace(self, old=self.new, new=self.old, hunks=hunks, git=git)
