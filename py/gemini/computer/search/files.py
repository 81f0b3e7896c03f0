"""Keep the index up to date with files: a scan adds new and changed files, and removes deleted ones."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from gemini.computer.files.skipped import SKIPPED
from gemini.computer.search.index import Entry, Index

# Only the name of a larger file is searched.
MAX_FILE_BYTES = 256 * 1024
# Characters of all files together. With the index they take about twice as much memory.
MAX_TEXT = 16 * 1024 * 1024
MAX_FILES = 20_000

Version = tuple[int, int]


class Files:
    """The files and folders below `roots`, named by their paths from there, up to the limits of this module.

    Symbolic links are found by name and not followed.

    Args:
        index: The index to update.
        roots: The directories to scan.
    """

    def __init__(self, index: Index, roots: Sequence[Path]) -> None:
        self._index = index
        self._roots = roots
        self._known: dict[str, Version] = {}
        self._sizes: dict[str, int] = {}
        self._text = 0

    @property
    def count(self) -> int:
        """The number of files and folders in the index."""
        return len(self._known)

    def scan(self) -> Iterator[None]:
        """Update the index, in steps of at most a few milliseconds."""
        seen: set[str] = set()
        for root, entry in self._walk():
            seen.add(entry.path)
            self._take(root, entry)
            yield
            if len(seen) >= MAX_FILES:
                break
        for path in self._known.keys() - seen:
            self._forget(path)
            yield

    def _walk(self) -> "Iterator[tuple[str, os.DirEntry[str]]]":
        """Return each entry with the root above it."""
        folders = [(str(root), str(root)) for root in self._roots]
        for root, folder in folders:
            try:
                with os.scandir(folder) as entries:
                    found = sorted(entries, key=lambda entry: entry.name)
            except OSError:
                # Deleted since its parent was read, or unreadable.
                continue
            for entry in found:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name in SKIPPED:
                        continue
                    # Breadth first, so that a limit cuts off the deepest files.
                    folders.append((root, entry.path))
                yield root, entry

    def _take(self, root: str, entry: "os.DirEntry[str]") -> None:
        is_folder = entry.is_dir(follow_symlinks=False)
        try:
            stat = entry.stat(follow_symlinks=False)
            version = (0, 0) if is_folder else (stat.st_mtime_ns, stat.st_size)
            if self._known.get(entry.path) == version:
                return
            self._forget(entry.path)
            plain = entry.is_file(follow_symlinks=False)
            text = self._read(entry.path, stat.st_size) if plain else ""
        except OSError:
            # Deleted since it was listed. The next scan finds it if it exists again.
            self._forget(entry.path)
            return
        self._known[entry.path] = version
        self._sizes[entry.path] = len(text)
        self._text += len(text)
        kind = "folder" if is_folder else "file"
        self._index.put(Entry(kind, entry.path, os.path.relpath(entry.path, root), text))

    def _read(self, path: str, size: int) -> str:
        if size > MAX_FILE_BYTES or self._text + size > MAX_TEXT:
            return ""
        content = Path(path).read_bytes()
        try:
            return "" if b"\0" in content else content.decode()
        except UnicodeDecodeError:
            return ""

    def _forget(self, path: str) -> None:
        if self._known.pop(path, None) is None:
            return
        self._text -= self._sizes.pop(path)
        for kind in ("file", "folder"):
            self._index.remove(kind, path)
