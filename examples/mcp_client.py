"""Use the surface from outside the browser, over MCP.

    python examples/mcp_client.py               starts a surface without a window
    python examples/mcp_client.py URL TOKEN     uses the surface of `control-surface serve`, which prints both

Needs `pip install "control-surface[companion]"`, which includes the official SDK.
"""

import asyncio
import re
import sys
from contextlib import AsyncExitStack
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

COMMAND = StdioServerParameters(command="control-surface", args=["mcp", "--headless"])
PAGE = """<!doctype html><title>Counter</title>
<button onclick="this.textContent = 'Pressed ' + ++count">Press me</button>
<script>let count = 0</script>"""


async def main(url: str | None = None, token: str = "") -> None:
    """Open a page in the surface, and press its button.

    Args:
        url: The surface's MCP endpoint; by default a new surface is started.
        token: The token of that endpoint.
    """
    async with AsyncExitStack() as stack:
        if url is None:
            transport = stdio_client(COMMAND)
        else:
            headers = {"Authorization": f"Bearer {token}"}
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=60))
            transport = streamable_http_client(url, http_client=http)
        client = await stack.enter_async_context(Client(transport))

        async def use(tool: str, **arguments: Any) -> Any:
            answer = await client.call_tool(tool, arguments)
            if answer.is_error:
                raise SystemExit(str(answer.structured_content))
            return answer.structured_content

        print(f"{len((await client.list_tools()).tools)} tools")
        print((await use("terminal_execute", command="echo Hello from $SHELL; ls /project"))["output"])
        await use("file_write", path="/project/counter.html", content=PAGE)
        await use("browser_navigate", url="/project/counter.html")
        snapshot = (await use("browser_snapshot"))["result"]
        [button] = re.findall(r'\[(\w+)\] button .*"Press me"', snapshot)
        await use("browser_click", ref=button)
        print((await use("browser_snapshot"))["result"])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
