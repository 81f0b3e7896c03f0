"""Measures the time from an interrupt until running code has stopped and Python responds again, on the real page.

Each kind of interrupt is measured several times on each kind of code; the figure is the median in milliseconds.
"""

import json
import statistics

from _page import opened

from gemini_testing.surface import Surface

ROUNDS = 7
MAX_MS = 100
# A busy kernel sends no events, but this message leaves the worker at once, and the page shows its state.
SIGNAL = (
    "import js, pyodide.ffi; js.postMessage(pyodide.ffi.to_js({'type': 'snapshot', 'state': 'started'}, "
    "dict_converter=js.Object.fromEntries))"
)
PYTHON = {
    "Python loop": "while True: pass",
    "Python sleep": "import time; time.sleep(60)",
    "await": "import asyncio; await asyncio.sleep(60)",
}
SHELL = {
    "shell loop": "while :; do :; done",
    "Python script's loop": "python3 -c 'while True: pass'",
    "sleep": "sleep 60",
    "pipeline": "yes | while read -r line; do :; done",
}
ABORT = "controller.abort(); await call; await gemini.python('True');"
WAYS = {
    "aborted call": ABORT,
    "terminal_interrupt": "await gemini.callTool('terminal_interrupt', { terminal_id }); await call;",
}
MEASURE = """
const [tool, given, terminal_id] = arguments;
const { dataset } = document.documentElement;
dataset.snapshot = "";
const started = new Promise((resolve) => {
  const check = (_, observer) => dataset.snapshot === "started" && (observer.disconnect(), resolve());
  new MutationObserver(check).observe(document.documentElement, { attributes: true });
});
const controller = new AbortController();
const wanted = (await document.modelContext.getTools()).find(({ name }) => name === tool);
const call = document.modelContext.executeTool(wanted, given, { signal: controller.signal }).catch(() => {});
await started;
// Give the code time to get into its loop or its sleep.
await new Promise((resolve) => setTimeout(resolve, 50));
const start = performance.now();
STOP
return performance.now() - start;
"""


def measure(surface: Surface) -> dict[str, float]:
    """Measure the median milliseconds by kind of interrupt and kind of code."""
    terminal = surface.call("terminal_create")["terminal_id"]
    surface.call("terminal_execute", terminal_id=terminal, command="true")
    found: dict[str, float] = {}
    for way, stop in WAYS.items():
        script = MEASURE.replace("STOP", stop)
        for what, command in SHELL.items():
            given = {"command": f'python3 -c "{SIGNAL}"; {command}', "terminal_id": terminal}
            times = [surface.javascript(script, "terminal_execute", given, terminal) for _ in range(ROUNDS)]
            found[f"{way}: {what}"] = statistics.median(times)
    for what, code in PYTHON.items():
        script = MEASURE.replace("STOP", ABORT)
        given = {"code": f"{SIGNAL}\n{code}"}
        times = [surface.javascript(script, "python_run", given, terminal) for _ in range(ROUNDS)]
        found[f"aborted call: {what}"] = statistics.median(times)
    return found


def main() -> int:
    """Print the figures and return 1 if the median exceeds its limit, else 0."""
    with opened() as surface:
        surface.load()
        found = measure(surface)
    print(json.dumps({what: round(milliseconds, 1) for what, milliseconds in found.items()}, indent=2))
    median = statistics.median(found.values())
    print(
        f"running code stops after a median of {median:.1f} ms, at most {max(found.values()):.1f} ms (limit 100)"
    )
    return 0 if median <= MAX_MS else 1


if __name__ == "__main__":
    raise SystemExit(main())
