"""Everyday journeys of a newcomer, with all keys and presses of the pointer counted.

Each has the most actions that it may take, in either size, in both themes, by pointer and by keyboard alone. Text typed
into a field isn't counted; the key that ends it is. docs/tour.md describes the journeys. test_first_hour.py has those
from the first sight of the page, test_companion_settings.py Claude Desktop, test_model_dialog.py that of a language
model.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from itertools import product
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from gemini_testing.browser import emulate
from gemini_testing.pool import BrowserPool
from tests.web.agent import close_tabs
from tests.web.console import enter
from tests.web.names import CONNECT
from tests.web.packages import World, world_of
from tests.web.person import QUESTION, Background, CountingPerson, Person
from tests.web.shadow import FOUND
from tests.web.test_omnibar import SELECTED
from tests.wheels import built

SIZES = {"desktop": (1280, 720), "phone": (390, 844)}
RUN_DONE = """
((run) => run?.dataset.status === "done" && run.dataset.run !== arguments[0])(document.querySelector(".agent-run"))
"""
PAGE = "<!doctype html><title>Shop</title><h1>Shop</h1>"


class Newcomer(CountingPerson):
    """A user whose actions are counted, who uses either the pointer or the keyboard alone."""

    def __init__(
        self,
        world: World,
        folder: str,
        local: Path,
        *,
        size: str,
        keyboard: bool,
        pictures: Path | None = None,
    ) -> None:
        super().__init__(world.surface, pictures)
        self.world = world
        self.folder = folder
        self.local = local
        self.narrow = size == "phone"
        self.keyboard = keyboard
        # Prepares what isn't part of the journey.
        self.arrange = Person(world.surface)

    def click(self, selector: str) -> None:
        assert not self.keyboard, selector
        super().click(selector)

    def act(self, selector: str, key: str, *, holding: str = "") -> None:
        """Press an element, or the key that does the same."""
        if self.keyboard:
            self.press(key, holding=holding)
        else:
            self.click(selector)

    def choose_command(self, typed: str, title: str) -> None:
        """Choose an item of the palette: two actions."""
        self.act('combobox "Search and commands"', "k", holding=Keys.CONTROL)
        self.surface.wait_for("document.activeElement.id === 'omnibar-input'")
        self.type(typed)
        # The search for the text in all files is there first, and names the text, too.
        self.sees(f"{SELECTED}:not([data-kind=search])", title)
        self.act(SELECTED, Keys.ENTER)

    def create_file(self, name: str) -> None:
        """Create a file, which opens in the editor: three actions."""
        self.choose_command("new file", "New file")
        self.surface.wait_for("document.activeElement.id === 'file-new-name'")
        self.type(name)
        self.press(Keys.ENTER)
        self.surface.wait_for("document.activeElement.ariaLabel?.startsWith(`Text of ${arguments[0]}`)", name)


def show_panel(user: Newcomer, panel: str) -> None:
    """Show a panel before the journey starts."""
    user.arrange.open_panel(panel)
    user.sees(f"#{panel}")


def find_out_how_to_upload(user: Newcomer) -> None:
    user.choose_command("how do I upload a folder", "How do I upload a file or a folder?")
    heading = f"{FOUND}('region \"Help\" h2').find((each) => each.textContent.startsWith('How do I upload'))"
    user.surface.wait_for(
        f"((box) => box?.top > 0 && box.top < innerHeight)({heading}?.getBoundingClientRect())"
    )


def work_in_a_notebook(user: Newcomer) -> None:
    cell = {
        "cell_type": "code",
        "id": "one",
        "metadata": {},
        "source": "",
        "outputs": [],
        "execution_count": None,
    }
    notebook = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    path = f"{user.folder}/study.ipynb"
    user.surface.call("file_write", path=path, content=notebook)
    user.choose_command("study.ipynb", "study.ipynb")
    user.surface.wait_for("document.activeElement.closest('[data-cell=one]') !== null")
    user.type("6 * 7")
    user.press(Keys.ENTER, holding=Keys.CONTROL)
    user.sees("[data-cell=one] .notebook-outputs", "42")
    user.press("s", holding=Keys.CONTROL)
    user.surface.wait_for("!document.querySelector('#editor-tabs .unsaved')")
    [saved] = json.loads(user.surface.call("file_read", path=path)["content"])["cells"]
    assert saved["outputs"][0]["data"] == {"text/plain": ["42"]}


def write_and_run(user: Newcomer) -> None:
    user.create_file("hello.py")
    user.type("print(6 * 7)")
    user.act('region "Editor" button "Run"', Keys.ENTER, holding=Keys.CONTROL)
    user.reads_line("42")
    user.picture("script")


def write_a_page(user: Newcomer) -> None:
    user.create_file("page.html")
    user.type(PAGE)
    user.act('region "Editor" button "Run"', Keys.ENTER, holding=Keys.CONTROL)
    shown(user, "Shop")
    user.surface.wait_for("document.activeElement.closest('#editor-view') !== null")
    user.type("<p>Open</p>")
    user.press("s", holding=Keys.CONTROL)
    shown(user, "Open")
    user.picture("page")


def shown(user: Newcomer, text: str) -> None:
    user.surface.wait_for("document.querySelector('.tab-frame.front')")
    # On a busy machine, a page can be unreadable for a moment after it has loaded.
    text_of_page = "(await gemini.callTool('browser_get_text', {}).catch(String))"
    user.surface.wait_for(f"JSON.stringify({text_of_page}).includes(arguments[0])", text)


def find_and_replace(user: Newcomer) -> None:
    for name in ("a", "b"):
        user.surface.call("file_write", path=f"{user.folder}/{name}.txt", content="one quagga\n")
    user.press("f", holding=Keys.CONTROL + Keys.SHIFT)
    user.surface.wait_for("document.activeElement.id === 'search-text'")
    user.type("quagga")
    user.press(Keys.TAB)
    user.type("zebra")
    user.surface.wait_for("document.querySelectorAll('#search-results li ins').length === 2")
    user.picture("replace")
    user.press(Keys.ENTER)
    user.sees('region "Search" [role=status]', "Replaced 2 occurrences in 2 files.")
    assert user.surface.call("file_read", path=f"{user.folder}/b.txt")["content"] == "one zebra\n"


def upload_and_run(user: Newcomer) -> None:
    app = user.local / "app"
    app.mkdir()
    (app / "main.py").write_text("from helper import text\nprint(text)\n")
    (app / "helper.py").write_text("text = 'it runs'\n")
    opened = dialog_opened(user.surface)
    user.choose_command("upload a folder", "Upload a folder")
    user.surface.wait_for(opened)
    # Choosing the folder in the system's dialog counts, too.
    user.actions += 1
    user.surface.driver.find_element("id", "folder-upload").send_keys(str(app))
    user.sees('region "Files" button "Run main.py"', "Run main.py")
    if user.keyboard:
        user.surface.wait_for("document.activeElement.id === 'file-run'")
    user.act('region "Files" button "Run main.py"', Keys.ENTER)
    user.reads("it runs")
    user.picture("upload")


def dialog_opened(surface: Surface) -> str:
    """Keep the system's dialog closed, and return the expression that says whether it was to open."""
    surface.driver.execute_cdp_cmd("Page.setInterceptFileChooserDialog", {"enabled": True})
    surface.javascript(
        "const picker = document.querySelector('#folder-upload');"
        "delete picker.dataset.clicked;"
        "picker.addEventListener('click', () => { picker.dataset.clicked = 'yes'; }, { once: true });"
    )
    return "document.querySelector('#folder-upload').dataset.clicked === 'yes'"


