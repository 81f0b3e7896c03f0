"""A simulated user, with only keyboard, mouse and screen."""

from __future__ import annotations

import base64
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from gemini_testing import Surface
from gemini_testing.surface import WAIT_TIMEOUT_S
from tests.web.roles import HAS_ROLE
from tests.web.shadow import FOUND, TEXT

# The text of the terminal in front. xterm draws non-breaking spaces.
SCREEN = (
    "[...document.querySelectorAll('[data-front] .terminal-view .xterm-rows > div')]"
    ".map((row) => row.textContent.replaceAll('\\u00a0', ' ').trimEnd()).join('\\n').trimEnd()"
)


# A panel that is drawn again replaces, hides or moves an element between a look and a press.
MOVED = (StaleElementReferenceException, ElementNotInteractableException, ElementClickInterceptedException)
# The id of the hidden panel that has an element or whose tab it is, or "status" for what explains the status line.
HIDDEN_IN = f"""
// What isn't in a panel may be anywhere; it isn't looked for in all panels.
const [found] = {FOUND}(arguments[0], /^(region|dialog) "/.test(arguments[0]));
if (!found || found.checkVisibility() || document.querySelector("dialog:modal")) return null;
if (found.closest("#status-explained:not(:popover-open)")) return "status";
const tab = found.closest("[data-tab-panel-id]");
if (tab) return tab.dataset.tabPanelId;
const panel = found.closest(".panel");
if (!panel || panel.checkVisibility()) return null;
return panel.dataset.terminal ?? panel.id;
"""
# The first element of a selector, if it is usable.
USABLE = f"""((found) => found?.checkVisibility() && !found.disabled && found.ariaDisabled !== "true"
  && !found.closest("[data-guarded]") && found)({FOUND}(arguments[0]).find((each) => {HAS_ROLE}(each, arguments[0])))"""
SHOWN = "return document.getElementById(arguments[0])?.checkVisibility() ?? false"
# What is asked, in the dialog of consent.
ASKED = "[role=alertdialog] [data-id]"
TERMINALS = "terminals"
A_TERMINAL_IS_SHOWN = (
    "[...document.querySelectorAll('.panel.terminal, #terminals')].some((each) => each.checkVisibility())"
)


