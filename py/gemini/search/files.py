"""The index follows files: each look takes in what is new or another than before, and lets go of what has gone."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from gemini.search.index import Entry, Index

# Folders of copies, caches and histories: floods in which nobody's own words are found.
LEFT_OUT = frozenset(
    [
        "node_modules",
        "bower_components",
        ".git",
        ".hg",
        ".svn",
        "__pycache__",
        ".venv",
        "venv",
        "site-packages",
        ".tox",
        ".nox",
        ".cache",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".ipynb_checkpoints",
        ".Trash",
    ]
)
# Bytes of a file whose text is searched; of a larger one only the name.
LARGEST_FILE = 256 * 1024
# Characters of all texts together: with their index they take some twice that of memory.
MOST_TEXT = 16 * 1024 * 1024
MOST_FILES = 20_000

Version = tuple[int, int]


class Files:
    """The files and folders below `roots`, named by their paths from there, as far as the limits of this module reach.

    Symbolic links are found by their names, and not followed.
    """

    def __init__(self, index: Index, roots: Sequence[Path]) -> None:
        self._index = index
        self._roots = roots
        self._known: dict[str, Version] = {}
        self._sizes: dict[str, int] = {}
        self._text = 0

    @property
    def count(self) -> int:
        """How many files and folders are in the index."""
        return len(self._known)

    def look(self) -> Iterator[None]:
        """Bring the index up to date, in steps of at most some milliseconds each."""
        seen: set[str] = set()
        for root, entry in self._walk():
            seen.add(entry.path)
            self._take(root, entry)
            yield
            if len(seen) >= MOST_FILES:
                break
        for path in self._known.keys() - seen:
            self._forget(path)
            yield

    def _walk(self) -> "Iterator[tuple[str, os.DirEntry[str]]]":
        """Each with the root that it lies below."""
        folders = [(str(root), str(root)) for root in self._roots]
        for root, folder in folders:
            try:
                with os.scandir(folder) as entries:
                    found = sorted(entries, key=lambda entry: entry.name)
            except OSError:
                # It has gone since its parent was read, or nobody may read it.
                continue
            for entry in found:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name in LEFT_OUT:
                        continue
                    # Wide before deep: where a limit is reached, what lies deepest is left out.
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
            # Gone; the next look sees whether it is there again.
            self._forget(entry.path)
            return
        self._known[entry.path] = version
        self._sizes[entry.path] = len(text)
        self._text += len(text)
        kind = "folder" if is_folder else "file"
        self._index.put(Entry(kind, entry.path, os.path.relpath(entry.path, root), text))

    def _read(self, path: str, size: int) -> str:
        if size > LARGEST_FILE or self._text + size > MOST_TEXT:
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
