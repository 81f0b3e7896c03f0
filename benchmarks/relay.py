"""What a call of a page's tool costs an MCP client: through the companion, and through the browser's debugging port.

The one is `tools/call` of the companion by streamable HTTP, in a session (up to 2025-11-25) and without one (2026-07-28).
The other, the baseline, is `execute_webmcp_tool` of chrome-devtools-mcp by stdio, as it is meant to be used. All go
through the official SDK's client and call the same tool of the same page, by turns. The companion shares this process
with the client, which is to its disadvantage: chrome-devtools-mcp has one to itself.
"""

import asyncio
import json
import statistics
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from gemini_companion.app import Companion
from gemini_companion.server import Server, running
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
MODES: dict[str, Any] = {"in a session": "legacy", "without": "auto"}
Call = Callable[[int], Awaitable[Any]]


@asynccontextmanager
async def relayed(companion: Companion, mode: Any) -> AsyncGenerator[Call]:
    """Calls the tool over MCP."""
    headers = {"Authorization": f"Bearer {companion.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(companion.mcp_url, http_client=http), mode=mode) as client,
    ):

        async def call(x: int) -> Any:
            answer = await client.call_tool(TOOL, {"x": x})
            assert answer.structured_content is not None, answer
            return answer.structured_content["result"]

        yield call


async def round_ms(call: Call) -> float:
    """Median milliseconds of a call."""
    times: list[float] = []
    for x in range(CALLS):
        start = time.perf_counter()
        given = await call(x)
        times.append((time.perf_counter() - start) * 1_000)
        assert given == x
    return statistics.median(times)


async def measure(companion: Companion, surface: Surface) -> list[dict[str, float]]:
    """Milliseconds of a call by each way, one row a round."""
    async with (
        relayed(companion, MODES["in a session"]) as session,
        relayed(companion, MODES["without"]) as plain,
        devtools(surface) as browser,
    ):

        async def execute(x: int) -> Any:
            return await browser.execute(TOOL, x=x)

        ways: dict[str, Call] = {BASELINE: execute, "in a session": session, "without": plain}
        for call in ways.values():
            await round_ms(call)
        return [{way: await round_ms(call) for way, call in ways.items()} for _ in range(ROUNDS)]


def main() -> int:
    """Print the figures; 1 if one is over its limit."""
    server = Server(0)
    companion = Companion(DIST, server)
    driver = launch()
    try:
        with running(server, companion.app(), sites=companion.sites()):
            surface = Surface(driver, companion.url)
            surface.load()
            surface.wait_for("document.querySelector('#status-companion').innerText === 'Companion'")
            surface.python(DECLARE)
            rows = asyncio.run(measure(companion, surface))
    finally:
        driver.quit()
    ms = {way: statistics.median(row[way] for row in rows) for way in rows[0]}
    ratio = {way: statistics.median(row[way] / row[BASELINE] for row in rows) for way in MODES}
    print(json.dumps({"ms": ms, "ratio": ratio}, indent=2))
    for way in MODES:
        print(f"a relayed tools/call {way} takes {ratio[way]:.2f} times {BASELINE} ({MOST}, aim {AIM})")
    return 0 if all(each <= MOST for each in ratio.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
