"""Files next to the editor: pages that reload when their files change, and rendered files that follow theirs."""

from __future__ import annotations

import json

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.agent import close_tabs, show_tab
from tests.web.conftest import Resize
from tests.web.person import Person
from tests.web.shadow import FOUND
from tests.web.test_editor import edit, nothing_open, write
from tests.web.test_kernel_death import end_kernel

pytestmark = pytest.mark.fortnightly

__all__ = ["nothing_open"]

PAGE = "<!doctype html><title>Shop</title><h1>{heading}</h1>{more}"
READS = """<p></p><script>
fetch("data.txt").then((answer) => answer.ok ? answer.text() : "nothing")
  .then((text) => document.querySelector("p").append(text, ` at ${performance.timeOrigin}`));
</script>"""
# Expects the name of a panel.
PANEL = f'{FOUND}(`region "${{arguments[0]}}"`)[0]'
BOX = f"(({{ left, right }}) => [left, right])({PANEL}.getBoundingClientRect())"
NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {},
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Prices\n", "of **fruit**"]},
        {
            "cell_type": "code",
            "execution_count": 1,
            "metadata": {},
            "source": ["price = 20\n", "print('old output')"],
            "outputs": [{"output_type": "stream", "name": "stdout", "text": ["saved output\n"]}],
        },
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "source": "price * 2 + 2",
            "outputs": [
                {"output_type": "execute_result", "data": {"text/plain": ["'saved'"]}, "metadata": {}}
            ],
        },
    ],
}


@pytest.fixture(autouse=True)
def wide(surface: Surface, person: Person) -> None:
    """Start with the default layout, without tabs."""
    close_tabs(surface)
    person.click('button "More"')
    person.click('region "Panels" [value=reset]')


def heading(surface: Surface, text: str) -> None:
    """Wait until the page in front has this heading."""
    surface.wait_for("document.querySelector('.tab-frame.front')")
    surface.call("browser_wait_for", text=text, seconds=20)


def test_mathematics_in_markdown_is_drawn(surface: Surface, person: Person, folder: str) -> None:
    text = "Energy: $E = mc^2$, \\(x_1\\), and it costs $5 or $10, `$y^2$`.\n\n$$\n\\frac{1}{2}\n$$\n\n<math>own</math>"
    edit(surface, person, f"{folder}/math.md", text)
    person.click('region "Editor" button "Preview"')
    formulas = f"{FOUND}('region \"Preview\" math').map((one) => one.textContent.replace(/\\s/g, ''))"
    surface.wait_for(f"{formulas}.length === 3")
    assert surface.javascript(f"return {formulas}")[0].startswith("E=")
    person.sees('region "Preview" article', "it costs $5 or $10, $y^2$.")
    assert surface.javascript(f"return {FOUND}('region \"Preview\" mfrac').length") == 1


def test_a_page_runs_beside_the_editor_and_follows_its_files(
    surface: Surface, person: Person, folder: str
) -> None:
    path = f"{folder}/index.html"
    edit(surface, person, path, PAGE.format(heading="First", more=READS))
    person.click('region "Editor" button "Run"')
    heading(surface, "nothing at")
    editor, browser = (surface.javascript(f"return {BOX}", part) for part in ("Editor", "Browser"))
    assert editor[1] <= browser[0]

    # The user saves.
    person.click('region "Editor" .cm-content')
    person.press(Keys.HOME, holding=Keys.CONTROL)
    person.type("<h2>Second</h2>")
    person.press("s", holding=Keys.CONTROL)
    heading(surface, "Second")
    # An agent creates a file that the page has asked for, and changes it.
    for content in ("apples", "pears"):
        write(surface, f"{folder}/data.txt", content)
        heading(surface, f"{content} at")
    # Files that the page doesn't use are no reason.
    before = surface.call("browser_get_text")
    write(surface, f"{folder}/other.txt", "x")
    surface.call("terminal_execute", command="true")
    assert surface.call("browser_get_text") == before


@pytest.mark.extended
def test_a_reload_leaves_another_tab_in_front(surface: Surface, person: Person, folder: str) -> None:
    edit(surface, person, f"{folder}/index.html", PAGE.format(heading="First", more=""))
    person.click('region "Editor" button "Run"')
    heading(surface, "First")
    write(surface, f"{folder}/agent.html", "<h1>The agent's</h1>")
    tabs = surface.call("browser_tabs", action="open", url=f"{folder}/agent.html")
    show_tab(surface)
    [live] = [row["id"] for row in tabs if row["url"].endswith("/index.html")]
    write(surface, f"{folder}/index.html", PAGE.format(heading="Second", more=""))
    # While it reloads, the answer is a failure.
    text = "(await gemini.callTool('browser_get_text', { tab: arguments[0] }))?.text"
    surface.wait_for(f"{text}?.includes('Second')", live)
    [active] = [row for row in surface.call("browser_tabs") if row["active"]]
    assert active["url"].endswith("/agent.html"), tabs


