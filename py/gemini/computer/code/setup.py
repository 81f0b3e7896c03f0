"""The actions of the editor that change code."""

from typing import TYPE_CHECKING

from gemini.computer.code.panel_tools import CodeTools

if TYPE_CHECKING:
    from gemini.kernel.kernel import Kernel


def setup(kernel: "Kernel") -> None:
    """Register the actions."""
    kernel.registry.add_room(CodeTools(kernel.absolute, kernel.refresh_views))