def connect_a_client(user: Newcomer) -> None:
    user.arrange.copy("")
    user.choose_command("claude", "Connect Claude")
    user.sees(CONNECT, "A client gets this page's tools")
    user.sees(f"{CONNECT} pre")
    user.surface.wait_for("document.activeElement.dataset.does?.startsWith('Copy the configuration')")
    user.act(f'{CONNECT} [data-does^="Copy the configuration"]', Keys.ENTER)
    user.sees(f"{CONNECT} .outcome", "Copied.")
    copied_text = user.surface.wait_for("await navigator.clipboard.readText()")
    assert copied_text.startswith("claude mcp add") and "•" not in copied_text
    user.picture("client")


def answer_a_question(user: Newcomer) -> None:
    call = Background(user.surface, "browser_navigate", {"url": "http://127.0.0.1:9/"})
    assert "127.0.0.1:9" in user.asked()
    user.surface.wait_for("document.querySelector('[role=alertdialog] .answers:not([data-guarded])')")
    user.picture("question")
    user.act('button "Refuse"', Keys.ENTER)
    assert call.result()["isError"]


def install_a_package(user: Newcomer) -> None:
    index = user.world.offer(built("jollygood", {"jollygood.py": "value = 42\n"})).partition("=")[2]
    user.surface.call("python_run", code=f"%env PIP_INDEX_URL={index}")
    show_panel(user, "python")
    # The user has allowed the index before: the first use of an origin asks, and that is a separate journey.
    fail_to_import(user)
    user.arrange.click(".console-entry:last-of-type .console-install")
    done = "document.querySelector('.console-entry:last-of-type .console-result')?.innerText === '42'"
    while (number := user.surface.wait_for(f"({done} && 'done') || {QUESTION}")) != "done":
        user.arrange.click('button "Allow for this session"')
        user.surface.wait_for(f"{done} || {QUESTION} !== arguments[0]", number)
    fail_to_import(user)
    user.picture("install")
    user.act(".console-entry:last-of-type .console-install", Keys.ENTER, holding=Keys.CONTROL)
    user.sees(".console-entry:last-of-type .console-result", "42")


