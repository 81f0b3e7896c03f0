"""Notebooks in the editor, as users use them: cells are edited, run, moved and saved with their outputs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.person import Person
from tests.web.test_editor import edit

PATH = "/project/study.ipynb"
NOTEBOOK: dict[str, Any] = {
    "cells": [
        {"cell_type": "markdown", "id": "title", "metadata": {}, "source": ["# Study\n", "of numbers"]},
        {
            "cell_type": "code",
            "execution_count": 7,
            "id": "first",
            "metadata": {"scale": 1.0},
            "outputs": [{"name": "stdout", "output_type": "stream", "text": ["saved before\n"]}],
            "source": ["values = [1, 2, 3]\n", "print(len(values))\n", "sum(values)"],
        },
    ],
    "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture
def notebook(surface: Surface, person: Person) -> Iterator[Person]:
    edit(surface, person, PATH, json.dumps(NOTEBOOK, indent=1) + "\n")
    person.sees('region "Editor" h1', "Study")
    yield person
    person.press("s", holding=Keys.CONTROL)
    person.no_longer_sees('tablist "Open files" .unsaved')
    person.click('region "Editor" button "Close file"')
    surface.call("terminal_execute", command=f"rm {PATH}")


def saved(surface: Surface) -> dict[str, Any]:
    surface.wait_for("!document.querySelector('#editor-tabs .unsaved')")
    return json.loads(surface.call("file_read", path=PATH)["content"])


def test_a_notebook_opens_as_one_and_is_saved_with_its_outputs(surface: Surface, notebook: Person) -> None:
    notebook.sees("[data-cell=first] .notebook-outputs", "saved before")
    notebook.click("[data-cell=first] .cm-content")
    notebook.press(Keys.END, holding=Keys.CONTROL)
    notebook.type(" * 2")
    notebook.press(Keys.ENTER, holding=Keys.CONTROL)
    notebook.sees("[data-cell=first] .notebook-outputs", "12")
    notebook.press("s", holding=Keys.CONTROL)
    after = saved(surface)
    first = after["cells"][1]
    assert "".join(first["source"]) == "values = [1, 2, 3]\nprint(len(values))\nsum(values) * 2"
    printed, result = first["outputs"]
    assert printed == {"name": "stdout", "output_type": "stream", "text": ["3\n"]}
    assert result["data"] == {"text/plain": ["12"]}
    assert result["execution_count"] == first["execution_count"]
    # Whatever wasn't changed is as it was.
    assert after["cells"][0] == NOTEBOOK["cells"][0]
    assert '"scale": 1.0' in surface.call("file_read", path=PATH)["content"]
    assert violations(surface, 'region "Editor"') == []


@pytest.mark.fortnightly(together="notebooks")
def test_cells_are_added_moved_deleted_and_brought_back(surface: Surface, notebook: Person) -> None:
    notebook.click("[data-cell=first] .cm-content")
    notebook.press(Keys.ENTER, holding=Keys.ALT)
    # The new cell has the focus.
    notebook.type("'new'")
    notebook.press(Keys.ENTER, holding=Keys.CONTROL)
    notebook.sees(".notebook-cell:nth-child(3) .notebook-outputs", "'new'")
    notebook.press(Keys.ESCAPE)
    notebook.press(Keys.ARROW_UP, holding=Keys.ALT + Keys.SHIFT)
    notebook.sees(".notebook-cell:nth-child(2) .notebook-outputs", "'new'")
    notebook.press(Keys.DELETE)
    surface.wait_for("document.querySelectorAll('.notebook-cell').length === 2")
    notebook.press("z")
    notebook.sees(".notebook-cell:nth-child(2) .notebook-outputs", "'new'")
    notebook.press("s", holding=Keys.CONTROL)
    assert ["".join(cell["source"])[:5] for cell in saved(surface)["cells"]] == ["# Stu", "'new'", "value"]


@pytest.mark.fortnightly(together="notebooks")
def test_a_text_is_edited_and_shown_as_it_reads(surface: Surface, notebook: Person) -> None:
    notebook.click("[data-cell=title]")
    notebook.press(Keys.ENTER)
    notebook.find("[data-cell=title] .cm-content")
    notebook.press(Keys.END, holding=Keys.CONTROL)
    notebook.type(" and **sums**")
    notebook.press(Keys.ENTER, holding=Keys.SHIFT)
    notebook.sees("[data-cell=title] strong", "sums")


def test_a_cell_that_never_ends_is_stopped_and_the_next_does_not_run(
    surface: Surface, notebook: Person
) -> None:
    notebook.click("[data-cell=first] .cm-content")
    notebook.press("a", holding=Keys.CONTROL)
    notebook.type("print('begun')\nwhile True: pass")
    notebook.press(Keys.ESCAPE)
    notebook.press("b")
    notebook.type("'after'")
    notebook.click(".notebook-tools button:first-child")
    notebook.sees("[data-cell=first] .notebook-outputs", "begun")
    notebook.click("[data-cell=first] [title=Stop]")
    notebook.sees("[data-cell=first] .notebook-outputs", "KeyboardInterrupt")
    surface.wait_for("!document.querySelector('.notebook-cell[data-running=true]')")
    assert (
        surface.javascript("return document.querySelector('.notebook-cell:nth-child(3) .console-stdout')")
        is None
    )


@pytest.mark.fortnightly(together="notebooks")
def test_an_agent_changes_the_file_and_the_notebook_follows(surface: Surface, notebook: Person) -> None:
    surface.call("file_edit", path=PATH, old="of numbers", new="of *letters*")
    notebook.sees("[data-cell=title] em", "letters")


@pytest.mark.fortnightly(together="notebooks")
def test_a_file_that_is_no_notebook_is_shown_as_text(surface: Surface, person: Person) -> None:
    edit(surface, person, "/project/broken.ipynb", '{"cells": [')
    person.sees('region "Editor" .cm-content', '{"cells": [')
    person.click('region "Editor" button "Close file"')
    surface.call("terminal_execute", command="rm /project/broken.ipynb")
