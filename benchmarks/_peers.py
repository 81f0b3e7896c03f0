"""Other ways to read a page from inside, measured beside ours. They are npm packages that nothing else uses."""

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
# How they are known in the results.
PEERS = (
    "axe-core",
    "playwright, its role and name functions",
    "playwright ariaSnapshot",
    "dom-accessibility-api",
    "aria-api",
    "page-agent",
)
# Where a peer grows with the square of the page, ten times the elements take a hundred times as long; so much is
# assumed until its growth was seen.
WORST_GROWTH = 100
LEAST_GROWTH = 10
PATIENCE_MS = 100_000
QUICK_MS = 10_000
# Playwright ships its page-side code as one string in a larger file.
INJECTED = re.compile(r'injectedScriptSource\.ts"\(\) \{\s*"use strict";\s*\w+ = (\'(?:[^\'\\\n]|\\.)*\');')
PLAYWRIGHT = """globalThis.playwright = (() => {{ const module = {{}}; {source}
return new (module.exports.InjectedScript())(globalThis, {{ isUnderTest: false, sdkLanguage: "javascript", frameSeq: 0,
  testIdAttributeName: "data-testid", stableRafCount: 1, browserName: "chromium", shouldPrependErrorPrefix: true,
  isUtilityWorld: false, customEngines: [] }}); }})();"""
# As the snapshot is measured: the first answer after the styles have changed.
COLD = """
document.documentElement.style.fontSize = `${16 + (arguments[1] % 2) / 10}px`;
const start = performance.now();
const found = await peers[arguments[0]]();
return [performance.now() - start, found];
"""


def peers_script() -> str:
    """A classic script that defines `peers`."""
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
    assert literal is not None, "playwright-core keeps its page-side code elsewhere now"
    source = json.loads(_run([node, "-"], f"process.stdout.write(JSON.stringify({literal[1]}))"))
    return PLAYWRIGHT.format(source=source) + bundle


def peer_times(page: HtmlPage, known: dict[str, dict[int, float | str]], size: int, rounds: int) -> None:
    """Add each peer's milliseconds on the page that is open, or why there are none, to what is known by size."""
    for name in PEERS:
        before = known.setdefault(name, {})
        expected = _expected(list(before.values()))
        if expected is None or expected > PATIENCE_MS:
            before[size] = "not run: it would take minutes"
            continue
        try:
            turns = range(rounds if expected < QUICK_MS else 1)
            before[size] = float(statistics.median(page.run(COLD, name, turn)[0] for turn in turns))
        except PageThrew as error:
            before[size] = f"failed: {error}"
        print(f"{name}, {size:,} elements: {before[size]}", flush=True)


def _expected(before: list[float | str]) -> float | None:
    """Milliseconds at the next size; None where it isn't known."""
    times = [one for one in before if isinstance(one, float)]
    if len(times) < len(before):
        return None
    if len(times) < 2:
        return times[-1] * WORST_GROWTH if times else 0.0
    return times[-1] * max(LEAST_GROWTH, times[-1] / times[-2])


def ariasnapshot_length(page: HtmlPage) -> int:
    """How many characters Playwright makes of the page that is open."""
    return page.run("return playwright.ariaSnapshot(document.body, { mode: 'ai' }).length")


def _run(command: list[str], given: str = "") -> str:
    env = {"NODE_PATH": str(MODULES)}
    done = subprocess.run(command, input=given, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
