"""The tools for the web, which the companion serves."""

from typing import TYPE_CHECKING

from gemini.pages.web.tools import WebTools

if TYPE_CHECKING:
    from gemini.kernel.kernel import Kernel


def setup(kernel: "Kernel") -> None:
    """Register the tools."""
    kernel.registry.add_room(WebTools(kernel.host.ask_companion))
