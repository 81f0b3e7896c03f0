"""The Search panel."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.person import Person, erase
from tests.web.shadow import FOUND

pytestmark = pytest.mark.fortnightly

ROWS = f"{FOUND}('group \"Matches\" li').map((row) => row.innerText.replace(/\\s+/g, ' ').trim())"


def rows(surface: Surface, *expected: str) -> None:
    surface.wait_for(f"JSON.stringify({ROWS}) === JSON.stringify(arguments[0])", list(expected))


def fill(surface: Surface, folder: str, **texts: str) -> None:
    for name, text in texts.items():
        surface.call("file_write", path=f"{folder}/{name.replace('_', '.')}", content=text)


def content(surface: Surface, path: str) -> str:
    return surface.call("file_read", path=path)["content"]


@pytest.fixture
def panel(surface: Surface) -> Generator[Person]:
    """Return a user for whom the Search panel has no text."""
    surface.javascript("document.activeElement.blur()")
    person = Person(surface)
    yield person
    surface.javascript("document.activeElement.blur()")
    for name in ("Match case", "Use regular expression"):
        button = f'region "Search" button "{name}"'
        if surface.javascript(f"return {FOUND}(arguments[0], true)[0]?.ariaPressed === 'true'", button):
            person.click(button)
    for name in ("Search", "Replace", "Files to include"):
        field = f'region "Search" textbox "{name}"'
        if surface.javascript(f"return !!{FOUND}(arguments[0], true)[0]?.value", field):
            open_search(person)
            erase(person.find(field))


def open_search(person: Person) -> None:
    person.press("f", holding=Keys.CONTROL + Keys.SHIFT)
    person.surface.wait_for("document.activeElement.id === 'search-text'")


# --- the panel ---


def test_matches_are_previewed_replaced_and_taken_back(surface: Surface, panel: Person, folder: str) -> None:
    fill(surface, folder, a_txt="red fox\nRed\n", b_txt="no colour\nred\n")
    open_search(panel)
    panel.type("red")
    rows(surface, "1 red fox", "2 Red", "2 red")
    panel.click('region "Search" button "Match case"')
    rows(surface, "1 red fox", "2 red")
    panel.click('region "Search" textbox "Replace"')
    panel.type("blue")
    rows(surface, "1 redblue fox", "2 redblue")
    # A file that isn't selected stays.
    panel.click('group "Matches" section:nth-of-type(2) input')
    panel.click('button "Replace all"')
    panel.sees('region "Search" [role=status]', "Replaced 1 occurrence in 1 file.")
    assert content(surface, f"{folder}/a.txt") == "blue fox\nRed\n"
    assert content(surface, f"{folder}/b.txt") == "no colour\nred\n"

    panel.click('button "Undo"')
    panel.sees('region "Search" [role=status]', "Restored 1 file.")
    assert content(surface, f"{folder}/a.txt") == "red fox\nRed\n"


@pytest.mark.extended
def test_undo_leaves_a_file_that_has_changed_since(surface: Surface, panel: Person, folder: str) -> None:
    fill(surface, folder, a_txt="heron\n", b_txt="heron\n")
    open_search(panel)
    panel.type("heron")
    panel.find('region "Search" textbox "Replace"').send_keys("egret")
    rows(surface, "1 heronegret", "1 heronegret")
    panel.press(Keys.ENTER)
    panel.sees('region "Search" [role=status]', "Replaced 2 occurrences in 2 files.")
    fill(surface, folder, b_txt="stork\n")
    panel.click('button "Undo"')
    panel.sees('region "Search" [role=status]', "Restored 1 file. 1 file changed since")
    assert content(surface, f"{folder}/a.txt") == "heron\n"
    assert content(surface, f"{folder}/b.txt") == "stork\n"


@pytest.mark.extended
def test_expressions_globs_and_mistakes(surface: Surface, panel: Person, folder: str) -> None:
    fill(surface, folder, a_py="def one(): pass\n", b_md="def two\n")
    open_search(panel)
    panel.click('region "Search" button "Use regular expression"')
    panel.find('region "Search" textbox "Search"').send_keys(r"def (\w+")
    panel.sees('region "Search" [role=alert]', "not a regular expression")
    panel.find('region "Search" textbox "Search"').send_keys(")")
    rows(surface, "1 def one(): pass", "1 def two")
    panel.no_longer_sees('region "Search" [role=alert]')
    panel.find('region "Search" textbox "Files to include"').send_keys("*.py")
    rows(surface, "1 def one(): pass")
    panel.find('region "Search" textbox "Replace"').send_keys(r"def \1_more")
    rows(surface, "1 def onedef one_more(): pass")
    panel.click('group "Matches" li button')
    panel.sees('region "Editor"', "a.py")


@pytest.mark.extended
def test_the_palette_searches_in_all_files(surface: Surface, panel: Person, folder: str) -> None:
    fill(surface, folder, a_txt="a kea here\n")
    panel.press("k", holding=Keys.CONTROL)
    panel.type("kea her")
    # Python's items come before this one, and move it.
    panel.sees('listbox "Suggestions" [data-kind=file]', "a.txt")
    panel.sees('listbox "Suggestions" [data-kind=search]', "kea her")
    panel.click('listbox "Suggestions" [data-kind=search]')
    rows(surface, "1 a kea here")
    assert violations(surface, 'region "Search"') == []
