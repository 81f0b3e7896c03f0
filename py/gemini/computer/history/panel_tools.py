"""The history actions of the panels. They run as tools, but only the user can call them."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, cast

from pydantic import Field
from typing_extensions import TypedDict

from gemini.computer.files.versions import Kind, Restored
from gemini.errors import VersionGone
from gemini.tools import Effect, declare

if TYPE_CHECKING:
    from gemini.computer.history.history import Difference, History


class CheckpointRow(TypedDict):
    """A checkpoint. `began` and `changed` are in seconds since 1970; `about` is the checkpoint that it reverted."""

    id: str
    caller: str
    run: str | None
    about: str | None
    began: float
    changed: float
    files: int


class ChangedFile(TypedDict):
    """A file that a checkpoint changed.

    `same` is true if the file is in its earlier state again, `saved` if that state was saved. `by` lists the callers
    that changed it later; `now_at` is its current path if it was moved, and `size` the current bytes, null if there is
    no such file now.
    """

    path: str
    change: Kind
    size: int | None
    same: bool
    saved: bool
    by: list[str]
    now_at: str | None


class Texts(TypedDict):
    """A file's text before a checkpoint and now. None means binary, or too large."""

    before: str | None
    now: str | None


class Limits(TypedDict):
    """The limits of the history: total megabytes, days, and megabytes per version."""

    most_mb: int
    most_days: int
    most_file_mb: int


Amount = Annotated[int, Field(ge=1, le=10_000)]


class PanelHistoryTools:
    """The history actions of the panels.

    Args:
        history: Returns the history, which opens on first use.
        on_restore: Called after files were restored.
        limits: Changes limits, and returns all of them.
    """

    def __init__(
        self,
        history: "Callable[[], History]",
        on_restore: Callable[[], None],
        limits: Callable[[dict[str, int] | None], dict[str, int]],
    ) -> None:
        self._history = history
        self._on_restore = on_restore
        self._limits = limits

    @declare(effect=Effect.READ, person_only=True, action="list_checkpoints")
    def panel_checkpoints(self) -> list[CheckpointRow]:
        """List the checkpoints and their callers, newest first."""
        return cast(list[CheckpointRow], self._history().checkpoints())

    @declare(effect=Effect.READ, untrusted=True, person_only=True, action="list_changes")
    def panel_changes(self, checkpoint: str) -> list[ChangedFile]:
        """List the files that a checkpoint changed."""
        return [_row(one) for one in self._history().differences(checkpoint)]

    @declare(effect=Effect.READ, untrusted=True, person_only=True, action="change_texts")
    def panel_change_texts(self, checkpoint: str, path: str) -> Texts:
        """Return a file's text before a checkpoint, and its current text."""
        try:
            before, now = self._history().texts(checkpoint, path)
        except VersionGone:
            return {"before": None, "now": None}
        return {"before": before, "now": now}

    @declare(person_only=True, action="take_back")
    def panel_take_back(self, checkpoint: str, paths: list[str] | None = None) -> Restored:
        """Revert the changes of a checkpoint: all, or some files."""
        restored = self._history().restore(checkpoint, paths)
        self._on_restore()
        return restored

    @declare(person_only=True, action="limit_history")
    def panel_history_limits(
        self,
        most_mb: Amount | None = None,
        most_days: Amount | None = None,
        most_file_mb: Amount | None = None,
    ) -> dict[str, int]:
        """Change the limits of the history, and return them."""
        limits = {"most_mb": most_mb, "most_days": most_days, "most_file_mb": most_file_mb}
        return self._limits({name: value for name, value in limits.items() if value is not None})


def _size_now(path: str) -> int | None:
    try:
        return os.lstat(path).st_size
    except OSError:
        return None


def _row(one: "Difference") -> ChangedFile:
    return {
        "path": one.change.path,
        "change": one.kind,
        "size": _size_now((one.before and one.before.now_at) or one.change.path),
        "same": one.is_same,
        "saved": one.before is not None,
        "by": one.by,
        "now_at": None if one.before is None else one.before.now_at,
    }
