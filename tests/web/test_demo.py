"""The demo as a user sees it who only watches: each of its moments is in view, on a desktop and on a phone."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.conftest import Resize
from tests.web.person import Person
from tests.web.test_agent_panel import answer, open_panel, wait_until

# Each is noted when it is in view.
MOMENTS: dict[str, str] = {
    "asks": "visible('.agent-question', 'Which color')",
    "writes": "visible('.agent-doing', 'Writing demo/counter.html')",
    "wrote": "visible('.agent-sentence', 'Wrote demo/counter.html, new')",
    "opened": "visible('.agent-sentence', 'Opened demo/counter.html')",
    "the page": "page('Counted: 0')",
    "clicked": "visible('.agent-sentence', 'Clicked Count')",
    "failed": "visible('.agent-warning', \"'Counted: 1' was expected\")",
    "the error": "visible('.agent-sentence', 'Read the page’s console, 1 error')",
    "the mistake": "visible('[data-line=removed]', 'onclick = cuont')",
    "the mend": "visible('[data-line=added]', 'onclick = count')",
    "used": "visible('.agent-sentence', 'Used the page’s tool count')",
    "it counts": "page('Counted: 1')",
    "the answer": "visible('#agent-result', 'a name in its script was misspelled')",
    "next": "visible('#agent-own-title', 'Now your own task')",
    "the field": "visible('#agent-own-task', '')",
    "a model": "visible('.agent-own button', 'Connect a model')",
    "other clients": "visible('.agent-own button', 'MCP client')",
}
WATCH = """
const moments = arguments[0];
const inView = (element) => {
  if (!element.checkVisibility()) return false;
  const box = element.getBoundingClientRect();
  const x = box.left + Math.min(box.width / 2, 20), y = box.top + Math.min(box.height / 2, 20);
  const hit = document.elementFromPoint(x, y);
  return hit !== null && (element.contains(hit) || hit.contains(element));
};
const visible = (selector, text) => [...document.querySelectorAll(selector)].some(
  (element) => element.innerText.replaceAll(/\\s+/g, " ").includes(text) && inView(element));
// The frame in front says the words; in a window without room for it, the picture of a step shows them.
const page = (words) => {
  if (globalThis.demoPage !== words) return false;
  const frame = document.querySelector(".tab-frame.front");
  if (frame?.checkVisibility()) return inView(frame);
  return [...document.querySelectorAll(".agent-pictures figure:last-child img")].some(
    (image) => image.naturalWidth > 0 && inView(image));
};
globalThis.demoSeen = {};
const look = () => {
  for (const [name, source] of Object.entries(moments)) {
    if (!(name in demoSeen) && eval(source)) demoSeen[name] = true;
  }
  globalThis.demoWatch = requestAnimationFrame(look);
};
look();
"""


@pytest.fixture
def pace(surface: Surface) -> Any:
    """Return a function that sets the demo's pace: the seconds for a step, and for an answer."""
    declared = surface.python("from gemini.agents import demo; [demo.PACE_S, demo.ANSWER_AFTER_S]")

    def set_pace(step_s: float, answer_s: float) -> None:
        surface.python(
            f"from gemini.agents import demo; demo.PACE_S, demo.ANSWER_AFTER_S = {step_s}, {answer_s}"
        )

    yield set_pace
    set_pace(*declared)


def words_of_page(driver: WebDriver) -> str:
    """Return the text of the demo's tab, whose document is in frames of other origins."""
    words = ""
    try:
        frames = driver.find_elements(By.CSS_SELECTOR, ".tab-frame.front")
        # In a narrow window no tab is in front as long as the Browser panel isn't.
        frames = frames or driver.find_elements(By.CSS_SELECTOR, ".tab-frame")[-1:]
        while frames:
            driver.switch_to.frame(frames[0])
            words = driver.find_element(By.TAG_NAME, "body").get_property("innerText") or words
            frames = driver.find_elements(By.TAG_NAME, "iframe")
    except WebDriverException:
        # The tab has just got another document.
        words = ""
    finally:
        driver.switch_to.default_content()
    return str(words)


