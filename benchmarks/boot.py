"""Measures the time to the first result of `terminal_execute`, on the first and on the second visit of the page.

Each figure is a ratio to a plain page of the same run: a worker that runs `loadPyodide` and `import pydantic` with the
same files from the same server. Each visit starts the browser: the first with an empty profile, the second with
everything that the first has stored there, such as caches, a service worker or a snapshot.
"""

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from _waterfall import WATCH, Marks, draw, marks_of
from selenium.webdriver import Chrome

from gemini_testing.browser import launch
from gemini_testing.server import serving

Visit = TypeVar("Visit")

DIST = Path(__file__).parents[1] / "dist"
ROUNDS = 5
# Long enough for the page to store data for the next visit: browsers write their caches when they are idle.
SETTLE_S = 12
# Longer than a start of Python takes on any machine.
TIMEOUT_S = 120
LIMITS = {"first": 0.8, "second": 0.55}

PLAIN_PAGE = """<!doctype html>
<title>plain</title>
<script type="module">
globalThis.result = new Promise((resolve, reject) => {
  const worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = () => resolve(performance.now());
  worker.onerror = (event) => reject(new Error(event.message));
});
</script>
"""
PLAIN_WORKER = """
import {{ loadPyodide }} from "../{pyodide}/pyodide.mjs";
const pyodide = await loadPyodide({{
  indexURL: new URL("../{pyodide}/", self.location.href).href,
  lockFileURL: new URL("../{surface}/packages/pyodide-lock.json", self.location.href).href,
  packages: ["pydantic"],
}});
pyodide.runPython("import pydantic");
self.postMessage("imported");
"""
# Runs before the page's own scripts.
FIRST_CALL = """
globalThis.result = (async () => {
  const context = document.modelContext;
  const find = async () => (await context.getTools()).find(({ name }) => name === "terminal_execute");
  let tool;
  while (!(tool = await find())) {
    await new Promise((done) => context.addEventListener("toolchange", done, { once: true }));
  }
  const answer = JSON.parse(await context.executeTool(tool, { command: "echo here" }));
  if (answer.output !== "here\\n") throw new Error(JSON.stringify(answer));
  return performance.now();
})();
"""
RESULT = """
const [done] = arguments;
(globalThis.result ?? Promise.reject(new Error("no page"))).then(done, (error) => done(String(error)));
"""


def site(folder: Path) -> None:
    """Fill `folder` with the surface, and with the plain page in `plain/`."""
    for path in DIST.rglob("*"):
        target = folder / path.relative_to(DIST)
        if path.is_dir():
            target.mkdir(parents=True, exist_ok=True)
        else:
            os.link(path, target)
    [pyodide], [surface] = DIST.glob("pyodide-*"), DIST.glob("surface-*")
    plain = folder / "plain"
    plain.mkdir()
    (plain / "index.html").write_text(PLAIN_PAGE)
    (plain / "worker.js").write_text(PLAIN_WORKER.format(pyodide=pyodide.name, surface=surface.name))


def result_ms(driver: Chrome) -> float:
    """Return the milliseconds from the start of the navigation to the page's result.

    Raises:
        RuntimeError: The page failed.
    """
    driver.set_script_timeout(TIMEOUT_S)
    result = driver.execute_async_script(RESULT)
    if not isinstance(result, int | float):
        raise RuntimeError(f"the page failed: {result}")
    return float(result)


def visit_plain(url: str, profile: Path) -> float:
    """Visit the plain page and return its milliseconds."""
    driver = launch(profile=profile)
    try:
        driver.get(f"{url}plain/")
        return result_ms(driver)
    finally:
        time.sleep(SETTLE_S)
        driver.quit()


def visit_surface(url: str, profile: Path) -> tuple[float, Marks]:
    """Visit the surface and return the milliseconds to the first result, and the marks of its start."""
    driver = launch(profile=profile)
    try:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH + FIRST_CALL})
        driver.get(url)
        return result_ms(driver), marks_of(driver)
    finally:
        time.sleep(SETTLE_S)
        driver.quit()


def two_visits(visit: Callable[[str, Path], Visit], url: str) -> dict[str, Visit]:
    """Return what `visit` returns for the first and the second visit with one profile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        return {name: visit(url, Path(profile)) for name in ("first", "second")}


def main() -> int:
    """Print the figures and a waterfall of each visit, and return 1 if one exceeds its limit, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often both pages are visited")
    rounds_wanted: int = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(dir=DIST.parent / ".build") as folder:
        site(Path(folder))
        with serving(Path(folder)) as url:
            rounds: list[tuple[dict[str, float], dict[str, float]]] = []
            watched: list[dict[str, tuple[float, Marks]]] = []
            for _ in range(rounds_wanted):
                plain_visits, ours_visits = two_visits(visit_plain, url), two_visits(visit_surface, url)
                rounds.append((plain_visits, {name: result for name, (result, _) in ours_visits.items()}))
                watched.append(ours_visits)
                print(json.dumps({"plain_ms": rounds[-1][0], "surface_ms": rounds[-1][1]}), flush=True)
    for name in LIMITS:
        # The waterfall of the round in the middle.
        middle = sorted((visits[name] for visits in watched), key=lambda visit: visit[0])[len(watched) // 2]
        print(f"\nThe {name} visit:\n{draw(middle[1], middle[0])}\n")
    ratio = {name: statistics.median(ours[name] / plain[name] for plain, ours in rounds) for name in LIMITS}
    for name, limit in LIMITS.items():
        plain_ms, ours_ms = (statistics.median(visits[side][name] for visits in rounds) for side in (0, 1))
        print(
            f"{name} visit: the first result after {ratio[name]:.2f} of a plain start ({limit}), "
            f"{ours_ms:.0f} ms of {plain_ms:.0f} ms"
        )
    return 0 if all(ratio[name] <= limit for name, limit in LIMITS.items()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
