"""One task of MiniWoB++ in a browser, solved by the page script's actions or, to compare, by plain DOM events."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from gemini_testing.html_page import HtmlPage

# Enough for the slowest oracle; the tasks' own limits are for reactions.
MAX_MS = 600_000
TIMEOUT_S = 3
START = """
Math.seedrandom(arguments[0]);
core.EPISODE_MAX_TIME = arguments[1];
core.startEpisodeReal();
"""
VISIBLE = (
    "(one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 0"
)
# Names the element that a function body returns, for actions by a selector.
NAME = """
globalThis.named = (globalThis.named ?? 0) + 1;
const element = await (async () => { BODY })();
if (!element) return null;
element.setAttribute("data-task", named);
return `[data-task="${named}"]`;
"""
# The actions by events that a simple script dispatches, to compare.
PLAIN = (Path(__file__).parent / "_plain_events.js").read_text(encoding="utf-8")
OURS = "return await geminiPage[arguments[0]](arguments[1])"


class Task:
    """A running task.

    Args:
        page: The page with the task.
        plain: Whether to act by plain DOM events.
    """

    def __init__(self, page: HtmlPage, *, plain: bool) -> None:
        self.page = page
        self._body = PLAIN if plain else OURS

    def start(self, seed: int) -> None:
        """Generate the problem with this seed."""
        self.page.run(START, f"task {seed}", MAX_MS)

    @property
    def reward(self) -> float:
        """The reward without the part for time: 1 for a solution, below 0 for a wrong one, 0 before the end."""
        return self.page.run("return WOB_DONE_GLOBAL ? WOB_RAW_REWARD_GLOBAL : 0")

    @property
    def query(self) -> str:
        """The sentence that describes the task."""
        return " ".join(self.read("return document.getElementById('query').textContent").split())

    @property
    def quoted(self) -> list[str]:
        """The quoted parts of the task's sentence."""
        return re.findall(r'"([^"]*)"', self.query)

    def matched(self, pattern: str) -> tuple[str, ...]:
        """Return the groups of a pattern in the task's sentence."""
        found = re.search(pattern, self.query)
        assert found is not None, f"{pattern} isn't in: {self.query}"
        return found.groups()

    def read(self, body: str, *arguments: Any) -> Any:
        """Return the result of JavaScript that only reads."""
        return self.page.run(body, *arguments)

    def act(self, action: str, **options: Any) -> dict[str, Any]:
        """Perform one action."""
        return self.page.run(self._body, action, {"timeout": TIMEOUT_S, "consented": True, **options})

    def seek(self, name: str, *roles: str) -> str | None:
        """Return the ref of the first visible element with this name, or described by this text."""
        for entry in self.page.snapshot(max_chars=1_000_000)["elements"]:
            if name in (entry["name"], entry.get("description")) and (not roles or entry["role"] in roles):
                return entry["ref"]
        return None

    def press(self, name: str, *roles: str) -> None:
        """Press an element by its name in a snapshot."""
        ref = self.seek(name, *roles)
        assert ref is not None, f"no {name!r} in the snapshot"
        self.act("click", ref=ref)

    def named(self, body: str, *arguments: Any) -> str:
        """Return a selector of the element that a function body returns."""
        name = self.page.run(NAME.replace("BODY", body), *arguments)
        assert name is not None, f"no element: {body}"
        return name

    def tap(self, selector: str, **options: Any) -> None:
        """Press the first visible element of a selector."""
        body = f"return [...document.querySelectorAll(arguments[0])].find({VISIBLE})"
        self.act("click", selector=self.named(body, selector), **options)

    def with_text(self, selector: str, text: str, inner: str = "") -> str:
        """Return a selector of the first visible element with this text, in `inner` if given."""
        body = f"""return [...document.querySelectorAll(arguments[0])].filter({VISIBLE}).find(
          (one) => (arguments[2] ? one.querySelector(arguments[2]) : one).textContent === arguments[1])"""
        return self.named(body, selector, text, inner)

    def text(self, selector: str) -> str:
        """Return the text of an element."""
        return self.read("return document.querySelector(arguments[0]).textContent", selector)

    def fill(self, selector: str, text: str) -> None:
        """Type into a field."""
        self.act("type", selector=selector, text=text)

    def submit(self, name: str = "Submit") -> None:
        """Press the button that ends the task."""
        self.press(name, "button")

    def until(self, body: str, *arguments: Any, seconds: float = 5) -> Any:
        """Return the first result of a function body that isn't empty."""
        deadline = time.monotonic() + seconds
        while not (found := self.read(body, *arguments)):
            assert time.monotonic() < deadline, f"never: {body}"
            time.sleep(0.05)
        return found
