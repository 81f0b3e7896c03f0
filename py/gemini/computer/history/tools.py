"""The history tools that agents call."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gemini.computer.files.versions import Restored, Version
from gemini.tools import Effect, declare

if TYPE_CHECKING:
    # SQLite loads on first use.
    from gemini.computer.history.history import History

GROUP = "files"
# Scripts can request more.
MAX_SHOWN = 20


class HistoryTools:
    """The history tools.

    Args:
        history: Returns the history, which opens on first use.
        resolve: Returns the absolute form of a path.
        on_restore: Called after files were restored.
    """

    def __init__(
        self, history: "Callable[[], History]", resolve: Callable[[str], str], on_restore: Callable[[], None]
    ) -> None:
        self._history = history
        self._resolve = resolve
        self._on_restore = on_restore

    @declare(effect=Effect.READ, untrusted=True, group=GROUP, name="file_history")
    def history(self, path: str | None = None) -> list[Version]:
        """List the latest changes, of all files or at a path, and who made them."""
        return self._history().versions(None if path is None else self._resolve(path), MAX_SHOWN)

    @declare(effect=Effect.WRITE, untrusted=True, group=GROUP, name="file_restore")
    def restore(self, id: str, path: str | None = None) -> Restored:
        """Revert a change or a whole checkpoint. Restoring `undo` undoes the revert.

        Args:
            id: A change or checkpoint of file_history.
        """
        restored = self._history().restore(id, None if path is None else [self._resolve(path)])
        self._on_restore()
        return restored
