"""The Problems panel and the page console, which are tabs of the panel below."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.agent import close_tabs, show_tab
from tests.web.person import Person
from tests.web.test_editor import edit

pytestmark = pytest.mark.extended

CARET = "document.querySelector('#editor-state .keys').textContent"
FOCUSED = "document.activeElement"
PAGE = """<!doctype html><title>Shop</title><h1>Shop</h1><script>
console.log("starting", 3);
console.warn("slow <b>network</b>");
shop.open();
</script><button onclick="console.log('late')">Late</button>
"""
BELOW = ("terminals", "python", "problems", "page-console")


def press_late(surface: Surface) -> None:
    """Have the page write another message."""
    surface.call("browser_click", selector="button")


def test_they_are_tabs_of_the_panel_below(person: Person) -> None:
    person.click('button "More"')
    for panel in BELOW:
        person.find(f'region "Panels" [aria-label="Panel below"] [value={panel}]')
    person.press(Keys.ESCAPE)


def test_problems_of_all_open_files_are_listed_and_jumped_to_by_keyboard(
    surface: Surface, person: Person, folder: str
) -> None:
    edit(surface, person, f"{folder}/first.py", "print(undefined_first)\n")
    person.sees('region "Editor" button "1 problem"', "1 problem")
    edit(surface, person, f"{folder}/second.py", "value = 1\nif value:\n    value.x = undefined_name\n")
    person.sees('region "Editor" button "1 problem"', "1 problem")

    person.press("m", holding=Keys.CONTROL + Keys.SHIFT)
    person.sees('region "Problems"', "undefined_first")
    person.sees('region "Problems"', "undefined_name")
    listed = surface.javascript("return document.querySelectorAll('.problem-place').length")
    person.sees("[data-tab-panel-id=problems]", f"Problems {listed}")
    surface.wait_for(f"{FOCUSED}.matches('#problems .problem-place')")
    person.press(Keys.ARROW_DOWN, times=listed)
    surface.wait_for(f"{FOCUSED}.textContent.includes('undefined_name')")
    person.press(Keys.ARROW_UP)
    surface.wait_for(f"{FOCUSED}.textContent.includes('undefined_first')")
    person.press(Keys.ARROW_DOWN)
    person.press(Keys.ENTER)
    surface.wait_for(f"{FOCUSED}.closest('#editor') && {CARET}.includes('Ln 3, Col 15')")


def test_a_problem_is_fixed_in_a_file_that_is_not_in_front(
    surface: Surface, person: Person, folder: str
) -> None:
    edit(surface, person, f"{folder}/behind.py", "import os\n\nprint(1)\n")
    person.sees('region "Editor" button "1 problem"', "problem")
    edit(surface, person, f"{folder}/front.txt", "text\n")
    person.open_panel("problems")
    # The message has the name in backticks.
    assert person.sees(".problem-place code", "os") == "os"
    person.click('region "Problems" section[aria-label$="behind.py"] [aria-label*="imported but unused"]')
    person.no_longer_sees('region "Problems" section[aria-label$="behind.py"]')
    person.click('tablist "Open files" [title$="behind.py"]')
    surface.wait_for("!document.querySelector('#editor-view .cm-content').textContent.includes('import os')")


def test_an_empty_list_of_problems_says_so(surface: Surface, person: Person, folder: str) -> None:
    surface.reload(fresh=True)
    edit(surface, person, f"{folder}/good.py", "print(1)\n")
    person.open_panel("problems")
    person.sees('region "Problems" .empty', "No problems in the open files")


def test_the_page_console_follows_the_page_in_front(surface: Surface, person: Person, folder: str) -> None:
    close_tabs(surface)
    person.open_panel("page-console")
    person.sees('region "Page console" .empty', "Open a page")
    surface.call("file_write", path=f"{folder}/page.html", content=PAGE)
    surface.call("browser_navigate", url=f"{folder}/page.html")
    show_tab(surface)
    person.open_panel("page-console")
    messages = ".page-messages"
    person.sees(messages, "starting 3")
    # As text, whatever it looks like.
    person.sees(messages, "Warning slow <b>network</b>")
    person.sees(messages, "Error Uncaught ReferenceError: shop is not defined")

    press_late(surface)
    person.sees(messages, "late")
    person.click('region "Page console" input')
    person.type("not defined")
    surface.wait_for("document.querySelectorAll('.page-message').length === 1")
    person.click(".page-message .link")
    surface.wait_for(f"{FOCUSED}.closest('#editor') && {CARET}.includes('Ln 4')")


def test_cleared_messages_stay_away_and_later_ones_are_shown(
    surface: Surface, person: Person, folder: str
) -> None:
    # The filter of the test before would hide messages.
    surface.reload(fresh=True)
    surface.call("file_write", path=f"{folder}/page.html", content=PAGE)
    surface.call("browser_navigate", url=f"{folder}/page.html")
    show_tab(surface)
    person.click('region "Errors of the page" button "Console"')
    surface.wait_for(f"{FOCUSED}.closest('#page-console') !== null")
    person.sees(".page-messages", "starting 3")
    person.click('region "Page console" button "Clear"')
    person.sees('region "Page console" .empty', "no messages")
    press_late(surface)
    person.sees(".page-messages", "late")
    assert "starting" not in surface.javascript("return document.querySelector('.page-messages').textContent")
