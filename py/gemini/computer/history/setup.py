"""The history of files."""

from typing import TYPE_CHECKING

from gemini.computer.history.file_history import FileHistory

if TYPE_CHECKING:
    from gemini.kernel.kernel import Kernel


def setup(kernel: "Kernel") -> None:
    """Create the history, which registers its own tools."""
    kernel.history = history = FileHistory(
        kernel.registry,
        lambda: kernel.store,
        kernel.roots(),
        kernel.absolute,
        kernel.refresh_views,
        kernel.limitations.report,
    )
    kernel.on_restore(lambda saved: history.restore(imported=saved.imported))
