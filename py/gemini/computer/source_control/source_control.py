"""The repository that the Source Control panel shows, and its state, which follows the files."""

import asyncio
import os
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gemini.computer.python import process
from gemini.computer.source_control import repositories
from gemini.computer.source_control.events import SourceControlChanged, SourceControlRow
from gemini.computer.source_control.git import Git, path_in, run_git
from gemini.computer.source_control.status import ARGUMENTS, Change, Head, Status, parse_status
from gemini.core.events import EventLog
from gemini.errors import GeminiError, RepositoryMissing

# The page can draw this many rows of a group without a pause.
MAX_ROWS = 500
NO_HEAD: Head = {"branch": None, "upstream": None, "ahead": 0, "behind": 0}


@dataclass(frozen=True)
class View:
    """The state that the panel and the status line show.

    Attributes:
        folder: The directory in which a repository can be initialized.
        roots: The roots of the repositories to choose from.
        root: The one that is shown; None without a repository.
        commit: The short id of the commit, if HEAD is detached.
        problem: The error that git ended with, instead of a state.
        stamp: Changes whenever a changed file or the index is written.
    """

    folder: str
    roots: Sequence[str] = ()
    root: str | None = None
    head: Head = field(default_factory=lambda: NO_HEAD)
    commit: str | None = None
    staged: Sequence[Change] = ()
    changes: Sequence[Change] = ()
    problem: str | None = None
    stamp: str = ""

    def row(self) -> SourceControlRow:
        """Return the view as JSON values, with a limited number of changes."""
        return {
            "folder": self.folder,
            "roots": list(self.roots),
            "root": self.root,
            "head": self.head,
            "commit": self.commit,
            "problem": self.problem,
            "stamp": self.stamp,
            "staged": list(self.staged[:MAX_ROWS]),
            "changes": list(self.changes[:MAX_ROWS]),
            "staged_count": len(self.staged),
            "changes_count": len(self.changes),
        }


class SourceControl:
    """Follows a repository: the selected one, else the terminal's, the files panel's, or a project's.

    Args:
        git: Calls git.
        events: The log that changes are published in.
        folder: Returns the directory that the files panel shows.
        working_dir: Returns the focused terminal's directory.
        projects: The directory that has projects in it.
    """

    def __init__(
        self,
        git: Git,
        events: EventLog,
        folder: Callable[[], str],
        working_dir: Callable[[], str],
        projects: str,
    ) -> None:
        self._git = git
        self._events = events
        self._folder = folder
        self._working_dir = working_dir
        self._projects = projects
        self._selected: str | None = None
        self._reading: asyncio.Task[None] | None = None
        self._again = False
        self.view: View = View(projects)

    def select(self, root: str) -> None:
        """Show the repository with this root, as long as it exists."""
        self.require(root)
        self._selected = root

    def require(self, root: str) -> None:
        """Raise an error unless the panel offers this repository.

        Raises:
            RepositoryMissing: It isn't one of the repositories found.
        """
        if root not in self._roots():
            raise RepositoryMissing(
                f"there is no repository in {root!r}",
                hint="Select another repository, or initialize one.",
                data={"root": root},
            )

    async def status(self, root: str) -> Status:
        """Return the current state of a repository.

        Raises:
            GitFailed: Git can't read it.
        """
        return parse_status(await run_git(self._git, root, *ARGUMENTS))

    def refresh_soon(self) -> None:
        """Read the state again in the background. Calls during a reading cause one more."""
        self._again = True
        if self._reading is None or self._reading.done():
            # The reading outlives the call that caused it.
            self._reading = asyncio.get_running_loop().create_task(self._read(), context=process.detached())

    async def refresh(self) -> None:
        """Read the state again, and publish it if it changed."""
        self.refresh_soon()
        assert self._reading is not None
        await asyncio.shield(self._reading)

    async def _read(self) -> None:
        while self._again:
            self._again = False
            view = await self._current()
            if view != self.view:
                self.view = view
                self._events.publish(SourceControlChanged(view.row()))

    async def _current(self) -> View:
        roots = self._roots()
        root = self._selected if self._selected in roots else next(iter(roots), None)
        if root is None:
            return View(self._folder())
        try:
            status = await self.status(root)
            head = status["head"]
            commit = None if head["branch"] else await self._commit(root)
        except GeminiError as error:
            return View(self._folder(), roots, root, problem=error.message)
        staged, changes = status["staged"], status["changes"]
        stamp = _stamp(root, [".git/index", *(one["path"] for one in changes[:MAX_ROWS])])
        return View(self._folder(), roots, root, head, commit, staged, changes, stamp=stamp)

    async def _commit(self, root: str) -> str:
        return (await run_git(self._git, root, "rev-parse", "--short", "HEAD")).decode().strip()

    def _roots(self) -> list[str]:
        return repositories.find([self._working_dir(), self._folder()], self._projects)


def _stamp(root: str, paths: Sequence[str]) -> str:
    """Return a digest of the times at which files were written; a missing file has none."""
    times = bytearray()
    for path in paths:
        try:
            times += os.lstat(path_in(root, path)).st_mtime_ns.to_bytes(12, "little")
        except OSError:
            times += b"missing"
    return f"{zlib.crc32(times):08x}"
