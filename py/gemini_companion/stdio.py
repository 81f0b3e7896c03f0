"""`control-surface mcp`: an MCP server by standard input and output, for clients that start their servers themselves.

Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio.
"""

import asyncio
import os
import sys

from mcp.server.stdio import stdio_server

from gemini_companion.app import Companion
from gemini_companion.serve import Options, serving, stop_signal
from gemini_companion.server import PortUnavailable, Server

FIRST_PORT = 8765
# The surface has one, and its sites the next.
PORTS = range(FIRST_PORT, FIRST_PORT + 40, 2)


async def run(options: Options, port: int | None) -> None:
    """Serve the surface, and its tools to whoever started this process, until they close standard input.

    Args:
        options: What is served.
        port: For the page; the first free one of `PORTS` where it is None.

    Raises:
        PortUnavailable: Somebody else has the port, or all of them.
        BrowserMissing: It is to be headless, and there is no browser.
    """
    server = _first_free() if port is None else Server(port)
    stop = stop_signal()
    async with serving(server, options) as companion:
        # Standard output is the client's.
        print(f"Serving {companion.url}", file=sys.stderr, flush=True)
        talking = asyncio.create_task(_talk(companion))
        told = asyncio.create_task(stop.wait())
        await asyncio.wait({talking, told}, return_when=asyncio.FIRST_COMPLETED)
    if talking.done():
        told.cancel()
        await talking
    else:
        # The SDK's thread that reads standard input waits for a line, whatever it is told.
        os._exit(0)


async def _talk(companion: Companion) -> None:
    try:
        async with stdio_server() as (reading, writing):
            await companion.mcp.sdk.run(reading, writing, companion.mcp.options())
    except* BrokenPipeError:
        # The client has gone without a word.
        pass


def _first_free() -> Server:
    for port in PORTS[:-1]:
        try:
            return Server(port)
        except PortUnavailable:
            continue
    return Server(PORTS[-1])
