"""The user's MCP servers, which the companion connects to."""

from typing import TYPE_CHECKING, Any

from gemini.pages.mcp_servers.foreign import ForeignTools
from gemini.pages.mcp_servers.listed import ListedTools
from gemini.pages.mcp_servers.tools import McpServerTools
from gemini.tools.calls import current_call

if TYPE_CHECKING:
    from gemini.kernel.kernel import Kernel
    from gemini.pages.mcp_servers.server_functions import ServerFunctions


def setup(kernel: "Kernel") -> None:
    """Register the tools, and those of the servers that the user wants in agents' lists."""
    kernel.foreign = ForeignTools(kernel.host)
    kernel.registry.add_room(McpServerTools(kernel.foreign))
    ListedTools(kernel.foreign, kernel.registry)
    _offer_functions(kernel)


def _offer_functions(kernel: "Kernel") -> None:
    """Let code in code mode call the tools of servers."""

    def make() -> "ServerFunctions":
        from gemini.pages.mcp_servers.server_functions import ServerFunctions

        return ServerFunctions(kernel.foreign, call_tool)

    async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
        return await kernel.registry.call_within(name, arguments, current_call())

    kernel.code.providers["mcp"] = make
