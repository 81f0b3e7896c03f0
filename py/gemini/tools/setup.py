"""The switches of tool groups."""

from typing import TYPE_CHECKING

from gemini.tools.groups import GROUPS_OFF, GROUPS_ON
from gemini.tools.panel_tools import ToolGroupTools

if TYPE_CHECKING:
    from gemini.kernel.kernel import Kernel, Saved


def setup(kernel: "Kernel") -> None:
    """Register the actions of the switches, and save them after each change."""
    groups = kernel.registry.groups
    kernel.registry.add_room(ToolGroupTools(kernel.registry))
    groups.on_change(kernel.switches.save_groups)

    def restore(saved: "Saved") -> None:
        groups.restore({name: saved.settings.get(name) for name in (GROUPS_OFF, GROUPS_ON)})

    kernel.on_restore(restore)
