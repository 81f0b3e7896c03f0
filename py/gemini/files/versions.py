"""What is told of changes of files, and of taking them back."""

from typing import Literal

from typing_extensions import TypedDict

Kind = Literal["created", "changed", "deleted", "moved", "permissions"]


class Version(TypedDict):
    """A change of a file. Restoring `id` makes it what it was before; `size` is that from before."""

    id: str
    path: str
    change: Kind
    caller: str
    checkpoint: str
    when: str
    size: int
    kept: bool


class Failed(TypedDict):
    path: str
    why: str


class Restored(TypedDict):
    """`changed_since` had been changed by others by then; what they were is a version, too.

    Restoring `undo` takes all of this back.
    """

    restored: list[str]
    changed_since: list[str]
    failed: list[Failed]
    undo: str
