"""The Python console as people use notebooks: magics, colors, progress bars, pictures and other values."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.person import Person

FIELD = "#console-input"


@pytest.fixture
def panel(surface: Surface, person: Person) -> Iterator[Person]:
    """Return the user with the focus in an empty console."""
    if not surface.javascript("return document.querySelector('#python').checkVisibility()"):
        person.click("[data-tab-panel-id=python]")
    person.click("#console-clear")
    person.no_longer_sees(".console-entry")
    surface.wait_for("document.activeElement.id === 'console-input'")
    yield person
    person.find(FIELD).clear()


def enter(person: Person, code: str) -> None:
    """Paste code and run it."""
    fill = "const field = document.querySelector('#console-input'); field.value = arguments[0];"
    person.surface.javascript(fill, code)
    person.find(FIELD).send_keys(Keys.CONTROL, Keys.ENTER)


# --- magics ---


def test_commands_of_the_shell_and_of_the_console(surface: Surface, panel: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/script.py", content="answer = 42\nprint('ran')\n")
    panel.type(f"%cd {folder}\n")
    panel.sees(".console-stdout", folder)
    panel.type("!ls | wc -l; echo bad >&2\n")
    panel.sees(".console-stdout", "1")
    panel.sees(".console-stderr", "bad")
    enter(panel, "names = !ls\nnames")
    panel.sees(".console-result", "['script.py']")
    enter(panel, "%run script.py\nanswer")
    panel.sees(".console-result", "42")
    panel.type("%pip show pydantic\n")
    panel.sees(".console-stdout", "Name: pydantic")
    panel.type("%cd -\n")


def test_a_function_waits_for_a_command(surface: Surface) -> None:
    code = "def double(word):\n    lines = !echo {word}; echo {word}\n    return lines\ndouble('a')"
    assert surface.python(code) == ["a", "a"]


def test_an_endless_command_can_be_stopped(panel: Person) -> None:
    panel.type("!echo before; sleep 60\n")
    panel.sees("[data-running=true] .console-stdout", "before")
    panel.click("#console-stop")
    panel.sees("#console-log", "Stopped")
    panel.type("!ps | grep -c '[s]leep'\n")
    panel.sees(".console-stdout", "0")


def test_an_unknown_magic_lists_the_known(panel: Person) -> None:
    panel.type("%tim 1\n")
    assert "Did you mean %time? There are %cd" in panel.sees(".console-error")
