"""Measures the page script's actions on simple pages: a click on a ready button, and typing 500 characters.

Times are measured in the page, from the call to its result. The baseline is a click by ChromeDriver.
"""

import json
import statistics
import time
from pathlib import Path

from selenium.webdriver.common.by import By

from gemini_testing.browser import launch
from gemini_testing.html_page import HtmlPage, serving_html

SCRIPT = Path(__file__).parents[1] / "dist" / "gemini-page.js"
ROUNDS = 25
LONG = 500
MAX_CLICK_MS = 60
MAX_TYPE_MS = 150
LARGE = 10_000

PAGE = (
    "<button id=a onclick='count.textContent = Number(count.textContent) + 1'>Go</button><p id=count>0</p>"
    "<input id=field><textarea id=area></textarea><div id=editable contenteditable></div>"
)
MEASURE = """
const [action, options, rounds] = arguments;
const times = [];
for (let round = 0; round < rounds; round++) {
  if (options.text) options.text = options.text.slice(0, -2) + String(round).padStart(2, "0");
  const start = performance.now();
  await geminiPage[action](options);
  times.push(performance.now() - start);
}
return times;
"""


def median_of(page: HtmlPage, action: str, rounds: int = ROUNDS, **options: object) -> float:
    """Return the median milliseconds of an action."""
    return statistics.median(page.run(MEASURE, action, options, rounds))


def by_driver(page: HtmlPage) -> float:
    """Return the median milliseconds of a click by ChromeDriver, including the round trip."""
    button = page.driver.find_element(By.ID, "a")
    times: list[float] = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        button.click()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    text = ("some words of a text " * LONG)[:LONG]
    driver = launch(webmcp=False)
    try:
        with serving_html(SCRIPT) as server:
            page = HtmlPage(driver, server).open(PAGE)
            clicks = {"click": median_of(page, "click", selector="#a")}
            clicked = page.run("return Number(count.textContent)")
            driver_click = by_driver(page)
            typed = {
                name: median_of(page, "type", 9, selector=f"#{name}", text=text)
                for name in ("field", "area", "editable")
            }
            page.open(PAGE + f"<ul>{'<li><a href=#>more</a></li>' * (LARGE // 2)}</ul>")
            clicks[f"click among {LARGE:,} elements"] = median_of(page, "click", selector="#a")
    finally:
        driver.quit()
    figures = {
        **clicks,
        "the driver's click": driver_click,
        **{f"{LONG} characters, {name}": ms for name, ms in typed.items()},
    }
    print(json.dumps({name: round(ms, 1) for name, ms in figures.items()}, indent=2))
    print(f"a click takes {clicks['click']:.0f} ms ({MAX_CLICK_MS}), {clicked} of {ROUNDS} events arrived")
    print(f"{LONG} characters take {typed['field']:.0f} ms in a field ({MAX_TYPE_MS})")
    good = clicked == ROUNDS and clicks["click"] <= MAX_CLICK_MS and typed["field"] <= MAX_TYPE_MS
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
