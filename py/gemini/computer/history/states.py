"""Reconstruct the state of a path before a change, from saved versions and the later changes of the file."""

import os
import stat
from bisect import bisect_left
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from gemini.computer.history.packing import hash_of, unpack
from gemini.errors import VersionGone
from gemini.storage.changes import Change, ChangeStore

# As in web/kernel/durable/track.ts.
CHUNK = 1 << 14
# These kinds record the full earlier state; the others record a difference from the later one.
ABSOLUTE = frozenset(["made", "whole", "link", "dir", "lost"])


@dataclass(frozen=True)
class State:
    """The state of a path at some time.

    Attributes:
        kind: The type of file, or `nothing` if the path doesn't exist.
        mode: The permissions.
        size: The size of a file in bytes.
        read: Returns a file's content.
        target: The target of a symbolic link.
        now_at: The current path of the same file or directory, if it was moved.
        patched: Whether the content differs from the current one.
        mode_only: Whether the content equals the current one, so that only the permissions matter.
    """

    kind: Literal["nothing", "file", "link", "directory"]
    mode: int = 0
    size: int = 0
    read: Callable[[], bytes] = bytes
    target: str = ""
    now_at: str | None = None
    patched: bool = False
    mode_only: bool = False

    def equals(self, other: "State") -> bool:
        """Return whether both states are the same, apart from names."""
        if self.kind != other.kind or self.kind == "nothing":
            return self.kind == other.kind
        if self.kind == "link":
            return self.target == other.target
        if self.mode != other.mode or self.mode_only:
            return self.mode == other.mode
        if self.size != other.size:
            return False
        return self.kind == "directory" or hash_of(self.read()) == hash_of(other.read())


NOTHING = State("nothing")


def current_state(path: str) -> State:
    """Return the current state of a path."""
    try:
        status = os.lstat(path)
    except OSError:
        return NOTHING
    mode = stat.S_IMODE(status.st_mode)
    if stat.S_ISLNK(status.st_mode):
        return State("link", target=os.readlink(path))
    if stat.S_ISDIR(status.st_mode):
        return State("directory", mode)
    return State("file", mode, status.st_size, Path(path).read_bytes)


class ChangeLog:
    """The changes from a number on.

    Args:
        store: The saved changes.
        first: The number of the first change.
    """

    def __init__(self, store: ChangeStore, first: int) -> None:
        self._store = store
        self._moves: list[Change] = []
        self._at: dict[str, list[Change]] = {}
        for change in store.since(first):
            self._at.setdefault(change.path, []).append(change)
            if change.kind == "moved":
                self._moves.append(change)

    def before(self, change: Change, own: Set[str] = frozenset()) -> State:
        """Return the state of a change's path before the change.

        Args:
            change: The change.
            own: The checkpoints that are being reverted. Their later moves are already undone at that point.

        Raises:
            VersionGone: The version wasn't saved.
        """
        found, now = self._chain(change.path, change.seq)
        state, patches = current_state(now), found
        if found[-1].kind in ABSOLUTE:
            state, patches = self._absolute(found[-1]), found[:-1]
        else:
            state = replace(state, mode_only=True)
        for later in reversed(patches):
            state = self._undo(later, state)
        if change.kind == "moved":
            others = any(later.kind == "moved" and not (later.checkpoints & own) for later in found[1:])
            now_at = now if others else change.detail
            state = replace(state, now_at=None if now_at == change.path else now_at)
        return state

    def later(self, path: str, seq: int) -> Sequence[Change]:
        """Return the changes of a path after a number."""
        changes = self._at.get(path, [])
        return changes[bisect_left(changes, seq + 1, key=_seq) :]

    def _chain(self, path: str, seq: int) -> tuple[list[Change], str]:
        """Return the file's changes up to the first absolute one, and its current path."""
        found: list[Change] = []
        while (change := self._next(path, seq)) is not None:
            found.append(change)
            if change.kind in ABSOLUTE:
                break
            if change.kind == "moved":
                path = f"{change.detail}{path[len(change.path) :]}"
            seq = change.seq + 1
        return found, path

    def _next(self, path: str, seq: int) -> Change | None:
        """Return the next change of a path, or the next move of a directory above it."""
        above = [move for move in self._moves if move.seq >= seq and path.startswith(f"{move.path}/")]
        return min([*self.later(path, seq - 1)[:1], *above[:1]], key=_seq, default=None)

    def _absolute(self, change: Change) -> State:
        if change.kind == "made":
            return NOTHING
        if change.kind == "link":
            return State("link", target=change.detail or "")
        if change.kind == "dir":
            return State("directory", change.mode)
        if change.kind == "lost":
            raise VersionGone(
                f"the version of {change.path!r} before this change was not saved: it had {change.size:,} bytes",
                hint="The history's settings limit the size of a version.",
            )
        return State("file", change.mode, change.size, lambda: self._content(change))

    def _undo(self, change: Change, after: State) -> State:
        if change.kind == "moved":
            return after
        if change.kind == "mode":
            return replace(after, mode=change.mode)
        if after.kind != "file":
            raise VersionGone(
                f"the version of {change.path!r} before this change can no longer be reconstructed"
            )
        data = bytearray(after.read()[: change.size].ljust(change.size, b"\0"))
        saved, end = self._content(change) if change.content else b"", 0
        for chunk in change.chunks:
            start = chunk * CHUNK
            length = min(CHUNK, change.size - start)
            data[start : start + length] = saved[end : end + length]
            end += length
        whole = bytes(data)
        return replace(
            after, mode=change.mode, size=change.size, read=lambda: whole, patched=True, mode_only=False
        )

    def _content(self, change: Change) -> bytes:
        saved = self._store.content(change.content or "")
        if saved is None:
            raise VersionGone(f"the version of {change.path!r} before this change is no longer saved")
        return unpack(*saved)


def _seq(change: Change) -> int:
    return change.seq
