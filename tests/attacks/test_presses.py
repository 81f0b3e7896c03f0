"""Clicks that nobody meant for a button: forwarded, scripted, begun elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.attacks.markup import press_at
from tests.tiers import sampled
from tests.web.person import Person

pytestmark = pytest.mark.fortnightly

FORWARD = """
const [way, target] = arguments;
// In the surface's document, above all panels and outside of them, as if nothing had sanitized it.
const style = "position: fixed; left: 40px; top: 60px; z-index: 2147483647; background: Canvas; padding: 9px";
const add = (tag, properties, inside = "press") => {
  const element = Object.assign(document.createElement(tag), { id: "bait", innerHTML: inside, ...properties });
  element.style.cssText = style;
  document.body.append(element);
};
const button = document.getElementById(target);
const dispatch = () => button.dispatchEvent(
  new MouseEvent("click", { bubbles: true, composed: true, detail: 1, clientX: 50, clientY: 70 }));
const ways = {
  label: () => add("label", { htmlFor: target }),
  "nested label": () => add("label", { htmlFor: target }, "<b><i>press</i></b>"),
  "label with a picture": () => add("label", { htmlFor: target }, "<svg width=50 height=20><path />"),
  "label with a summary": () => add("label", { htmlFor: target }, "<details><summary>press</summary></details>"),
  "handler that presses": () => add("b", { onclick: () => button.click() }),
  "handler that dispatches": () => add("b", { onclick: dispatch }),
  "pointer down that presses": () => add("b", { onpointerdown: () => button.click() }),
};
ways[way]();
"""
WAYS = ["label", "nested label", "label with a picture", "label with a summary", "handler that presses",
        "handler that dispatches", "pointer down that presses"]  # fmt: skip
# Buttons that own a power, or open a dialog that does.
POWERS = ["browser-network", "new-terminal", "console-run", "console-clear", "export", "reset-all", "reset-layout",
          "new-tab", "panels-button", "help-button"]  # fmt: skip
COUNT = """
globalThis.counting?.abort();
globalThis.counting = new AbortController();
globalThis.pressed = 0;
document.getElementById(arguments[0]).addEventListener("click", () => (pressed += 1), { signal: counting.signal });
"""


@pytest.fixture
def bait(surface: Surface) -> Iterator[None]:
    yield
    surface.javascript("document.querySelectorAll('#bait').forEach((each) => each.remove())")


@pytest.mark.parametrize("way", sampled(WAYS))
def test_no_forwarded_press_reaches_a_button(surface: Surface, person: Person, bait: None, way: str) -> None:
    for target in POWERS:
        surface.driver.execute_script(COUNT, target)
        surface.driver.execute_script(FORWARD, way, target)
        person.click("#bait")
        assert surface.javascript("return pressed") == 0, target
        surface.javascript("document.querySelector('#bait').remove()")
    # A press of the button itself does reach it.
    surface.driver.execute_script(COUNT, "panels-button")
    person.click("#panels-button")
    assert surface.javascript("return pressed") == 1
    person.press(Keys.ESCAPE)


def middle(surface: Surface, selector: str) -> tuple[float, float]:
    box = surface.javascript(
        "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector
    )
    return box["left"] + box["width"] / 2, box["top"] + box["height"] / 2


def key(surface: Surface, kind: str, name: str, *, repeated: bool = False) -> None:
    text = {"Enter": "\r", " ": " "}[name] if kind == "keyDown" else ""
    code = {"Enter": 13, " ": 32}[name]
    event = {"type": kind, "key": name, "windowsVirtualKeyCode": code, "text": text, "autoRepeat": repeated}
    surface.driver.execute_cdp_cmd("Input.dispatchKeyEvent", event)


def pressed(surface: Surface) -> int:
    return surface.driver.execute_async_script(
        "const done = arguments[0]; requestAnimationFrame(() => setTimeout(() => done(pressed)))"
    )


def test_a_press_counts_only_where_it_began_and_ended(surface: Surface, person: Person, bait: None) -> None:
    surface.driver.execute_script(COUNT, "panels-button")
    x, y = middle(surface, "#panels-button")
    driver = surface.driver

    def mouse(kind: str, x: float, y: float) -> None:
        event = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
        driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    # It begins elsewhere.
    other = middle(surface, "#help-button")
    mouse("mousePressed", *other)
    mouse("mouseReleased", x, y)
    assert pressed(surface) == 0
    # The button moves away from under the pointer, and another element presses it.
    mouse("mousePressed", x, y)
    driver.execute_script("document.querySelector('#panels-button').click()")
    mouse("mouseReleased", *other)
    assert pressed(surface) == 0
    # A key is pressed elsewhere, and the focus moves to the button before it is released.
    driver.execute_script("document.querySelector('#help-button').focus()")
    key(surface, "keyDown", " ")
    driver.execute_script("document.querySelector('#panels-button').focus()")
    key(surface, "keyUp", " ")
    assert pressed(surface) == 0
    # A listener moves the focus while the key is pressed.
    driver.execute_script(
        "const [from, to] = ['#help-button', '#panels-button'].map((each) => document.querySelector(each));"
        "from.addEventListener('keydown', () => to.focus(), { once: true }); from.focus()"
    )
    key(surface, "keyDown", "Enter")
    key(surface, "keyUp", "Enter")
    assert pressed(surface) == 0
    # A held key that was pressed elsewhere.
    driver.execute_script("document.querySelector('#help-button').focus()")
    driver.execute_script("document.querySelector('#panels-button').focus()")
    key(surface, "keyDown", "Enter", repeated=True)
    key(surface, "keyUp", "Enter")
    assert pressed(surface) == 0


@pytest.mark.parametrize("way", ["pointer", "Enter", "space bar"])
def test_a_real_press_counts(surface: Surface, person: Person, way: str) -> None:
    surface.driver.execute_script(COUNT, "panels-button")
    if way == "pointer":
        press_at(surface.driver, *middle(surface, "#panels-button"))
    else:
        surface.driver.execute_script("document.querySelector('#panels-button').focus()")
        name = {"Enter": "Enter", "space bar": " "}[way]
        key(surface, "keyDown", name)
        key(surface, "keyUp", name)
    assert pressed(surface) == 1
    person.press(Keys.ESCAPE)
