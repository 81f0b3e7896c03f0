"""Measures an interpreter for one agent: its start, its memory, and calls while another interpreter spins.

The ratios compare a time next to an interpreter that spins with one next to another program of the system that does and
takes as much of the processor. Both are measured in turn, as other work on the machine changes within seconds, and the
ratio is the median of all turns. The memory is the growth of the browser's renderers (PSS), and Python's own
share of it.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from _page import report  # noqa: E402 - found by the line above
from _processor import megabytes, renderers  # noqa: E402

from gemini_testing.surface import Surface  # noqa: E402

STARTS = 5
TURNS = 7
CALLS = 20
SPIN_S = 3
# The page puts what isn't needed at the start into place later.
QUIET_S = 15
LIMITS = {
    "a call of the shared one beside an own one that spins, of one beside another program": 1.3,
    "a calculation of an own one beside the shared one that spins, of one beside another program": 1.3,
    "a call of an own one beside another one that spins, of one beside another program": 1.3,
}
SETUP = f"""
import asyncio, json, statistics, time
from gemini.computer.python import own
from gemini.computer.python.owners import own_python
from gemini.tools import registry

async def as_agent(owner, code):
    own_python.set(owner)
    arguments = {{"code": code}}
    answer = json.loads(await registry.call_json("python_run", arguments, caller=f"agent:{{owner}}"))
    return answer["result"]

def call(owner, code):
    return asyncio.create_task(as_agent(owner, code))

async def call_ms(owner):
    times = []
    for _ in range({CALLS}):
        began = time.perf_counter()
        await call(owner, "1 + 1")
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)

async def starts():
    found = []
    for number in range({STARTS}):
        await call(f"start-{{number}}", "1")
        found.append(next(row["start_ms"] for row in own.current().rows() if row["agent"] == f"start-{{number}}"))
        own.current().end(f"start-{{number}}")
    return found

async def calculations(spins):
    calculating = call("measured", CALCULATIONS)
    await asyncio.sleep(0.2)
    end = time.perf_counter() + ({SPIN_S} if spins else 0)
    while time.perf_counter() < end:
        pass
    return await calculating

CALCULATIONS = \"\"\"
import statistics, time
def calculation():
    began = time.perf_counter()
    sum(number for number in range(1_000_000))
    return (time.perf_counter() - began) * 1000
end = time.perf_counter() + {SPIN_S - 1}
found = []
while time.perf_counter() < end:
    found.append(calculation())
statistics.median(found)
\"\"\"
"""
SHARED_CALLS = """
const tool = (await document.modelContext.getTools()).find(({ name }) => name === "python_run");
const times = [];
for (let call = 0; call < arguments[0]; call++) {
  const start = performance.now();
  await document.modelContext.executeTool(tool, { code: "1 + 1" });
  times.push(performance.now() - start);
}
return times.sort((first, second) => first - second)[times.length >> 1];
"""


@contextmanager
def other_program(pids: list[int]) -> Generator[None]:
    """Let another program of the system spin until the block ends, at the priority of the foremost process of some."""
    program = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        # Chromium sets the priority of its processes: a program that `nice` has lowered would leave them all the time.
        foremost = min(os.getpriority(os.PRIO_PROCESS, pid) for pid in pids)
        os.setpriority(os.PRIO_PROCESS, program.pid, foremost)
        yield
    finally:
        program.kill()
        program.wait()


def measure(surface: Surface) -> dict[str, Any]:
    """Return each figure by its name."""
    surface.load()
    surface.python(SETUP)
    time.sleep(QUIET_S)
    pids = renderers(surface.driver.service.process.pid)
    before = megabytes(pids)
    surface.python("await call('measured', '1')")
    after = megabytes(pids)
    python = surface.python("own.current().rows()[0]['memory']") / 1024 / 1024
    found: dict[str, Any] = {"MB of the renderers for one interpreter": round(after - before, 1)}
    found["MB of them in Python"] = round(python, 1)
    starts = surface.python("await starts()")
    found["ms of a start"] = [round(each) for each in starts]
    found["ms of a start, median"] = round(statistics.median(starts))
    turns = [turn(surface, pids) for _ in range(TURNS)]
    for name, each in zip(LIMITS, zip(*turns, strict=True), strict=True):
        found[name] = round(statistics.median(spins / other for other, spins in each), 2)
        found[f"{name}: ms"] = [[round(other), round(spins)] for other, spins in each]
    return found


def turn(surface: Surface, pids: list[int]) -> list[tuple[float, float]]:
    """Return for each limit the milliseconds next to another program, and next to an interpreter that spins."""
    calculation, mine = "await calculations({})", "await call_ms('measured')"
    with other_program(pids):
        other = [
            surface.javascript(SHARED_CALLS, CALLS),
            surface.python(calculation.format(False)),
            surface.python(mine),
        ]
    surface.python("spinning = call('spinning', 'while True: pass'); await asyncio.sleep(1)")
    of_shared, of_mine = surface.javascript(SHARED_CALLS, CALLS), surface.python(mine)
    surface.python("spinning.cancel(); await asyncio.wait([spinning]); None")
    spins = [of_shared, surface.python(calculation.format(True)), of_mine]
    return list(zip(other, spins, strict=True))


def main() -> int:
    """Print the figures and return 1 if a ratio exceeds its limit, else 0."""
    return report(measure, LIMITS)


if __name__ == "__main__":
    raise SystemExit(main())
