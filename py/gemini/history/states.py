"""What was at a path before a change: from what was kept of it, and of all that happened to the file since."""

import os
import stat
from bisect import bisect_left
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from gemini.errors import VersionGone
from gemini.history.packing import hash_of, unpack
from gemini.storage.changes import Change, ChangeStore

# Of web/kernel/durable/track.js.
CHUNK = 1 << 14
# These say all of what was there; the others say how it differed from what came after.
ABSOLUTE = frozenset(["made", "whole", "link", "dir", "lost"])


@dataclass(frozen=True)
class State:
    """What is, or was, at a path.

    Attributes:
        mode: Permissions.
        size: Bytes of a file.
        read: Gives a file's contents.
        target: Of a symbolic link.
        now_at: Where the same file or directory is by now, if it was moved.
        patched: Whether the contents differ from those that are there.
        bare: Whether the contents are those that are there, so that only permissions count.
    """

    kind: Literal["nothing", "file", "link", "directory"]
    mode: int = 0
    size: int = 0
    read: Callable[[], bytes] = bytes
    target: str = ""
    now_at: str | None = None
    patched: bool = False
    bare: bool = False

    def equals(self, other: "State") -> bool:
        """Whether both are the same, names aside."""
        if self.kind != other.kind or self.kind == "nothing":
            return self.kind == other.kind
        if self.kind == "link":
            return self.target == other.target
        if self.mode != other.mode or self.bare:
            return self.mode == other.mode
        if self.size != other.size:
            return False
        return self.kind == "directory" or hash_of(self.read()) == hash_of(other.read())


NOTHING = State("nothing")


def state_now(path: str) -> State:
    """What is at a path."""
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


class Log:
    """All changes from a number on.

    Args:
        store: Has them.
        first: The number.
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
        """What was at a change's path before it.

        Args:
            own: The checkpoints that are taken back: what these moved later is back where it was by then.

        Raises:
            VersionGone: it wasn't kept.
        """
        found, now = self._chain(change.path, change.seq)
        state, patches = state_now(now), found
        if found[-1].kind in ABSOLUTE:
            state, patches = self._absolute(found[-1]), found[:-1]
        else:
            state = replace(state, bare=True)
        for later in reversed(patches):
            state = self._before(later, state)
        if change.kind == "moved":
            others = any(later.kind == "moved" and not (later.checkpoints & own) for later in found[1:])
            now_at = now if others else change.detail
            state = replace(state, now_at=None if now_at == change.path else now_at)
        return state

    def later(self, path: str, seq: int) -> Sequence[Change]:
        """The changes of a path after one."""
        changes = self._at.get(path, [])
        return changes[bisect_left(changes, seq + 1, key=_seq) :]

    def _chain(self, path: str, seq: int) -> tuple[list[Change], str]:
        """What happened to the file that was there, up to where all of it is known; and where it is by now."""
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
        """The next change of a path, or move of a directory above it."""
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
                f"what {change.path!r} was before this change was not kept: it had {change.size:,} bytes",
                hint="The settings of the history say how large a version may be.",
            )
        return State("file", change.mode, change.size, lambda: self._content(change))

    def _before(self, change: Change, after: State) -> State:
        if change.kind == "moved":
            return after
        if change.kind == "mode":
            return replace(after, mode=change.mode)
        if after.kind != "file":
            raise VersionGone(f"what {change.path!r} was before this change can't be made out any more")
        data = bytearray(after.read()[: change.size].ljust(change.size, b"\0"))
        kept, end = self._content(change) if change.content else b"", 0
        for chunk in change.chunks:
            start = chunk * CHUNK
            length = min(CHUNK, change.size - start)
            data[start : start + length] = kept[end : end + length]
            end += length
        whole = bytes(data)
        return replace(
            after, mode=change.mode, size=change.size, read=lambda: whole, patched=True, bare=False
        )

    def _content(self, change: Change) -> bytes:
        kept = self._store.content(change.content or "")
        if kept is None:
            raise VersionGone(f"what {change.path!r} was before this change is no longer kept")
        return unpack(*kept)


def _seq(change: Change) -> int:
    return change.seq
