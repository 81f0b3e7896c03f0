"""What the files panel and the editor do for a person: on the road of all tools, but told to nobody else."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from gemini.errors import NotADirectory
from gemini.files import places, texts, uploads
from gemini.files.browser import FileBrowser
from gemini.files.downloads import Downloads, Offered
from gemini.files.opened import OpenFiles
from gemini.files.texts import EditorText, LineEnding, SavedText
from gemini.files.trash import Trash
from gemini.files.uploads import Fetch, IfThere, Upload
from gemini.tools import Effect, declare

Paths = Annotated[list[str], Field(min_length=1)]


class Shown(TypedDict):
    """Where a file is to be looked at: Python has shown the first two, the last is the page's to show."""

    where: Literal["list", "editor", "preview"]
    path: str


class Made(TypedDict):
    path: str


class Deleted(TypedDict):
    """`ids` are those to restore; what was in the trash already is gone."""

    ids: list[str]


class Placed(TypedDict):
    paths: list[str]


class Done(TypedDict):
    success: bool


class PanelFileTools:
    """Args:
    browser: Where paths are resolved, and what shows directories.
    opened: What is open in the editor.
    trash: Where deleted files go.
    downloads: Offers files to the page.
    fetch: Gives what the page offers under an id.
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
        """Open a directory in the list, text in the editor; all else is for the preview."""
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
    def panel_edit(self, path: str) -> Made:
        """Open a file in the editor, or bring it forward there, whatever it holds."""
        target = self._resolve(path)
        self._opened.open(target)
        return {"path": target}

    @declare(person_only=True, action="close_file")
    def panel_close(self, path: str) -> Done:
        """Close a file in the editor."""
        self._opened.close(self._resolve(path))
        return {"success": True}

    @declare(effect=Effect.READ, untrusted=True, person_only=True, action="read_text")
    def panel_read(self, path: str) -> EditorText:
        """Read a text for the editor, with its version."""
        return texts.read(self._resolve(path))

    @declare(person_only=True, action="save_text")
    def panel_save(
        self, path: str, content: str, version: str | None, line_ending: LineEnding = "lf", bom: bool = False
    ) -> SavedText:
        """Save a text if the file is still the one that was read."""
        saved = texts.save(self._resolve(path), content, version, line_ending, bom)
        self._look()
        return saved

    @declare(person_only=True, action="make_file")
    def panel_make(self, path: str, kind: Literal["file", "directory"]) -> Made:
        """Make an empty file or a directory."""
        target = self._resolve(path)
        places.make(target, kind)
        self._look()
        return {"path": target}

    @declare(person_only=True, action="move_file")
    def panel_move(self, path: str, to: str) -> Made:
        """Rename a file or directory, or give it another place."""
        source, target = self._resolve(path), self._resolve(to)
        places.move(source, target)
        self._opened.follow_move(source, target)
        self._look()
        return {"path": target}

    @declare(person_only=True, action="delete_files")
    def panel_delete(self, paths: Paths) -> Deleted:
        """Move files and directories to the trash."""
        trashed = self._trash.put([self._resolve(path) for path in paths])
        self._look()
        return {"ids": [one.id for one in trashed]}

    @declare(person_only=True, action="restore_files")
    def panel_restore(self, ids: Paths) -> Placed:
        """Move files back out of the trash."""
        paths = self._trash.restore(ids)
        self._look()
        return {"paths": paths}

    @declare(person_only=True, action="upload_files")
    async def panel_upload(
        self, directory: str, files: list[Upload], folders: list[str], if_there: IfThere = "refuse"
    ) -> Placed:
        """Write files that the person brings."""
        paths = await uploads.receive(
            self._resolve(directory), files, folders, if_there, fetch=self._fetch, trash=self._trash
        )
        self._look()
        return {"paths": paths}

    @declare(effect=Effect.READ, person_only=True, action="download_files")
    def panel_download(self, paths: Paths) -> Offered:
        """Offer a file, or folders as an archive, for the browser to save."""
        return self._downloads.add([self._resolve(path) for path in paths])

    def _resolve(self, path: str) -> str:
        return self._browser.resolve(path)

    def _look(self) -> None:
        self._browser.refresh()
        self._opened.look()
