"""The Python console as a user reaches it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from selenium.webdriver.common.keys import Keys

from tests.web.person import Person

FIELD = 'region "Python console" textbox "Python code"'
LOADED = "document.activeElement.matches('#console-input.cm-content')"
TYPED = (
    "[...document.querySelectorAll('#console-input .cm-line')]"
    ".map((line) => (line.querySelector('.cm-placeholder') ? '' : line.textContent)).join('\\n')"
)


def show_console(person: Person) -> None:
    """Show the console's panel, if another one hides it."""
    person.open_panel("python")


def focus_console(person: Person) -> None:
    """Focus the console's field, and wait for its editor."""
    show_console(person)
    person.click(FIELD)
    person.surface.wait_for(LOADED)


@contextmanager
def empty_console(person: Person) -> Generator[Person]:
    """Yield the user with the focus in an empty console, and clear its field afterwards."""
    show_console(person)
    person.click('region "Python console" button "Clear"')
    person.no_longer_sees(".console-entry")
    person.surface.wait_for(LOADED)
    yield person
    clear(person)


def clear(person: Person) -> None:
    """Empty the console's field by keyboard."""
    focus_console(person)
    person.press("a", holding=Keys.CONTROL)
    person.press(Keys.BACKSPACE)


def typed(person: Person) -> str:
    """Return the text of the console's field."""
    return person.surface.javascript(f"return {TYPED}")


def enter(person: Person, code: str) -> None:
    """Paste code and run it: at once, or after the code that runs."""
    clear(person)
    person.surface.driver.execute_cdp_cmd("Input.insertText", {"text": code})
    person.press(Keys.ENTER, holding=Keys.CONTROL)
    # While earlier code runs, the field keeps this code, and the next text would replace it.
    person.surface.wait_for(f"{TYPED} !== arguments[0]", code)
