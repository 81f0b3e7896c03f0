"""Measures the latency of keys in the page and in an empty page, while a worker is idle and while it computes.

Event Timing (https://www.w3.org/TR/event-timing/) measures from the key to the frame that shows its effect, in steps of
8 ms, and reports no key that took less than 16 ms: those count as 16. The first key of a place is measured apart from
the others, because it runs code that the browser has not compiled. The empty page, in the same browser and minute, has
a text field and a worker whose loop competes for the cores as Python's does: it shows the share of the machine. So does
the CPU time of the page's thread, from one key to the next.
"""

import statistics
from dataclasses import dataclass, field

from _trace import Trace
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from gemini_testing.surface import Surface
from tests.web.person import Person

ROUNDS = 3
# Letters only: a space or an empty line changes nothing that a frame shows.
TEXT = "reportprojectfile"
PACE_S = 0.1
FRAME_MS = 16
PATH = "/project/report.py"
EMPTY_PAGE = "empty page"
EMPTY = "data:text/html,<textarea id=field></textarea>"
CONSOLE = "#console-input.cm-content"
PLACES = {
    "console": CONSOLE,
    "editor": "#editor-view .cm-content",
    "terminal": ".xterm-helper-textarea",
    "palette": "#omnibar-input",
}
# The places that share one area, by their tabs.
TABS = {"console": "[data-tab-panel-id=python]", "terminal": "[data-tab-panel-id^=term-]"}
WATCH = """
globalThis.keys = new Map();
addEventListener("keydown", (event) => {
  const { key, timeStamp } = event;
  if (key.length > 1 || event.ctrlKey) return;
  performance.mark("key");
  keys.set(timeStamp, { delay: performance.now() - timeStamp, shown: 0 });
}, { capture: true });
new PerformanceObserver((list) => {
  for (const { name, startTime, duration } of list.getEntries()) {
    if (name === "keydown" && keys.has(startTime)) keys.get(startTime).shown = duration;
  }
}).observe({ type: "event", durationThreshold: 16 });
"""
# Entries come after the frame, in a task of their own.
TAKE = """
const [done] = arguments;
setTimeout(() => {
  const taken = [...keys.values()];
  keys.clear();
  done(taken);
}, 300);
"""
LOOP = "globalThis.loop = new Worker(URL.createObjectURL(new Blob(['for (;;);'])))"
RUNNING = "document.querySelector('#console-stop').checkVisibility()"


@dataclass
class Latency:
    """The keys of a place: the first of each round, and the others, in milliseconds."""

    first: list[float] = field(default_factory=list[float])
    others: list[float] = field(default_factory=list[float])
    delays: list[float] = field(default_factory=list[float])
    first_work: list[float] = field(default_factory=list[float])
    work: list[float] = field(default_factory=list[float])

    def add(self, keys: list[dict[str, float]], work: list[float]) -> None:
        """Add a round: when the keys were handled and shown, and the CPU time of each."""
        shown = [max(key["shown"], FRAME_MS) for key in keys]
        self.first.append(shown[0])
        self.others += shown[1:]
        self.delays += [key["delay"] for key in keys]
        self.first_work.append(work[0])
        self.work += work[1:]

    def summary(self) -> dict[str, float]:
        """Return the figures that are printed."""
        return {
            "first": statistics.median(self.first),
            "first_longest": max(self.first),
            "first_work": statistics.median(self.first_work),
            "median": statistics.median(self.others),
            "p95": statistics.quantiles(self.others, n=20, method="inclusive")[-1],
            "longest": max(self.others),
            "longest_delay": max(self.delays),
            "work": statistics.median(self.work),
            "longest_work": max(self.work),
        }