def without_model(surface: Surface) -> None:
    surface.python("import gemini; gemini.agents.current().model = None")


def start_demo(surface: Surface, person: Person) -> None:
    without_model(surface)
    open_panel(person)
    person.click('region "Agent" button "Watch the demo"')


@pytest.mark.parametrize("size", [(1280, 720), pytest.param((390, 844), marks=pytest.mark.extended)])
def test_each_moment_of_the_demo_is_seen_by_one_who_only_watches(
    surface: Surface, person: Person, resize: Resize, pace: Any, size: tuple[int, int]
) -> None:
    # Without runs, tabs and files of an earlier demo.
    surface.reload(fresh=True)
    pace(1.0, 2.0)
    resize(*size)
    without_model(surface)
    surface.javascript(WATCH, MOMENTS)
    person.press("k", holding=Keys.CONTROL)
    person.type("!")
    person.sees('listbox "Suggestions" [aria-selected=true]', "Watch the demo")
    person.press(Keys.ENTER)
    missing = "return arguments[0].filter((name) => !(name in demoSeen))"
    over = "return document.querySelector('.agent-run[data-status=done]') !== null"
    deadline = time.monotonic() + 120
    while (left := surface.javascript(missing, list(MOMENTS))) and time.monotonic() < deadline:
        if surface.javascript(over):
            # The answer and what follows it are drawn at once; nothing else comes.
            deadline = min(deadline, time.monotonic() + 10)
        found = re.search(r"Counted: \d", words_of_page(surface.driver))
        surface.javascript("globalThis.demoPage = arguments[0]", found and found[0])
    surface.javascript("cancelAnimationFrame(demoWatch)")
    assert left == []
    assert "seagreen" in surface.call("file_read", path="/project/demo/counter.html")["content"]
    assert violations(surface, 'region "Agent"') == []


@pytest.mark.extended
def test_the_demo_goes_step_by_step(surface: Surface, person: Person, pace: Any) -> None:
    # Without a pace it can be over before the first press.
    pace(3, 60)
    start_demo(surface, person)
    answer(person, "tomato")
    person.click('region "Agent" button "Step"')
    person.sees('region "Agent" button "Play"', "Play")
    surface.wait_for("document.querySelector('.agent-run').dataset.status === 'paused'")
    pace(0, 60)
    before = surface.javascript("return document.querySelectorAll('.agent-step').length")
    person.click('region "Agent" button "Step"')
    surface.wait_for("document.querySelectorAll('.agent-step').length === arguments[0]", before + 1)
    surface.wait_for("document.querySelector('.agent-run').dataset.status === 'paused'")
    person.click('region "Agent" button "Play"')
    wait_until(surface, "done", 14)


@pytest.mark.extended
def test_the_demo_waits_for_who_writes_an_answer(surface: Surface, person: Person, pace: Any) -> None:
    pace(0, 1)
    start_demo(surface, person)
    person.click('form "The agent asks" [name=text]')
    person.type("tom")
    person.sees('region "Agent" button "Play"', "Play")
    surface.python("import asyncio; await asyncio.sleep(1.5)")
    person.type("ato\n")
    wait_until(surface, "done", 14)
    assert "tomato" in surface.call("file_read", path="/project/demo/counter.html")["content"]


def test_after_the_demo_comes_the_person_s_own_task(surface: Surface, person: Person, pace: Any) -> None:
    pace(0, 0)
    start_demo(surface, person)
    wait_until(surface, "done", 14)
    person.click('region "Agent" textbox "Your own task"')
    person.type("Count to three")
    person.click('region "Agent" button "Connect a model"')
    person.sees("dialog[open]", "Connect a language model")
    surface.python(
        "from gemini.agents import ScriptedModel, say\n"
        "gemini.agents.current().model = ScriptedModel([say('One, two, three')])"
    )