def fail_to_import(user: Newcomer) -> None:
    user.world.run("pip uninstall -y jollygood")
    user.surface.python("import sys; sys.modules.pop('jollygood', None) and None")
    enter(user.arrange, "from jollygood import value; value")
    user.sees(".console-entry:last-of-type .console-install")


def open_what_forbids_frames(user: Newcomer) -> None:
    user.world.outside.pages["/forbidden"] = ("text/html", b"<title>Alone</title>")
    windows = user.surface.driver.window_handles
    address = f"{user.world.outside.named}/forbidden"
    user.act('combobox "Search and commands"', "k", holding=Keys.CONTROL)
    user.surface.wait_for("document.activeElement.id === 'omnibar-input'")
    user.type(address)
    user.sees('listbox "Suggestions" [data-kind=outside]', f"Open {address} in a browser tab")
    user.picture("outside")
    user.act('listbox "Suggestions" [data-kind=outside]', Keys.ENTER, holding=Keys.ALT)
    close_opened(user.surface, windows)


def close_opened(surface: Surface, windows: list[str]) -> None:
    """Wait for a tab of the browser, which must know nothing of this page, and close it."""
    driver = surface.driver
    surface.wait_for("document.hidden")
    [opened] = set(driver.window_handles) - set(windows)
    driver.switch_to.window(opened)
    assert driver.execute_script("return [window.opener, document.referrer]") == [None, ""]
    driver.close()
    driver.switch_to.window(windows[0])


def stop_an_endless_loop(user: Newcomer) -> None:
    show_panel(user, "python")
    enter(user.arrange, "while True: pass")
    user.sees('region "Python console" button "Stop"')
    user.picture("loop")
    user.act('region "Python console" button "Stop"', "c", holding=Keys.CONTROL)
    user.sees(".console-entry:last-of-type", "Stopped.")


JOURNEYS: dict[Callable[[Newcomer], None], int] = {
    write_and_run: 6,
    write_a_page: 5,
    find_and_replace: 4,
    upload_and_run: 4,
    connect_a_client: 3,
    answer_a_question: 1,
    install_a_package: 1,
    open_what_forbids_frames: 2,
    stop_an_endless_loop: 1,
}
# The first runs each time.
# test_preview.py does the same each time, without counting.
ALSO_ELSEWHERE = (write_a_page,)


