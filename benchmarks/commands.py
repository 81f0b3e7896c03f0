"""Compares commands of the embedded shell with the system's own, on 100,000 lines and 10,000 files.

Each figure is a ratio to the system's command in the same minute, the median of several runs.
"""

import inspect
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from gemini_testing.browser import launch  # noqa: E402 - found by the line above
from gemini_testing.server import serving  # noqa: E402
from gemini_testing.surface import Surface  # noqa: E402

DIST = Path(__file__).parents[1] / "dist"
RUNS = 7
# A command with the highest ratio that is wanted.
COMMANDS = {
    "sort -n numbers > sorted": 4.0,
    "grep -c 77 numbers": 10.0,
    "sed s/fox/cat/ numbers | md5sum": 10.0,
    "awk '{s += $1} END {print s}' numbers": 10.0,
    "awk '{n[$1]++} END {print length(n)}' numbers": 10.0,
    "find tree | wc -l": 3.0,
}
MAX_FIRST_MS = 50.0
MAX_START_MS = 15.0

IN_BROWSER = """
import json, os, random, statistics, tempfile, time
from gemini.shell.backend import Tty
from gemini.shell.embedded import ShellBackend

async def no_input(prompt, hidden):
    return None

async def opened(number, directory):
    return await ShellBackend().open(Tty(number, lambda stream, data: None, no_input), directory)

async def first_ms():
    times = []
    for number in range(7):
        start = time.perf_counter()
        session = await opened(960 + number, "/tmp")
        assert (await session.run("true", None)).exit_code == 0
        times.append((time.perf_counter() - start) * 1000)
        await session.close()
    return statistics.median(times)

async def start():
    global session
    root = tempfile.mkdtemp()
    make(root)
    session = await opened(950, root)

async def run_ms(command, times=1):
    start = time.perf_counter()
    assert (await session.run("; ".join([command] * times), None)).exit_code == 0
    return (time.perf_counter() - start) * 1000 / times
"""


def make(root: str) -> None:
    """Create the lines and files; the page runs it, too."""
    random.seed(1)
    with open(f"{root}/numbers", "w", encoding="utf-8") as file:
        for line in range(100_000):
            file.write(f"{random.randrange(10**6)} line {line}: the quick brown fox\n")
    for number in range(10_000):
        os.makedirs(f"{root}/tree/{number // 100}", exist_ok=True)
        with open(f"{root}/tree/{number // 100}/{number}", "w", encoding="utf-8"):
            pass


def native_ms(root: str, command: str) -> float:
    """Return how long the system's bash takes for a command, without its own start."""
    start = time.perf_counter()
    subprocess.run(
        ["bash", "-c", command], cwd=root, env={**os.environ, "LC_ALL": "C"}, check=True, capture_output=True
    )
    took = time.perf_counter() - start
    start = time.perf_counter()
    subprocess.run(["bash", "-c", "true"], check=True)
    return (took - (time.perf_counter() - start)) * 1000


def ratios(surface: Surface, root: str) -> dict[str, tuple[float, float, float]]:
    """Return for each command its ratio, and the milliseconds here and in the system's shell."""
    found: dict[str, tuple[float, float, float]] = {}
    for command in COMMANDS:
        pairs = [
            (surface.python(f"await run_ms({json.dumps(command)})"), native_ms(root, command))
            for _ in range(RUNS)
        ]
        ours, native = (statistics.median(column) for column in zip(*pairs, strict=True))
        found[command] = (ours / native, ours, native)
    return found


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    root = tempfile.mkdtemp()
    with serving(DIST, isolated=True) as url:
        driver = launch(webmcp=True, headed=False)
        try:
            surface = Surface(driver, url)
            surface.load()
            make(root)
            surface.python(inspect.getsource(make) + IN_BROWSER)
            surface.python("await start()")
            surface.python("await run_ms('uname')")
            first = surface.python("await first_ms()")
            starts = [surface.python("await run_ms('uname > /dev/null', 10)") for _ in range(RUNS)]
            found = ratios(surface, root)
        finally:
            driver.quit()
            shutil.rmtree(root)
    good = first <= MAX_FIRST_MS and statistics.median(starts) <= MAX_START_MS
    print(f"the first command of a terminal takes {first:.0f} ms ({MAX_FIRST_MS:.0f})")
    print(f"a command in Python takes {statistics.median(starts):.1f} ms ({MAX_START_MS:.0f})")
    for command, (ratio, ours, native) in found.items():
        good = good and ratio <= COMMANDS[command]
        print(
            f"{command}: {ratio:.1f} times the system's ({COMMANDS[command]:.0f}); {ours:.0f} and {native:.1f} ms"
        )
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
