"""The tools of the history, for agents."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gemini.files.versions import Restored, Version
from gemini.tools import Effect, declare

if TYPE_CHECKING:
    # SQLite loads on first use.
    from gemini.history.history import History

GROUP = "files"
# Scripts may ask for more.
MOST_SHOWN = 20


class HistoryTools:
    """Args:
    history: Gives what is kept, opened when it is first asked for.
    resolve: Makes a path absolute.
    changed: Called after files were put back.
    """

    def __init__(
        self, history: "Callable[[], History]", resolve: Callable[[str], str], changed: Callable[[], None]
    ) -> None:
        self._history = history
        self._resolve = resolve
        self._changed = changed

    @declare(effect=Effect.READ, untrusted=True, group=GROUP, name="file_history")
    def history(self, path: str | None = None) -> list[Version]:
        """List the latest changes of files, or of a file or directory, and who made them."""
        return self._history().versions(None if path is None else self._resolve(path), MOST_SHOWN)

    @declare(effect=Effect.WRITE, group=GROUP, name="file_restore")
    def restore(self, id: str, path: str | None = None) -> Restored:
        """Take back a change of files, or all of a checkpoint. Restoring `undo` takes that back.

        Args:
            id: A change or checkpoint of file_history.
        """
        restored = self._history().restore(id, None if path is None else [self._resolve(path)])
        self._changed()
        return restored
