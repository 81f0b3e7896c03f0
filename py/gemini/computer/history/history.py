"""List what changed and by whom, and revert it."""

import os
import time
from collections.abc import Callable, Iterable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gemini.computer.files.versions import Kind, Restored, Version
from gemini.computer.history.restorer import Restorer
from gemini.computer.history.states import ChangeLog, State, current_state
from gemini.errors import FileProblem, VersionGone, VersionMissing
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
# Larger files have no difference view.
MAX_TEXT_BYTES = 1_000_000


@dataclass(frozen=True)
class Difference:
    """The difference between a file now and before a checkpoint.

    Attributes:
        change: The first change of the file in the checkpoint.
        before: The state before the checkpoint; None if it wasn't saved.
        now: The current state.
        by: The callers that changed the file after the checkpoint.
    """

    change: Change
    before: State | None
    now: State
    by: list[str]

    @property
    def is_same(self) -> bool:
        """True if the file is in its earlier state again."""
        return self.before is not None and self.before.now_at is None and self.before.equals(self.now)

    @property
    def kind(self) -> Kind:
        """The change from the earlier state to the current one."""
        if self.before is None:
            return "deleted" if self.now.kind == "nothing" else "changed"
        if self.before.now_at is not None:
            return "moved"
        if self.before.kind == "nothing":
            return "created"
        if self.now.kind == "nothing":
            return "deleted"
        same = self.before.kind == self.now.kind and (
            self.before.kind == "directory" or self.change.kind == "mode"
        )
        return "permissions" if same else "changed"


