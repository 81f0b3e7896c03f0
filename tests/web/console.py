"""The Python console as a user reaches it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from selenium.webdriver.common.keys import Keys

from tests.web.person import Person

FIELD = "#console-input"


def show_console(person: Person) -> None:
    """Show the console's panel, if another one hides it."""
    if not person.surface.javascript("return document.querySelector('#python').checkVisibility()"):
        person.click("[data-tab-panel-id=python]")


@contextmanager
def empty_console(person: Person) -> Generator[Person]:
    """Yield the user with the focus in an empty console, and clear its field afterwards."""
    show_console(person)
    person.click("#console-clear")
    person.no_longer_sees(".console-entry")
    person.surface.wait_for("document.activeElement.id === 'console-input'")
    yield person
    person.find(FIELD).clear()


def enter(person: Person, code: str) -> None:
    """Paste code and run it."""
    fill = "const field = document.querySelector('#console-input'); field.value = arguments[0];"
    person.surface.javascript(fill, code)
    person.find(FIELD).send_keys(Keys.CONTROL, Keys.ENTER)
