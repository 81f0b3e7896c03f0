"""The tools for the user's MCP servers. The page asks before each call; the companion, before a server starts."""

import json
import re
from typing import Annotated, Any

from pydantic import Field

from gemini.pages.mcp_servers.foreign import USUAL_TIMEOUT_S, ForeignTools
from gemini.pages.mcp_servers.results import (
    McpDeclaration,
    McpFile,
    McpResult,
    McpServerRow,
    McpTool,
    McpToolList,
)
from gemini.tools import Effect, declare

Seconds = Annotated[float, Field(ge=1, le=3_600)]
# Characters of a list, of a description in it, and of a schema that it has in full.
LONGEST_LIST, LONGEST_DESCRIPTION, LONGEST_SCHEMA = 12_000, 300, 3_000
GROUP = "mcp"
WORD = re.compile(r"[a-z0-9]+")


class McpServerTools:
    """The user's MCP servers.

    Args:
        foreign: Their tools.
    """

    def __init__(self, foreign: ForeignTools) -> None:
        self._foreign = foreign

    @declare(effect=Effect.READ, untrusted=True, group=GROUP)
    async def mcp_servers(self) -> list[McpServerRow]:
        """List the MCP servers that the user has added."""
        return await self._foreign.servers()

    @declare(effect=Effect.OUTSIDE, untrusted=True, group=GROUP)
    async def mcp_tools(self, server: str, query: str = "") -> McpToolList:
        """List the tools of an MCP server with their arguments. The user is asked before a server first starts.

        Args:
            query: Words to search for.
        """
        found = await self._foreign.declarations(server)
        return {
            "server": found["name"],
            "total": len(found["tools"]),
            "tools": shortened(matching(found["tools"], query)),
        }

    @declare(effect=Effect.OUTSIDE, untrusted=True, group=GROUP)
    async def mcp_call(
        self,
        server: str,
        tool: str,
        arguments: dict[str, Any] | None = None,
        timeout_s: Seconds = USUAL_TIMEOUT_S,
    ) -> McpResult:
        """Call a tool of an MCP server. The user is asked once for each tool. Pictures and resources become files."""
        return await self._foreign.call(server, tool, arguments or {}, timeout_s)

    @declare(effect=Effect.OUTSIDE, untrusted=True, group=GROUP)
    async def mcp_read(self, server: str, uri: str) -> list[McpFile]:
        """Read a resource of an MCP server, and save it as files."""
        return await self._foreign.read(server, uri)


def matching(tools: list[McpDeclaration], query: str) -> list[McpDeclaration]:
    """Return the tools with words of a query in their names and descriptions, best first; all without a query."""
    wanted = set(WORD.findall(query.lower()))
    if not wanted:
        return tools
    scores = [_score(tool, wanted) for tool in tools]
    order = sorted(range(len(tools)), key=lambda index: -scores[index])
    return [tools[index] for index in order if scores[index] > 0]


def _score(tool: McpDeclaration, wanted: set[str]) -> int:
    name = set(WORD.findall(tool["name"].lower().replace("_", " ")))
    about = set(WORD.findall(f"{tool['title']} {tool['description']}".lower()))
    return 3 * len(wanted & name) + len(wanted & about)


def shortened(tools: list[McpDeclaration]) -> list[McpTool]:
    """Return tools for agents, without schemas from where they become too many."""
    rows: list[McpTool] = []
    room = LONGEST_LIST
    for tool in tools:
        description = tool["description"]
        if len(description) > LONGEST_DESCRIPTION:
            description = description[:LONGEST_DESCRIPTION] + "…"
        row: McpTool = {"name": tool["name"], "description": description}
        size = len(json.dumps(tool["input"]))
        if size <= min(room, LONGEST_SCHEMA):
            row["arguments"] = tool["input"]
            room -= size
        room -= len(description) + len(tool["name"])
        if room < 0:
            break
        rows.append(row)
    return rows
