"""The actions of the settings panel, and export, import and reset of everything that is saved."""

from typing import TYPE_CHECKING

from gemini.kernel.archive import Archive
from gemini.storage.panel_tools import StorageTools

if TYPE_CHECKING:
    from gemini.kernel.kernel import Kernel


def setup(kernel: "Kernel") -> None:
    """Register the actions. The database is opened on first use."""
    kernel.registry.add_room(StorageTools(lambda: kernel.store))
    kernel.archive = Archive(
        lambda: kernel.store,
        kernel.history,
        kernel.terminals,
        kernel.registry.log,
        kernel.absolute,
        kernel.files.refresh,
        kernel.commit_files,
    )
