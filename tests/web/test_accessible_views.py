"""Accessibility of dialogs, menus, previews and other parts in every theme, at 100 % and at 200 % zoom.

test_accessibility.py checks the panels.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.console import enter
from tests.web.names import CONNECT, CONNECT_MODEL, FACT, TOUR
from tests.web.person import Background, Person
from tests.web.shadow import FOUND
from tests.web.test_accessibility import (
    ASKING,
    CSV,
    LOOKS,
    PICTURE,
    bring_forward,
    is_narrow,
    resize,
)
from tests.web.test_editor import edit
from tests.web.test_files_panel import choose_item, row
from tests.web.test_notebook import FIGURE, STYLED
from tests.web.test_omnibar import SELECTED, type_in_omnibar
from tests.web.test_policy import CHARTS, show_chart
from tests.web.test_preview import NOTEBOOK

pytestmark = pytest.mark.extended

FILES = {
    "guide.md": "# Guide\n\n| a | b |\n|---|---|\n| 1 | [x](y) |\n\n- [x] done\n\n> `code`\n\n```py\nx = 1\n```\n",
    "data.json": json.dumps({"a": [1, {"b": None}], "c": True}),
    "prices.csv": CSV,
    "prices.ipynb": json.dumps(NOTEBOOK),
    "drawing.svg": "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg>",
    "code.py": '"""Text."""\n\nimport os\n\n\n# Why\ndef test_f(a: int) -> str:\n    return f"{a}" + os.sep * 3\n',
}
OMNIBAR = 'search "Search and commands"'
# Where the editor's text is rendered next to it.
SHOWS_MAP = "return document.querySelector('.file-map')?.checkVisibility() ?? false"
PREVIEWS = {"guide.md": "h1", "prices.csv": "table", "prices.ipynb": "h1"}


class Views:
    """Opens each part of the page, and returns the selector of what to check."""

    def __init__(self, surface: Surface, width: str) -> None:
        self.surface = surface
        self.person = Person(surface)
        self.narrow = is_narrow(width)

    def panel(self, name: str) -> None:
        bring_forward(self.person, name, narrow=self.narrow)

    def omnibar(self) -> str:
        self.person.press("k", holding=Keys.CONTROL)
        self.person.sees('listbox "Suggestions"')
        return OMNIBAR

    def omnibar_results(self) -> str:
        type_in_omnibar(self.person, "theme")
        self.person.sees(SELECTED, "Theme")
        return OMNIBAR

    def omnibar_without_results(self) -> str:
        type_in_omnibar(self.person, "zzqqxx")
        self.person.sees(f"{OMNIBAR} [popover]")
        return OMNIBAR

    def panels_menu(self) -> str:
        self.person.click('button "More"')
        return 'region "Panels"'

    def rail(self) -> str:
        return 'navigation "Panels"'

    def start(self) -> str:
        self.panel("start")
        return 'region "Start"'

    def help_menu(self) -> str:
        self.person.click('button "Help"')
        return 'region "Help"'

    def shortcuts(self) -> str:
        self.help_menu()
        self.person.click('region "Help" [value=shortcuts]')
        self.person.sees('dialog "Keyboard shortcuts"', "Ctrl+K")
        return 'dialog "Keyboard shortcuts"'

    def tour(self) -> str:
        self.help_menu()
        self.person.click('region "Help" [value=tour]')
        self.person.sees(TOUR)
        return TOUR

    def names_of_tools(self) -> str:
        self.person.surface.javascript("document.activeElement.blur()")
        ActionChains(self.surface.driver).key_down(Keys.ALT).perform()
        self.person.find('group "Tools behind the controls" [data-of]')
        return 'group "Tools behind the controls"'

    def status(self) -> str:
        self.person.click(FACT)
        self.person.sees('dialog "Status"')
        return 'dialog "Status"'

    def connect(self) -> str:
        self.run_command("connect claude", "Connect Claude")
        self.person.sees(CONNECT, "companion")
        return CONNECT

    def erase(self) -> str:
        self.run_command("erase", "Erase everything")
        self.person.sees('dialog "Erase everything?" button "Erase everything"')
        return "dialog.exchange"

    def export(self) -> str:
        self.run_command("export everything", "Export everything")
        self.person.sees("dialog.exchange [aria-live]", "contains everything")
        return "dialog.exchange"

    def run_command(self, typed: str, title: str) -> None:
        type_in_omnibar(self.person, typed)
        self.person.sees(SELECTED, title)
        self.person.press(Keys.ENTER)

    def question(self, kind: str) -> str:
        tool, arguments = ASKING[kind]
        Background(self.surface, tool, arguments)
        self.person.sees("[role=alertdialog]")
        return "[role=alertdialog]"

    def question_to_open(self) -> str:
        return self.question("open")

    def question_of_network(self) -> str:
        return self.question("network")

    def file_menu(self) -> str:
        self.panel("files")
        self.person.click(row("/project/views/guide.md"))
        self.person.click('region "Files" button "Actions"')
        self.person.find(".menu [data-item=open]")
        return 'region "Files"'

    def new_file(self) -> str:
        self.panel("files")
        choose_item(self.person, "new", "new-file")
        self.person.find('region "Files" textbox "File name"')
        return 'region "Files"'

    def map(self) -> str:
        self.panel("files")
        if not self.surface.javascript(SHOWS_MAP):
            choose_item(self.person, "more", "map")
        self.person.sees(".file-map", "data.json")
        return 'region "Files"'

    def list(self) -> str:
        self.panel("files")
        if self.surface.javascript(SHOWS_MAP):
            choose_item(self.person, "more", "list")
        return 'region "Files"'

    def viewer(self, name: str) -> str:
        self.panel("files")
        self.person.click(row(f"/project/views/{name}"))
        choose_item(self.person, "more", "preview")
        self.person.find('region "Content of the file" *')
        return "dialog.viewer"

    def viewer_of_json(self) -> str:
        return self.viewer("data.json")

    def viewer_of_picture(self) -> str:
        return self.viewer("logo.png")

    def viewer_of_drawing(self) -> str:
        return self.viewer("drawing.svg")

    def preview(self, name: str) -> str:
        self.panel("files")
        edit(self.surface, self.person, f"/project/views/{name}", FILES[name])
        self.person.click('region "Editor" button "Preview"')
        self.person.find(f'region "Rendered file" {PREVIEWS[name]}')
        return 'region "Preview"'

    def preview_of_markdown(self) -> str:
        return self.preview("guide.md")

    def preview_of_table(self) -> str:
        return self.preview("prices.csv")

    def preview_of_notebook(self) -> str:
        return self.preview("prices.ipynb")

    def editor(self) -> str:
        self.panel("files")
        edit(self.surface, self.person, "/project/views/code.py", FILES["code.py"])
        self.person.find('region "Editor" .cm-line span')
        return 'region "Editor"'

    def find_bar(self) -> str:
        self.editor()
        self.person.press("f", holding=Keys.CONTROL)
        self.person.find('region "Editor" .cm-search')
        return 'region "Editor"'

    def comparison(self) -> str:
        self.editor()
        self.person.type("# mine\n")
        self.surface.call(
            "file_write", path="/project/views/code.py", content="# theirs\n" + FILES["code.py"]
        )
        self.person.sees('region "Editor" .editor-notice', "has changed since you opened it")
        # A second press would hide them.
        if not self.surface.javascript("return document.querySelector('.cm-deletedChunk')"):
            self.person.click('region "Editor" button "Show differences"')
        self.person.find('region "Editor" .cm-deletedChunk')
        return 'region "Editor"'

    def notebook(self) -> str:
        self.panel("files")
        edit(self.surface, self.person, "/project/views/prices.ipynb", FILES["prices.ipynb"])
        self.person.find('region "Editor" .notebook-cell')
        return 'region "Editor"'

    def run_of_an_agent(self) -> str:
        self.surface.python("from gemini.agents import demo; demo.PACE_S = demo.ANSWER_AFTER_S = 0")
        self.panel("start")
        self.person.click('region "Start" button "Watch the demo"')
        self.person.sees('form "Now your own task"', "Now your own task")
        return 'region "Agent"'

    def results_in_the_console(self) -> str:
        self.panel("python")
        enter(self.person, f"gemini.HTML({STYLED!r})")
        show_chart(self.person, *next(iter(CHARTS.items())))
        self.surface.wait_for("document.querySelector('.console-entry:last-of-type .chart')?.dataset.height")
        return 'region "Python console"'

    def figure(self) -> str:
        self.panel("python")
        enter(self.person, FIGURE)
        self.person.click('.console-entry:last-of-type button "Open the image"')
        self.person.find('region "Figure" img')
        return 'region "Figure"'

    def chart(self) -> str:
        self.panel("python")
        show_chart(self.person, *list(CHARTS.items())[-1])
        self.person.click('.console-entry:last-of-type button "Open the chart"')
        self.person.sees('region "Figure" .chart[data-height]')
        return 'region "Figure"'

    def answer_of_help(self) -> str:
        self.run_command("how do I upload a folder", "How do I upload a file or a folder?")
        self.person.sees('region "Help" h2', "How do I upload")
        return 'region "Help"'

    def model_dialog(self) -> str:
        self.person.press("m", holding=Keys.CONTROL + Keys.ALT)
        self.person.sees(CONNECT_MODEL)
        return CONNECT_MODEL

    def unsaved(self) -> str:
        self.editor()
        self.person.type("# mine\n")
        self.person.sees('region "Editor" h2', "unsaved")
        self.person.click('region "Editor" button "Close file"')
        self.person.find("dialog.question")
        return "dialog.question"


VIEWS: dict[str, Callable[[Views], str]] = {
    name: view
    for name, view in vars(Views).items()
    if not name.startswith("_") and name not in ("panel", "preview", "viewer", "question", "run_command")
}


def fill(surface: Surface) -> None:
    for name, content in FILES.items():
        surface.call("file_write", path=f"/project/views/{name}", content=content)
    surface.python(PICTURE.replace("/project/shop", "/project/views"))
    surface.call("file_navigate", path="/project/views")
    LOOKS.mkdir(parents=True, exist_ok=True)


@pytest.fixture
def views(surface: Surface, request: pytest.FixtureRequest) -> Iterator[Views]:
    width = request.getfixturevalue("width")
    if not surface.python("import os; os.path.exists('/project/views')"):
        fill(surface)
    resize(surface, width)
    yield Views(surface, width)
    # Escape closes every dialog, menu and question.
    ActionChains(surface.driver).key_up(Keys.ALT).send_keys(Keys.ESCAPE).perform()


@pytest.mark.parametrize("width", ["wide", "zoomed"])
@pytest.mark.parametrize("name", VIEWS)
def test_it_is_accessible(surface: Surface, views: Views, width: str, name: str) -> None:
    part = VIEWS[name](views)
    surface.driver.save_screenshot(str(LOOKS / f"view-{name}-{width}.png"))

    assert violations(surface, part) == []
    assert surface.javascript("return document.documentElement.scrollWidth <= innerWidth")
    assert surface.javascript(
        f"const {{ left, right }} = {FOUND}(arguments[0])[0].getBoundingClientRect();"
        "return left >= 0 && right <= innerWidth",
        part,
    )