class Person:
    """A user who acts only through input events that the browser trusts.

    A selector is CSS, or a role and an accessible name: `button "Save"` (roles.py), which survive a new markup.
    """

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self._driver = surface.driver

    def find(self, selector: str) -> WebElement:
        """Return the element when it is visible and usable. Open the panel that it is in."""
        self.look_for(selector)
        return self.surface.wait_for(USABLE, selector)

    def look_for(self, selector: str) -> None:
        """Open the panel that an element is in, if it is hidden."""
        hidden = self._driver.execute_script(HIDDEN_IN, selector)
        if hidden == "status":
            Person.click(self, 'contentinfo "Status" button "Status"')
        elif hidden is not None:
            self.open_panel(TERMINALS if hidden.startswith("term-") else hidden)

    def sees(self, selector: str, text: str = "") -> str:
        """Wait for a visible element with the text, and return all of its text."""
        if selector.startswith('dialog "Status" '):
            self.look_for(selector)
        return self.surface.wait_for(
            f"{FOUND}(arguments[0]).filter((found) => found.checkVisibility())"
            f".map((found) => {TEXT}(found) || ' ').find((text) => text.includes(arguments[1]))",
            selector,
            text,
        )

    def asked(self, text: str = "") -> str:
        """Wait for a question for consent with the text, and return all that is asked."""
        return self.sees(ASKED, text)

    def no_longer_sees(self, selector: str) -> None:
        self.surface.wait_for(f"!{FOUND}(arguments[0]).some((found) => found.checkVisibility())", selector)

    def choose(self, selector: str, value: str) -> None:
        """Select an option by keyboard. The driver's own method sends untrusted events."""
        found = self.find(selector)
        index = (
            "const { options, selectedIndex } = arguments[0];"
            "return [selectedIndex, [...options].findIndex(({ value }) => value === arguments[1])]"
        )
        deadline = time.monotonic() + WAIT_TIMEOUT_S
        # Options can change their order while the keys arrive, so each key goes from where the last one led.
        while (at := self._driver.execute_script(index, found, value))[0] != at[1]:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{selector} has no option {value!r}")
            if at[1] >= 0:
                found.send_keys(Keys.ARROW_DOWN if at[1] > at[0] else Keys.ARROW_UP)

    def click(self, selector: str) -> None:
        """Click an element, and find it again if its panel redraws."""
        deadline = time.monotonic() + WAIT_TIMEOUT_S
        while True:
            try:
                self.find(selector).click()
            except MOVED:
                if time.monotonic() > deadline:
                    raise
            else:
                return

    def by_script(self, selector: str, call: str = "click()") -> None:
        """Call a method of an element as a script does, without a press."""
        self._driver.execute_script(f"{FOUND}(arguments[0], true)[0].{call}", selector)

    def answer_questions(self, call: Background, *decisions: str) -> list[str]:
        """Answer each question that a call asks until the call is over, and return the questions.

        Args:
            call: The call.
            decisions: The ends of the buttons' ids, such as "once" or "refuse". The last answers all further questions.
        """
        return self.answer_until("'outcome' in calls[arguments[0]]", call.id, decisions=decisions)

    def answer_until(self, over: str, *arguments: Any, decisions: Sequence[str] = ("once",)) -> list[str]:
        """Answer each question that is asked until a JavaScript expression is truthy, and return the questions.

        Args:
            over: The expression.
            arguments: What `arguments` holds in the expression.
            decisions: The ends of the buttons' ids, such as "once" or "refuse". The last answers all further questions.
        """
        asked: dict[str, str] = {}
        ignored = "document.querySelector('[role=alertdialog] [role=status]').textContent"
        while (number := self.surface.wait_for(f"(({over}) && 'over') || {QUESTION}", *arguments)) != "over":
            asked.setdefault(number, self.asked())
            self.click(f"#approval-{decisions[min(len(asked), len(decisions)) - 1]}")
            # A press that comes as the question appears doesn't count.
            changed = f"({over}) || {QUESTION} !== arguments[{len(arguments)}] || {ignored}"
            self.surface.wait_for(changed, *arguments, number)
        return list(asked.values())

    def open_panel(self, name: str) -> None:
        """Open a panel from the menu of all panels, unless it is shown."""
        if not self.shows(name):
            self.toggle_panel(name)

    def toggle_panel(self, name: str) -> None:
        """Open a panel from the menu of all panels, or close it if it is shown."""
        Person.click(self, 'navigation "Panels" button "More"')
        Person.click(self, f'region "Panels" [value={name}]')
        self._driver.execute_script(f"{FOUND}(arguments[0])[0]?.hidePopover()", 'region "Panels"')

    def shows(self, name: str) -> bool:
        """Return whether a panel is visible; of the terminals, one of them."""
        if name == TERMINALS:
            return self._driver.execute_script(f"return {A_TERMINAL_IS_SHOWN}")
        return self._driver.execute_script(SHOWN, name)

    def open_workspace(self) -> None:
        """Open what most tests look at: the files, a terminal and the calls."""
        if self._driver.execute_script("return document.documentElement.dataset.narrow !== 'false'"):
            return
        for name in ("files", "activity", TERMINALS):
            self.open_panel(name)

    def type(self, text: str) -> None:
        """Type into the focused element."""
        ActionChains(self._driver, duration=0).send_keys(text).perform()

    def press(self, key: str, *, holding: str = "", times: int = 1) -> None:
        actions = ActionChains(self._driver, duration=0)
        for modifier in holding:
            actions.key_down(modifier)
        actions.send_keys(key * times)
        for modifier in holding:
            actions.key_up(modifier)
        actions.perform()

    def drag(self, selector: str, target: str) -> None:
        """Drag an element, and drop it on another one."""
        dragged, dropped = self.find(selector), self.find(target)
        # Both must be in view: scrolling during the drag would move one of them away.
        self._driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", dropped)
        actions = ActionChains(self._driver, duration=0)
        actions.click_and_hold(dragged).move_to_element(dropped).release().perform()

    def copy(self, text: str) -> None:
        """Put a text on the clipboard."""
        allowed = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
        self._driver.execute_cdp_cmd("Browser.grantPermissions", allowed)
        self.surface.javascript("await navigator.clipboard.writeText(arguments[0])", text)

    def paste(self) -> None:
        self.press("v", holding=Keys.CONTROL)

    @property
    def focus(self) -> str | None:
        """Return the focused element's id, or else its accessible name."""
        return self.surface.javascript(
            "const { id, ariaLabel } = document.activeElement; return id || ariaLabel || null;"
        )

    def enter_terminal(self, prompt: str = "$") -> None:
        """Focus the terminal in front when it shows its prompt."""
        self.look_for("[data-front] .terminal-view")
        self.reads(prompt)
        self.click("[data-front] .terminal-view .xterm-screen")
        self.surface.wait_for("document.activeElement.classList.contains('xterm-helper-textarea')")

    def reads(self, text: str) -> str:
        """Wait until the terminal in front shows a text, and return its screen."""
        return self.surface.wait_for(f"((screen) => screen.includes(arguments[0]) && screen)({SCREEN})", text)

    def reads_line(self, line: str) -> str:
        """Wait until the terminal in front shows exactly this line, and return its screen."""
        return self.surface.wait_for(
            f"((screen) => screen.split('\\n').includes(arguments[0]) && screen)({SCREEN})", line
        )

    @property
    def screen(self) -> str:
        """Return the current text of the terminal in front."""
        return self.surface.javascript(f"return {SCREEN}")


