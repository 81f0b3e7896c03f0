"""The same gestures by the browser's driver, with trusted input, and by the page script."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from selenium.webdriver import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from gemini_testing.html_page import HtmlPage, PageThrew

KEYS = {
    "Enter": Keys.ENTER, "Escape": Keys.ESCAPE, "Tab": Keys.TAB, "Delete": Keys.DELETE, "Backspace": Keys.BACKSPACE,
    "ArrowRight": Keys.ARROW_RIGHT, "ArrowLeft": Keys.ARROW_LEFT, "ArrowUp": Keys.ARROW_UP,
    "ArrowDown": Keys.ARROW_DOWN, "Home": Keys.HOME, "End": Keys.END, "PageDown": Keys.PAGE_DOWN,
    "PageUp": Keys.PAGE_UP, "F2": Keys.F2, "Space": " ", "Control": Keys.CONTROL, "Shift": Keys.SHIFT,
}  # fmt: skip
# The pauses and steps of a user's drag; some libraries wait for them.
HOLD_S = 0.35
STEPS = 12
# How long an action may wait for its element.
TIMEOUT_S = 1.5
# A user's pause after a gesture.
PAUSE_S = 0.12

CENTER = """
const element = [...document.querySelectorAll(arguments[0])].find((one) => one.checkVisibility());
const { x, y, width, height } = element.getBoundingClientRect();
return [Math.floor(x + width / 2), Math.floor(y + height / 2)];
"""
# Names the first visible match, since a selector in an action means its first match.
NAME = """
const all = [...document.querySelectorAll(arguments[0])];
const element = all.find((one) => one.checkVisibility({ visibilityProperty: true })) ?? all[0];
globalThis.gesture = (globalThis.gesture ?? 0) + 1;
element.setAttribute("data-gesture", gesture);
return `[data-gesture="${gesture}"]`;
"""


class Gestures(ABC):
    """One way to perform the gestures of interactions.toml; each method is one of them.

    Args:
        page: The page.
        upload: The file that is uploaded.
    """

    def __init__(self, page: HtmlPage, upload: Path) -> None:
        self.page = page
        self.upload_file = upload

    @abstractmethod
    def perform(self, gesture: str, *arguments: Any) -> None:
        """Perform the gesture with this name."""


class ByDriver(Gestures):
    """Gestures as a user's, by trusted input."""

    def perform(self, gesture: str, *arguments: Any) -> None:
        getattr(self, gesture)(*arguments)
        time.sleep(PAUSE_S)

    def _chain(self) -> ActionChains:
        return ActionChains(self.page.driver, duration=50)

    def _find(self, selector: str) -> WebElement:
        found = self.page.driver.find_elements(By.CSS_SELECTOR, selector)
        return next((one for one in found if one.is_displayed()), found[0])

    def _at(self, x: int, y: int) -> ActionChains:
        actions = ActionBuilder(self.page.driver, duration=30)
        actions.pointer_action.move_to_location(x, y)
        actions.perform()
        return self._chain()

    def _dragged(self, chain: ActionChains, dx: int, dy: int) -> None:
        chain.click_and_hold().pause(HOLD_S)
        done_x = done_y = 0
        for step in range(1, STEPS + 1):
            x, y = round(dx * step / STEPS), round(dy * step / STEPS)
            chain.move_by_offset(x - done_x, y - done_y)
            done_x, done_y = x, y
        chain.pause(PAUSE_S).release().perform()

    def press(self, selector: str) -> None:
        self._chain().click(self._find(selector)).perform()

    def double(self, selector: str) -> None:
        self._chain().double_click(self._find(selector)).perform()

    def press_with(self, selector: str, modifier: str) -> None:
        key = KEYS[modifier]
        self._chain().key_down(key).click(self._find(selector)).key_up(key).perform()

    def press_from(self, selector: str, x: int, y: int) -> None:
        self._chain().move_to_element_with_offset(self._find(selector), x, y).click().perform()

    def hover(self, selector: str) -> None:
        self._chain().move_to_element(self._find(selector)).perform()

    def focus(self, selector: str) -> None:
        self.page.run("document.querySelector(arguments[0]).focus()", selector)

    def hold(self, selector: str, seconds: float) -> None:
        self._chain().click_and_hold(self._find(selector)).pause(seconds).release().perform()

    def press_at(self, x: int, y: int) -> None:
        self._at(x, y).click().perform()

    def double_at(self, x: int, y: int) -> None:
        self._at(x, y).double_click().perform()

    def hover_at(self, x: int, y: int) -> None:
        self._at(x, y)

    def drag(self, selector: str, target: str) -> None:
        x, y = self.page.run(CENTER, selector)
        to_x, to_y = self.page.run(CENTER, target)
        self.drag_by(selector, to_x - x, to_y - y)

    def drag_by(self, selector: str, dx: int, dy: int) -> None:
        self._dragged(self._chain().move_to_element(self._find(selector)), dx, dy)

    def drag_from(self, selector: str, x: int, y: int, dx: int, dy: int) -> None:
        self._dragged(self._chain().move_to_element_with_offset(self._find(selector), x, y), dx, dy)

    def drag_at(self, x: int, y: int, to_x: int, to_y: int) -> None:
        self._dragged(self._at(x, y), to_x - x, to_y - y)

    def key(self, name: str) -> None:
        *modifiers, last = name.split("+")
        chain = self._chain()
        for one in modifiers:
            chain.key_down(KEYS[one])
        chain.send_keys(KEYS.get(last, last))
        for one in modifiers:
            chain.key_up(KEYS[one])
        chain.perform()

    def type_on(self, text: str) -> None:
        self.key("Control+a")
        self._chain().send_keys(text).perform()

    def type(self, selector: str, text: str) -> None:
        self.press(selector)
        self.type_on(text)

    def type_in(self, pressed: str, field: str, text: str) -> None:
        self.press(pressed)
        self.type_on(text)

    def choose(self, selector: str, option: str) -> None:
        self.press(selector)
        time.sleep(2 * PAUSE_S)
        path = f"//*[@role='option' and normalize-space(.)='{option}']"
        options = [one for one in self.page.driver.find_elements(By.XPATH, path) if one.is_displayed()]
        self._chain().click(options[0]).perform()

    def upload(self, field: str, area: str) -> None:
        self.page.driver.find_element(By.CSS_SELECTOR, field).send_keys(str(self.upload_file))

    def wait(self, ms: int) -> None:
        time.sleep(ms / 1000)


