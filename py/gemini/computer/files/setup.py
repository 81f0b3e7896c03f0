"""The file browser, the editor's open files, and the manual for agents in the home directory."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gemini import manual
from gemini.computer.files import welcome
from gemini.computer.files.browser import FileBrowser
from gemini.computer.files.events import EditorsChanged, FilesShown
from gemini.computer.files.info import FileInfo
from gemini.computer.files.opened import OpenFiles
from gemini.computer.files.panel_tools import PanelFileTools
from gemini.computer.files.search_panel_tools import ReplaceTools
from gemini.computer.files.tools import FileTools
from gemini.computer.files.trash import Trash
from gemini.computer.shell.embedded import ENVIRONMENT
from gemini.core import ffi
from gemini.errors import StorageProblem
from gemini.kernel.shown import shown_files
from gemini.tools.resources import Resource

if TYPE_CHECKING:
    from gemini.kernel.kernel import Kernel, Saved
    from gemini.storage.settings import Settings

# The path of the Trash specification, below a root whose files outlive the page.
TRASH = Path(ENVIRONMENT["HOME"], ".local/share/Trash")
OPEN_FILES = "open_files"
"""The setting with the files open in the editor."""
MANUAL = "manual"
"""The setting with the text of the manual that a start has written."""


def setup(kernel: "Kernel") -> None:
    """Create the file browser and the open files. Terminals edit files there, too."""

    def on_shown(path: str, entries: list[FileInfo]) -> None:
        kernel.events.publish(FilesShown(**shown_files(path, entries)))

    kernel.files = files = FileBrowser(kernel.home, working_dir=kernel.working_dir, on_shown=on_shown)
    kernel.opened = opened = OpenFiles(
        lambda: kernel.events.publish(EditorsChanged(opened.row())), partial(kernel.save, OPEN_FILES)
    )
    kernel.trash = Trash(TRASH)
    kernel.shell.edit = opened.edit
    _add_tools(kernel)
    kernel.on_refresh(files.refresh)
    kernel.on_refresh(opened.refresh)
    kernel.on_start(lambda: files.navigate(kernel.home))

    def restore(saved: "Saved") -> None:
        if open_files := saved.settings.get(OPEN_FILES):
            opened.restore(open_files)

    kernel.on_restore(restore)
    _offer_manual(kernel)


def _add_tools(kernel: "Kernel") -> None:
    files, opened, registry = kernel.files, kernel.opened, kernel.registry
    registry.add_room(FileTools(files))
    registry.add_room(PanelFileTools(files, opened, kernel.trash, kernel.downloads, ffi.fetch_upload))

    def refresh() -> None:
        files.refresh()
        opened.refresh()

    registry.add_room(ReplaceTools(files, refresh))


def _offer_manual(kernel: "Kernel") -> None:
    """Add the manual to the resources, and write it into the home directory of the page's shell."""
    about = (manual.URI, manual.NAME, manual.ABOUT)
    kernel.registry.resources.add(Resource(*about, "text/markdown", lambda: manual.TEXT))
    kernel.on_restore(lambda saved: _write_manual(kernel, saved.settings))

    def write_unsaved() -> None:
        if kernel.data_dir is None:
            _write_manual(kernel, None)

    kernel.on_start(write_unsaved)


def _write_manual(kernel: "Kernel", settings: "Settings | None") -> None:
    """Write the manual; see `welcome.offer_manual`. Without saved settings, an earlier text is unknown."""
    if ffi.kernel_host() is None:
        return
    written = settings.get(MANUAL) if settings else None
    try:
        text = welcome.offer_manual(Path(manual.FILE), written)
    except (OSError, ValueError) as error:
        kernel.limitations.report(StorageProblem(f"{manual.FILE} can't be written: {error}"))
        return
    if settings and text != written:
        settings.set(MANUAL, text)