class CountingPerson(Person):
    """A user whose presses of keys and of the pointer are counted. Text typed into a field isn't.

    Args:
        surface: The page.
        pictures: The folder for pictures of docs/tour.md; None if none are wanted.
    """

    def __init__(self, surface: Surface, pictures: Path | None = None) -> None:
        super().__init__(surface)
        self.actions = 0
        self.pictures = pictures

    def picture(self, name: str) -> None:
        """Save a picture for docs/tour.md, if pictures are wanted."""
        if self.pictures is None:
            return
        self.pictures.mkdir(parents=True, exist_ok=True)
        taken = self._driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "webp", "quality": 75})
        (self.pictures / f"{name}.webp").write_bytes(base64.b64decode(taken["data"]))

    def look_for(self, selector: str) -> None:
        """Do nothing: opening a panel is an action."""

    def click(self, selector: str) -> None:
        self.actions += 1
        super().click(selector)

    def press(self, key: str, *, holding: str = "", times: int = 1) -> None:
        self.actions += times
        super().press(key, holding=holding, times=times)


# Questions follow each other at once, and two can have the same words.
QUESTION = f"((asked) => asked?.checkVisibility() && asked.dataset.id)(document.querySelector('{ASKED}'))"


class Background:
    """A tool call in the background. `calls[id]` in the page has its `outcome`."""

    def __init__(self, surface: Surface, tool: str, arguments: dict[str, Any]) -> None:
        self._surface = surface
        self.id: int = surface.javascript(START, tool, arguments)

    @property
    def is_running(self) -> bool:
        return self._surface.javascript("return !('outcome' in calls[arguments[0]])", self.id)

    def abort(self) -> None:
        self._surface.javascript("calls[arguments[0]].controller.abort()", self.id)

    def result(self) -> Any:
        """Wait for the value or the error, as on the wire. An abort is `{"aborted": <its name>}`."""
        return self._surface.javascript("return await calls[arguments[0]].promise", self.id)


START = """
const [name, input] = arguments;
const tool = (await document.modelContext.getTools()).find((tool) => tool.name === name);
globalThis.calls ??= [];
const controller = new AbortController();
const call = { controller };
const running = document.modelContext.executeTool(tool, input, { signal: controller.signal });
call.promise = running.then(JSON.parse, (error) => ({ aborted: error.name }))
  .then((outcome) => (call.outcome = outcome));
return calls.push(call) - 1;
"""


def erase(field: WebElement) -> None:
    """Clear a field by keyboard. The driver's own method sends untrusted events."""
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(Keys.BACKSPACE)
