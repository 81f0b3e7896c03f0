"""Measures the memory growth over 10,000 calls, on the real page through native WebMCP.

After the first 1,000 calls, everything with a size limit is full: the activity log, scrollback, the files of long
results. From then on memory may grow by 10 %. `--calls` sets the number of calls.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

from gemini_testing.browser import launch
from gemini_testing.server import serving
from gemini_testing.surface import Surface

DIST = Path(__file__).parents[1] / "dist"
CALLS = 10_000
FIRST = 1_000
# A batch must end before the driver's script timeout.
CALLS_AT_ONCE = 40
LIMIT = 1.1

# The placeholder for the id of the terminal that an earlier call opened.
OPENED = "{opened}"
LARGE = "x" * 300_000
# Tool, arguments, and whether it returns an error; {n} is the number of the round.
ROUND: list[tuple[str, dict[str, Any], bool]] = [
    ("file_write", {"path": "/project/soak/small.txt", "content": "{n}\n"}, False),
    ("file_write", {"path": "/project/soak/large.txt", "content": LARGE}, False),
    ("file_edit", {"path": "/project/soak/small.txt", "old": "{n}", "new": "edited"}, False),
    ("file_read", {"path": "/project/soak/large.txt"}, False),
    ("file_read", {"path": "/project/soak/missing.txt"}, True),
    ("file_edit", {"path": "/project/soak/small.txt", "old": "not there", "new": ""}, True),
    ("file_list", {"path": "/project"}, False),
    ("file_find", {"pattern": "**/*.txt", "path": "/project"}, False),
    ("file_navigate", {"path": "/project/soak"}, False),
    ("file_navigate", {"path": "/project"}, False),
    (
        "terminal_execute",
        {"command": "mkdir -p soak/d{n} && echo {n} > soak/d{n}/f && rm -r soak/d{n}"},
        False,
    ),
    ("terminal_execute", {"command": "grep -c o app.log | tr 0-9 a-j; false"}, False),
    ("terminal_execute", {"command": "double() { echo $(( $(echo $1) * 2 )); }; double {n}"}, False),
    ("terminal_execute", {"command": "sleep 0 & echo begun; wait; bash -c 'echo $0' {n}"}, False),
    ("terminal_execute", {"command": "sleep 0 &"}, False),
    ("terminal_execute", {"command": "seq 3 | xargs -I N sh -c 'echo N'; nonsense"}, False),
    ("terminal_execute", {"command": "seq 100000"}, False),
    ("terminal_execute", {"command": "python3 -c 'import json; print(json.dumps(list(range(99))))'"}, False),
    ("terminal_execute", {"command": "python3 -c 'raise SystemExit({n} % 9)'; python3 report.py"}, False),
    ("terminal_execute", {"command": "sleep 9", "timeout_s": 0.01}, False),
    ("terminal_execute", {"command": "true", "terminal_id": "term-none"}, True),
    ("terminal_execute", {"command": ["no", "text"]}, True),
    ("terminal_create", {"x": 5, "working_dir": "/tmp"}, False),
    ("terminal_execute", {"command": "V={n}; f() { echo $V; }; f", "terminal_id": OPENED}, False),
    ("terminal_input", {"terminal_id": OPENED, "text": "echo typed\n"}, False),
    ("terminal_read", {"terminal_id": OPENED}, False),
    ("terminal_interrupt", {"terminal_id": OPENED}, False),
    ("terminal_close", {"terminal_id": OPENED}, False),
    ("run_in_new_terminal", {"command": "seq 2000"}, False),
    ("terminal_close", {"terminal_id": OPENED}, False),
    ("find_and_edit", {"pattern": "*.md"}, False),
    ("terminal_close", {"terminal_id": OPENED}, False),
    ("terminal_list", {}, False),
    ("python_run", {"code": "rows = [{'n': n} for n in range({n} % 50)]; len(rows)"}, False),
    ("python_run", {"code": "import asyncio; await asyncio.sleep(0); print('{n}')"}, False),
    ("python_run", {"code": "def fail(n):\n    return 1 / n\nfail(0)"}, True),
    ("python_run", {"code": "this is no Python"}, True),
    ("python_run", {"code": "'long' * 50_000"}, False),
    ("python_run", {"code": "(await gemini.run_command('echo {n}')).stdout"}, False),
    ("python_run", {"code": "import os; sorted(os.listdir('/project'))"}, False),
]

CALL = """
const [calls] = arguments;
const context = document.modelContext;
const tools = Object.fromEntries((await context.getTools()).map((tool) => [tool.name, tool]));
const surprises = [];
for (const [name, given, fails] of calls) {
  const named = given.terminal_id === "{opened}" ? { ...given, terminal_id: globalThis.opened } : given;
  const answer = JSON.parse(await context.executeTool(tools[name], named));
  if ((answer?.isError === true) !== fails) surprises.push([name, named, answer]);
  globalThis.opened = answer?.terminal_id ?? globalThis.opened;
}
return surprises;
"""
# This doesn't include WebAssembly's memory.
MEASURE = """
const { breakdown } = await performance.measureUserAgentSpecificMemory();
const bytes = { page: 0, worker: 0 };
for (const { bytes: some, attribution } of breakdown) {
  bytes[attribution.some(({ scope }) => scope === "DedicatedWorkerGlobalScope") ? "worker" : "page"] += some;
}
return bytes;
"""
INSPECT = """
import collections, gc, os
import pyodide_js
gc.collect()
{
    "wasm": pyodide_js._module.HEAPU8.length,
    "objects": len(gc.get_objects()),
    "tmp": sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk("/tmp") for name in names),
    "types": dict(collections.Counter(type(thing).__qualname__ for thing in gc.get_objects()).most_common(60)),
}
"""
NAMES = {
    "page": "the page's JavaScript, bytes",
    "worker": "the worker's JavaScript, with all files, bytes",
    "wasm": "Python's memory, bytes",
    "total": "total, bytes",
    "objects": "Python's objects",
    "tmp": "files in /tmp, bytes",
}


def play(surface: Surface, first: int, last: int) -> None:
    """Make the calls from number `first` up to, but not including, `last`.

    Raises:
        RuntimeError: A call returned an unexpected error or success.
    """
    for start in range(first, last, CALLS_AT_ONCE):
        calls = [ROUND[number % len(ROUND)] for number in range(start, min(start + CALLS_AT_ONCE, last))]
        # `format` would interpret the braces in the commands.
        text = json.dumps(calls).replace("{n}", str(start // len(ROUND)))
        surprises = surface.javascript(CALL, json.loads(text))
        if surprises:
            raise RuntimeError(f"call {start} or one of the next: {json.dumps(surprises)[:2_000]}")


def measure(surface: Surface) -> dict[str, Any]:
    """Measure the memory after a garbage collection.

    Returns:
        The figures in NAMES, and the number of Python objects by type as `types`.
    """
    # The browser's garbage collection releases proxies in the kernel, and with them Python objects.
    surface.javascript(MEASURE)
    surface.python(INSPECT)
    # Otherwise the browser retains 2 to 9 MB, mostly compiled code, depending on the moment.
    surface.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    figures: dict[str, Any] = surface.javascript(MEASURE) | surface.python(INSPECT)
    return figures | {"total": figures["page"] + figures["worker"] + figures["wasm"]}


def soak(calls: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Measure the memory after the first calls and after all of them."""
    with serving(DIST) as url:
        driver = launch()
        try:
            surface = Surface(driver, url)
            surface.load()
            # Until then a second worker may exist, which creates the snapshot.
            surface.wait_for("document.documentElement.dataset.snapshot")
            surface.call("terminal_execute", command="mkdir -p /project/soak")
            play(surface, 0, FIRST)
            first = measure(surface)
            play(surface, FIRST, calls)
            return first, measure(surface)
        finally:
            driver.quit()


def main() -> int:
    """Print the figures and return 1 if memory has grown too much, else 0."""
    parser = argparse.ArgumentParser(prog="build.py bench soak", description=__doc__)
    parser.add_argument("--calls", type=int, default=CALLS, help=f"the number of calls (default: {CALLS})")
    calls = parser.parse_args().calls
    started = time.monotonic()
    first, last = soak(calls)
    print(
        f"{calls} calls in {time.monotonic() - started:.0f} s; after the first {FIRST}, and after all of them:"
    )
    for name, what in NAMES.items():
        print(f"{last[name] / max(first[name], 1):6.3f}  {first[name]:>12,} {last[name]:>12,}  {what}")
    grown = {kind: count - first["types"].get(kind, 0) for kind, count in last["types"].items()}
    most = sorted(grown, key=lambda kind: grown[kind], reverse=True)[:8]
    print("Python's types that grew most:", ", ".join(f"{kind} {grown[kind]:+}" for kind in most))
    ratio = last["total"] / first["total"]
    print(f"memory after {calls} calls is {ratio:.3f} times that after {FIRST} ({LIMIT})")
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    raise SystemExit(main())
