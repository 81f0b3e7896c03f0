"""Export, import and reset of everything that is saved: files and the database."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from gemini.computer.files import welcome
from gemini.computer.history.file_history import FileHistory
from gemini.computer.terminal.manager import TerminalManager
from gemini.tools.calls import CallLog

if TYPE_CHECKING:
    from gemini.storage.exchange import Exported, Imported, Inspected
    from gemini.storage.store import Store


class Archive:
    """All that outlives the page.

    Args:
        store: Returns the database of everything besides files.
        history: The history of files, which doesn't follow what an import or a reset does.
        terminals: The terminals, which are saved before an export.
        log: The log of calls.
        absolute: Returns the absolute form of a path.
        refresh: Reads the shown files again.
        commit: Makes changes of files durable.
    """

    def __init__(
        self,
        store: "Callable[[], Store]",
        history: FileHistory,
        terminals: TerminalManager,
        log: CallLog,
        absolute: Callable[[str], str],
        refresh: Callable[[], object],
        commit: Callable[[], None],
    ) -> None:
        self._store = store
        self._history = history
        self._terminals = terminals
        self._log = log
        self._absolute = absolute
        self._refresh = refresh
        self._commit = commit

    def export(self, path: str) -> "Exported":
        """See `gemini.export_all`."""
        self._terminals.save()
        store = self._store()
        store.history.flush()
        return store.exchange.export_all(Path(self._absolute(path)))

    def inspect(self, path: str) -> "Inspected":
        """See `gemini.storage.exchange.Exchange.inspect`."""
        return self._store().exchange.inspect(Path(self._absolute(path)))

    def replace(self, path: str, take: Collection[str] = ()) -> "Imported":
        """See `gemini.import_all`."""
        store = self._store()
        with self._history.unfollowed():
            imported = store.exchange.import_all(Path(self._absolute(path)), take)
        # Open terminals would overwrite the imported ones.
        self._terminals.stop_saving()
        store.history.forget()
        self._log.restore(store.history.load())
        self._refresh()
        return imported

    def reset(self) -> "Imported":
        """Delete everything and write the files of a first visit. The caller must restart the kernel.

        Raises:
            StorageProblem: The reset failed; nothing was changed.
            StorageFull: There is no space left; nothing was changed.
        """
        store = self._store()
        with self._history.unfollowed():
            previous = store.exchange.reset()
        self._terminals.stop_saving()
        store.history.forget()
        welcome.prepare(self._terminals.home, fresh=True)
        self._commit()
        return previous