def turn_of(journey: Callable[[Newcomer], None]) -> list[pytest.MarkDecorator]:
    if journey in ALSO_ELSEWHERE:
        return [pytest.mark.extended]
    return [] if journey is next(iter(JOURNEYS)) else [pytest.mark.fortnightly(together="journeys")]


VARIANTS = [
    pytest.param(
        *variant, marks=pytest.mark.pictured if variant == ("desktop", False, False) else pytest.mark.extended
    )
    for variant in product(SIZES, (False, True), (False, True))
]


@pytest.fixture(scope="module")
def world(surface_dist: Path, browsers: BrowserPool) -> Generator[World]:
    with world_of(surface_dist, browsers) as world:
        yield world


def prepare(world: World, folder: str, *, size: str, dark: bool) -> None:
    """Show an empty folder in the default layout, in a window of a size and theme."""
    surface = world.surface
    surface.driver.execute_cdp_cmd("Page.setInterceptFileChooserDialog", {"enabled": False})
    emulate(surface.driver, size=SIZES["desktop"], dark=dark, saves_data=True)
    surface.wait_for("document.documentElement.dataset.narrow === 'false'")
    # In a terminal, Escape begins a key of the line; the next command must not suffer from it.
    world.person.press(Keys.ESCAPE)
    surface.python(
        "from gemini.kernel.kernel import kernel\nfor path in kernel.opened.paths: kernel.opened.close(path)"
    )
    close_tabs(surface)
    surface.python(
        f"import os, shutil; shutil.rmtree({folder!r}, ignore_errors=True); os.makedirs({folder!r})"
    )
    surface.call("file_navigate", path=folder)
    world.person.click('button "More"')
    world.person.click('region "Panels" [value=reset]')
    emulate(surface.driver, size=SIZES[size], dark=dark, saves_data=True)
    surface.wait_for("document.documentElement.dataset.narrow === arguments[0]", str(size == "phone").lower())
    surface.javascript("document.activeElement.blur()")


@pytest.mark.parametrize(("size", "dark", "keyboard"), VARIANTS)
@pytest.mark.parametrize(
    "journey",
    [pytest.param(journey, marks=turn_of(journey)) for journey in JOURNEYS],
    ids=lambda journey: journey.__name__,
)
def test_it_takes_few_actions(
    world: World,
    journey: Callable[[Newcomer], None],
    size: str,
    *,
    dark: bool,
    keyboard: bool,
    tmp_path: Path,
    pytestconfig: pytest.Config,
) -> None:
    folder = f"/project/{journey.__name__}"
    prepare(world, folder, size=size, dark=dark)
    user = Newcomer(
        world, folder, tmp_path, size=size, keyboard=keyboard, pictures=pytestconfig.getoption("--pictures")
    )
    journey(user)
    assert user.actions <= JOURNEYS[journey]


@pytest.mark.fortnightly
def test_a_site_that_forbids_frames_has_a_card(world: World, tmp_path: Path) -> None:
    prepare(world, "/project/forbidden", size="desktop", dark=False)
    outside, surface = world.outside, world.surface
    outside.page_headers["/alone"] = {"X-Frame-Options": "DENY"}
    outside.requests.clear()
    user = Newcomer(world, "/project/forbidden", tmp_path, size="desktop", keyboard=True)
    user.choose_command(f"{outside.url}/alone", f"{outside.url}/alone")
    user.sees("[role=alertdialog] h2", f"Open {outside.url}?")
    surface.wait_for("document.querySelector('[role=alertdialog] .answers:not([data-guarded])')")
    user.press(Keys.ENTER)
    assert "X-Frame-Options" in user.sees("[role=status].card", "can't be shown here")
    assert outside.requests == ["GET /alone", "HEAD /alone"]
    windows = surface.driver.window_handles
    surface.wait_for("document.activeElement.id === 'browser-outside'")
    user.press(Keys.ENTER)
    close_opened(surface, windows)
    assert user.actions <= 4
    close_tabs(surface)
