"""Measures what a stranger sees first: scripts before the first paint, the demo's first movement, and room for work.

The bytes are those of the compressed scripts that the page had requested when it first painted. The first movement is
the demo's first step on the page, with the demo pressed as soon as it can be; the baseline is the time until Python is
ready. The share is that of the window's area, at 1280 by 720, which shows a document, a terminal, a console or an
agent; bars, rails, side bars and tabs aren't work.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from selenium.webdriver.common.keys import Keys

from gemini_testing.browser import emulate, launch
from gemini_testing.server import serving
from gemini_testing.surface import Surface
from tests.web.person import Person

DIST = Path(__file__).parents[1] / "dist"
WINDOW = (1280, 720)
MAX_SCRIPT_BYTES = 250_000
# Every script that the page had requested when it first painted.
EARLY = """
const [paint] = performance.getEntriesByName("first-contentful-paint");
if (!paint) return null;
const early = performance.getEntriesByType("resource")
  .filter(({ name, startTime }) => /[.]m?js($|[?])/.test(name) && startTime <= paint.startTime);
return {
  paint_ms: paint.startTime,
  scripts: Object.fromEntries(early.map(({ name, encodedBodySize }) => [name.split("/").at(-1), encodedBodySize])),
};
"""
# Notes when Python is ready, and when the demo first moves.
NOTE = """
const look = () => {
  const moving = document.querySelector(".agent-step, .agent-doing, .agent-question");
  if (document.documentElement?.dataset.kernel === "ready") globalThis.readyAt ??= performance.now();
  if (moving?.checkVisibility()) globalThis.movedAt ??= performance.now();
  if (globalThis.movedAt === undefined) requestAnimationFrame(look);
};
if (self === top) requestAnimationFrame(look);
"""
# The bodies of panels that hold work, and terminals. Overlaps count once.
SHARE = """
const parts = "#start-body, #editor-view, #editor-notebook, #preview-body, #figure-body, .tab-frame.front, #agent-body,"
  + " .agent-run, #console-scroll, .terminal-view, #chat-body";
const boxes = [...document.querySelectorAll(parts)].filter((each) => each.checkVisibility())
  .map((each) => each.getBoundingClientRect());
const STEP = 8;
let [inside, all] = [0, 0];
for (let x = STEP / 2; x < innerWidth; x += STEP) for (let y = STEP / 2; y < innerHeight; y += STEP) {
  all += 1;
  if (boxes.some(({ left, right, top, bottom }) => x >= left && x < right && y >= top && y < bottom)) inside += 1;
}
return inside / all;
"""
FILE = "/project/bench.py"


def first_visit(surface: Surface) -> dict[str, Any]:
    """Press the demo as soon as it can be; return the scripts, and the milliseconds of each moment."""
    surface.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NOTE})
    surface.load(wait=False)
    Person(surface).click("#start-demo")
    moved: float = surface.wait_for("globalThis.movedAt")
    # Their sizes are known only when they have arrived.
    early: dict[str, Any] = surface.javascript(EARLY)
    return {**early, "ready_ms": surface.javascript("return readyAt"), "moves_ms": moved}


def shares(surface: Surface) -> dict[str, float]:
    """Return the share of the window that shows work, by situation."""
    person = Person(surface)
    found: dict[str, float] = {}

    def situation(name: str, *open_parts: Callable[[], object]) -> None:
        person.click("#panels-button")
        person.click("#panels-menu [value=reset]")
        for open_part in open_parts:
            open_part()
        found[name] = surface.javascript(SHARE)

    def choose(text: str) -> None:
        """Open what the palette finds for a text."""
        person.press("k", holding=Keys.CONTROL)
        person.type(text)
        person.sees("#omnibar-list [aria-selected=true]", text.rpartition("/")[2])
        person.press(Keys.ENTER)

    def edit() -> None:
        surface.call("file_write", path=FILE, content="print('hello')\n" * 40)
        choose("bench.py")
        person.sees("#editor-view .cm-content")

    def browse() -> None:
        surface.call("file_write", path="/project/bench.html", content="<!doctype html><h1>Shop</h1>")
        choose("/project/bench.html")
        person.sees(".tab-frame.front")

    situation("start page")
    situation("editor", edit)
    situation("editor and terminal", edit, lambda: person.open_panel("terminals"))
    situation("page and agent", browse, lambda: person.open_panel("agent"))
    situation(
        "files, editor and agent",
        edit,
        lambda: person.open_panel("files"),
        lambda: person.open_panel("agent"),
    )
    situation("console", lambda: person.open_panel("python"))
    return found


def main() -> int:
    """Print the figures and return 1 if the scripts exceed their limit, else 0."""
    with serving(DIST, isolated=True) as url:
        driver = launch()
        try:
            emulate(driver, size=WINDOW)
            surface = Surface(driver, url)
            first = first_visit(surface)
            surface.reload(fresh=True)
            work = shares(surface)
        finally:
            driver.quit()
    total = sum(first["scripts"].values())
    print(json.dumps({**first, "shares": {name: round(share, 2) for name, share in work.items()}}, indent=2))
    print(f"scripts before the first paint: {total} bytes ({MAX_SCRIPT_BYTES})")
    print(
        f"the demo moves after {first['moves_ms']:.0f} ms, Python is ready after {first['ready_ms']:.0f} ms"
    )
    return 0 if total <= MAX_SCRIPT_BYTES else 1


if __name__ == "__main__":
    raise SystemExit(main())
