"""The actions of the files panel and the editor. They run as tools, but only the user can call them."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from gemini.computer.files import operations, received, sharing, texts, uploads
from gemini.computer.files.browser import FileBrowser
from gemini.computer.files.downloads import Downloads, Offered
from gemini.computer.files.opened import OpenFiles
from gemini.computer.files.running import Runnable, runnable
from gemini.computer.files.sharing import Shared
from gemini.computer.files.texts import EditorText, LineEnding, SavedText
from gemini.computer.files.trash import Trash
from gemini.computer.files.uploads import Fetch, IfThere, Upload
from gemini.errors import NotADirectory
from gemini.tools import Effect, declare

Paths = Annotated[list[str], Field(min_length=1)]


class Shown(TypedDict):
    """The view for a file. Python has already opened `list` and `editor`; the page must open `preview`."""

    where: Literal["list", "editor", "preview"]
    path: str


class FilePath(TypedDict):
    """The absolute path of the file."""

    path: str


class Deleted(TypedDict):
    """The ids to restore. Files that were already in the trash are deleted permanently and have none."""

    ids: list[str]


class FilePaths(TypedDict):
    """The absolute paths of the files that were restored or uploaded."""

    paths: list[str]


class Done(TypedDict):
    """The result of an action that returns nothing else."""

    success: bool


class PanelFileTools:
    """The file actions of the panels.

    Args:
        browser: Resolves paths and shows directories.
        opened: The files that are open in the editor.
        trash: Receives deleted files.
        downloads: Offers files to the page.
        fetch: Returns the bytes that the page offers under an id.
    """

    def __init__(
        self, browser: FileBrowser, opened: OpenFiles, trash: Trash, downloads: Downloads, fetch: Fetch
    ) -> None:
        self._browser = browser
        self._opened = opened
        self._trash = trash
        self._downloads = downloads
        self._fetch = fetch

    @declare(person_only=True, action="open_file")
    def panel_open(self, path: str, line: Annotated[int, Field(ge=1)] | None = None) -> Shown:
        """Open a directory in the list, or a text in the editor. Other files are for the preview."""
        target = self._resolve(path)
        try:
            self._browser.navigate(target)
        except NotADirectory:
            if not texts.is_text(target):
                return {"where": "preview", "path": target}
            self._opened.open(target, line)
            return {"where": "editor", "path": target}
        return {"where": "list", "path": target}

    @declare(person_only=True, action="edit_file")
    def panel_edit(self, path: str) -> FilePath:
        """Open a file in the editor, whatever its type, or switch to its tab."""
        target = self._resolve(path)
        self._opened.open(target)
        return {"path": target}

    @declare(effect=Effect.READ, person_only=True, action="run_file")
    def panel_run(self, path: str | None = None, test: str | None = None) -> Runnable:
        """Return what runs a file or folder, by default the folder that is shown, or one test of a file."""
        return runnable(self._resolve(path or "."), test)

    @declare(person_only=True, action="close_file")
    def panel_close(self, path: str) -> Done:
        """Close a file in the editor."""
        self._opened.close(self._resolve(path))
        return {"success": True}

    @declare(effect=Effect.READ, untrusted=True, person_only=True, action="read_text")
    def panel_read(self, path: str) -> EditorText:
        """Read a text file for the editor, with its version."""
        return texts.read(self._resolve(path))

    @declare(person_only=True, action="save_text")
    def panel_save(
        self, path: str, content: str, version: str | None, line_ending: LineEnding = "lf", bom: bool = False
    ) -> SavedText:
        """Save a text file if it hasn't changed since it was read."""
        saved = texts.save(self._resolve(path), content, version, line_ending, bom)
        self._refresh()
        return saved

    @declare(person_only=True, action="make_file")
    def panel_make(self, path: str, kind: Literal["file", "directory"]) -> FilePath:
        """Create an empty file or a directory."""
        target = self._resolve(path)
        operations.create(target, kind)
        self._refresh()
        return {"path": target}

    @declare(person_only=True, action="move_file")
    def panel_move(self, path: str, to: str) -> FilePath:
        """Rename or move a file or directory."""
        source, target = self._resolve(path), self._resolve(to)
        operations.move(source, target)
        self._opened.follow_move(source, target)
        self._refresh()
        return {"path": target}

    @declare(person_only=True, action="delete_files")
    def panel_delete(self, paths: Paths) -> Deleted:
        """Move files and directories to the trash."""
        trashed = self._trash.put([self._resolve(path) for path in paths])
        self._refresh()
        return {"ids": [one.id for one in trashed]}

    @declare(person_only=True, action="restore_files")
    def panel_restore(self, ids: Paths) -> FilePaths:
        """Restore files from the trash."""
        paths = self._trash.restore(ids)
        self._refresh()
        return {"paths": paths}

    @declare(person_only=True, action="upload_files")
    async def panel_upload(
        self, directory: str, files: list[Upload], folders: list[str], if_there: IfThere = "refuse"
    ) -> FilePaths:
        """Write the files that the user uploads."""
        paths = await uploads.receive(
            self._resolve(directory), files, folders, if_there, fetch=self._fetch, trash=self._trash
        )
        self._refresh()
        return {"paths": paths}

    @declare(person_only=True, action="save_download")
    async def panel_save_download(self, name: str, type: str, blob: str) -> FilePath:
        """Store a file that a page in a tab has downloaded."""
        path = received.store(name, type, await self._fetch(blob))
        self._refresh()
        return {"path": path}

    @declare(effect=Effect.READ, person_only=True, action="download_files")
    def panel_download(self, paths: Paths) -> Offered:
        """Offer a file, or an archive of folders, as a download."""
        return self._downloads.add([self._resolve(path) for path in paths])

    @declare(effect=Effect.READ, person_only=True, action="share_files")
    def panel_share(self, paths: Paths) -> Shared:
        """Read files for a link that the user makes."""
        return sharing.collect([self._resolve(path) for path in paths])

    def _resolve(self, path: str) -> str:
        return self._browser.resolve(path)

    def _refresh(self) -> None:
        self._browser.refresh()
        self._opened.refresh()
