"""The file tools that agents call."""

from collections.abc import Callable

from typing_extensions import TypedDict

from gemini.computer.files import edit, find, pdf
from gemini.computer.files.browser import FileBrowser
from gemini.computer.files.info import FileRow
from gemini.computer.files.kinds import kind_of_entry
from gemini.computer.files.read import FileContent, read_part, text_part
from gemini.errors import NotAFile
from gemini.tools import Effect, declare
from gemini.tools.watching import changing


class Navigated(TypedDict):
    """The result of `file_navigate`."""

    success: bool
    files_count: int


class Found(TypedDict):
    """A match of `file_find`; `type` is the name of its kind."""

    name: str
    path: str
    type: str


class Written(TypedDict):
    """The size of a written file, in bytes."""

    size: int


class Edited(TypedDict):
    """The number of replacements of `file_edit`."""

    replacements: int


class FileTools:
    """The file tools of one browser.

    Args:
        browser: Resolves paths, and shows the directory of `file_navigate`.
        on_change: Called after a tool has changed a file; refreshes the browser by default.
    """

    def __init__(self, browser: FileBrowser, on_change: Callable[[], object] | None = None) -> None:
        self._browser = browser
        self._on_change = on_change or browser.refresh

    @declare(effect=Effect.READ, untrusted=True)
    def file_list(self, path: str) -> list[FileRow]:
        """List a directory: type, bytes, permissions, time, color and position of each entry.

        Args:
            path: Absolute, or relative to the working directory.
        """
        return [file.row() for file in self._browser.list(path)]

    @declare(effect=Effect.WRITE, action="navigate")
    def file_navigate(self, path: str) -> Navigated:
        """Show a directory in the user's files panel."""
        return {"success": True, "files_count": len(self._browser.navigate(path))}

    @declare(effect=Effect.READ, untrusted=True, lean=True)
    def file_find(self, pattern: str, path: str = ".") -> list[Found]:
        """Find files and directories by a glob with *, ?, [a-z], {a,b} and **.

        Args:
            pattern: Matches the name (*.log), or with a slash the path (src/**/*.py).
        """
        found: list[Found] = []
        for entry in find.find(pattern, self._browser.resolve(path)):
            try:
                kind = kind_of_entry(entry)
            except FileNotFoundError:
                # Deleted since the search.
                continue
            found.append({"name": entry.name, "path": entry.path, "type": kind.name})
        return found

    @declare(effect=Effect.READ, untrusted=True, action="read_file", lean=True)
    async def file_read(self, path: str, max_bytes: int = 1_000_000, offset: int = 0) -> FileContent:
        """Read a file: text, also of PDF, else base64 (see encoding). If truncated, continue at next_offset."""
        target = self._browser.resolve(path)
        if not pdf.is_pdf(target):
            return read_part(target, offset, max_bytes)
        return {"pdf": True, **text_part(await pdf.read_text(target), offset, max_bytes)}

    @declare(effect=Effect.WRITE, lean=True)
    def file_write(self, path: str, content: str, append: bool = False) -> Written:
        """Replace a file's content with text, or append to it. Creates missing directories."""
        target = self._browser.resolve(path)
        if path.endswith("/"):
            raise NotAFile(f"{path!r} names a directory, not a file", hint="Remove the trailing slash.")
        with changing(target):
            size = edit.write(target, content, append)
        self._on_change()
        return {"size": size}

    @declare(effect=Effect.WRITE, lean=True)
    def file_edit(self, path: str, old: str, new: str) -> Edited:
        """Replace a text that occurs exactly once in a file; else the error has the count.

        Args:
            old: Exact, with enough context to be unique.
        """
        target = self._browser.resolve(path)
        with changing(target):
            replacements = edit.edit(target, old, new)
        self._on_change()
        return {"replacements": replacements}
