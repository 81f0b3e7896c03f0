"""Measures the page's Linux: its start, commands, files, rates, and its cost for the rest.

Times are scaled to a machine on which a calculation in the page's Python takes CALCULATION_MS; it runs along with each
of them, in the same minute. Each figure is the median of several runs.
"""

import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from _processor import renderers, seconds_of_living  # noqa: E402 - found by the line above
from selenium.webdriver import Chrome  # noqa: E402

from gemini_testing.browser import launch  # noqa: E402
from gemini_testing.server import serving  # noqa: E402
from gemini_testing.surface import Surface  # noqa: E402

DIST = Path(__file__).parents[1] / "dist"
CALCULATION_MS = 8.0
RUNS = 15
# The emulator and the browser compile what runs often; until then it is interpreted.
RUNS_BEFORE = 60
STARTS = 3
FILES = 10_000
MEGABYTES = 10
IDLE_S = 10
# Figures with the most that is wanted, in ms as above, or without a unit.
LIMITS = {
    "opening the first terminal": 2_000.0,
    "saving a machine": 10_000.0,
    "copying it while it runs": 10_000.0,
    "restoring it after a reload": 2_000.0,
    "true": 15.0,
    "ls | wc -l": 60.0,
    f"{MEGABYTES} MB by a pipe": MEGABYTES * 1_000.0,
    "1 MB by a PTY": 1_000_000 / 300_000 * 1_000,
    f"find over {FILES:,} files, of the page's own find": 5.0,
    "200 files written, read and removed": 4_000.0,
    "a call while the machine computes, of one while it doesn't": 1.2,
    "percent of a processor while idle": 2.0,
}
IN_BROWSER = """
import asyncio, os, time

def calculation_ms():
    start = time.perf_counter()
    sum(number for number in range(100_000))
    return (time.perf_counter() - start) * 1000

async def measured(action, times=1):
    found = []
    for _ in range(times):
        before, start = calculation_ms(), time.perf_counter()
        await action()
        took = (time.perf_counter() - start) * 1000
        found.append((took, (before + calculation_ms()) / 2))
    return found

async def open_terminals():
    global linux, shell
    linux, shell = gemini.create_terminal(backend="linux"), gemini.create_terminal()
    await linux.ready()

async def run(terminal, command):
    done = await terminal.execute(command)
    assert done.exit_code == 0, done
    return done

async def print_lines():
    printed.append(f"end {len(printed)}")
    # The text of the command itself has another end.
    await linux.input(f"clear; head -c 1000000 /tmp/lines; echo; echo end $((0+{len(printed) - 1}))\\r")
    while printed[-1] not in linux.lines[-10:]:
        await asyncio.sleep(0.05)

printed = []

def make_tree():
    for number in range(FILES):
        os.makedirs(f"/project/tree/{number // 100}", exist_ok=True)
        with open(f"/project/tree/{number // 100}/{number}", "w"):
            pass
"""
CALLS = """
const tool = (await document.modelContext.getTools()).find(({ name }) => name === "terminal_list");
const times = [];
for (let call = 0; call < 60; call++) {
  const start = performance.now();
  await document.modelContext.executeTool(tool, {});
  times.push(performance.now() - start);
}
return times.sort((first, second) => first - second)[30];
"""
MANY = "mkdir many && for i in $(seq 200); do echo $i > many/$i; done && cat many/* > /dev/null && rm -r many"


