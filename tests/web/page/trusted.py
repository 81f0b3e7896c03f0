"""Perform the same gesture with trusted input from the driver and with the page script."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.mouse_button import MouseButton
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from gemini_testing.html_page import HtmlPage

# Records events, and returns the page's state.
WATCH = """<script>
events = [];
for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "contextmenu", "auxclick",
    "focus", "blur", "focusin", "focusout", "keydown", "keypress", "beforeinput", "input", "change", "keyup", "submit",
    "reset", "invalid", "cancel", "close", "dragstart", "drop", "dragend", "copy", "cut", "paste"]) {
  window.addEventListener(type, (event) => {
    const { key, inputType, data } = event;
    const inner = event.composedPath()[0];
    if (inner.nodeType !== 1) return;
    events.push([type, inner.id || inner.localName, key ?? "", inputType ?? "", data ?? ""].join(" ").trim());
  }, true);
}
addEventListener("submit", (event) => { event.preventDefault(); submitted = (globalThis.submitted ?? 0) + 1; });
function state() {
  const roots = [document];
  for (const root of roots) for (const one of root.querySelectorAll("*")) {
    if (one.shadowRoot) roots.push(one.shadowRoot);
    if (one.localName === "iframe") roots.push(one.contentDocument);
  }
  const all = roots.flatMap((root) => [...root.querySelectorAll("[id]")]);
  const of = (names, get) => Object.fromEntries(
    all.filter((one) => one.matches(names)).map((one) => [one.id, get(one)]));
  let active = document.activeElement;
  for (let inner = active; inner; inner = active.contentDocument?.activeElement ?? active.shadowRoot?.activeElement) active = inner;
  const caret = "selectionStart" in active ? [active.selectionStart, active.selectionEnd, active.selectionDirection] : null;
  return {
    active: active.id || active.localName, caret,
    selected: active.localName === "input" || active.localName === "textarea" ? "" : getSelection().toString(),
    values: of("input, textarea", (one) => one.value),
    checked: of("input", (one) => one.checked),
    chosen: of("select", (one) => [...one.selectedOptions].map((option) => option.label)),
    html: of("[contenteditable], .shown", (one) => one.innerHTML),
    open: of("details, dialog", (one) => one.open),
    popovers: of("[popover]", (one) => one.matches(":popover-open")),
    aria: of("[aria-selected], [aria-expanded], [aria-valuenow]", (one) =>
      ["selected", "expanded", "valuenow"].map((name) => one.getAttribute("aria-" + name))),
    submitted: globalThis.submitted ?? 0, hash: location.hash,
  };
}
</script>"""


@dataclass(frozen=True)
class Case:
    """The same gesture on `html` with trusted input and by the page script."""

    name: str
    html: str
    person: Callable[[Person], Any]
    script: Sequence[tuple[str, dict[str, Any]]]
    # Whether the events must be the same; the state always must be.
    same_events: bool = True

    def __str__(self) -> str:
        return self.name


class Person:
    """Trusted input from the driver."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    @property
    def chain(self) -> ActionChains:
        return ActionChains(self.driver, duration=20)

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def wait(self, selector: str) -> Person:
        WebDriverWait(self.driver, 5).until(lambda _: self.find(selector).is_displayed())
        return self

    def click(self, selector: str) -> Person:
        self.chain.click(self.find(selector)).perform()
        return self

    def middle(self, selector: str) -> Person:
        pointer = ActionBuilder(self.driver)
        pointer.pointer_action.move_to(self.find(selector)).pointer_down(MouseButton.MIDDLE).pointer_up(
            MouseButton.MIDDLE
        )
        pointer.perform()
        return self

    def inside(self, frame: str, action: Callable[[], Any]) -> None:
        self.driver.switch_to.frame(frame)
        try:
            action()
        finally:
            self.driver.switch_to.default_content()

    def keys(self, *keys: str) -> Person:
        for key in keys:
            self.chain.send_keys(key).perform()
        return self

    def chord(self, modifier: str, key: str) -> Person:
        self.chain.key_down(modifier).send_keys(key).key_up(modifier).perform()
        return self

    def replace(self, selector: str, text: str) -> Person:
        """Click, select everything and type the text, as `type` does."""
        self.click(selector)
        self.driver.execute_script("document.activeElement.select?.()")
        return self.keys(text or Keys.BACKSPACE)


@dataclass(frozen=True)
class Seen:
    """The result of a gesture."""

    state: dict[str, Any]
    events: list[str]


def by_person(page: HtmlPage, case: Case) -> Seen:
    _open(page, case)
    case.person(Person(page.driver))
    return _seen(page)


def by_script(page: HtmlPage, case: Case) -> Seen:
    _open(page, case)
    for action, options in case.script:
        page.run("return await geminiPage[arguments[0]](arguments[1])", action, options)
    return _seen(page)


def _open(page: HtmlPage, case: Case) -> None:
    page.open(WATCH + case.html)
    page.run("await document.fonts.ready")


def _seen(page: HtmlPage) -> Seen:
    # Some events are dispatched in the next frame.
    seen = page.run(
        "await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));"
        "return JSON.stringify({ state: state(), events })"
    )
    found = Seen(**json.loads(seen))
    # A dialog's close event comes in a separate task (HTML, "close the dialog"), so its order isn't fixed.
    found.events.sort(key=lambda event: event.startswith("close "))
    return found
