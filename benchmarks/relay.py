"""Measures an MCP client's call of a page's tool through the companion, and through the browser's debugging port.

The companion answers `tools/call` over stdio, and over streamable HTTP with a session (up to 2025-11-25) and without
one (2026-07-28). The baseline is `execute_webmcp_tool` of chrome-devtools-mcp over stdio. All use the official SDK's
client and call the same tool of the same page, alternating. Each server has its own process.
"""

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from gemini_companion.mcp.pipes import standard_streams
from gemini_companion.serving.app import Companion
from gemini_companion.serving.server import Server
from gemini_testing.browser import launch
from gemini_testing.surface import Surface

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.conformance.clients import devtools  # noqa: E402 - found by the line above

DIST = Path(__file__).parents[1] / "dist"
# Short rounds, so a busy moment of the machine affects all of them.
ROUNDS = 40
CALLS = 10
LIMIT = 1.5
GOAL = 1.0
TOOL = "trivial"
DECLARE = f'''
import gemini

@gemini.tool(effect="read")
def {TOOL}(x: int) -> int:
    """Return x."""
    return x
'''
BASELINE = "chrome-devtools-mcp"
TRANSPORTS = ("over stdio", "over HTTP with a session", "over HTTP without a session")
# The argument that runs this file as the companion.
SERVE = "serve"
Call = Callable[[int], Awaitable[Any]]


@dataclass(frozen=True)
class Addresses:
    """The addresses of a companion in another process, and its token."""

    url: str
    mcp_url: str
    token: str


async def serve(target: Path) -> None:
    """Run the companion over HTTP and stdio until stdio ends, and write its addresses to `target`."""
    server = Server(0)
    companion = Companion(DIST, server)
    async with server.serving(companion.app(), **companion.other_apps()):
        row = {"url": companion.entrance.address(), "mcp_url": companion.mcp_url, "token": companion.token}
        target.write_text(json.dumps(row), encoding="utf-8")
        async with standard_streams() as (read, write):
            await companion.mcp.sdk.run(read, write, companion.mcp.options())


@asynccontextmanager
async def other_process() -> AsyncGenerator[tuple[Client, Addresses]]:
    """Run a companion in a separate process, with a client connected over stdio."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "addresses.json"
        command = StdioServerParameters(
            command=sys.executable, args=[__file__, SERVE, str(file)], env=dict(os.environ)
        )
        async with Client(stdio_client(command)) as client:
            yield client, Addresses(**json.loads(file.read_text(encoding="utf-8")))


def calling(client: Client) -> Call:
    """Return a function that calls the tool through a client."""

    async def call(x: int) -> Any:
        answer = await client.call_tool(TOOL, {"x": x})
        assert answer.structured_content is not None, answer
        return answer.structured_content["result"]

    return call


@asynccontextmanager
async def by_http(companion: Addresses, mode: Any) -> AsyncGenerator[Client]:
    """Connect a client over streamable HTTP.

    Args:
        companion: The companion to connect to.
        mode: The SDK's mode: `legacy` uses a session, `auto` doesn't.
    """
    headers = {"Authorization": f"Bearer {companion.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(companion.mcp_url, http_client=http), mode=mode) as client,
    ):
        yield client


async def round_ms(call: Call) -> float:
    """Return the median milliseconds of a call."""
    times: list[float] = []
    for x in range(CALLS):
        start = time.perf_counter()
        result = await call(x)
        times.append((time.perf_counter() - start) * 1_000)
        assert result == x
    return statistics.median(times)


async def measure() -> list[dict[str, float]]:
    """Return the median milliseconds of a call by transport, a row for each round."""
    async with other_process() as (stdio, companion):
        driver = await asyncio.to_thread(launch)
        try:
            surface = Surface(driver, companion.url)
            await asyncio.to_thread(prepare, surface)
            async with (
                by_http(companion, "legacy") as session,
                by_http(companion, "auto") as plain,
                devtools(surface) as browser,
            ):

                async def execute(x: int) -> Any:
                    return await browser.execute(TOOL, x=x)

                clients = dict(zip(TRANSPORTS, (stdio, session, plain), strict=True))
                for client in clients.values():
                    # A client that doesn't know a tool's schema requests it with every call.
                    await client.list_tools()
                ways = {BASELINE: execute, **{way: calling(client) for way, client in clients.items()}}
                for call in ways.values():
                    await round_ms(call)
                return [{way: await round_ms(call) for way, call in ways.items()} for _ in range(ROUNDS)]
        finally:
            driver.quit()


def prepare(surface: Surface) -> None:
    """Open the companion's page and declare the tool."""
    surface.load()
    surface.wait_for("document.querySelector('#status-companion').innerText === 'Companion'")
    surface.python(DECLARE)


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    rows = asyncio.run(measure())
    ms = {way: statistics.median(row[way] for row in rows) for way in rows[0]}
    ratio = {way: statistics.median(row[way] / row[BASELINE] for row in rows) for way in TRANSPORTS}
    print(json.dumps({"ms": ms, "ratio": ratio}, indent=2))
    for way in TRANSPORTS:
        print(f"a relayed tools/call {way} takes {ratio[way]:.2f} times {BASELINE} ({LIMIT}, goal {GOAL})")
    return 0 if all(each <= LIMIT for each in ratio.values()) else 1


if __name__ == "__main__":
    if sys.argv[1:2] == [SERVE]:
        asyncio.run(serve(Path(sys.argv[2])))
    else:
        raise SystemExit(main())
