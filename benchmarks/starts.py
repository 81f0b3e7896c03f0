"""Measures starts next to those of other pages with Python: JupyterLite, marimo, PyScript, and a bare Pyodide console.

They are made from their packages on PyPI and npm (_rivals.py), and come from one server with the same headers and
compression. Each visit starts the browser: the first with an empty profile, the second with what the first stored.
In each round every page has both visits, in turn. The figures are the median milliseconds from the request for the
page until its first paint and until it has the result of `1 + 1`, and the bytes that were sent until then. Other
pages show the result; the surface returns it to an agent that calls `python_run` as soon as the tool is there.

`import numpy` isn't measured: neither PyPI nor npm has a NumPy for Pyodide 314, and no page brings one.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from _document import written
from _medians import Rounds, behind, table
from _rivals import make
from selenium.webdriver import Chrome

from gemini_testing.browser import launch
from gemini_testing.server import Handler, Server, running, server_of_kernel, server_of_sites

DIST = Path(__file__).parents[1] / "dist"
DOCUMENT = Path(__file__).parents[1] / "docs/performance.md"
MARKS = "<!-- starts: written by `build.py bench starts --write` -->", "<!-- end of starts -->"
ROUNDS = 3
# Long enough for a page to store data for its next visit.
SETTLE_S = 12
TIMEOUT_S = 110
VISITS = ("first", "second")
OURS = "this"
BARE = "bare Pyodide console"

# Both run before the page's own scripts. Times are those of the system's clock, as a page may load itself again.
SHOWN = """
if (self === top) {
  const now = () => performance.timeOrigin + performance.now();
  const look = () => {
    const shown = [...document.querySelectorAll(SELECTOR)].some((each) => each.textContent.trim() === "2");
    if (shown) globalThis.resultAt ??= now();
  };
  new MutationObserver(look).observe(document, { childList: true, characterData: true, subtree: true });
}
"""
CALLED = """
if (self === top) (async () => {
  const context = document.modelContext;
  const find = async () => (await context.getTools()).find(({ name }) => name === "python_run");
  let tool;
  while (!(tool = await find())) {
    await new Promise((done) => context.addEventListener("toolchange", done, { once: true }));
  }
  const answer = JSON.parse(await context.executeTool(tool, { code: "1 + 1" }));
  if (answer.result !== 2) throw new Error(JSON.stringify(answer));
  globalThis.resultAt = performance.timeOrigin + performance.now();
})();
"""
WAIT = """
const [done] = arguments;
const look = () => {
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  if (globalThis.resultAt && paint) {
    done({ paint: performance.timeOrigin + paint.startTime, result: globalThis.resultAt });
  } else {
    requestAnimationFrame(look);
  }
};
look();
"""


@dataclass(frozen=True)
class Page:
    """A page to start.

    Args:
        path: Its path on the server.
        script: Runs before its scripts, and sets `resultAt`.
    """

    path: str
    script: str


def shown(selector: str) -> str:
    """Return the script that waits until an element of a selector has the result."""
    return SHOWN.replace("SELECTOR", json.dumps(selector))


PAGES = {
    OURS: Page("", CALLED),
    "JupyterLite": Page(
        "rivals/jupyterlite/repl/index.html?kernel=python&execute=1&code=1%20%2B%201",
        shown(".jp-OutputArea-output"),
    ),
    "marimo": Page("rivals/marimo/index.html", shown(".output-area")),
    "PyScript": Page("rivals/pyscript/index.html", shown("pre, pre *")),
    BARE: Page("rivals/console/index.html", shown("pre")),
}


class Sent:
    """The bytes that the servers sent, without headers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.bytes = 0

    def add(self, count: int) -> None:
        """Add the bytes of an answer."""
        with self._lock:
            self.bytes += count


@contextmanager
def serving(folder: Path) -> Generator[tuple[str, Sent]]:
    """Serve the pages until the block ends; yield the URL, and what is sent."""
    sent = Sent()

    class Counting(Handler):
        def send_header(self, keyword: str, value: str) -> None:
            if keyword == "Content-Length" and self.command == "GET":
                sent.add(int(value))
            super().send_header(keyword, value)

    server = Server(folder)
    with ExitStack() as stack:
        for each in (server, server_of_sites(server), server_of_kernel(server)):
            each.RequestHandlerClass = Counting
            stack.enter_context(running(each))
        yield server.url, sent


def visit(page: Page, url: str, sent: Sent, profile: Path) -> dict[str, float]:
    """Visit a page in a new browser; return its figures: `paint` and `result` in milliseconds, `bytes`."""
    driver = launch(profile=profile)
    try:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": page.script})
        driver.set_script_timeout(TIMEOUT_S)
        before, began = sent.bytes, time.time() * 1000
        driver.get(url + page.path)
        found = result(driver)
        return {
            "paint": found["paint"] - began,
            "result": found["result"] - began,
            "bytes": sent.bytes - before,
        }
    finally:
        time.sleep(SETTLE_S)
        driver.quit()


def result(driver: Chrome) -> dict[str, float]:
    """Return the times of the first paint and the result, in milliseconds of the system's clock.

    Raises:
        TimeoutException: The page has no result.
    """
    return driver.execute_async_script(WAIT)


def site(folder: Path) -> None:
    """Fill a folder with the surface, and with the other pages in `rivals/`."""
    shutil.copytree(DIST, folder, dirs_exist_ok=True, copy_function=os.link)
    shutil.copytree(make(), folder / "rivals", copy_function=os.link)


def main() -> int:
    """Print each round, the medians, and where another page is first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each page is visited twice")
    parser.add_argument("--pages", nargs="+", default=list(PAGES), choices=list(PAGES), help="all by default")
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    options = parser.parse_args()
    names: list[str] = options.pages
    rounds: Rounds = []
    loads: list[str] = []
    with tempfile.TemporaryDirectory(dir=DIST.parent / ".build") as folder:
        site(Path(folder))
        with serving(Path(folder)) as (url, sent):
            for _ in range(options.rounds):
                loads.append(f"{os.getloadavg()[0]:.1f}")
                rounds.append({name: {} for name in names})
                for name in names:
                    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
                        for number in VISITS:
                            rounds[-1][name][number] = visit(PAGES[name], url, sent, Path(profile))
                    print(name, json.dumps(rounds[-1][name]), flush=True)
    made = [
        table(rounds),
        f"Measured on {date.today()}. The load at the beginning of each round: {', '.join(loads)}.",
    ]
    if OURS in names:
        lines = behind(rounds, OURS, BARE) or ["This page is first in each figure, but for the console"]
        made.append("\n".join(f"- {each}." for each in lines))
    print("\n\n".join(made))
    if options.write:
        text = written(DOCUMENT.read_text(encoding="utf-8"), "\n\n".join(made), MARKS)
        DOCUMENT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
