"""All that is kept beside files, opened."""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gemini.errors import GeminiError
from gemini.storage.changes import ChangeStore
from gemini.storage.chats import ChatStore
from gemini.storage.database import ENDINGS, HISTORY_NAME, IMPORT_BEGUN, NAME, open_or_do_without
from gemini.storage.history import CallHistory
from gemini.storage.migrations import HISTORY_MIGRATIONS
from gemini.storage.runs import RunStore
from gemini.storage.settings import Settings
from gemini.storage.terminals import TerminalStore
from gemini.storage.usage import Used, used_storage

if TYPE_CHECKING:
    from gemini.storage.exchange import Exchange


class Store:
    """The database with what is in it, and the exchange of everything.

    Args:
        folder: Where to keep the database, an absolute path; None keeps it in memory.
        roots: The directories whose files are kept; their names differ.
        version: Gives that of the surface. To find it takes as long as the rest of a start.
        most_calls: How many calls the history has.
        commit: Makes what changed below the roots durable; it may raise a `GeminiError`.
        on_problem: Told what can't be kept, now and later; the surface goes on without it.
    """

    def __init__(
        self,
        folder: Path | None,
        roots: Sequence[Path],
        *,
        version: Callable[[], str],
        most_calls: int,
        commit: Callable[[], None],
        on_problem: Callable[[GeminiError], None],
    ) -> None:
        self.database, problem = open_or_do_without(folder)
        if problem is not None:
            on_problem(problem)
        self.terminals = TerminalStore(self.database, on_problem)
        self.settings = Settings(self.database)
        self.runs = RunStore(self.database)
        self.chats = ChatStore(self.database)
        self.history = CallHistory(self.database, most_calls, on_problem)
        self._on_problem = on_problem
        self._roots = roots
        self._version = version
        self._commit = commit

    @cached_property
    def changes(self) -> ChangeStore:
        """What files were; in a database of its own, which is large, and no part of an export."""
        folder = self.database.folder
        database, problem = open_or_do_without(folder, HISTORY_MIGRATIONS, HISTORY_NAME, check=False)
        if problem is not None:
            self._on_problem(problem)
        return ChangeStore(database)

    @cached_property
    def exchange(self) -> "Exchange":
        """The import of Python's tarfile would take longer than all the rest of a start here."""
        from gemini.storage.exchange import Exchange

        return Exchange(self.database, self._roots, self._version, self._commit)

    def finish_import(self) -> bool:
        """Do all of an import in whose middle the kernel before ended, and say whether there was one.

        Raises:
            StorageProblem, StorageFull: it can't be done; the next start tries again.
        """
        folder = self.database.folder
        begun = folder is not None and (folder / IMPORT_BEGUN).exists()
        if begun:
            self.exchange.finish()
        return begun

    def usage(self) -> list[Used]:
        """What is kept, where, and how much it takes."""
        names = {f"{name}{ending}" for name in (NAME, HISTORY_NAME) for ending in ENDINGS}
        return used_storage(self._roots, self.database.folder, names)

    def close(self) -> None:
        """Write what waits, and let go of the database."""
        self.history.flush()
        if "changes" in vars(self):
            self.changes.close()
        self.database.close()
