"""The file browser: the directory that the files panel shows, and the files API of scripts."""

import os
from collections.abc import Callable

from gemini.computer.files import find
from gemini.computer.files.info import FileInfo, Fingerprint, describe, fingerprint, scan
from gemini.computer.files.paths import StrPath, problems, require_directory, resolve
from gemini.computer.files.read import read_text
from gemini.errors import FileProblem

HOME = "/project"

Files = list[FileInfo]
Paths = list[str]
Shown = Callable[[str, Files], None]


def list_files(directory: str) -> Files:
    """Return the entries of a directory, given its absolute path: directories first, then by name.

    Raises:
        FileProblem: The path isn't a directory, or can't be listed.
    """
    with problems(require_directory(directory)):
        entries = scan(directory)
    files: Files = []
    for index, entry in enumerate(entries):
        try:
            files.append(describe(entry, index))
        except FileNotFoundError:
            # Deleted since the scan.
            continue
    return files


class FileBrowser:
    """Files, and the directory that the files panel shows.

    Paths may be relative to the caller's working directory. For a path that can't be used, every method raises the
    subclass of `FileProblem` that says why.

    Args:
        path: The absolute path of the directory to show first.
        working_dir: Returns the directory that relative paths start from; /project by default.
        on_shown: Called with the directory's path and all its entries when either changes.
    """

    def __init__(
        self,
        path: str = HOME,
        *,
        working_dir: Callable[[], str] = lambda: HOME,
        on_shown: Shown | None = None,
    ) -> None:
        self._path = path
        self._entries: Files = []
        self._fingerprint: Fingerprint | None = None
        self._working_dir = working_dir
        self._on_shown = on_shown

    @property
    def path(self) -> str:
        """The absolute path of the directory that the panel shows."""
        return self._path

    @property
    def entries(self) -> Files:
        """The directory's entries when it was last shown or refreshed."""
        return list(self._entries)

    def resolve(self, path: StrPath) -> str:
        """Return the absolute form of a path, which may be relative to the caller's working directory."""
        return resolve(path, self._working_dir())

    def list(self, path: StrPath = ".") -> Files:
        """Return the entries of a directory: directories first, then by name."""
        return list_files(self.resolve(path))

    def navigate(self, path: StrPath) -> Files:
        """Show another directory, and return its entries."""
        target = self.resolve(path)
        entries = list_files(target)
        self._show(target, entries)
        return entries

    def refresh(self) -> bool:
        """Read the shown directory again, and return whether anything changed.

        If the directory can no longer be listed, show its nearest parent that can.
        """
        path = self._path
        while path != "/" and not (os.path.isdir(path) and os.access(path, os.R_OK | os.X_OK)):
            path = os.path.dirname(path)
        with problems(path):
            if (path, fingerprint(path)) == (self._path, self._fingerprint):
                return False
        self._show(path, list_files(path))
        return True

    def find_files(self, pattern: str, root: StrPath = "/") -> Files:
        """Return the files below `root` that match a glob, sorted by path.

        Args:
            pattern: A glob for the name, or for the path from `root` if it has a slash: `*.log`,
                `src/**/*.{js,ts}`.
            root: The directory to search. Symbolic links to directories, `/proc` and `/dev` are not entered.
        """
        paths = {entry.path for entry in find.find(pattern, self.resolve(root))}
        found: Files = []
        for directory in {os.path.dirname(path) for path in paths}:
            try:
                found.extend(file for file in list_files(directory) if file.path in paths)
            except FileProblem:
                # Removed since the search.
                continue
        return sorted(found, key=lambda file: file.path)

    def find_paths(self, pattern: str, root: StrPath = "/") -> Paths:
        """Return the paths that `find_files` finds, without directories."""
        return [file.path for file in self.find_files(pattern, root) if not os.path.isdir(file.path)]

    async def read_file(self, path: StrPath, max_bytes: int | None = None) -> str:
        """Return the text of a file, or of its first `max_bytes` bytes.

        Bytes that aren't UTF-8 become U+FFFD, so every file can be searched as text. `open(path, "rb")` reads the
        bytes themselves.
        """
        return read_text(self.resolve(path), max_bytes)

    async def read_pdf(self, path: StrPath, password: str | None = None) -> str:
        """Return the text of a PDF file; its pages begin with lines such as `--- Page 2 of 3 ---`.

        Raises:
            Unsupported: The file has a password, or no text.
        """
        # Few sessions need it.
        from gemini.computer.files import pdf

        return await pdf.read_text(self.resolve(path), password)

    def _show(self, path: str, entries: Files) -> None:
        self._path, self._entries = path, entries
        with problems(path):
            self._fingerprint = fingerprint(path)
        if self._on_shown is not None:
            self._on_shown(path, list(entries))
