"""Measures how 100 MCP clients with 10 concurrent calls each slow down callers in the page.

The figure is the median time of a call by an agent in the page under this load, as a ratio to the time in the same
page and minute without it. Clients, companion and page share the machine's cores, so the time next to unrelated busy
processes is printed, too. By default the clients run at the lowest priority, so the figure shows the cost of the
calls and not of the clients' own work; with `--priority 0` they compete with the page. `--clients` and `--calls`
change the load.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from gemini_companion.serving.app import Companion  # noqa: E402 - found by the line above
from gemini_companion.serving.server import Server, running  # noqa: E402
from gemini_testing.browser import launch  # noqa: E402
from gemini_testing.surface import Surface  # noqa: E402

DIST = Path(__file__).parents[1] / "dist"
CLIENTS, CALLS = 100, 10
ROUNDS = 5
SAMPLES = 200
LOWEST = 19
LIMIT = 2.0
DECLARE = '''
import gemini

@gemini.tool(effect="read")
def echo(text: str) -> str:
    """Return the text."""
    return text
'''
SAMPLE = """
const context = document.modelContext;
const tool = (await context.getTools()).find(({ name }) => name === "echo");
const times = [];
for (let n = 0; n < arguments[0]; n++) {
  const began = performance.now();
  await context.executeTool(tool, { text: "page" });
  times.push(performance.now() - began);
}
return times;
"""
# Runs in a separate process, like real clients.
LOAD = """
import asyncio, json, os, sys
from contextlib import AsyncExitStack
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

url, token, clients, calls, priority = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
os.nice(priority)
answered = wrong = 0
stop = asyncio.Event()

async def ask(client, name):
    global answered, wrong
    number = 0
    while not stop.is_set():
        text = f"{name}.{number}"
        answer = await client.call_tool("echo", {"text": text})
        answered += 1
        wrong += answer.structured_content != {"result": text}
        number += 1

async def main():
    async with AsyncExitStack() as stack:
        connected = []
        for _ in range(clients):
            headers = {"Authorization": f"Bearer {token}"}
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=120))
            connected.append(await stack.enter_async_context(Client(streamable_http_client(url, http_client=http))))
        asking = [ask(client, f"{index}.{n}") for index, client in enumerate(connected) for n in range(calls)]
        print("ready", flush=True)
        reading = asyncio.create_task(asyncio.to_thread(sys.stdin.readline))
        reading.add_done_callback(lambda _: stop.set())
        await asyncio.gather(*asking)
        print(json.dumps({"answered": answered, "wrong": wrong}), flush=True)

asyncio.run(main())
"""


def beside_busy_processes(surface: Surface) -> list[float]:
    """Measure the page's calls next to two unrelated busy processes (as many as clients and companion).

    Returns:
        The milliseconds of each call.
    """
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        return surface.javascript(SAMPLE, SAMPLES)
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def loaded(
    companion: Companion, surface: Surface, options: argparse.Namespace
) -> tuple[list[float], dict[str, int]]:
    """Measure the page's calls while clients call.

    Returns:
        The milliseconds of each call of the page, and the numbers of the clients' answers: `{answered, wrong}`.
    """
    numbers = [str(number) for number in (options.clients, options.calls, options.priority)]
    words = [sys.executable, "-c", LOAD, companion.mcp_url, companion.token, *numbers]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as load:
        assert load.stdin is not None and load.stdout is not None
        assert load.stdout.readline() == "ready\n"
        times = surface.javascript(SAMPLE, SAMPLES)
        load.stdin.write("\n")
        load.stdin.close()
        return times, json.loads(load.stdout.readline())


def main() -> int:
    """Print the figures and return 1 if the ratio exceeds its limit or an answer is wrong, else 0."""
    parser = argparse.ArgumentParser(prog="build.py bench clients", description=__doc__)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument(
        "--priority", type=int, default=LOWEST, help="the niceness of the clients, from 0 to 19 (the default)"
    )
    options = parser.parse_args()
    server = Server(0)
    companion = Companion(DIST, server)
    rows: list[dict[str, Any]] = []
    with running(server, companion.app(), **companion.other_apps()):
        driver = launch()
        try:
            surface = Surface(driver, companion.entrance.address())
            surface.load()
            surface.python(DECLARE)
            surface.wait_for(
                "document.modelContext.getTools().then((all) => all.some(({ name }) => name === 'echo'))"
            )
            surface.javascript(SAMPLE, SAMPLES)
            for _ in range(ROUNDS):
                quiet = surface.javascript(SAMPLE, SAMPLES)
                busy = beside_busy_processes(surface)
                times, answers = loaded(companion, surface, options)
                row = {
                    "quiet_ms": statistics.median(quiet),
                    "busy_ms": statistics.median(busy),
                    "loaded_ms": statistics.median(times),
                    **answers,
                }
                rows.append(row | {"ratio": row["loaded_ms"] / row["quiet_ms"]})
                print(json.dumps(rows[-1]), flush=True)
        finally:
            driver.quit()
    ratio = statistics.median(row["ratio"] for row in rows)
    wrong = sum(row["wrong"] for row in rows)
    print(f"a call in the page takes {ratio:.2f} times as long ({LIMIT}); {wrong} answers were wrong")
    return int(ratio > LIMIT or wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
