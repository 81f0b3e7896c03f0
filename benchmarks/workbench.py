"""Measures the workbench with 20 terminals, one of them printing 50 MB, its scripts before the first paint, and keys.

The first paint and the time until the palette is open are measured on a CPU slowed down four times, with Ctrl+K held
from the start. The latency of keys is measured in the console, the editor, a terminal and the palette, with Python idle
and busy, and for an empty page (`_keys.py`). The longest task of the page's thread and the gaps between its frames are
measured while the output is drawn, the task with its CPU time; the baseline is the same page when idle. The bytes
count the compressed scripts that the page requests before it paints.
"""

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from _keys import EMPTY_PAGE, KeyBench, table
from _trace import Trace
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from gemini_testing.browser import launch
from gemini_testing.server import serving
from gemini_testing.surface import Surface
from tests.web.person import Person

DIST = Path(__file__).parents[1] / "dist"
TERMINALS = 20
MEGABYTES = 50
MAX_TASK_MS = 100
MAX_KEY_MS = 50
SLOWER = 4
# The browser draws only the inside of its window; a key outside of it gets the frame of a later change.
WINDOW = (1400, 1000)
MAX_SCRIPT_BYTES = 250_000
LINE = "x" * 99
PRINT = f"python3 -c \"for i in range({MEGABYTES * 10_000}): print('{LINE}')\"; echo the end | rev"
WATCH = """
performance.mark("watched");
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
PALETTE = "document.querySelector('#omnibar-list [role=option]')?.checkVisibility() && performance.now()"


def slower(surface: Surface) -> dict[str, float]:
    """Measure the first paint and the time until the palette is open, with a slower CPU."""
    driver = surface.driver
    driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    surface.load(wait=False)
    opened: float | None = None
    while not opened:
        ActionChains(driver, duration=0).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
        opened = driver.execute_script(f"return {PALETTE}")
    painted = surface.javascript(BEFORE_PAINT)["paint_ms"]
    driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 1})
    surface.wait_until_ready()
    return {"paint_ms": painted, "palette_ms": opened}


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
    Person(surface).open_panel("terminals")
    for _ in range(TERMINALS - 1):
        surface.call("terminal_create")
    terminal = surface.call("terminal_create")["terminal_id"]
    surface.call("terminal_execute", terminal_id=terminal, command="true")
    trace = Trace(surface.driver)
    trace.start()
    surface.javascript(WATCH)
    # Not awaited, because the transfer of the result would count, too.
    surface.javascript(
        "void gemini.callTool('terminal_execute', { terminal_id: arguments[0], command: arguments[1] })",
        terminal,
        PRINT,
    )
    surface.wait_for(SHOWN, timeout_s=600)
    busy = surface.javascript(REPORT)
    trace.stop()
    trace.close()
    longest = max(trace.tasks("watched"), key=lambda task: task.cpu)
    busy |= {"most_cpu_ms": longest.cpu, "its_wall_ms": longest.wall}
    surface.javascript(WATCH)
    surface.javascript("await new Promise((resolve) => setTimeout(resolve, 3000))")
    return busy, surface.javascript(REPORT)


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    with serving(DIST, isolated=True) as url:
        driver = launch(webmcp=True, headed=False)
        try:
            driver.set_window_size(*WINDOW)
            surface = Surface(driver, url)
            painted = paint(surface)
            typed = KeyBench(surface).measure()
            slow = slower(surface)
            busy, idle = printing(surface)
        finally:
            driver.quit()
    total = sum(painted["scripts"].values())
    print(
        json.dumps(
            {"paint": painted, "printing": busy, "idle": idle, "keys": typed, "slower": slow}, indent=2
        )
    )
    print(f"first paint after {painted['paint_ms']:.0f} ms, Python ready after {painted['ready_ms']:.0f}")
    print(f"scripts of the page: {total:,} bytes compressed ({MAX_SCRIPT_BYTES:,})")
    print(
        f"longest task while {MEGABYTES} MB are printed: {busy['longest_task_ms']:.0f} ms ({MAX_TASK_MS}), "
        f"of CPU time {busy['most_cpu_ms']:.0f}"
    )
    print(
        f"frames: every {busy['gap_median_ms']:.1f} ms, idle {idle['gap_median_ms']:.1f}; "
        f"longest gap {busy['gap_longest_ms']:.0f} ms"
    )
    print(
        f"with a CPU {SLOWER} times slower: first paint after {slow['paint_ms']:.0f} ms, "
        f"palette after {slow['palette_ms']:.0f}"
    )
    print(table(typed))
    busy_rows = {name: row["longest"] for name, row in typed.items() if name.endswith(", busy")}
    empty = busy_rows.pop(f"{EMPTY_PAGE}, busy")
    keys = max(busy_rows.values())
    print(f"longest key while Python is busy: {keys:.0f} ms ({MAX_KEY_MS}), in the empty page {empty:.0f}")
    within = busy["longest_task_ms"] < MAX_TASK_MS and keys <= MAX_KEY_MS
    return 0 if within and total < MAX_SCRIPT_BYTES else 1


if __name__ == "__main__":
    raise SystemExit(main())
