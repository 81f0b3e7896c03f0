"""What changed, by whom, and taking it back."""

import os
import time
from collections.abc import Callable, Iterable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gemini.errors import FileProblem, VersionGone, VersionMissing
from gemini.files.versions import Kind, Restored, Version
from gemini.history.putting_back import PuttingBack
from gemini.history.states import Log, State, state_now
from gemini.storage.changes import Change, ChangeStore
from gemini.tools.writers import PERSON, Writers

KINDS: dict[str, Kind] = {
    "made": "created",
    "whole": "changed",
    "part": "changed",
    "lost": "changed",
    "link": "deleted",
    "dir": "deleted",
    "mode": "permissions",
    "moved": "moved",
}
# What a person reads of a file.
LONGEST_TEXT = 1_000_000


@dataclass(frozen=True)
class Difference:
    """How a file stands to what it was before a checkpoint.

    Attributes:
        was: None where it wasn't kept.
        by: The callers that changed it after the checkpoint did.
    """

    change: Change
    was: State | None
    now: State
    by: list[str]

    @property
    def is_same(self) -> bool:
        return self.was is not None and self.was.now_at is None and self.was.equals(self.now)

    @property
    def kind(self) -> Kind:
        if self.was is None:
            return "deleted" if self.now.kind == "nothing" else "changed"
        if self.was.now_at is not None:
            return "moved"
        if self.was.kind == "nothing":
            return "created"
        if self.now.kind == "nothing":
            return "deleted"
        same = self.was.kind == self.now.kind and (self.was.kind == "directory" or self.change.kind == "mode")
        return "permissions" if same else "changed"


