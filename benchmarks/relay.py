"""What a call of a page's tool costs an MCP client: through the companion, and through the browser's debugging port.

The one is `tools/call` of the companion: by stdio, and by streamable HTTP in a session (up to 2025-11-25) and without
one (2026-07-28). The other, the baseline, is `execute_webmcp_tool` of chrome-devtools-mcp by stdio. All go through the
official SDK's client and call the same tool of the same page, by turns. Each server has a process to itself.
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
from mcp.server.stdio import stdio_server

from gemini_companion.app import Companion
from gemini_companion.server import Server
from gemini_testing.browser import launch
from gemini_testing.surface import Surface

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.conformance.clients import devtools  # noqa: E402 - found by the line above

DIST = Path(__file__).parents[1] / "dist"
# Short rounds, so that a busy moment of the machine meets all of them.
ROUNDS = 40
CALLS = 10
MOST = 1.5
AIM = 1.0
TOOL = "trivial"
DECLARE = f'''
import gemini

@gemini.tool(effect="read")
def {TOOL}(x: int) -> int:
    """Give back what was given."""
    return x
'''
BASELINE = "chrome-devtools-mcp"
WAYS = ("by stdio", "by HTTP in a session", "by HTTP without one")
# The argument by which this file is run as the companion.
SERVE = "serve"
Call = Callable[[int], Awaitable[Any]]


@dataclass(frozen=True)
class Told:
    """What a companion in another process is reached by."""

    url: str
    mcp_url: str
    token: str


async def serve(told: Path) -> None:
    """Be that process: answer by HTTP, and by stdio until that ends."""
    server = Server(0)
    companion = Companion(DIST, server)
    async with server.serving(companion.app(), **companion.beside()):
        row = {"url": companion.entrance.address(), "mcp_url": companion.mcp_url, "token": companion.token}
        told.write_text(json.dumps(row), encoding="utf-8")
        async with stdio_server() as (read, write):
            await companion.mcp.sdk.run(read, write, companion.mcp.options())


@asynccontextmanager
async def other_process() -> AsyncGenerator[tuple[Client, Told]]:
    """A companion in a process of its own, with a client that is connected by stdio."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "told.json"
        command = StdioServerParameters(
            command=sys.executable, args=[__file__, SERVE, str(told)], env=dict(os.environ)
        )
        async with Client(stdio_client(command)) as client:
            yield client, Told(**json.loads(told.read_text(encoding="utf-8")))


def calling(client: Client) -> Call:
    async def call(x: int) -> Any:
        answer = await client.call_tool(TOOL, {"x": x})
        assert answer.structured_content is not None, answer
        return answer.structured_content["result"]

    return call


@asynccontextmanager
async def by_http(companion: Told, mode: Any) -> AsyncGenerator[Client]:
    headers = {"Authorization": f"Bearer {companion.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(companion.mcp_url, http_client=http), mode=mode) as client,
    ):
        yield client


async def round_ms(call: Call) -> float:
    """Median milliseconds of a call."""
    times: list[float] = []
    for x in range(CALLS):
        start = time.perf_counter()
        given = await call(x)
        times.append((time.perf_counter() - start) * 1_000)
        assert given == x
    return statistics.median(times)


async def measure() -> list[dict[str, float]]:
    """Milliseconds of a call by each way, one row a round."""
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

                clients = dict(zip(WAYS, (stdio, session, plain), strict=True))
                for client in clients.values():
                    # As clients do: one that doesn't know a tool's schema asks for it with every call.
                    await client.list_tools()
                ways = {BASELINE: execute, **{way: calling(client) for way, client in clients.items()}}
                for call in ways.values():
                    await round_ms(call)
                return [{way: await round_ms(call) for way, call in ways.items()} for _ in range(ROUNDS)]
        finally:
            driver.quit()


def prepare(surface: Surface) -> None:
    """Open the page by the companion's address, and declare the tool."""
    surface.load()
    surface.wait_for("document.querySelector('#status-companion').innerText === 'Companion'")
    surface.python(DECLARE)


def main() -> int:
    """Print the figures; 1 if one is over its limit."""
    rows = asyncio.run(measure())
    ms = {way: statistics.median(row[way] for row in rows) for way in rows[0]}
    ratio = {way: statistics.median(row[way] / row[BASELINE] for row in rows) for way in WAYS}
    print(json.dumps({"ms": ms, "ratio": ratio}, indent=2))
    for way in WAYS:
        print(f"a relayed tools/call {way} takes {ratio[way]:.2f} times {BASELINE} ({MOST}, aim {AIM})")
    return 0 if all(each <= MOST for each in ratio.values()) else 1


if __name__ == "__main__":
    if sys.argv[1:2] == [SERVE]:
        asyncio.run(serve(Path(sys.argv[2])))
    else:
        raise SystemExit(main())