class History:
    """The saved changes of files, and their restoration.

    Args:
        store: The saved changes.
        writers: The callers that are changing files now.
        settle: Saves all changes up to now.
        roots: The directories whose files are tracked.
        before_restore: Called with each path before it is restored.
    """

    def __init__(
        self,
        store: ChangeStore,
        writers: Writers,
        settle: Callable[[], None],
        roots: Sequence[Path],
        before_restore: Callable[[str], None],
    ) -> None:
        self._store = store
        self._writers = writers
        self._settle = settle
        self._roots = roots
        self._before_restore = before_restore

    def versions(self, path: str | None, limit: int) -> list[Version]:
        """Return the latest changes, newest first: of a path and everything below it, or of all files."""
        self._settle()
        callers = self._callers()
        return [self._version(change, callers) for change in self._store.latest(path, limit)]

    def checkpoints(self) -> list[dict[str, Any]]:
        """Return the latest checkpoints, newest first."""
        self._settle()
        return self._store.checkpoints()

    def differences(self, checkpoint: str) -> list[Difference]:
        """Return how each file differs from its state before a checkpoint.

        Raises:
            VersionMissing: No checkpoint has this id.
        """
        self._settle()
        changes = self._of(checkpoint)
        log, callers = ChangeLog(self._store, changes[0].seq), self._callers()
        last = {change.path: change.seq for change in changes}
        found: list[Difference] = []
        for change in _firsts(changes):
            later = log.later(change.path, last[change.path])
            by = {
                callers[one] for other in later for one in other.checkpoints - {checkpoint} if one in callers
            }
            found.append(
                Difference(change, _state_before(log, change), current_state(change.path), sorted(by))
            )
        return found

    def texts(self, checkpoint: str, path: str) -> tuple[str | None, str | None]:
        """Return a file's text before a checkpoint, and its current text; None if it is binary or over 1 MB.

        Raises:
            VersionMissing, VersionGone: The version isn't saved.
        """
        self._settle()
        changes = self._of(checkpoint)
        change = next((change for change in changes if change.path == path), None)
        if change is None:
            raise VersionMissing(f"{checkpoint!r} has no change of {path!r}")
        before = ChangeLog(self._store, change.seq).before(change)
        return _text(before), _text(current_state(before.now_at or path))

    def restore(self, id: str, paths: Iterable[str] | None = None) -> Restored:
        """Restore files to their state before a change, or before all changes of a checkpoint.

        Args:
            id: The id of a change or a checkpoint.
            paths: The paths to restore; all by default.

        Raises:
            VersionMissing: No change has this id, or none has this path.
            FileProblem: The only file can't be restored.
        """
        self._settle()
        changes = self._of(id)
        wanted = None if paths is None else set(paths)
        if wanted is not None and (unknown := wanted.difference(change.path for change in changes)):
            raise VersionMissing(f"{id!r} has no change of {min(unknown)!r}", data={"path": min(unknown)})
        log, last = ChangeLog(self._store, changes[0].seq), {change.path: change.seq for change in changes}
        # A change that was named by its own id belongs to all of its checkpoints.
        own = {id} if id in changes[0].checkpoints else changes[0].checkpoints
        steps = [change for change in _steps(changes) if wanted is None or change.path in wanted]
        plan = [(change, _state_before(log, change, own)) for change in steps]
        others = {
            change.path
            for change in steps
            if any(not (later.checkpoints & own) for later in log.later(change.path, last[change.path]))
        }
        with self._writers.reverting(id) as checkpoint:
            result: Restored = {"restored": [], "changed_since": [], "failed": [], "undo": checkpoint.id}
            restorer = Restorer(self._roots, self._before_restore)
            # The last change is undone first, so that each step finds the moves and directories of its time.
            for change, before in reversed(plan):
                _restore(restorer, change, before, result)
            self._settle()
        result["restored"] = list(dict.fromkeys(result["restored"]))
        result["changed_since"] = sorted(others)
        if len(steps) == 1 and result["failed"]:
            [failed] = result["failed"]
            raise FileProblem(failed["why"], data={"path": failed["path"]})
        return result

    def _of(self, id: str) -> list[Change]:
        """Return the changes of a checkpoint, or the one change with this id."""
        changes = self._store.of_checkpoint(id)
        if not changes and id.removeprefix("v").isascii() and id.removeprefix("v").isdigit():
            with suppress(OverflowError):
                one = self._store.get(int(id.removeprefix("v")))
                changes = [] if one is None else [one]
        if not changes:
            raise VersionMissing(
                f"no version has the id {id[:60]!r}", hint="file_history lists the ids that can be restored."
            )
        return changes

    def _callers(self) -> dict[str, str]:
        return {row["id"]: row["caller"] for row in self._store.checkpoints(-1)}

    def _version(self, change: Change, callers: dict[str, str]) -> Version:
        known = [one for one in change.checkpoints if one in callers]
        # A change by an agent that a user's script runs belongs to the agent first.
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
            "saved": change.kind != "lost",
        }


def _firsts(changes: Sequence[Change]) -> list[Change]:
    """Return the first change of each path, in order."""
    first: dict[str, Change] = {}
    for change in changes:
        first.setdefault(change.path, change)
    return list(first.values())


def _steps(changes: Sequence[Change]) -> list[Change]:
    """Return the changes to revert, in order: all moves, and the first change of each path between moves."""
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


def _state_before(log: ChangeLog, change: Change, own: Set[str] = frozenset()) -> State | None:
    try:
        return log.before(change, own)
    except VersionGone:
        return None


def _restore(restorer: Restorer, change: Change, before: State | None, result: Restored) -> None:
    try:
        if before is None:
            raise VersionGone("the earlier version was not saved: it was too large or is too old")
        if before.now_at is None and before.equals(current_state(change.path)):
            return
        restorer.restore(change.path, before)
        result["restored"].append(change.path)
    except (FileProblem, VersionGone) as problem:
        result["failed"].append({"path": change.path, "why": problem.message})


def _text(state: State) -> str | None:
    if state.kind == "link":
        return f"-> {state.target}\n"
    if state.kind != "file":
        return ""
    if state.size > MAX_TEXT_BYTES:
        return None
    data = state.read()
    try:
        return None if b"\0" in data else data.decode()
    except UnicodeDecodeError:
        return None
