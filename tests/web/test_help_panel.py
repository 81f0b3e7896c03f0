"""The documents in the page: found by the palette, shown in the Help panel, with examples that run."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.person import Person
from tests.web.shadow import FOUND

pytestmark = pytest.mark.extended

QUESTIONS = {
    "how do I install a package": "How do I install a package?",
    "upload": "How do I upload a file or a folder?",
    "privacy": "How private is this?",
}


def ask(person: Person, question: str, answer: str) -> None:
    """Find an answer by the palette, and open it."""
    person.press("k", holding=Keys.CONTROL)
    person.press("a", holding=Keys.CONTROL)
    person.type(question)
    person.sees("#omnibar [role=option]", answer)
    while answer not in person.sees("#omnibar [role=option][aria-selected=true]"):
        person.press(Keys.ARROW_DOWN)
    person.press(Keys.ENTER)
    seen = (
        f"{FOUND}('#help h2').some((each) => each.textContent === arguments[0]"
        " && each.getBoundingClientRect().top > 0 && each.getBoundingClientRect().top < innerHeight)"
    )
    person.surface.wait_for(seen, answer)


@pytest.mark.parametrize(("question", "answer"), QUESTIONS.items())
def test_a_question_finds_its_answer(person: Person, question: str, answer: str) -> None:
    ask(person, question, answer)


def test_examples_run_by_a_press(surface: Surface, person: Person) -> None:
    ask(person, "draw a chart", "How do I draw a chart?")
    example = f"return {FOUND}('#help button').find((each) => each.textContent === arguments[0])"
    surface.driver.execute_script(example, "Run in the console").click()
    surface.wait_for("document.querySelector('.console-entry:last-of-type img')")
    ask(person, "run a script", "How do I run a Python script?")
    surface.driver.execute_script(example, "Run in the terminal").click()
    person.reads("python report.py")


def test_a_document_is_chosen(surface: Surface, person: Person) -> None:
    person.open_panel("help")
    person.choose('#help combobox "Document"', "files")
    surface.wait_for(f"{FOUND}('#help h1')[0]?.textContent.includes('Files')")
    assert violations(surface, "#help") == []


def test_an_error_leads_to_the_document_about_it(surface: Surface, person: Person) -> None:
    person.open_panel("chat")
    surface.python("gemini.agents.current().model = None")
    person.find('region "Chat" textbox "Message"').send_keys("Hello" + Keys.ENTER)
    person.sees("#chat-problem .hint")
    person.click("#chat-problem button")
    surface.wait_for(f"{FOUND}('#help h1')[0]?.textContent.includes('Language models')")


def test_the_help_menu_opens_the_documents(surface: Surface, person: Person) -> None:
    person.click("#help-button")
    person.click("#help-menu [value=open-help]")
    surface.wait_for(f"{FOUND}('#help h1')[0]?.checkVisibility()")
