"""Questions about commands that the user has typed in a terminal: one for each, in the words of the line."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.attacks.outside import outside_on_loopback
from tests.companions import CONNECTED, companion_of, opened_by
from tests.web.person import SCREEN, Person

TYPED = "[role=alertdialog] p"
NO_QUESTION = "!document.querySelector('[role=alertdialog]').open"


def enter(surface: Surface, person: Person, line: str) -> None:
    surface.wait_for(f"{SCREEN}.trimEnd().endsWith('$')")
    surface.javascript("document.querySelector('[data-front] .xterm-helper-textarea').focus()")
    person.type(f"{line}{Keys.ENTER}")


def test_pip_asks_once_in_the_words_of_the_line(surface: Surface, person: Person) -> None:
    enter(surface, person, "pip install cowsayy")
    typed = person.sees(TYPED, "You typed")
    assert "You typed pip install cowsayy in term-1 at" in typed
    assert "It reads from the package index, its file server" in typed
    asked, scope = person.asked(), person.sees("[role=alertdialog] ul")
    for host in ("https://pypi.org", "https://files.pythonhosted.org", "https://cdn.jsdelivr.net/pyodide/"):
        assert host in asked and host not in scope
    assert scope.count("read from Python's package index") == 2
    assert person.sees('button "Allow for this command"')
    assert person.sees('button "Remember package indexes"')
    assert surface.javascript("return document.querySelector('#approval-run')") is None
    shown = person.sees("[role=alertdialog]")
    assert "outside any tool" not in shown and "run code" not in shown
    person.click('button "Refuse"')
    # All other requests of this line are refused, too.
    surface.wait_for(f"{SCREEN}.trimEnd().endsWith('$') && {SCREEN}.includes('ERROR')")
    assert surface.javascript(f"return {NO_QUESTION}")
    enter(surface, person, "pip install cowsayy")
    person.sees(TYPED, "You typed")
    person.click('button "Refuse"')
    surface.wait_for(NO_QUESTION)


@pytest.mark.extended
def test_remembered_package_indexes_are_not_asked_about_again(
    surface_dist: Path, browsers: BrowserPool
) -> None:
    with (
        outside_on_loopback() as outside,
        companion_of(surface_dist, network=outside.fetcher()) as companion,
        opened_by(companion, browsers) as surface,
    ):
        person = Person(surface)
        person.open_panel("terminals")
        enter(surface, person, "pip install cowsayy")
        person.sees(TYPED, "You typed")
        assert outside.names == []
        person.click('button "Remember package indexes"')
        # Nothing answers by these names here, so pip fails as soon as it may ask.
        surface.wait_for(f"{SCREEN}.includes('ERROR')")
        assert "pypi.org" in outside.names

        surface.reload()
        surface.wait_for(CONNECTED)
        outside.names.clear()
        enter(surface, person, "clear; pip install figlett")
        surface.wait_for(f"{SCREEN}.includes('ERROR')")
        assert "pypi.org" in outside.names
        assert surface.javascript(f"return {NO_QUESTION}")


@pytest.mark.extended
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("pip install cowsayy", "https://evil.example/"),
        ("pip install cowsayy", "https://cdn.jsdelivr.net/npm/evil/"),
        ("curl https://example.com/a", "https://example.com/b"),
        ("git clone https://example.com/a", "https://example.com/ab/info/refs?service=git-upload-pack"),
    ],
)
def test_other_requests_are_never_called_typed(
    surface: Surface, person: Person, line: str, code: str
) -> None:
    enter(surface, person, f": {line}")
    surface.wait_for(f"{SCREEN}.trimEnd().endsWith('$')")
    surface.python(
        "import asyncio\nfrom pyodide.http import pyfetch\n"
        f"asking = asyncio.ensure_future(pyfetch({code!r}))\nNone"
    )
    person.asked("wants to read from")
    assert surface.javascript("return document.querySelector('#approval-typed')") is None
    person.click('button "Refuse"')
    surface.wait_for(NO_QUESTION)
