"""Measures other libraries that read a page from inside. They are npm packages that nothing else uses."""

from __future__ import annotations

import json
import re
import shutil
import statistics
import subprocess
from pathlib import Path

from gemini_testing.html_page import HtmlPage, PageThrew

HERE = Path(__file__).parent
MODULES = HERE.parent / "web/node_modules"
# Their names in the results.
PEERS = (
    "axe-core",
    "playwright, its role and name functions",
    "playwright ariaSnapshot",
    "dom-accessibility-api",
    "aria-api",
    "page-agent",
)
# Quadratic growth (10 times the elements take 100 times as long) is assumed until two sizes have been measured.
WORST_GROWTH = 100
LEAST_GROWTH = 10
MAX_MS = 100_000
QUICK_MS = 10_000
# Playwright ships its page-side code as one string in a larger file.
INJECTED = re.compile(r'injectedScriptSource\.ts"\(\) \{\s*"use strict";\s*\w+ = (\'(?:[^\'\\\n]|\\.)*\');')
PLAYWRIGHT = """globalThis.playwright = (() => {{ const module = {{}}; {source}
return new (module.exports.InjectedScript())(globalThis, {{ isUnderTest: false, sdkLanguage: "javascript", frameSeq: 0,
  testIdAttributeName: "data-testid", stableRafCount: 1, browserName: "chromium", shouldPrependErrorPrefix: true,
  isUtilityWorld: false, customEngines: [] }}); }})();"""
# Measured like the snapshot: the first result after a style change.
COLD = """
document.documentElement.style.fontSize = `${16 + (arguments[1] % 2) / 10}px`;
const start = performance.now();
const found = await peers[arguments[0]]();
return [performance.now() - start, found];
"""
# The later results on a page that doesn't change; the first one fills the browser's caches.
WARM = """
const [name, rounds] = arguments;
const times = [];
for (let round = 0; round <= rounds; round++) {
  const start = performance.now();
  await peers[name]();
  times.push(performance.now() - start);
}
return times.slice(1);
"""


def peers_script() -> str:
    """Build a classic script that defines `peers`."""
    node = shutil.which("node")
    assert node is not None
    options = [
        "--bundle",
        "--minify",
        "--format=iife",
        "--log-level=error",
        "--define:import.meta.url='\"\"'",
    ]
    command = [node, MODULES / "esbuild/bin/esbuild", HERE / "_peers.js", *options]
    bundle = _run([*map(str, command)])
    core = (MODULES / "playwright-core/lib/coreBundle.js").read_text(encoding="utf-8")
    literal = INJECTED.search(core)
    assert literal is not None, "playwright-core has moved its page-side code"
    source = json.loads(_run([node, "-"], f"process.stdout.write(JSON.stringify({literal[1]}))"))
    return PLAYWRIGHT.format(source=source) + bundle


def peer_times(page: HtmlPage, known: dict[str, dict[int, float | str]], size: int, rounds: int) -> None:
    """Measure each peer on the open page.

    Args:
        page: The page.
        known: The results by peer and size, which this extends: milliseconds, or why there are none.
        size: The number of elements of the page.
        rounds: The number of measurements of each peer.
    """
    for name in PEERS:
        before = known.setdefault(name, {})
        expected = _expected(list(before.values()))
        if expected is None or expected > MAX_MS:
            before[size] = "not run: it would take minutes"
            continue
        try:
            turns = range(rounds if expected < QUICK_MS else 1)
            before[size] = float(statistics.median(page.run(COLD, name, turn)[0] for turn in turns))
        except PageThrew as error:
            before[size] = f"failed: {error}"
        print(f"{name}, {size:,} elements: {before[size]}", flush=True)


def warm_ms(page: HtmlPage, name: str, rounds: int) -> float:
    """Measure a peer on the open page, which doesn't change. Returns the median in milliseconds."""
    return statistics.median(page.run(WARM, name, rounds))


def _expected(before: list[float | str]) -> float | None:
    """Estimate the milliseconds at the next size; None after a failure."""
    times = [one for one in before if isinstance(one, float)]
    if len(times) < len(before):
        return None
    if len(times) < 2:
        return times[-1] * WORST_GROWTH if times else 0.0
    return times[-1] * max(LEAST_GROWTH, times[-1] / times[-2])


def ariasnapshot_length(page: HtmlPage) -> int:
    """Return the length of Playwright's ariaSnapshot of the open page, in characters."""
    return page.run("return playwright.ariaSnapshot(document.body, { mode: 'ai' }).length")


def _run(command: list[str], stdin: str = "") -> str:
    env = {"NODE_PATH": str(MODULES)}
    done = subprocess.run(command, input=stdin, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
