"""Measure how long code takes."""

from __future__ import annotations

import re
import statistics
import time
import timeit
from collections.abc import Awaitable, Callable
from typing import Any

from gemini.computer.python.magics.errors import UsageError

LOOPS = 7
# Together, the runs of a loop take at least this long.
MIN_LOOP_S = 0.1
_OPTION = re.compile(r"-([nr])\s*(\d+)\s+")
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


async def time_once(execute: Callable[[], Awaitable[Any]]) -> Any:
    """Run code, print its wall time, and return its value."""
    start = time.perf_counter()
    try:
        return await execute()
    finally:
        print(f"Wall time: {readable(time.perf_counter() - start)}")


def time_often(text: str, setup: str, names: dict[str, Any]) -> None:
    """Run a statement in loops, and print mean and standard deviation of a run.

    Args:
        text: The statement, after the options `-n N` (runs of a loop) and `-r N` (loops).
        setup: The statement that runs once before each loop.
        names: The names that both see.

    Raises:
        UsageError: There is no statement, or a number is 0.
    """
    options: dict[str, int] = {}
    while match := _OPTION.match(text):
        options[match[1]] = int(match[2])
        text = text[match.end() :]
    if not text.strip():
        raise UsageError("%timeit needs a statement: %timeit sum(range(1000))")
    if 0 in options.values():
        raise UsageError("%timeit needs at least one run and one loop: -n 1 -r 1")
    timer = timeit.Timer(text, setup, globals=names)
    runs = options.get("n") or _enough(timer)
    times = [each / runs for each in timer.repeat(options.get("r", LOOPS), runs)]
    deviation = statistics.pstdev(times)
    print(
        f"{readable(statistics.fmean(times))} ± {readable(deviation)} per loop "
        f"(mean ± std. dev. of {len(times)} runs, {runs:,} loops each)"
    )


def _enough(timer: timeit.Timer) -> int:
    runs = 1
    while timer.timeit(runs) < MIN_LOOP_S:
        runs *= 10
    return runs


def readable(seconds: float) -> str:
    """Return a duration with three digits in a fitting unit."""
    if seconds >= 60:
        return f"{int(seconds // 60)} min {seconds % 60:.0f} s"
    factor, unit = next((each for each in _UNITS if seconds >= each[0]), _UNITS[-1])
    return f"{seconds / factor:.3g} {unit}"
