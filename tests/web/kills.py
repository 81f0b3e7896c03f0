"""Kill browsers while MCP clients wait for their pages: every call must end."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client

from gemini_companion.host.policy import HostPolicy
from gemini_companion.serving.serve import Options, serving
from gemini_companion.serving.server import Server
from tests.companions import client_of

PROC = Path("/proc")
CLIENTS, CALLS = 4, 10
# Far longer than a start of the browser. A lost call would wait forever.
TIMEOUT_S = 60


@dataclass
class Outcomes:
    """The number of calls with a result, an error or no end, and the longest time from a kill to the last error."""

    answered: int = 0
    failed: int = 0
    lost: int = 0
    longest_s: float = 0.0


async def kill_browsers(dist: Path, profile: Path, kills: int, seed: int = 1) -> Outcomes:
    """Kill the page's browser repeatedly during calls, each time after a random number of answers."""
    rng = random.Random(seed)
    outcomes = Outcomes()
    async with (
        serving(Server(0), Options(dist, HostPolicy(), headless=True, profile=profile)) as companion,
        AsyncExitStack() as stack,
    ):
        clients = [await stack.enter_async_context(client_of(companion)) for _ in range(CLIENTS)]
        for _ in range(kills):
            # Waits for the page, which the companion reopens.
            assert not (await clients[0].call_tool("file_list", {"path": "/project"})).is_error
            calls = [asyncio.create_task(_call(client, n)) for client in clients for n in range(CALLS)]
            answers = asyncio.as_completed(calls)
            for _ in range(rng.randrange(len(calls) // 2)):
                await next(answers)
            kill_browser(profile)
            await _count(calls, outcomes)
    return outcomes


def _call(client: Client, number: int) -> Any:
    if number % 2:
        return client.call_tool("file_list", {"path": "/project"})
    # Long enough to run when the browser is killed. A call that arrives later runs in the next page.
    return client.call_tool("python_run", {"code": f"import asyncio\nawait asyncio.sleep(2)\n{number}"})


async def _count(calls: list[asyncio.Task[Any]], outcomes: Outcomes) -> None:
    started = asyncio.get_running_loop().time()
    done, waiting = await asyncio.wait(calls, timeout=TIMEOUT_S)
    outcomes.longest_s = max(outcomes.longest_s, asyncio.get_running_loop().time() - started)
    outcomes.lost += len(waiting)
    for call in waiting:
        call.cancel()
    for call in done:
        answer = call.result()
        if answer.is_error:
            assert answer.structured_content["error"]["type"] in ("PageLost", "NoPageConnected"), answer
            outcomes.failed += 1
        else:
            outcomes.answered += 1


def kill_browser(profile: Path) -> None:
    """End all processes of the browser with a profile at once."""
    for process in PROC.iterdir():
        if process.name.isdigit():
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
                if f"--user-data-dir={profile}".encode() in words:
                    os.kill(int(process.name), signal.SIGKILL)
            except OSError:
                # The process has ended.
                continue
