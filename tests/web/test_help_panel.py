"""The documents in the page: found by the palette, shown in the Help panel, with examples that run."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.person import Person
from tests.web.shadow import FOUND

pytestmark = pytest.mark.extended


def ask(person: Person, question: str) -> None:
    """Find an answer by the palette, and open the first that is found."""
    person.press("k", holding=Keys.CONTROL)
    person.type(question)
    person.sees("#omnibar [role=option][aria-selected=true]", "How")
    person.press(Keys.ENTER)
    person.sees("#help .help-article", "How do I")


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("how do I install a package", "How do I install a package?"),
        ("upload", "How do I upload a file or a folder?"),
        ("privacy", "How private is this?"),
    ],
)
def test_a_question_finds_its_answer(surface: Surface, person: Person, question: str, heading: str) -> None:
    ask(person, question)
    seen = (
        f"{FOUND}('#help h2').some((each) => each.textContent === arguments[0]"
        " && each.getBoundingClientRect().top < innerHeight && each.getBoundingClientRect().top > 0)"
    )
    surface.wait_for(seen, heading)


def test_examples_run_by_a_press(surface: Surface, person: Person) -> None:
    ask(person, "how do I draw a chart")
    person.click('#help button "Run in the console"')
    surface.wait_for("document.querySelector('.console-entry:last-of-type img')")
    ask(person, "how do I use git")
    surface.driver.execute_script(
        f"{FOUND}('#help button').find((each) => each.previousSibling === null"
        " && each.parentElement.previousElementSibling.textContent.includes('git init')).scrollIntoView()"
    )


def test_documents_lead_to_each_other(surface: Surface, person: Person) -> None:
    person.open_panel("help")
    person.choose('#help combobox "Document"', "files")
    person.sees("#help .help-article h1", "Files")
    assert violations(surface, "#help") == []
