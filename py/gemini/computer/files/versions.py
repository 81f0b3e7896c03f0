"""The types that describe changes of files and their restoration."""

from typing import Literal

from typing_extensions import TypedDict

Kind = Literal["created", "changed", "deleted", "moved", "permissions"]


class Version(TypedDict):
    """A change of a file. Restoring `id` reverts it. `size` is the size before the change.

    `saved` is False if the earlier content was not saved.
    """

    id: str
    path: str
    change: Kind
    caller: str
    checkpoint: str
    when: str
    size: int
    saved: bool


class Failed(TypedDict):
    """A path that couldn't be restored, and the reason."""

    path: str
    why: str


class Restored(TypedDict):
    """The result of a restore.

    `changed_since` lists the paths that other callers had changed in the meantime; their changes are saved as versions.
    Restoring `undo` undoes the restore.
    """

    restored: list[str]
    changed_since: list[str]
    failed: list[Failed]
    undo: str
