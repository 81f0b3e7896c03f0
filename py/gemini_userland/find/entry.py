"""A file that `find` has come to, and its metadata."""

from __future__ import annotations

import os
import stat

LETTERS = {
    stat.S_IFREG: "f",
    stat.S_IFDIR: "d",
    stat.S_IFLNK: "l",
    stat.S_IFIFO: "p",
    stat.S_IFSOCK: "s",
    stat.S_IFCHR: "c",
    stat.S_IFBLK: "b",
}
BLOCK = 4096


class Entry:
    """A file whose metadata is read on first use.

    Attributes:
        path: The path as it is printed.
        place: The absolute path.
        name: The last part of the path.
        depth: The number of folders between it and its starting point.
        top: The starting point as it was given.
        follows: Whether a link stands for its target.
        parent: The folder in which it was found, if it isn't a starting point.
        pruned: Whether the folder's content is left out.
    """

    __slots__ = ("_found", "_status", "depth", "follows", "name", "parent", "path", "place", "pruned", "top")

    def __init__(
        self,
        path: str,
        place: str,
        name: str,
        depth: int,
        top: str,
        follows: bool,
        parent: Entry | None = None,
        found: os.DirEntry[str] | None = None,
    ) -> None:
        self.path = path
        self.place = place
        self.name = name
        self.depth = depth
        self.top = top
        self.follows = follows
        self.parent = parent
        self.pruned = False
        self._found = found
        self._status: os.stat_result | None = None

    @property
    def status(self) -> os.stat_result:
        """The file's status, or the status of a link that isn't followed or leads nowhere.

        Raises:
            OSError: The file is gone.
        """
        if self._status is None:
            self._status = self._read_status()
        return self._status

    def _read_status(self) -> os.stat_result:
        if self.follows:
            try:
                return os.stat(self.place)
            except OSError:
                return os.lstat(self.place)
        return os.lstat(self.place)

    @property
    def kind(self) -> str:
        """The letter of the file's type, as in `-type`."""
        found = self._found
        if found is not None and not self.follows:
            # The folder's list has the types, which saves a look at each file.
            if found.is_file(follow_symlinks=False):
                return "f"
            if found.is_symlink():
                return "l"
            if found.is_dir(follow_symlinks=False):
                return "d"
        return letter_of(self.status.st_mode)

    @property
    def is_folder(self) -> bool:
        """Return whether the file has a content to go through."""
        found = self._found
        if found is not None and not self.follows:
            return found.is_dir(follow_symlinks=False)
        return stat.S_ISDIR(self.status.st_mode)

    @property
    def target(self) -> str:
        """Return what a link that isn't followed contains; "" for other files."""
        return os.readlink(self.place) if stat.S_ISLNK(self.status.st_mode) else ""

    @property
    def blocks(self) -> int:
        """The space that the file takes, in units of 512 bytes."""
        if stat.S_ISLNK(self.status.st_mode):
            return 0
        return -(-self.status.st_size // BLOCK) * (BLOCK // 512)

    @property
    def within_top(self) -> str:
        """The path below the starting point."""
        return self.path[len(self.top) :].lstrip("/") if self.depth else ""


def letter_of(mode: int) -> str:
    """Return the letter of a file's type, as in `-type`."""
    return LETTERS.get(stat.S_IFMT(mode), "U")
