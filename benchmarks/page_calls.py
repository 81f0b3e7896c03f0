"""Measures how soon agents see the tools, and the time of a call, on the real page through native WebMCP.

Each figure is a ratio to a baseline of the same page and minute: the time until the kernel is ready, and a call of a
trivial tool in JavaScript. Calls are measured on a hidden page, which draws nothing. Those on a visible one say what
drawing them in the Activity panel costs, which the baseline does not cause.
"""

import json
import statistics
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome

from gemini_testing.browser import launch
from gemini_testing.html_page import serving_html
from gemini_testing.server import serving
from gemini_testing.surface import Surface

DIST = Path(__file__).parents[1] / "dist"
LOADS = 5
# Short rounds, so a busy moment of the machine affects all kinds of tools.
ROUNDS = 90
CALLS = 20
CONCURRENT = 1_000
LIMITS = {"tools_listed": 0.1, "sync": 2.0, "async": 2.0}

# Runs before the page's own scripts and records when all tools of tools.json are listed and the kernel is ready.
WATCH = """
globalThis.times = (async () => {
  const wanted = (await (await fetch("tools.json")).json()).tools.filter(({ code }) => !code).length;
  const context = document.modelContext;
  const listed = new Promise((resolve) => {
    const check = async () => {
      if ((await context.getTools()).length >= wanted) resolve(performance.now());
      else context.addEventListener("toolchange", check, { once: true });
    };
    check();
  });
  const ready = new Promise((resolve) => {
    const check = () => document.documentElement?.dataset.kernel === "ready" && resolve(performance.now());
    new MutationObserver(check).observe(document, { subtree: true, attributes: true, childList: true });
  });
  return { listed: await listed, ready: await ready };
})();
"""

DECLARE = '''
import gemini

@gemini.tool(effect="read")
def trivial_sync(x: int) -> int:
    """Return x."""
    return x

@gemini.tool(effect="read")
async def trivial_async(x: int) -> int:
    """Return x."""
    return x
'''

# Measures the median milliseconds of a tool's calls.
MEASURE = """
const context = document.modelContext;
const median = (values) => values.sort((one, other) => one - other)[values.length >> 1];
const measure = async (tool, calls) => {
  const times = [];
  for (let x = 0; x < calls; x++) {
    const start = performance.now();
    await context.executeTool(tool, { x });
    times.push(performance.now() - start);
  }
  return median(times);
};
const find = async (name) => (await context.getTools()).find((tool) => tool.name === name);
"""

CALL = (
    MEASURE
    + """
const [rounds, calls, concurrent] = arguments;
if (!(await find("trivial_javascript"))) await context.registerTool({
  name: "trivial_javascript", description: "Return x.",
  inputSchema: { type: "object", properties: { x: { type: "number" } } },
  execute: async ({ x }) => JSON.stringify(x),
});
const tools = {
  javascript: await find("trivial_javascript"), sync: await find("trivial_sync"), async: await find("trivial_async"),
};
const results = [];
for (let round = 0; round < rounds; round++) {
  const row = {};
  for (const name in tools) row[name] = await measure(tools[name], calls);
  results.push(row);
}
const all = Array.from({ length: concurrent }, (_, x) => context.executeTool(tools.async, { x }));
const answers = await Promise.all(all);
return { results, answered: answers.filter((answer, x) => answer === String(x)).length };
"""
)

# Python runs in a worker, so no call of it can be faster than this.
ECHO = (
    MEASURE
    + """
const [rounds, calls] = arguments;
const worker = new Worker("/echo.js");
const inputSchema = { type: "object", properties: { x: { type: "number" } } };
const register = (name, execute) => context.registerTool({ name, description: "Return x.", inputSchema, execute });
await register("direct", async ({ x }) => JSON.stringify(x));
await register("echo", ({ x }) => new Promise((resolve) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.postMessage(JSON.stringify(x));
}));
const [direct, echo] = [await find("direct"), await find("echo")];
const ratios = [];
for (let round = 0; round < rounds; round++) {
  const without = await measure(direct, calls);
  ratios.push(await measure(echo, calls) / without);
}
return median(ratios);
"""
)