class History:
    """Args:
    store: What is kept.
    writers: Who changes files now.
    settle: Has the store take all that changed up to now.
    roots: The directories whose files are followed.
    note: Called with each path before it is put back.
    """

    def __init__(
        self,
        store: ChangeStore,
        writers: Writers,
        settle: Callable[[], None],
        roots: Sequence[Path],
        note: Callable[[str], None],
    ) -> None:
        self._store = store
        self._writers = writers
        self._settle = settle
        self._roots = roots
        self._note = note

    def versions(self, path: str | None, most: int) -> list[Version]:
        """The latest changes, newest first, of a path and what is below it, or of all."""
        self._settle()
        callers = self._callers()
        return [self._version(change, callers) for change in self._store.latest(path, most)]

    def checkpoints(self) -> list[dict[str, Any]]:
        """The latest checkpoints, newest first."""
        self._settle()
        return self._store.checkpoints()

    def differences(self, checkpoint: str) -> list[Difference]:
        """By file, how what is there now differs from what was there before a checkpoint.

        Raises:
            VersionMissing: there is none of that id.
        """
        self._settle()
        changes = self._of(checkpoint)
        log, callers = Log(self._store, changes[0].seq), self._callers()
        last = {change.path: change.seq for change in changes}
        found: list[Difference] = []
        for change in _firsts(changes):
            later = log.later(change.path, last[change.path])
            by = {
                callers[one] for other in later for one in other.checkpoints - {checkpoint} if one in callers
            }
            found.append(Difference(change, _was(log, change), state_now(change.path), sorted(by)))
        return found

    def texts(self, checkpoint: str, path: str) -> tuple[str | None, str | None]:
        """What a file was before a checkpoint, and what it is; None for what is no text, or too long.

        Raises:
            VersionMissing, VersionGone: that isn't kept.
        """
        self._settle()
        changes = self._of(checkpoint)
        change = next((change for change in changes if change.path == path), None)
        if change is None:
            raise VersionMissing(f"{checkpoint!r} has no change of {path!r}")
        was = Log(self._store, change.seq).before(change)
        return _text(was), _text(state_now(was.now_at or path))

    def restore(self, id: str, paths: Iterable[str] | None = None) -> Restored:
        """Make files what they were before a change, or before all those of a checkpoint.

        Args:
            id: Of either.
            paths: Those to restore; all by default.

        Raises:
            VersionMissing: there is nothing of that id, or no such path in it.
            FileProblem: the one file can't be put back.
        """
        self._settle()
        changes = self._of(id)
        wanted = None if paths is None else set(paths)
        if wanted is not None and (strange := wanted.difference(change.path for change in changes)):
            raise VersionMissing(f"{id!r} has no change of {min(strange)!r}", data={"path": min(strange)})
        log, last = Log(self._store, changes[0].seq), {change.path: change.seq for change in changes}
        own = {one for change in changes for one in change.checkpoints} if len(changes) == 1 else {id}
        steps = [change for change in _steps(changes) if wanted is None or change.path in wanted]
        plan = [(change, _was(log, change, own)) for change in steps]
        others = {
            change.path
            for change in steps
            if any(not (later.checkpoints & own) for later in log.later(change.path, last[change.path]))
        }
        with self._writers.reverting(id) as checkpoint:
            done: Restored = {"restored": [], "changed_since": [], "failed": [], "undo": checkpoint.id}
            putting_back = PuttingBack(self._roots, self._note)
            # The last change goes first, so that moves and directories are met as they were then.
            for change, was in reversed(plan):
                _put(putting_back, change, was, done)
            self._settle()
        done["restored"] = list(dict.fromkeys(done["restored"]))
        done["changed_since"] = sorted(others)
        if len(steps) == 1 and done["failed"]:
            [failed] = done["failed"]
            raise FileProblem(failed["why"], data={"path": failed["path"]})
        return done

    def _of(self, id: str) -> list[Change]:
        """The changes of a checkpoint, or one by its number."""
        changes = self._store.of_checkpoint(id)
        if not changes and id.removeprefix("v").isascii() and id.removeprefix("v").isdigit():
            with suppress(OverflowError):
                one = self._store.get(int(id.removeprefix("v")))
                changes = [] if one is None else [one]
        if not changes:
            raise VersionMissing(
                f"nothing is kept of {id[:60]!r}", hint="file_history has the ids of what can be restored."
            )
        return changes

    def _callers(self) -> dict[str, str]:
        return {row["id"]: row["caller"] for row in self._store.checkpoints(-1)}

    def _version(self, change: Change, callers: dict[str, str]) -> Version:
        known = [one for one in change.checkpoints if one in callers]
        # What a person's script has an agent do is the agent's first.
        owners = sorted(known, key=lambda one: (callers[one] == PERSON, one))
        kind = KINDS[change.kind]
        if change.kind in ("whole", "lost") and not os.path.lexists(change.path):
            kind = "deleted"
        return {
            "id": f"v{change.seq}",
            "path": change.path,
            "change": kind,
            "caller": ", ".join(dict.fromkeys(callers[one] for one in owners)),
            "checkpoint": owners[0] if owners else "",
            "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(change.at)),
            "size": change.size,
            "kept": change.kind != "lost",
        }


def _firsts(changes: Sequence[Change]) -> list[Change]:
    """The first change of each path, in order: before it, all was as it was."""
    first: dict[str, Change] = {}
    for change in changes:
        first.setdefault(change.path, change)
    return list(first.values())


def _steps(changes: Sequence[Change]) -> list[Change]:
    """Those that are to be taken back, in order: all moves, and of each path the first between them."""
    steps: list[Change] = []
    seen: set[str] = set()
    for change in changes:
        if change.kind == "moved":
            seen.clear()
        elif change.path in seen:
            continue
        else:
            seen.add(change.path)
        steps.append(change)
    return steps


def _was(log: Log, change: Change, own: Set[str] = frozenset()) -> State | None:
    try:
        return log.before(change, own)
    except VersionGone:
        return None


def _put(putting_back: PuttingBack, change: Change, was: State | None, done: Restored) -> None:
    try:
        if was is None:
            raise VersionGone("what it was before is not kept: it was too large, or is too long ago")
        if was.now_at is None and was.equals(state_now(change.path)):
            return
        putting_back.put(change.path, was)
        done["restored"].append(change.path)
    except (FileProblem, VersionGone) as problem:
        done["failed"].append({"path": change.path, "why": problem.message})


def _text(state: State) -> str | None:
    if state.kind == "link":
        return f"-> {state.target}\n"
    if state.kind != "file":
        return ""
    if state.size > LONGEST_TEXT:
        return None
    data = state.read()
    try:
        return None if b"\0" in data else data.decode()
    except UnicodeDecodeError:
        return None
