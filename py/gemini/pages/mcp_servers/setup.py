"""The user's MCP servers, which the companion connects to."""

from typing import TYPE_CHECKING

from gemini.pages.mcp_servers.foreign import ForeignTools
from gemini.pages.mcp_servers.listed import ListedTools
from gemini.pages.mcp_servers.tools import McpServerTools

if TYPE_CHECKING:
    from gemini.kernel.kernel import Kernel


def setup(kernel: "Kernel") -> None:
    """Register the tools, and those of the servers that the user wants in agents' lists."""
    kernel.foreign = ForeignTools(kernel.host)
    kernel.registry.add_room(McpServerTools(kernel.foreign))
    ListedTools(kernel.foreign, kernel.registry)