class ByScript(Gestures):
    """Gestures by the page script."""

    def __init__(self, page: HtmlPage, upload: Path) -> None:
        super().__init__(page, upload)
        self.successes: list[bool] = []
        self.errors: list[str] = []

    def perform(self, gesture: str, *arguments: Any) -> None:
        getattr(self, gesture)(*arguments)

    @property
    def claims_success(self) -> bool:
        """True if each action said that something happened."""
        return not self.errors and all(self.successes)

    def _act(self, action: str, **options: Any) -> None:
        try:
            body = "return await geminiPage[arguments[0]](arguments[1])"
            answer = self.page.run(body, action, {"timeout": TIMEOUT_S, **options})
        except PageThrew as problem:
            self.errors.append(f"{action}: {problem}")
        else:
            self.successes.append(answer["success"])

    def _name(self, selector: str) -> str:
        return self.page.run(NAME, selector)

    def press(self, selector: str) -> None:
        self._act("click", selector=self._name(selector))

    def double(self, selector: str) -> None:
        self._act("click", selector=self._name(selector), double=True)

    def press_with(self, selector: str, modifier: str) -> None:
        self._act("click", selector=self._name(selector), modifiers=modifier)

    def press_from(self, selector: str, x: int, y: int) -> None:
        center_x, center_y = self.page.run(CENTER, selector)
        self.press_at(center_x + x, center_y + y)

    def hover(self, selector: str) -> None:
        self._act("hover", selector=self._name(selector))

    def focus(self, selector: str) -> None:
        self.page.run("document.querySelector(arguments[0]).focus()", selector)

    def hold(self, selector: str, seconds: float) -> None:
        self._act("click", selector=self._name(selector), hold=seconds)

    def press_at(self, x: int, y: int) -> None:
        self._act("click", x=x, y=y)

    def double_at(self, x: int, y: int) -> None:
        self._act("click", x=x, y=y, double=True)

    def hover_at(self, x: int, y: int) -> None:
        self._act("hover", x=x, y=y)

    def drag(self, selector: str, target: str) -> None:
        self._act("drag", selector=self._name(selector), to=self._name(target))

    def drag_by(self, selector: str, dx: int, dy: int) -> None:
        self._act("drag", selector=self._name(selector), dx=dx, dy=dy)

    def drag_from(self, selector: str, x: int, y: int, dx: int, dy: int) -> None:
        center_x, center_y = self.page.run(CENTER, selector)
        self._act("drag", x=center_x + x, y=center_y + y, dx=dx, dy=dy)

    def drag_at(self, x: int, y: int, to_x: int, to_y: int) -> None:
        self._act("drag", x=x, y=y, to_x=to_x, to_y=to_y)

    def key(self, name: str) -> None:
        self._act("pressKey", key=name)

    def type_on(self, text: str) -> None:
        self._act("type", selector=":focus", text=text)

    def type(self, selector: str, text: str) -> None:
        self._act("type", selector=self._name(selector), text=text)

    def type_in(self, pressed: str, field: str, text: str) -> None:
        self._act("type", selector=self._name(field), text=text)

    def choose(self, selector: str, option: str) -> None:
        self._act("select", selector=self._name(selector), option=option)

    def upload(self, field: str, area: str) -> None:
        file = {"name": self.upload_file.name, "type": "text/plain", "data": "aGk="}
        self._act("type", selector=self._name(area), files=[file])

    def wait(self, ms: int) -> None:
        time.sleep(ms / 1000)
