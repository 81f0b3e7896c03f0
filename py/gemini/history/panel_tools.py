"""What the panels show of changes: on the road of all tools, but told to nobody else."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, cast

from pydantic import Field
from typing_extensions import TypedDict

from gemini.errors import VersionGone
from gemini.files.versions import Kind, Restored
from gemini.tools import Effect, declare

if TYPE_CHECKING:
    from gemini.history.history import Difference, History


class CheckpointRow(TypedDict):
    """`began` and `changed` are seconds of the epoch; `about` is the checkpoint that was taken back."""

    id: str
    caller: str
    run: str | None
    about: str | None
    began: float
    changed: float
    files: int


class ChangedFile(TypedDict):
    """`same` says that it is what it was; `by`, who changed it later; `now_at`, where it was moved to."""

    path: str
    change: Kind
    size: int
    same: bool
    kept: bool
    by: list[str]
    now_at: str | None


class Texts(TypedDict):
    """None is no text, or too long a one."""

    before: str | None
    now: str | None


class Limits(TypedDict):
    """How much is kept: megabytes in all, days, and megabytes of one version."""

    most_mb: int
    most_days: int
    most_file_mb: int


Amount = Annotated[int, Field(ge=1, le=10_000)]


class PanelHistoryTools:
    """Args:
    history: Gives what is kept, opened when it is first asked for.
    changed: Called after files were put back.
    limits: Gives how much is kept, and takes another one.
    """

    def __init__(
        self,
        history: "Callable[[], History]",
        changed: Callable[[], None],
        limits: Callable[[dict[str, int] | None], dict[str, int]],
    ) -> None:
        self._history = history
        self._changed = changed
        self._limits = limits

    @declare(effect=Effect.READ, person_only=True, action="list_checkpoints")
    def panel_checkpoints(self) -> list[CheckpointRow]:
        """List who changed files, newest first."""
        return cast(list[CheckpointRow], self._history().checkpoints())

    @declare(effect=Effect.READ, untrusted=True, person_only=True, action="list_changes")
    def panel_changes(self, checkpoint: str) -> list[ChangedFile]:
        """List the files that a checkpoint changed."""
        return [_row(one) for one in self._history().differences(checkpoint)]

    @declare(effect=Effect.READ, untrusted=True, person_only=True, action="change_texts")
    def panel_change_texts(self, checkpoint: str, path: str) -> Texts:
        """Give what a file was before a checkpoint, and what it is."""
        try:
            before, now = self._history().texts(checkpoint, path)
        except VersionGone:
            return {"before": None, "now": None}
        return {"before": before, "now": now}

    @declare(person_only=True, action="take_back")
    def panel_take_back(self, checkpoint: str, paths: list[str] | None = None) -> Restored:
        """Take back what a checkpoint changed: all, or some files."""
        restored = self._history().restore(checkpoint, paths)
        self._changed()
        return restored

    @declare(person_only=True, action="limit_history")
    def panel_history_limits(
        self,
        most_mb: Amount | None = None,
        most_days: Amount | None = None,
        most_file_mb: Amount | None = None,
    ) -> dict[str, int]:
        """Say how much is kept, or change that."""
        given = {"most_mb": most_mb, "most_days": most_days, "most_file_mb": most_file_mb}
        return self._limits({name: value for name, value in given.items() if value is not None})


def _row(one: "Difference") -> ChangedFile:
    return {
        "path": one.change.path,
        "change": one.kind,
        "size": one.change.size,
        "same": one.is_same,
        "kept": one.was is not None,
        "by": one.by,
        "now_at": None if one.was is None else one.was.now_at,
    }
