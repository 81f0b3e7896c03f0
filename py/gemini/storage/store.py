"""Open the surface's storage."""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gemini.errors import GeminiError
from gemini.storage.changes import ChangeStore
from gemini.storage.chats import ChatStore
from gemini.storage.database import ENDINGS, HISTORY_NAME, IMPORT_IN_PROGRESS, NAME, open_or_use_memory
from gemini.storage.history import CallHistory
from gemini.storage.memories import MemoryStore
from gemini.storage.migrations import HISTORY_MIGRATIONS
from gemini.storage.runs import RunStore
from gemini.storage.settings import Settings
from gemini.storage.skills import SkillStore
from gemini.storage.terminals import TerminalStore
from gemini.storage.usage import Used, used_storage

if TYPE_CHECKING:
    from gemini.storage.embeddings import EmbeddingStore
    from gemini.storage.exchange import Exchange
    from gemini.storage.questions import QuestionStore
    from gemini.storage.schedules import ScheduleStore
    from gemini.storage.team import TeamStore


class Store:
    """The database and the stores in it, and the export and import of everything.

    Args:
        folder: The absolute path of the database's folder; None for a database in memory.
        roots: The persistent directories; their names must differ.
        version: Returns the version of the surface. The lookup takes as long as the rest of a start.
        most_calls: The number of calls to save.
        commit: Makes changes below the roots durable; it may raise a `GeminiError`.
        on_problem: Called with the error when data can't be saved; the surface continues without it.
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
        self.database, problem = open_or_use_memory(folder)
        if problem is not None:
            on_problem(problem)
        self.terminals = TerminalStore(self.database, on_problem)
        self.settings = Settings(self.database)
        self.runs = RunStore(self.database)
        self.chats = ChatStore(self.database)
        self.memories = MemoryStore(self.database)
        self.skills = SkillStore(self.database)
        self.history = CallHistory(self.database, most_calls, on_problem)
        self._on_problem = on_problem
        self._roots = roots
        self._version = version
        self._commit = commit

    @cached_property
    def changes(self) -> ChangeStore:
        """The earlier versions of files. Their database is separate, because it is large and not exported."""
        folder = self.database.folder
        database, problem = open_or_use_memory(folder, HISTORY_MIGRATIONS, HISTORY_NAME, check=False)
        if problem is not None:
            self._on_problem(problem)
        return ChangeStore(database)

    @cached_property
    def team(self) -> "TeamStore":
        """The queue of teams of agents."""
        from gemini.storage.team import TeamStore

        return TeamStore(self.database)

    @cached_property
    def schedules(self) -> "ScheduleStore":
        """The schedules with their slots."""
        from gemini.storage.schedules import ScheduleStore

        return ScheduleStore(self.database)

    @cached_property
    def questions(self) -> "QuestionStore":
        """The questions of powers' owners that runs wait for."""
        from gemini.storage.questions import QuestionStore

        return QuestionStore(self.database)

    @cached_property
    def embeddings(self) -> "EmbeddingStore":
        """The embeddings of passages."""
        from gemini.storage.embeddings import EmbeddingStore

        return EmbeddingStore(self.database)

    @cached_property
    def exchange(self) -> "Exchange":
        """Export and import. They load on first use, because importing tarfile would double the time of a start."""
        from gemini.storage.exchange import Exchange

        return Exchange(self.database, self._roots, self._version, self._commit)

    def finish_import(self) -> bool:
        """Finish an import that the end of an earlier kernel interrupted, and return whether there was one.

        Raises:
            StorageProblem, StorageFull: The import can't be finished; the next start tries again.
        """
        folder = self.database.folder
        interrupted = folder is not None and (folder / IMPORT_IN_PROGRESS).exists()
        if interrupted:
            self.exchange.finish()
        return interrupted

    def usage(self) -> list[Used]:
        """Return the storage that each kind of data uses."""
        names = {f"{name}{ending}" for name in (NAME, HISTORY_NAME) for ending in ENDINGS}
        return used_storage(self._roots, self.database.folder, names)

    def close(self) -> None:
        """Write pending changes, and close the databases."""
        self.history.flush()
        if "changes" in vars(self):
            self.changes.close()
        self.database.close()
