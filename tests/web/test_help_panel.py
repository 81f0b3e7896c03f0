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
    person.sees('search "Search and commands" [role=option]', answer)
    while answer not in person.sees('search "Search and commands" [role=option][aria-selected=true]'):
        person.press(Keys.ARROW_DOWN)
    person.press(Keys.ENTER)
    seen = (
        f"{FOUND}('region \"Help\" h2').some((each) => each.textContent === arguments[0]"
        " && each.getBoundingClientRect().top > 0 && each.getBoundingClientRect().top < innerHeight)"
    )
    person.surface.wait_for(seen, answer)


@pytest.mark.parametrize(("question", "answer"), QUESTIONS.items())
def test_a_question_finds_its_answer(person: Person, question: str, answer: str) -> None:
    ask(person, question, answer)


def test_examples_run_by_a_press(surface: Surface, person: Person) -> None:
    ask(person, "draw a chart", "How do I draw a chart?")
    example = f"return {FOUND}('region \"Help\" button').find((each) => each.textContent === arguments[0])"
    surface.driver.execute_script(example, "Run in the console").click()
    surface.wait_for("document.querySelector('.console-entry:last-of-type img')")
    ask(person, "run a script", "How do I run a Python script?")
    surface.driver.execute_script(example, "Run in the terminal").click()
    person.reads("python report.py")


def test_a_document_is_chosen(surface: Surface, person: Person) -> None:
    person.open_panel("help")
    person.choose('region "Help" combobox "Document"', "files")
    person.sees('region "Help" h1', "Files")
    assert violations(surface, 'region "Help"') == []


def test_an_error_leads_to_the_document_about_it(surface: Surface, person: Person) -> None:
    person.open_panel("chat")
    surface.python("gemini.agents.current().model = None")
    person.find('region "Chat" textbox "Message"').send_keys("Hello" + Keys.ENTER)
    person.sees('region "Chat" [role=alert] .hint')
    person.click('region "Chat" [role=alert] button')
    person.sees('region "Help" h1', "Language models")


def test_the_help_menu_opens_the_documents(surface: Surface, person: Person) -> None:
    person.click('button "Help"')
    person.click('region "Help" [value=open-help]')
    person.sees('region "Help" h1')
