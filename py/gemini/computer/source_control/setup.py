"""Source Control, which calls the git of the embedded shell."""

from typing import TYPE_CHECKING

from gemini.computer.source_control.git import EmbeddedGit
from gemini.computer.source_control.panel_tools import SourceControlTools
from gemini.computer.source_control.source_control import SourceControl

if TYPE_CHECKING:
    from gemini.kernel.kernel import Kernel

# Git, if there is a repository, is loaded after the start.
FIRST_STATUS_S = 0.5


def setup(kernel: "Kernel") -> None:
    """Create Source Control for the folder that the file browser shows."""
    git = EmbeddedGit(kernel.shell.open)
    kernel.source_control = control = SourceControl(
        git, kernel.events, lambda: kernel.files.path, kernel.working_dir, kernel.home
    )
    kernel.registry.add_room(SourceControlTools(control, git, kernel.trash.put, kernel.refresh_views))
    kernel.on_refresh(control.refresh_soon)
    kernel.after_start(FIRST_STATUS_S, control.refresh_soon)
