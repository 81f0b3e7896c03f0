"""The surface's files: list, find, read, write and edit them.

`history` lists changes, and `restore` reverts them.
"""

from typing import TYPE_CHECKING, Protocol

from gemini.computer.files.browser import FileBrowser
from gemini.computer.files.info import FileInfo, FileRow
from gemini.computer.files.kinds import KINDS, Kind
from gemini.errors import NotStarted

if TYPE_CHECKING:
    from gemini.computer.files.versions import Restored, Version

__all__ = ["KINDS", "FileBrowser", "FileInfo", "FileRow", "Kind", "history", "restore"]


class Versions(Protocol):
    """The saved versions of files."""

    def history(self, path: str | None, limit: int) -> "list[Version]":
        """Return the latest changes, newest first."""
        ...

    def restore(self, id: str, path: str | None) -> "Restored":
        """Revert a change, or a checkpoint."""
        ...


_versions: Versions | None = None


def provide(versions: Versions) -> None:
    """Set the versions that `history` and `restore` use."""
    global _versions  # noqa: PLW0603 - there is one surface in an interpreter
    _versions = versions


def history(path: str | None = None, limit: int = 50) -> "list[Version]":
    """Return the latest changes of files, newest first.

    Each is `{id, path, change, caller, checkpoint, when, size, saved}`.

    Args:
        path: A file, or a directory with everything below it; every file by default.
        limit: The maximum number of changes.

    Raises:
        UsageProblem: The surface isn't running.
    """
    return _running().history(path, limit)


def restore(id: str, path: str | None = None) -> "Restored":
    """Restore a file to its state before a change, or all files to their state before a checkpoint.

    The current state is saved as a version, so `restore(restored["undo"])` undoes the restore.

    Args:
        id: The id of a change or a checkpoint, from `history`.
        path: The file to restore; every file of the checkpoint by default.

    Raises:
        UsageProblem: The surface isn't running.
        VersionMissing: No version has this id.
        FileProblem: The file can't be restored.
    """
    return _running().restore(id, path)


def _running() -> Versions:
    if _versions is None:
        raise NotStarted("the surface isn't running", hint="Run `await gemini.start()` first.")
    return _versions
