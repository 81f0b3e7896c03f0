"""Measures how soon a model's words are on the screen, and whether a long answer stays fast.

A model in the page records when it sends each piece; the page records the frame that draws the words. The baseline
is a trivial tool call by a script of the page, in the same run.
"""

import json
import statistics
from pathlib import Path
from typing import Any

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from gemini_testing.browser import launch
from gemini_testing.server import serving
from gemini_testing.surface import Surface

DIST = Path(__file__).parents[1] / "dist"
ROUNDS = 15
MAX_FIRST_MS = 50
PARAGRAPHS = 400
MODEL = """
import asyncio, js
from gemini.models.interface.model import Stopped, TextDelta

class TimedModel:
    name = "timed"
    context_tokens = 100_000

    def __init__(self, pieces, wait_s):
        self.pieces, self.wait_s, self.sent = pieces, wait_s, []

    async def stream(self, request):
        await asyncio.sleep(0.3)
        for piece in self.pieces:
            self.sent.append(js.performance.timeOrigin + js.performance.now())
            yield TextDelta(piece)
            await asyncio.sleep(self.wait_s)
        yield Stopped("end")
"""
# Resolves with the end of the frame that draws a text in the last message.
WATCH = """
globalThis.seen = new Promise((resolve) => {
  const all = { childList: true, characterData: true, subtree: true };
  const observer = new MutationObserver(() => {
    const root = [...document.querySelectorAll("#chat .untrusted")].at(-1)?.shadowRoot;
    if (root) observer.observe(root, all);
    const text = root?.textContent ?? "";
    if (!text.includes(arguments[0])) return;
    observer.disconnect();
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
    requestAnimationFrame(() => channel.port2.postMessage(null));
  });
  observer.observe(document.querySelector("#chat"), all);
});
"""
TRIVIAL = """
const before = performance.now();
for (let i = 0; i < 20; i += 1) await gemini.callTool("terminal_list");
return (performance.now() - before) / 20;
"""


def ask(surface: Surface, pieces: list[str], wait_s: float, awaited: str) -> tuple[list[float], float]:
    """Send a message to a model that answers with `pieces`.

    Args:
        surface: The page.
        pieces: The pieces of the answer.
        wait_s: The pause after each piece.
        awaited: The text to wait for on the screen.

    Returns:
        When the model sent each piece, and when the text was on the screen, in milliseconds since the epoch.
    """
    surface.wait_for("!document.querySelector('#chat-stop')")
    surface.python(f"{MODEL}\nmodel = gemini.agents.current().model = TimedModel({pieces!r}, {wait_s})\nNone")
    surface.javascript(WATCH, awaited)
    # Real keys, since the page's own controls take no others.
    surface.driver.find_element(By.ID, "chat-input").send_keys("Go", Keys.ENTER)
    seen = surface.javascript("return await seen")
    surface.wait_for("!document.querySelector('#chat-stop')")
    sent: list[float] = surface.python("model.sent")
    return sent, seen


def long_answer(surface: Surface) -> dict[str, Any]:
    """Measure the page's longest task and the delay of the last words in a long answer with code and lists."""
    part = "A paragraph with **bold** words, `code` and a [link](https://example.com).\n\n- one\n- two\n\n"
    pieces = [f"{part}Number {number} stands here.\n\n" for number in range(PARAGRAPHS)]
    surface.javascript(
        """
        globalThis.tasks = [];
        const note = (list) => tasks.push(...list.getEntries().map(({ duration }) => duration));
        new PerformanceObserver(note).observe({ type: "longtask" });
        """
    )
    sent, seen = ask(surface, pieces, 0.02, f"Number {PARAGRAPHS - 1} stands")
    return {
        "characters": sum(map(len, pieces)),
        "last_words_ms": round(seen - sent[-1], 1),
        "longest_task_ms": surface.javascript("return Math.max(0, ...tasks)"),
    }


def main() -> int:
    """Print the figures and return 1 if the first words are too late, else 0."""
    with serving(DIST) as url:
        driver = launch()
        try:
            surface = Surface(driver, url)
            surface.load()
            surface.driver.find_element(By.ID, "panels-button").click()
            surface.driver.find_element(By.CSS_SELECTOR, "#panels-menu [value=chat]").click()
            surface.wait_for("document.querySelector('#chat-input')?.checkVisibility()")
            firsts: list[float] = []
            for number in range(ROUNDS):
                sent, seen = ask(surface, [f"word{number} ", "and more ", "of it"], 0.05, f"word{number}")
                firsts.append(seen - sent[0])
            trivial_ms = surface.javascript(TRIVIAL)
            median_ms = statistics.median(firsts)
            measured = {
                "first_words_ms": {
                    "median": round(median_ms, 1),
                    "longest": round(max(firsts), 1),
                    "limit": MAX_FIRST_MS,
                },
                "of_a_trivial_call": round(median_ms / trivial_ms, 2),
                "long_answer": long_answer(surface),
            }
        finally:
            driver.quit()
    print(json.dumps(measured, indent=2))
    return 0 if median_ms <= MAX_FIRST_MS else 1


if __name__ == "__main__":
    raise SystemExit(main())
