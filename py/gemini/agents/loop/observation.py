"""Observations: an agent gets a full snapshot of the surface first, then the changes before each step."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from difflib import SequenceMatcher

# A diff longer than this share of the snapshot is replaced by the full snapshot.
MAX_CHANGE_SHARE = 0.5
# After this many diffs the model gets a full snapshot again.
MAX_CHANGES = 8


@dataclass(frozen=True)
class Snapshot:
    """The visible state of the surface.

    Attributes:
        text: One line for each element.
        origin: The source of the text, for example a page's address.
    """

    text: str
    origin: str


Observer = Callable[[int], Awaitable[tuple[str, str] | None]]
"""Takes a snapshot of at most this many characters, as text and origin; None if there is nothing to see."""


@dataclass(frozen=True)
class Change:
    """An observation for the model.

    Attributes:
        whole: Whether `text` is a full snapshot, which supersedes earlier ones.
    """

    text: str
    origin: str
    whole: bool


class SnapshotTracker:
    """Compares each snapshot with the one before."""

    def __init__(self) -> None:
        self._before: Snapshot | None = None
        self._changes = 0

    def update(self, snapshot: Snapshot) -> Change | None:
        """Return the change since the last snapshot; None if nothing changed."""
        before, self._before = self._before, snapshot
        if before is not None and before.origin == snapshot.origin:
            if before.text == snapshot.text:
                return None
            changed = _changed(before.text.splitlines(), snapshot.text.splitlines())
            if len(changed) <= MAX_CHANGE_SHARE * len(snapshot.text) and self._changes < MAX_CHANGES:
                self._changes += 1
                return Change(changed, snapshot.origin, whole=False)
        self._changes = 0
        return Change(snapshot.text, snapshot.origin, whole=True)

    def forget(self) -> None:
        """Return a full snapshot next time, because the model's earlier ones were dropped."""
        self._before = None


def _changed(before: list[str], after: list[str]) -> str:
    """Return the removed and added lines, prefixed with `-` and `+`."""
    lines: list[str] = []
    for kind, a1, a2, b1, b2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            lines += [f"- {line}" for line in before[a1:a2]]
            lines += [f"+ {line}" for line in after[b1:b2]]
    return "\n".join(lines)
