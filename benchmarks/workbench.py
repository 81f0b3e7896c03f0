"""Measures the workbench with 20 terminals, one of them printing 50 MB, and its scripts before the first paint.

The longest task of the page's thread and the gaps between its frames are measured while the output is drawn; the
baseline is the same page when idle. The bytes are those of the compressed scripts that the page requests before it
paints.
"""

import json
from pathlib import Path
from typing import Any

from gemini_testing.browser import launch
from gemini_testing.server import serving
from gemini_testing.surface import Surface

DIST = Path(__file__).parents[1] / "dist"
TERMINALS = 20
MEGABYTES = 50
MAX_TASK_MS = 100
MAX_SCRIPT_BYTES = 250_000
LINE = "x" * 99
PRINT = f"python3 -c \"for i in range({MEGABYTES * 10_000}): print('{LINE}')\"; echo the end | rev"
WATCH = """
globalThis.watched = { tasks: [], gaps: [], frames: 0, last: performance.now(), since: performance.now(), on: true };
watched.observer = new PerformanceObserver((list) => {
  watched.tasks.push(...list.getEntries().map(({ duration }) => duration));
});
watched.observer.observe({ type: "longtask" });
const frame = (now) => {
  watched.gaps.push(now - watched.last);
  watched.last = now;
  watched.frames += 1;
  if (watched.on) requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""
REPORT = """
watched.on = false;
watched.observer.disconnect();
const gaps = watched.gaps.slice(1).sort((one, other) => one - other);
return {
  seconds: (performance.now() - watched.since) / 1000,
  longest_task_ms: Math.max(0, ...watched.tasks),
  tasks_over_50_ms: watched.tasks.length,
  frames: watched.frames,
  gap_median_ms: gaps[Math.floor(gaps.length / 2)],
  gap_longest_ms: gaps.at(-1),
};
"""
SHOWN = """
[...document.querySelectorAll("[data-front] .xterm-rows > div")].some((row) => row.textContent.includes("dne eht"))
"""
BEFORE_PAINT = """
const [paint] = performance.getEntriesByName("first-contentful-paint");
const scripts = performance.getEntriesByType("resource").filter(({ name }) => /[.]m?js($|[?])/.test(name));
const page = scripts.filter(({ name }) => document.querySelector(`script[src="${name.split("/").at(-1)}"]`));
return { paint_ms: paint.startTime, ready: document.documentElement.dataset.kernel,
  scripts: Object.fromEntries(page.map(({ name, encodedBodySize }) => [name.split("/").at(-1), encodedBodySize])) };
"""


def paint(surface: Surface) -> dict[str, Any]:
    """Measure the first paint, and the compressed bytes of each script that the page requests before it."""
    surface.load(wait=False)
    surface.wait_for("performance.getEntriesByName('first-contentful-paint').length > 0")
    early = surface.javascript(BEFORE_PAINT)
    surface.wait_until_ready()
    ready_ms = surface.javascript("return performance.now()")
    return {**early, "ready_ms": ready_ms}


def printing(surface: Surface) -> tuple[dict[str, Any], dict[str, Any]]:
    """Measure the page's thread while a terminal prints, and while the page is idle."""
    for _ in range(TERMINALS - 1):
        surface.call("terminal_create")
    terminal = surface.call("terminal_create")["terminal_id"]
    surface.call("terminal_execute", terminal_id=terminal, command="true")
    surface.javascript(WATCH)
    # Not awaited, because the transfer of the result would count, too.
    surface.javascript(
        "void gemini.callTool('terminal_execute', { terminal_id: arguments[0], command: arguments[1] })",
        terminal,
        PRINT,
    )
    surface.wait_for(SHOWN, timeout_s=600)
    busy = surface.javascript(REPORT)
    surface.javascript(WATCH)
    surface.javascript("await new Promise((resolve) => setTimeout(resolve, 3000))")
    return busy, surface.javascript(REPORT)


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    with serving(DIST, isolated=True) as url:
        driver = launch(webmcp=True, headed=False)
        try:
            surface = Surface(driver, url)
            painted = paint(surface)
            busy, idle = printing(surface)
        finally:
            driver.quit()
    total = sum(painted["scripts"].values())
    print(json.dumps({"paint": painted, "printing": busy, "idle": idle}, indent=2))
    print(f"first paint after {painted['paint_ms']:.0f} ms, Python ready after {painted['ready_ms']:.0f}")
    print(f"scripts of the page: {total:,} bytes compressed ({MAX_SCRIPT_BYTES:,})")
    print(f"longest task while {MEGABYTES} MB are printed: {busy['longest_task_ms']:.0f} ms ({MAX_TASK_MS})")
    print(
        f"frames: every {busy['gap_median_ms']:.1f} ms, idle {idle['gap_median_ms']:.1f}; "
        f"longest gap {busy['gap_longest_ms']:.0f} ms"
    )
    return 0 if busy["longest_task_ms"] < MAX_TASK_MS and total < MAX_SCRIPT_BYTES else 1


if __name__ == "__main__":
    raise SystemExit(main())
