"""What a call of a page's tool costs an MCP client: through the companion, and through the browser's debugging port.

The one is `tools/call` of the companion by streamable HTTP, in a session (up to 2025-11-25) and without one
(2026-07-28). The other, the baseline, is `execute_webmcp_tool` of chrome-devtools-mcp by stdio, as it is meant to be
used. All go through the official SDK's client and call the same tool of the same page, by turns. Each server has a
process to itself.
"""

import asyncio
import contextlib
import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
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


@dataclass(frozen=True)
class Told:
    """What a companion in another process is reached by."""

    url: str
    mcp_url: str
    token: str


def serve(pipe: Connection) -> None:
    """Be that process, until the pipe is closed."""
    server = Server(0)
    companion = Companion(DIST, server)
    with running(server, companion.app(), sites=companion.sites()):
        pipe.send(Told(companion.url, companion.mcp_url, companion.token))
        with contextlib.suppress(EOFError):
            pipe.recv()


@contextmanager
def other_process() -> Generator[Told]:
    """A companion in a process of its own."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,))
    process.start()
    theirs.close()
    try:
        yield ours.recv()
    finally:
        ours.close()
        process.join()


@asynccontextmanager
async def relayed(companion: Told, mode: Any) -> AsyncGenerator[Call]:
    """Calls the tool over MCP."""
    headers = {"Authorization": f"Bearer {companion.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(companion.mcp_url, http_client=http), mode=mode) as client,
    ):
        # As clients do: one that doesn't know the tool's schema asks for it with every call.
        await client.list_tools()

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


async def measure(companion: Told, surface: Surface) -> list[dict[str, float]]:
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
    with other_process() as companion:
        driver = launch()
        try:
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
