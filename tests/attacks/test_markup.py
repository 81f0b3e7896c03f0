"""Markup of untrusted authors tries to press the surface's buttons, to lead away, or to be part of the surface."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.common.exceptions import JavascriptException

from gemini_testing import Surface
from tests.attacks.listener import Listener, fenced_listener
from tests.attacks.markup import PLACES, press_at, roots
from tests.attacks.markup_cases import ACTING, ATTRIBUTES, CASES, ELEMENTS, OWN
from tests.web.agent import close_tabs
from tests.web.person import Person

pytestmark = pytest.mark.fortnightly

# Notes what a press outside of the views caused.
WATCH = """
globalThis.acted = [];
const inside = (event) => event.composedPath().some((each) => each instanceof Element && each.matches(".untrusted"));
// A press focuses the panel around the text.
const isAround = ({ type, target }) => type === "focusin" && target.querySelector?.(".untrusted");
for (const type of ["click", "submit", "reset", "change", "beforetoggle", "toggle", "focusin", "input"]) {
  // Before the surface's own listeners stop the event.
  Document.prototype.addEventListener.call(window, type, (event) => {
    if (!event.isTrusted || inside(event) || isAround(event)) return;
    acted.push(`${type} ${event.target.id || event.target.localName}`);
  }, { capture: true });
}
addEventListener("hashchange", () => acted.push("hashchange"));
"""
# Events are queued before a timer. A page that a new window hides has no frames.
NOTED = "const done = arguments[0]; setTimeout(() => setTimeout(() => done"
PLACE_OF = """
const find = (root) => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node; (node = walker.nextNode());) {
    const shown = node.nodeType === Node.TEXT_NODE ? node.data : node.alt || node.value || "";
    if (String(shown).includes(arguments[0])) return node;
  }
};
const node = ROOTS.map(find).find(Boolean);
if (!node) return null;
(node.nodeType === Node.TEXT_NODE ? node.parentElement : node).scrollIntoView({ block: "center" });
const range = document.createRange();
range.selectNode(node);
const { left, top, width, height } = range.getBoundingClientRect();
return [left + Math.min(width, 30) / 2, top + height / 2];
"""


@pytest.fixture(scope="module")
def outside() -> Iterator[Listener]:
    with fenced_listener() as listener:
        yield listener


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, surface: Surface) -> Iterator[str]:
    surface.call("file_write", path="/project/attack/x", content="")
    yield request.param
    close_tabs(surface)
    surface.python("gemini.agents.current().model = None")


def all_cases(outside: Listener, cases: dict[str, str]) -> str:
    parts = (
        text.replace("HERE", f"[[{n}]]").replace("OUT", outside.url) for n, text in enumerate(cases.values())
    )
    return "\n\n".join(f"<div>{part}</div>" for part in parts) + "\n\nthe end"


def press_all(surface: Surface, cases: dict[str, str], where: str) -> dict[str, list[str]]:
    """Press the text of each case that is drawn, and return what that caused outside of the views."""
    acted = {}
    for number, name in enumerate(cases):
        place = surface.driver.execute_script(PLACE_OF.replace("ROOTS", where), f"[[{number}]]")
        surface.driver.execute_script("acted.length = 0")
        if place is None:
            continue
        press_at(surface.driver, *place)
        acted[name] = surface.driver.execute_async_script(f"{NOTED}([...acted])))")
        surface.driver.execute_script(
            "document.querySelector(':modal:not(#approval, #file-viewer)')?.close(); document.activeElement.blur()"
        )
    return acted


UNPROTECTED = """<button id=target>target</button><input id=field><input type=checkbox id=box>
<div popover id=pop>pop</div><dialog id=modal>modal</dialog>
<form id=form action='javascript:0'><input name=a></form><div style='height:40em'></div>"""


def test_only_allowed_markup_is_drawn_and_no_press_on_it_acts(
    surface: Surface, person: Person, outside: Listener, place: str
) -> None:
    outside.received(surface)
    PLACES[place](surface, person, all_cases(outside, CASES))
    found = surface.javascript(
        f"return {roots(place)}.flatMap((root) => [...root.querySelectorAll('*')]"
        ".filter((each) => !each.closest('.markdown-code'))"
        ".flatMap((each) => [each.localName, ...each.getAttributeNames().map((name) => `${each.localName} ${name}`)]))"
    )
    elements = {each for each in found if " " not in each}
    attributes = {each for each in found if " " in each} - OWN
    assert {"a", "div", "details", "summary", "b", "p"} <= elements <= ELEMENTS
    assert {each.split()[1] for each in attributes} <= ATTRIBUTES
    # Nothing of it is among the surface's own ids and labels.
    known = surface.javascript(
        "return [...document.querySelectorAll('.untrusted *, label[for=target]')].length"
    )
    assert known == 0

    windows = surface.driver.window_handles
    # The elements named by the markup are there, and unprotected.
    surface.driver.execute_script(
        "document.body.append(Object.assign(document.createElement('div'), { id: 'named', innerHTML: arguments[0],"
        " style: 'position: fixed; left: -99em' }))",
        UNPROTECTED,
    )
    surface.driver.execute_script(WATCH)
    acted = press_all(surface, CASES, roots(place))
    assert len(acted) > len(CASES) / 2
    assert {name: noted for name, noted in acted.items() if noted} == {}
    assert surface.driver.window_handles == windows
    assert outside.received(surface) == []
    assert surface.javascript("return location.hash") == ""
    surface.javascript("document.querySelector('#named').remove()")


def test_without_protection_the_same_presses_act(surface: Surface, outside: Listener) -> None:
    driver = surface.driver
    main = driver.current_window_handle
    driver.switch_to.new_window("tab")
    blank = driver.current_window_handle
    try:
        acting = set()
        # Each in a separate page, since some lead away.
        for number, (name, text) in enumerate(ACTING.items()):
            driver.get("about:blank")
            html = text.replace("HERE", f"[[{number}]]").replace("OUT", outside.url)
            driver.execute_script("document.body.innerHTML = arguments[0]", UNPROTECTED + html)
            driver.execute_script(WATCH)
            place = driver.execute_script(PLACE_OF.replace("ROOTS", "[document.body]"), f"[[{number}]]")
            press_at(driver, *place)
            try:
                noted = driver.execute_async_script(f"{NOTED}(globalThis.acted ?? ['left'])))")
            except JavascriptException:
                noted = ["left"]
            # The click on the pressed text itself is no effect.
            if [each for each in noted if each.split()[0] != "click" or each == "click target"]:
                acting.add(name)
            for handle in driver.window_handles:
                if handle not in (main, blank):
                    driver.switch_to.window(handle)
                    driver.close()
            driver.switch_to.window(blank)
        assert set(ACTING) - acting == set()
    finally:
        driver.close()
        driver.switch_to.window(main)
