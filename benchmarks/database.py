"""Measures commits to the database in the browser's storage against one in memory, alternating."""

import json
import statistics
import sys
from pathlib import Path

from gemini_testing import Surface
from gemini_testing.browser import launch
from gemini_testing.server import serving

DIST = Path(__file__).parents[1] / "dist"
ROUNDS = 9

# Measures the median microseconds of a transaction by its number of rows, in storage and in memory.
MEASURE = """
import sqlite3, statistics, time
from gemini.kernel.kernel import kernel

def median_us(connection, rows, times=200):
    took = []
    for turn in range(times):
        start = time.perf_counter()
        connection.execute("BEGIN IMMEDIATE")
        for row in range(rows):
            connection.execute("INSERT OR REPLACE INTO bench VALUES (?, ?)", (f"name-{row}", f"{turn}" * 20))
        connection.execute("COMMIT")
        took.append((time.perf_counter() - start) * 1e6)
    return statistics.median(took)

stored = kernel.store.database.connection
memory = sqlite3.connect(":memory:", isolation_level=None)
for connection in (stored, memory):
    connection.execute("CREATE TABLE IF NOT EXISTS bench (name TEXT PRIMARY KEY, value TEXT)")

def measure():
    return [[median_us(stored, rows, times), median_us(memory, rows, times)] for rows, times in ((1, 200), (100, 20))]
"""


def main() -> int:
    """Print the figures and return 0."""
    with serving(DIST) as url:
        driver = launch()
        try:
            surface = Surface(driver, url)
            surface.load()
            surface.python(MEASURE)
            rounds = [surface.python("measure()") for _ in range(ROUNDS)]
        finally:
            driver.quit()
    us: dict[str, float] = {}
    ratio: dict[str, float] = {}
    for index, name in enumerate(("1_row", "100_rows")):
        stored, memory = (statistics.median(turn[index][place] for turn in rounds) for place in (0, 1))
        us |= {f"{name}_stored": stored, f"{name}_in_memory": memory}
        ratio[name] = statistics.median(turn[index][0] / turn[index][1] for turn in rounds)
    print(json.dumps({"us": us, "ratio": ratio}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
