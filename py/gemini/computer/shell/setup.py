"""The backends of terminals, and the actions of the panel of Linux VMs."""

from functools import partial
from typing import TYPE_CHECKING

from gemini.computer.network import secrets
from gemini.computer.shell.embedded import ShellBackend
from gemini.computer.shell.host import HostBackend
from gemini.computer.shell.linux import LIMIT, LinuxBackend
from gemini.computer.shell.machine_panel_tools import PanelMachineTools
from gemini.core import ffi

if TYPE_CHECKING:
    from gemini.kernel.kernel import Kernel, Saved


def setup(kernel: "Kernel") -> None:
    """Create the backends."""
    kernel.host, kernel.shell, kernel.linux = HostBackend(), ShellBackend(), LinuxBackend()
    secrets.connect(kernel.host.ask_companion)
    kernel.shell.linux = kernel.linux.run_program
    kernel.linux.save_limit = partial(kernel.save, LIMIT)
    kernel.registry.add_room(PanelMachineTools(kernel.linux, kernel.downloads.offer, ffi.fetch_upload))

    def restore(saved: "Saved") -> None:
        kernel.linux.limit = saved.settings.get(LIMIT, kernel.linux.limit)

    kernel.on_restore(restore)
