"""The editor's help while one types: closing tags, problems, finding, and files that are dropped on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.person import Person
from tests.web.test_editor import edit, wait_for_text

pytestmark = pytest.mark.fortnightly


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("<p>hello</p> after", "<p>hello</p> after"),
        ("<div><b>x</b></div>", "<div><b>x</b></div>"),
        ("<p>a <br> b</p>", "<p>a <br> b</p>"),
    ],
)
def test_typed_closing_tags_are_there_once(
    surface: Surface, person: Person, folder: str, typed: str, text: str
) -> None:
    edit(surface, person, f"{folder}/page.html", "")
    person.type(typed)
    wait_for_text(surface, text)


def test_problems_are_counted_and_listed(surface: Surface, person: Person, folder: str) -> None:
    # Two problems at the same place.
    edit(surface, person, f"{folder}/bad.py", "import os, sys\nfrom json import loads, dumps\n")
    shown = person.sees('region "Editor" footer .link', "problem")
    person.click('region "Editor" footer .link')
    listed = "document.querySelectorAll('#problems-body .problem-place').length"
    surface.wait_for(f"{listed} === arguments[0]", int(shown.split()[0]))


def test_the_find_bar_is_in_words(surface: Surface, person: Person, folder: str) -> None:
    edit(surface, person, f"{folder}/text.txt", "one two one\n")
    person.press("f", holding=Keys.CONTROL)
    person.sees('region "Editor" textbox "Find"')
    for name in ("Next", "Previous", "Select all", "Replace", "Replace all", "Close"):
        person.find(f'region "Editor" button "{name}"')
    for name in ("Match case", "Regular expression", "Whole words"):
        person.find(f'region "Editor" checkbox "{name}"')
    size = "return getComputedStyle(document.querySelector('#editor .cm-search [name=next]')).fontSize"
    assert float(surface.javascript(size).removesuffix("px")) >= 12


def test_dropped_files_are_opened_instead_of_inserted(
    surface: Surface, person: Person, folder: str, tmp_path: Path
) -> None:
    edit(surface, person, f"{folder}/open.txt", "mine\n")
    (tmp_path / "dropped.csv").write_text("a,b\n1,2\n")
    place = surface.javascript(
        "const { x, y, width, height } = document.querySelector('#editor-view').getBoundingClientRect();"
        "return { x: x + width / 2, y: y + height / 2 }"
    )
    data = {"items": [], "files": [str(tmp_path / "dropped.csv")], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        surface.driver.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, **place, "data": data})
    person.sees('tablist "Open files" [aria-selected=true]', "dropped.csv")
    wait_for_text(surface, "a,b\n1,2\n")
    assert surface.call("file_read", path=f"{folder}/dropped.csv")["content"] == "a,b\n1,2\n"
    assert surface.call("file_read", path=f"{folder}/open.txt")["content"] == "mine\n"
