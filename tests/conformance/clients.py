"""Clients by others for the companion's page, and their programs."""

from __future__ import annotations

import json
import os
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from gemini_testing import Surface

# npm installs them (package.json).
MODULES = Path(__file__).parent / "node_modules"
NODE = MODULES / ".bin" / ("node.cmd" if os.name == "nt" else "node")
CONFORMANCE = MODULES / "@modelcontextprotocol/conformance/dist/index.js"
CONFORMANCE_NEXT = MODULES / "conformance-next/dist/index.js"
INSPECTOR = MODULES / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
DEVTOOLS = MODULES / "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"


class DevTools:
    """Calls WebMCP tools of a page through chrome-devtools-mcp.

    Args:
        client: A client of that server.
        page: The number of the page there.
    """

    def __init__(self, client: Client, page: int) -> None:
        self._client = client
        self._page = page

    async def tools(self) -> str:
        """Return the list of the page's tools, one line each: `name="…", description="…", …`."""
        return await self._call("list_webmcp_tools")

    async def execute(self, tool: str, /, **arguments: Any) -> Any:
        """Return a tool's result."""
        text = await self._call("execute_webmcp_tool", toolName=tool, input=json.dumps(arguments))
        answer = json.loads(text)
        assert answer["status"] == "Completed", text
        return answer["output"]

    async def _call(self, tool: str, **arguments: Any) -> str:
        answer = await self._client.call_tool(tool, {"pageId": self._page, **arguments})
        [block] = answer.content
        assert block.type == "text" and not answer.is_error, answer.content
        return block.text


@asynccontextmanager
async def devtools(surface: Surface) -> AsyncGenerator[DevTools]:
    """Run chrome-devtools-mcp, connected to the browser that has the page."""
    address = surface.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
    options = ["--browserUrl", f"http://{address}", "--categoryExperimentalWebmcp", "--no-usage-statistics"]
    with Path(os.devnull).open("w") as nowhere:
        server = StdioServerParameters(command=str(NODE), args=[str(DEVTOOLS), *options])
        async with Client(stdio_client(server, errlog=nowhere)) as client:
            [pages] = (await client.call_tool("list_pages", {})).content
            assert pages.type == "text"
            page = re.search(r"^(\d+): .*\[selected\]", pages.text, re.MULTILINE)
            assert page is not None, pages.text
            yield DevTools(client, int(page[1]))
