"""What an agent is shown of the surface before each step: all of it at first, then what changed."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from difflib import SequenceMatcher

# A change that is longer than this part of the whole is told as the whole.
MAX_CHANGE_SHARE = 0.5
# After so many changes the model gets the whole again.
MAX_CHANGES = 8


@dataclass(frozen=True)
class Snapshot:
    """What can be seen now.

    Attributes:
        text: A line an element.
        origin: Whose text it is.
    """

    text: str
    origin: str


Observer = Callable[[int], Awaitable[tuple[str, str] | None]]
"""Looks at the surface, in so many characters at most: what is there, a line an element, and whose text that is; None
where there is nothing to see."""

Camera = Callable[[], Awaitable[bytes | None]]
"""Takes a picture of the page in front, a JPEG; None where there is none to take."""


@dataclass(frozen=True)
class Change:
    """What to tell of a look.

    Attributes:
        whole: Whether `text` is all there is to see, so that earlier looks are worthless.
    """

    text: str
    origin: str
    whole: bool


class SnapshotTracker:
    """Compares each look with the one before."""

    def __init__(self) -> None:
        self._before: Snapshot | None = None
        self._changes = 0

    def update(self, snapshot: Snapshot) -> Change | None:
        """What is new, or None where nothing is."""
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
        """Tell the whole next time, since what was told is gone."""
        self._before = None


def _changed(before: list[str], after: list[str]) -> str:
    """The lines that went and came, with `-` and `+` before them."""
    lines: list[str] = []
    for kind, a1, a2, b1, b2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            lines += [f"- {line}" for line in before[a1:a2]]
            lines += [f"+ {line}" for line in after[b1:b2]]
    return "\n".join(lines)
