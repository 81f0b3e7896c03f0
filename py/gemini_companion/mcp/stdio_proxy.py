"""`control-surface connect`: passes an MCP client's standard input and output on to a running companion.

For clients that only start programs, such as Claude Desktop. Sources:
https://modelcontextprotocol.io/specification/2025-11-25/basic/transports.
"""

import asyncio
import contextlib
import sys
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client

from gemini.errors import GeminiError
from gemini_companion.admission.control import token_of
from gemini_companion.mcp.pipes import standard_streams
from gemini_companion.mcp.profile import PARAMETER, Profile

# The companion's own answers may take as long as the user needs for a question.
TIMEOUT = httpx2.Timeout(10, read=None)


class NotConnected(GeminiError):
    """The client can't be connected to a companion."""


def token_for(client: str, port: int) -> str:
    """Return a token of a saved client.

    Raises:
        NotRunning: No companion of this user runs on the port.
        NotConnected: The client isn't saved.
    """
    token = token_of(client, port)
    if token is None:
        raise NotConnected(
            f"{client} may not use this page yet.",
            hint="In the page, run “Connect an MCP client” in the palette, select it, and press Allow.",
        )
    return token


async def run(client: str, port: int, tools: Profile | None = None) -> None:
    """Pass messages in both directions, until the client closes standard input or the companion ends.

    Args:
        client: The client's name, as in the page's dialog.
        port: The companion's port.
        tools: The client's own choice of the tools that it lists; None for the user's.

    Raises:
        NotRunning, NotConnected: As for `token_for`.
    """
    headers = {"Authorization": f"Bearer {token_for(client, port)}"}
    url = f"http://127.0.0.1:{port}/mcp{'' if tools is None else f'?{PARAMETER}={tools}'}"
    # A proxy in the environment must not see the token.
    async with (
        httpx2.AsyncClient(headers=headers, timeout=TIMEOUT, trust_env=False) as http,
        streamable_http_client(url, http_client=http) as (from_companion, to_companion),
        standard_streams() as (from_client, to_client),
    ):
        ways = [
            asyncio.create_task(_pass(from_client, to_companion)),
            asyncio.create_task(_pass(from_companion, to_client)),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*ways)


async def _pass(reading: Any, writing: Any) -> None:
    async for message in reading:
        if isinstance(message, Exception):
            print(f"A message was dropped: {message}", file=sys.stderr, flush=True)
        else:
            await writing.send(message)
