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


# --- colors and progress bars ---


def test_colors_and_overwritten_lines_are_drawn(surface: Surface, panel: Person) -> None:
    enter(panel, r"print('\x1b[1;38;5;208mbold\x1b[0m \x1b[31mred', 'plain\rPL')")
    assert panel.sees(".console-stdout", "red") == "PLld red plain"
    enter(panel, r"print('\x1b[1;38;5;208mbold\x1b[0m \x1b[31mred\x1b[0m.')")
    panel.sees(".console-stdout", "bold red.")
    looks = (
        "const spans = [...document.querySelectorAll('.console-entry:last-of-type .console-stdout span')];"
        "return spans.map((span) => [span.innerText, getComputedStyle(span).fontWeight, span.style.color])"
    )
    assert surface.javascript(looks) == [
        ["bold", "700", "rgb(255, 135, 0)"],
        ["red", "400", "var(--terminal-red)"],
    ]


def test_a_progress_bar_stays_on_its_line(panel: Person) -> None:
    bar = (
        "import sys, asyncio\n"
        "for n in range(0, 101, 20):\n"
        "    print(f'\\r{n:3}%|{\"#\" * (n // 10):10}|', end='', file=sys.stderr)\n"
        "    await asyncio.sleep(0.01)\n"
        "sys.stdout.isatty()"
    )
    enter(panel, bar)
    panel.sees(".console-result", "True")
    assert panel.sees(".console-stderr") == "100%|##########|"


def test_agents_output_has_no_terminal(surface: Surface) -> None:
    assert surface.call("python_run", code="import sys; sys.stdout.isatty()")["result"] is False
