"""A real MCP call of the companion to itself, as a client makes it: over HTTP, with the token."""

import asyncio
import time
from typing import Any, cast

import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from gemini_companion.errors import ProbeFailed

# A page that practises its first call, or is busy, takes some seconds.
WITHIN_S = 15.0
# What it is called among clients.
NAME = "Test of the settings"
START_ANEW = "Start the companion anew, and open the address that it tells."
TRY_AGAIN = "Look whether the page works, and test again."


async def probe(url: str, token: str) -> dict[str, Any]:
    """List the tools and call one that only reads.

    Gives `{tools, called, protocol, duration_ms}`: how many tools there are, which one was called, the protocol's
    version, and the milliseconds from the first request to the last answer.

    Raises:
        ProbeFailed: It didn't get through, or the call failed; the message says why.
    """
    began = time.perf_counter()
    try:
        async with asyncio.timeout(WITHIN_S):
            called, answer, told = await _used(url, token)
    # Where several tasks had a part in it, errors come in groups.
    except (TimeoutError, MCPError, httpx2.HTTPError, ExceptionGroup) as problem:
        raise _explained(url, problem) from problem
    if answer.is_error:
        text = " ".join(each.text for each in answer.content if isinstance(each, types.TextContent))
        raise ProbeFailed(f"{called} failed: {text}", hint=TRY_AGAIN)
    duration_ms = round((time.perf_counter() - began) * 1000, 1)
    return {**told, "called": called, "duration_ms": duration_ms}


async def _used(url: str, token: str) -> tuple[str, types.CallToolResult, dict[str, Any]]:
    headers = {"Authorization": f"Bearer {token}"}
    info = types.Implementation(name=NAME, version="1")
    async with (
        # A proxy has no part in what stays on this machine.
        httpx2.AsyncClient(headers=headers, timeout=WITHIN_S, trust_env=False) as http,
        Client(streamable_http_client(url, http_client=http), client_info=info) as client,
    ):
        tools = (await client.list_tools()).tools
        # The companion's own are the last of them, so there is one, whatever the page has.
        called = next(tool.name for tool in tools if _only_reads(tool))
        answer = await client.call_tool(called, {})
        return called, answer, {"tools": len(tools), "protocol": client.protocol_version}


def _only_reads(tool: types.Tool) -> bool:
    reads = tool.annotations is not None and tool.annotations.read_only_hint is True
    return reads and not tool.input_schema.get("required")


def _explained(url: str, problem: BaseException) -> ProbeFailed:
    match _first(problem):
        case TimeoutError() | httpx2.TimeoutException():
            message = f"MCP gave no answer within {WITHIN_S:.0f} seconds."
            return ProbeFailed(message, hint="The page may be busy: see what runs under Activity.")
        case MCPError() as error:
            return ProbeFailed(f"MCP answered with an error: {error}")
        case error:
            return ProbeFailed(f"MCP can't be used at {url}: {type(error).__name__}.", hint=START_ANEW)


def _first(problem: BaseException) -> BaseException:
    while isinstance(problem, BaseExceptionGroup):
        [problem, *_] = cast("BaseExceptionGroup[BaseException]", problem).exceptions
    return problem