def listing(surface: Surface) -> dict[str, float]:
    """Measure the median milliseconds until all tools are listed and until the kernel is ready."""
    surface.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    rows: list[dict[str, float]] = []
    for _ in range(LOADS):
        surface.load()
        rows.append(surface.javascript("return await globalThis.times"))
    return {name: statistics.median(row[name] for row in rows) for name in ("listed", "ready")}


def calls(surface: Surface) -> dict[str, Any]:
    """Measure the median milliseconds of a call by kind of tool, and count the correct answers of concurrent calls."""
    measured = surface.javascript(CALL, ROUNDS, CALLS, CONCURRENT)
    kinds = ("javascript", "sync", "async")
    medians = {kind: statistics.median(row[kind] for row in measured["results"]) for kind in kinds}
    ratios = {
        kind: statistics.median(row[kind] / row["javascript"] for row in measured["results"])
        for kind in kinds
    }
    return {"ms": medians, "ratio": ratios, "answered": measured["answered"]}


def hidden_and_visible(surface: Surface) -> tuple[dict[str, Any], dict[str, Any]]:
    """Measure the calls on a hidden page, and on a visible one."""
    surface.python(DECLARE)
    surface.wait_for(
        "document.modelContext.getTools().then((all) => all.some((one) => one.name === 'trivial_async'))"
    )
    surface.wait_for("document.visibilityState === 'visible'")
    visible = calls(surface)
    surface.driver.minimize_window()
    surface.wait_for("document.visibilityState === 'hidden'")
    return calls(surface), visible


def echo(driver: Chrome) -> float:
    """Return the time of a tool whose worker only returns its argument, of one without a worker, on an empty page."""
    with serving_html(DIST / "gemini-page.js") as server:
        server.files |= {
            "/empty.html": "<!doctype html>",
            "/echo.js": "onmessage = ({ data }) => postMessage(data);",
        }
        driver.get(f"{server.url}/empty.html")
        return float(driver.execute_script(ECHO, ROUNDS, CALLS))


def find_in_page(surface: Surface) -> float:
    """Return the worst ratio of benchmarks/file_find.py in the page's Pyodide."""
    text = (Path(__file__).parent / "file_find.py").read_text(encoding="utf-8")
    surface.call("file_write", path="/tmp/file_find_benchmark.py", content=text)
    results = surface.python(
        "import sys; sys.path.insert(0, '/tmp'); import file_find_benchmark; file_find_benchmark.figures()"
    )
    return max(result["ratio"] for result in results.values())


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    with serving(DIST, isolated=True) as url:
        driver = launch(webmcp=True, headed=False)
        try:
            surface = Surface(driver, url)
            times = listing(surface)
            called, visible = hidden_and_visible(surface)
            found = find_in_page(surface)
            floor = echo(driver)
        finally:
            driver.quit()
    ratio = {"tools_listed": times["listed"] / times["ready"], **called["ratio"]}
    print(json.dumps({"times_ms": times, "calls": called, "visible": visible}, indent=2))
    print(
        f"getTools() lists every tool after {ratio['tools_listed']:.3f} of the time until the kernel is ready (0.1)"
    )
    print(
        f"a sync Python tool takes {ratio['sync']:.2f} times a JavaScript one, an async one {ratio['async']:.2f} (2)"
    )
    drawing = {kind: visible["ratio"][kind] - ratio[kind] for kind in ("sync", "async")}
    print(
        f"a visible page, whose Activity panel draws them, adds {drawing['sync']:.2f} and {drawing['async']:.2f}"
    )
    print(f"a tool whose worker only returns its argument takes {floor:.2f} times one without a worker")
    print(f"{called['answered']} of {CONCURRENT} concurrent calls were answered correctly")
    print(f"file_find takes {found:.2f} times os.walk with fnmatch, in the page (2)")
    good = all(ratio[name] <= limit for name, limit in LIMITS.items())
    return 0 if good and called["answered"] == CONCURRENT and found <= 2 else 1


if __name__ == "__main__":
    raise SystemExit(main())