class Bench:
    """The page in a browser, and what was measured there."""

    def __init__(self, driver: Chrome, url: str) -> None:
        self.surface = Surface(driver, url)
        self.browser = driver.service.process.pid

    def open(self) -> float:
        """Load the page, and return the scaled ms until a first Linux terminal is open."""
        self.surface.reload()
        self.surface.python(f"FILES = {FILES}\n{IN_BROWSER}")
        return self.times("open_terminals()")

    def times(self, action: str, times: int = 1) -> float:
        """Return the median of the scaled ms of an action, which is a Python expression."""
        self.surface.python(f"measuring = asyncio.ensure_future(measured(lambda: {action}, {times}))")
        # The browser's driver doesn't wait for minutes.
        while not self.surface.python("measuring.done()"):
            time.sleep(0.2)
        return scaled(self.surface.python("measuring.result()"))

    def run(self, command: str, times: int = 1, terminal: str = "linux") -> float:
        """Return the median of the scaled ms of a command."""
        return self.times(f"run({terminal}, {command!r})", times)

    def idle_percent(self) -> float:
        """Return how much of one processor all threads of the page take."""
        before, start = seconds_of_living(renderers(self.browser)), time.monotonic()
        time.sleep(IDLE_S)
        return 100 * (seconds_of_living(renderers(self.browser)) - before) / (time.monotonic() - start)


def scaled(pairs: list[tuple[float, float]]) -> float:
    """Return the median of the ms, each scaled by the calculation next to it."""
    return statistics.median(took / calculation * CALCULATION_MS for took, calculation in pairs)


def measure(bench: Bench) -> Iterator[tuple[str, float]]:
    """Return each figure with its name, as soon as it is measured."""
    bench.surface.load()
    # The page still loads what it needs later.
    time.sleep(3 * IDLE_S)
    quiet = bench.idle_percent()
    yield "opening the first terminal", statistics.median(bench.open() for _ in range(STARTS))
    yield from measure_states(bench)
    for command in ("true", "ls | wc -l"):
        bench.run(command, RUNS_BEFORE)
        yield command, bench.run(command, RUNS)
    bench.run(f"head -c {MEGABYTES}000000 /dev/zero > /tmp/big; seq 200000 > /tmp/lines")
    yield f"{MEGABYTES} MB by a pipe", bench.run("cat /tmp/big", 3)
    yield "1 MB by a PTY", bench.times("print_lines()", 3)
    yield "200 files written, read and removed", bench.run(MANY, 3)
    alone = bench.surface.javascript(CALLS)
    bench.surface.python("busy = asyncio.ensure_future(linux.execute('while :; do :; done'))")
    computing = bench.surface.javascript(CALLS)
    bench.surface.python("linux.interrupt(); await busy")
    yield "a call while the machine computes, of one while it doesn't", computing / alone
    # The browser still compiles what has run, which is over after half a minute.
    time.sleep(3 * IDLE_S)
    yield "percent of a processor while idle", bench.idle_percent() - quiet
    bench.surface.python("make_tree()")
    own = bench.run("find /project/tree | wc -l", 3, "shell")
    found = bench.run("find /project/tree | wc -l")
    yield f"find over {FILES:,} files, of the page's own find", found / own


def measure_states(bench: Bench) -> Iterator[tuple[str, float]]:
    """Return the figures of saving, copying and restoring a machine with a program that runs."""
    bench.run("sleep 100000 &")
    yield "saving a machine", bench.times("gemini.linux.save()", STARTS)
    copies: list[float] = []
    for _ in range(STARTS):
        copies.append(bench.times("gemini.linux.fork('copy')"))
        bench.times("gemini.linux.throw_away('copy')")
    yield "copying it while it runs", statistics.median(copies)
    yield "restoring it after a reload", statistics.median(bench.open() for _ in range(STARTS))
    # It is still the same machine.
    bench.run("pgrep sleep")


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    if not list(DIST.glob("linux-*")):
        print("dist/ has no Linux: `python3 build.py linux` makes it")
        return 1
    with serving(DIST, isolated=True) as url:
        driver = launch(webmcp=True, headed=False)
        try:
            good = True
            for name, figure in measure(Bench(driver, url)):
                good = good and figure <= LIMITS[name]
                print(f"{name}: {figure:,.1f} ({LIMITS[name]:,.1f})", flush=True)
        finally:
            driver.quit()
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
