"""`control-surface mcp`: an MCP server on standard input and output, for clients that start their servers themselves.

Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio.
"""

import asyncio
import os
import sys

from gemini_companion.mcp.pipes import standard_streams
from gemini_companion.serving.app import Companion
from gemini_companion.serving.serve import Options, serving, stop_signal
from gemini_companion.serving.server import PortUnavailable, Server

FIRST_PORT = 8765
# The surface uses one, and its sites the next.
PORTS = range(FIRST_PORT, FIRST_PORT + 40, 2)


async def run(options: Options, port: int | None) -> None:
    """Serve the surface, and its tools to the client that started this process, until it closes standard input.

    Args:
        options: The options of the companion.
        port: The page's port; None selects the first free one of `PORTS`.

    Raises:
        PortUnavailable: Another process has the port, or all are taken.
        BrowserMissing: A headless page is requested, and there is no browser.
    """
    server = _first_free() if port is None else Server(port)
    stop = stop_signal()
    async with serving(server, options) as companion:
        # Standard output belongs to the client.
        print(f"Serving {companion.url}", file=sys.stderr, flush=True)
        talking = asyncio.create_task(_talk(companion))
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait({talking, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if talking.done():
        stopped.cancel()
        await talking
    else:
        # The SDK's thread that reads standard input waits for a line, and can't be stopped.
        os._exit(0)


async def _talk(companion: Companion) -> None:
    try:
        async with standard_streams() as (reading, writing):
            await companion.mcp.sdk.run(reading, writing, companion.mcp.options())
    except* BrokenPipeError:
        # The client has disconnected without notice.
        pass


def _first_free() -> Server:
    for port in PORTS[:-1]:
        try:
            return Server(port)
        except PortUnavailable:
            continue
    return Server(PORTS[-1])
