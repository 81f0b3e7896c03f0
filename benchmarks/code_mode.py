"""Measures what code mode adds to a call of Python, on the real page: `run("1+1")`, of `python_run` with the same code.

Both are called by the page's own `gemini.callTool`, in turns, so that a busy moment of the machine affects both. The
figure is the ratio of the medians.
"""

import json
import statistics

from _page import opened

ROUNDS, CALLS = 15, 20
LIMIT = 1.5
MEASURE = """
const [rounds, calls] = arguments;
const rows = [];
for (let round = 0; round < rounds; round++) {
  const row = {};
  for (const tool of ["python_run", "run"]) {
    const start = performance.now();
    for (let n = 0; n < calls; n++) await gemini.callTool(tool, { code: "1+1" });
    row[tool] = (performance.now() - start) / calls;
  }
  rows.push(row);
}
return rows;
"""


def main() -> int:
    """Print the figures and return 1 if the ratio exceeds its limit, else 0."""
    with opened() as surface:
        surface.load()
        surface.javascript(MEASURE, 1, 1)
        rows: list[dict[str, float]] = surface.javascript(MEASURE, ROUNDS, CALLS)
    medians = {tool: statistics.median(row[tool] for row in rows) for tool in rows[0]}
    ratio = medians["run"] / medians["python_run"]
    print(json.dumps({tool: round(milliseconds, 2) for tool, milliseconds in medians.items()}, indent=2))
    print(f'run("1+1") takes {ratio:.2f} times python_run ({LIMIT})')
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    raise SystemExit(main())
