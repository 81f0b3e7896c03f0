"""A real MCP call of the companion to itself, as clients make it: over HTTP, with a token."""

import asyncio
import time
from typing import Any, cast

import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from gemini_companion.errors import ProbeFailed

# A page that is still starting Python, or is busy, takes some seconds.
WITHIN_S = 15.0
# Its name among the clients.
NAME = "Test of the settings"
RESTART = "Restart the companion, and open the address that it prints."
TRY_AGAIN = "Check that the page works, and test again."


async def probe(url: str, token: str) -> dict[str, Any]:
    """List the tools, and call one that only reads.

    Returns:
        `{tools, called, protocol, duration_ms}`: the number of tools, the name of the called one, the protocol's
        version, and the milliseconds from the first request to the last answer.

    Raises:
        ProbeFailed: The connection or the call failed; the message says why.
    """
    began = time.perf_counter()
    try:
        async with asyncio.timeout(WITHIN_S):
            called, answer, facts = await _call_tool(url, token)
    # Errors of several tasks arrive in groups.
    except (TimeoutError, MCPError, httpx2.HTTPError, ExceptionGroup) as problem:
        raise _explain(url, problem) from problem
    if answer.is_error:
        text = " ".join(each.text for each in answer.content if isinstance(each, types.TextContent))
        raise ProbeFailed(f"{called} failed: {text}", hint=TRY_AGAIN)
    duration_ms = round((time.perf_counter() - began) * 1000, 1)
    return {**facts, "called": called, "duration_ms": duration_ms}


async def _call_tool(url: str, token: str) -> tuple[str, types.CallToolResult, dict[str, Any]]:
    headers = {"Authorization": f"Bearer {token}"}
    info = types.Implementation(name=NAME, version="1")
    async with (
        # A proxy isn't for connections to this machine.
        httpx2.AsyncClient(headers=headers, timeout=WITHIN_S, trust_env=False) as http,
        Client(streamable_http_client(url, http_client=http), client_info=info) as client,
    ):
        tools = (await client.list_tools()).tools
        # The companion's own tools are last, so there always is one, whatever the page has.
        called = next(tool.name for tool in tools if _only_reads(tool))
        answer = await client.call_tool(called, {})
        return called, answer, {"tools": len(tools), "protocol": client.protocol_version}


def _only_reads(tool: types.Tool) -> bool:
    reads = tool.annotations is not None and tool.annotations.read_only_hint is True
    return reads and not tool.input_schema.get("required")


def _explain(url: str, problem: BaseException) -> ProbeFailed:
    match _first(problem):
        case TimeoutError() | httpx2.TimeoutException():
            message = f"MCP didn't answer within {WITHIN_S:.0f} seconds."
            return ProbeFailed(message, hint="The page may be busy. Activity shows what is running.")
        case MCPError() as error:
            return ProbeFailed(f"MCP answered with an error: {error}")
        case error:
            return ProbeFailed(f"MCP can't be used at {url}: {type(error).__name__}.", hint=RESTART)


def _first(problem: BaseException) -> BaseException:
    while isinstance(problem, BaseExceptionGroup):
        [problem, *_] = cast("BaseExceptionGroup[BaseException]", problem).exceptions
    return problem
