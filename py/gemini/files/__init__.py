"""Files: what the surface shows of its filesystem, finds in it, reads from it and writes to it.

`history` tells what changed, and `restore` takes it back.
"""

from typing import TYPE_CHECKING, Protocol

from gemini.errors import NotStarted
from gemini.files.browser import FileBrowser
from gemini.files.info import FileInfo, FileRow
from gemini.files.kinds import KINDS, Kind

if TYPE_CHECKING:
    from gemini.files.versions import Restored, Version

__all__ = ["KINDS", "FileBrowser", "FileInfo", "FileRow", "Kind", "history", "restore"]


class Versions(Protocol):
    """What files were."""

    def history(self, path: str | None, limit: int) -> "list[Version]": ...
    def restore(self, id: str, path: str | None) -> "Restored": ...


_versions: Versions | None = None


def provide(versions: Versions) -> None:
    """Make the versions of a surface those of this interpreter."""
    global _versions  # noqa: PLW0603 - there is one surface in an interpreter
    _versions = versions


def history(path: str | None = None, limit: int = 50) -> "list[Version]":
    """The latest changes of files, newest first: `{id, path, change, caller, checkpoint, when, size, kept}`.

    Args:
        path: A file, or a directory with all that is below it; every file by default.
        limit: How many.

    Raises:
        UsageProblem: the surface isn't running.
    """
    return _running().history(path, limit)


def restore(id: str, path: str | None = None) -> "Restored":
    """Make a file what it was before a change, or all files what they were before a checkpoint.

    What is there now is a version afterwards, so that this can be taken back: `restore(restored["undo"])`.

    Args:
        id: Of a change or a checkpoint, from `history`.
        path: The one file of the checkpoint to restore.

    Raises:
        UsageProblem: the surface isn't running.
        VersionMissing: nothing is kept of that id.
        FileProblem: the file can't be put back.
    """
    return _running().restore(id, path)


def _running() -> Versions:
    if _versions is None:
        raise NotStarted("the surface isn't running", hint="Run `await gemini.start()` first.")
    return _versions