class KeyBench:
    """Types into each place of a page and of the empty page, in alternation."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._driver = surface.driver
        self._trace = Trace(surface.driver)
        self._found: dict[str, Latency] = {}

    def measure(self) -> dict[str, dict[str, float]]:
        """Return the figures of each place, with an idle and a busy worker, by "place, state"."""
        for _ in range(ROUNDS):
            for state in ("idle", "busy"):
                self._empty_page(state)
                self._page(state)
        self._trace.close()
        return {name: latency.summary() for name, latency in self._found.items()}

    def _empty_page(self, state: str) -> None:
        self._driver.get(EMPTY)
        self._driver.execute_script(WATCH)
        if state == "busy":
            self._driver.execute_script(LOOP)
        self._driver.execute_script("document.querySelector('#field').focus()")
        self._type(f"{EMPTY_PAGE}, {state}")

    def _page(self, state: str) -> None:
        self._surface.load()
        person = Person(self._surface)
        for panel in ("files", "terminals"):
            person.open_panel(panel)
        self._surface.call("file_navigate", path=PATH.rpartition("/")[0])
        self._surface.wait_for("document.getElementById(`file:${arguments[0]}`)", PATH)
        self._driver.execute_script("document.getElementById(`file:${arguments[0]}`).focus()", PATH)
        ActionChains(self._driver).send_keys(Keys.ENTER).perform()
        self._surface.wait_for(f"document.activeElement.matches('{PLACES['editor']}')")
        # The page prepares the console when it is idle.
        self._surface.wait_for(f"document.querySelector('{CONSOLE}')")
        if state == "busy":
            self._enter("console")
            ActionChains(self._driver).send_keys("while True: pass", Keys.ENTER, Keys.ENTER).perform()
            self._surface.wait_for(RUNNING)
        self._surface.javascript(WATCH)
        for place in PLACES:
            self._enter(place)
            self._type(f"{place}, {state}")

    def _enter(self, place: str) -> None:
        if place in TABS:
            self._driver.find_element(By.CSS_SELECTOR, TABS[place]).click()
        if place == "palette":
            ActionChains(self._driver).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
        else:
            self._driver.execute_script(f"document.querySelector('{PLACES[place]}').focus()")
        self._surface.wait_for(f"document.activeElement.matches('{PLACES[place]}')")

    def _type(self, name: str) -> None:
        self._trace.start()
        for key in TEXT:
            ActionChains(self._driver, duration=0).send_keys(key).pause(PACE_S).perform()
        keys: list[dict[str, float]] = self._driver.execute_async_script(TAKE)
        self._trace.stop()
        if len(keys) != len(TEXT):
            raise RuntimeError(f"Of {len(TEXT)} keys in the {name}, {len(keys)} arrived.")
        self._found.setdefault(name, Latency()).add(keys, self._work())

    def _work(self) -> list[float]:
        """Return the CPU time from each key to the next, in milliseconds."""
        tasks = self._trace.tasks("key")
        # The mark is inside of the task that handles the key.
        begun = [max(task.start for task in tasks if task.start <= mark) for mark in self._trace.marks("key")]
        ends = [*begun[1:], begun[-1] + PACE_S * 1000]
        return [
            sum(task.cpu for task in tasks if begin <= task.start < end)
            for begin, end in zip(begun, ends, strict=True)
        ]


def table(figures: dict[str, dict[str, float]]) -> str:
    """Return the figures as text; the ratio compares the medians with the empty page in the same state."""
    lines = [
        "keys until the next frame, ms",
        f"{'':18}{'first key':>20}{'other keys':>34}{'CPU time':>24}",
        f"{'':18}{'median  longest':>20}{'median   95 %  longest   ratio':>34}{'first  median  longest':>24}",
    ]
    for name, row in figures.items():
        ratio = row["median"] / figures[f"{EMPTY_PAGE}, {name.rpartition(', ')[2]}"]["median"]
        lines.append(
            f"{name:18}{row['first']:11.0f}{row['first_longest']:9.0f}"
            f"{row['median']:10.0f}{row['p95']:7.0f}{row['longest']:9.0f}{ratio:8.2f}"
            f"{row['first_work']:7.1f}{row['work']:8.1f}{row['longest_work']:9.1f}"
        )
    return "\n".join(lines)