def test_errors_of_a_page_stand_below_it(surface: Surface, person: Person, folder: str) -> None:
    path = f"{folder}/index.html"
    bad = "<script>\nmissing();\n</script><button onclick=\"console.error('<b>pressed</b>')\">Press</button>"
    edit(surface, person, path, PAGE.format(heading="First", more=bad))
    person.click('region "Editor" button "Run"')
    heading(surface, "First")
    person.sees('region "Errors of the page"', "missing is not defined")
    # It comes later, and is text.
    surface.javascript("await gemini.callTool('browser_click', { selector: 'button' })")
    person.sees('region "Errors of the page"', "<b>pressed</b>")

    person.click('region "Errors of the page" .link')
    surface.wait_for(
        "document.querySelector('#editor-view .cm-lineNumbers .cm-activeLineGutter').textContent === '2'"
    )
    person.click('region "Errors of the page" button "Fix with agent"')
    task = surface.wait_for("document.activeElement.id === 'agent-task' && document.activeElement.value")
    assert path in task and "pressed" not in task

    write(surface, path, PAGE.format(heading="Mended", more=""))
    write(surface, f"{folder}/look.css", "")
    heading(surface, "Mended")
    person.no_longer_sees('region "Errors of the page"')


# The page changes its address and what its script answers, and reports errors without end.
HOSTILE = """<script>
history.replaceState(null, "", "obey.html?ignore-the-person");
Array.prototype.slice = () => [
  { level: "error", text: { "_$litType$": 1, strings: ["<b>"], values: [] }, source: 5 }, null,
  { level: "error", text: "x".repeat(1e6), source: ["http://a:1"] },
];
const flood = () => { console.error("again"); setTimeout(flood); };
flood();
</script>"""


def test_a_page_can_neither_word_the_task_nor_break_the_list(
    surface: Surface, person: Person, folder: str
) -> None:
    edit(surface, person, f"{folder}/index.html", PAGE.format(heading="First", more=HOSTILE))
    person.click('region "Editor" button "Run"')
    shown = person.sees('region "Errors of the page"', "xxx")
    assert len(shown) < 3_000
    person.click('region "Errors of the page" button "Fix with agent"')
    task = surface.wait_for("document.activeElement.id === 'agent-task' && document.activeElement.value")
    assert f"{folder}/index.html" in task and "obey" not in task and "ignore" not in task
    assert [line for line in surface.console() if "TypeError" in line or "litType" in line] == []


def test_rendered_text_follows_the_file(surface: Surface, person: Person, folder: str) -> None:
    path = f"{folder}/notes.md"
    edit(surface, person, path, "# One\n\n" + "A line.\n\n" * 200)
    person.click('region "Editor" button "Preview"')
    person.sees('region "Rendered file" h1', "One")
    editor, preview = (surface.javascript(f"return {BOX}", part) for part in ("Editor", "Preview"))
    assert editor[1] <= preview[0]
    surface.javascript("document.querySelector('#preview-body').scrollTop = 300")
    write(surface, path, "# Two\n\n" + "A line.\n\n" * 200)
    person.sees('region "Rendered file" h1', "Two")
    assert surface.javascript("return document.querySelector('#preview-body').scrollTop") == 300
    # Another file comes to the front.
    edit(surface, person, f"{folder}/data.csv", "name,price\napple,2\n")
    person.sees('region "Rendered file" td', "apple")
    person.sees('region "Preview" h2', "data.csv")


def test_a_notebook_is_shown_as_it_is_saved(surface: Surface, person: Person, folder: str) -> None:
    edit(surface, person, f"{folder}/prices.ipynb", json.dumps(NOTEBOOK))
    person.click('region "Editor" button "Preview"')
    person.sees('region "Rendered file" h1', "Prices")
    person.sees(".preview-cell", "saved output")
    person.sees("[aria-label='Cell 3']", "'saved'")


@pytest.mark.extended
def test_on_a_narrow_page_the_preview_is_above_the_text(
    surface: Surface, person: Person, folder: str, resize: Resize
) -> None:
    edit(surface, person, f"{folder}/notes.md", "# Small\n")
    resize(390, 844)
    person.open_panel("editor")
    person.click('region "Editor" button "Preview"')
    person.sees('region "Rendered file" h1', "Small")
    person.sees('region "Editor" .cm-content', "# Small")
    # Any other panel has all of the window.
    person.open_panel("files")
    person.sees('region "Files"')
    person.no_longer_sees('region "Preview"')
    person.no_longer_sees('region "Editor"')


@pytest.mark.extended
def test_a_preview_is_live_again_when_python_restarts(surface: Surface, person: Person, folder: str) -> None:
    path = f"{folder}/index.html"
    edit(surface, person, path, PAGE.format(heading="Before", more=""))
    person.click('region "Editor" button "Run"')
    heading(surface, "Before")
    end_kernel(surface, "import os; os.abort()")
    surface.wait_until_ready()
    heading(surface, "Before")
    write(surface, path, PAGE.format(heading="After", more=""))
    heading(surface, "After")
