"""The journeys of a user's first hour, from the first sight of the page, with all keys and presses counted.

The page doesn't know that a program drives it, so the tour and the start page are there. Each journey has the most
actions that it may take, in either size, by pointer and by keyboard alone, as in test_newcomer.py. What isn't part of a
journey, such as the files that it starts with, is arranged before. docs/layout.md has the counts.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_companion.serving.app import Companion
from gemini_testing import Surface
from gemini_testing.browser import emulate
from gemini_testing.pool import BrowserPool
from tests.attacks.outside import Outside, outside_on_loopback
from tests.companions import CONNECTED, companion_of
from tests.git.server import git_server
from tests.web.conftest import STRANGER
from tests.web.names import TOUR
from tests.web.packages import PYTEST, World
from tests.web.person import Person
from tests.web.test_agent_panel import script
from tests.web.test_newcomer import (
    RUN_DONE,
    SIZES,
    Newcomer,
    find_out_how_to_upload,
    shown,
    work_in_a_notebook,
    write_a_page,
    write_and_run,
)
from tests.web.test_notebook import FIGURE, VISIBLE
from tests.wheels import copied

pytestmark = pytest.mark.extended

FOLDER = "/project/hour"
BLANK = "<!doctype html><title>Shop</title>\n<body><script>\ndocument.body.append(shop.name);\n</script>\n"
TEST = "def test_sum(): assert 1 + 1 == 2\n"
WORKS = """
gemini.agents.current().model = ScriptedModel([
    call("file_write", path="{folder}/unwanted.txt", content="unwanted"),
    call("file_write", path="{folder}/wanted.txt", content="wanted"),
    call("done", result="Both are there"),
])
"""
COMMIT = [
    "-c",
    "user.name=Ada",
    "-c",
    "user.email=ada@example.org",
    "commit",
    "-q",
    "--allow-empty",
    "-m",
    "First",
]
ANSWER_KEYS = {"once": "1", "run": "2", "always": "5"}
FOLLOWED_BY = (
    "!document.querySelector('[role=alertdialog]').open"
    " || document.querySelector('[role=alertdialog] [data-id]').dataset.id !== arguments[0]"
)
# The page in front is as wide as its frame, so neither shrunk nor cut.
REAL_SIZE = """
((frame) => frame && Math.abs(frame.getBoundingClientRect().width - frame.offsetWidth) < 1
  && frame.getBoundingClientRect().right <= innerWidth)(document.querySelector(".tab-frame.front"))
"""

variants = pytest.mark.parametrize(
    ("size", "keyboard"),
    [
        pytest.param(
            size,
            by == "keyboard",
            id=f"{size}-{by}",
            marks=[pytest.mark.pictured] if (size, by) == ("desktop", "pointer") else [],
        )
        for size, by in product(SIZES, ("pointer", "keyboard"))
    ],
)


@contextmanager
def first_sight(surface: Surface, *, size: str, ready: bool = True) -> Generator[None]:
    """Open the page as a stranger's browser does, in a window of a size."""
    emulate(surface.driver, size=SIZES[size], saves_data=True)
    added = surface.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": STRANGER})
    try:
        surface.reload(fresh=True)
        if ready:
            Person(surface).sees(TOUR, "Watch an agent work")
            surface.wait_for("document.activeElement.id === 'start-task'")
        yield
    finally:
        surface.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
        emulate(surface.driver, size=SIZES["desktop"], saves_data=True)


def watch_the_demo(user: Newcomer) -> None:
    user.surface.python("from gemini.agents import demo; demo.PACE_S = demo.ANSWER_AFTER_S = 0")
    user.act('region "Start" button "Watch the demo"', Keys.ENTER)
    user.surface.wait_for(RUN_DONE, None)
    user.sees('form "Now your own task"', "Now your own task")


def take_back_one_file(user: Newcomer) -> None:
    script(user.surface, WORKS, folder=user.folder)
    # The page knows the model.
    user.sees("#start-demo:not(.primary)")
    user.type("Write two files")
    user.press(Keys.ENTER)
    user.surface.wait_for(RUN_DONE, None)
    unwanted = f"Revert {user.folder}/unwanted.txt"
    user.sees(f"[aria-label='{unwanted}']")
    if user.keyboard:
        user.press("u", holding=Keys.CONTROL + Keys.ALT)
        user.surface.wait_for("document.activeElement.ariaLabel === arguments[0]", unwanted)
    user.act(f"[aria-label='{unwanted}']", Keys.ENTER)
    user.sees(".changes-outcome", "1 file reverted")
    user.picture("agent")
    left = user.surface.python(f"import os; sorted(os.listdir('{user.folder}'))")
    assert "wanted.txt" in left and "unwanted.txt" not in left


def open_file(user: Newcomer, name: str, content: str) -> None:
    """Open a file in the editor, before the journey."""
    user.surface.call("file_write", path=f"{user.folder}/{name}", content=content)
    user.arrange.press("k", holding=Keys.CONTROL)
    user.surface.wait_for("document.activeElement.id === 'omnibar-input'")
    user.arrange.type(name)
    # Without the file yet, the selected item may be the search for its name in all files.
    user.sees('listbox "Suggestions" [aria-selected=true][data-kind=file]', name)
    user.arrange.press(Keys.ENTER)
    user.surface.wait_for("document.activeElement.ariaLabel?.startsWith(`Text of ${arguments[0]}`)", name)


def find_why_a_page_is_blank(user: Newcomer) -> None:
    open_file(user, "page.html", BLANK)
    user.act('region "Editor" button "Run"', Keys.ENTER, holding=Keys.CONTROL)
    user.sees('region "Errors of the page"', "shop is not defined")
    assert user.sees('region "Errors of the page" .link') == "page.html:3"


def plot_and_see_all_of_it(user: Newcomer) -> None:
    user.choose_command("python console", "Python console")
    user.surface.wait_for("document.activeElement.closest('#python') !== null")
    user.arrange.copy(FIGURE)
    user.arrange.paste()
    user.press(Keys.ENTER)
    user.surface.wait_for(VISIBLE.replace("{least}", "200"))


def write_a_page_of_real_size(user: Newcomer) -> None:
    write_a_page(user)
    shown(user, "Open")
    user.surface.wait_for(REAL_SIZE)


JOURNEYS: dict[Callable[[Newcomer], None], int] = {
    watch_the_demo: 1,
    take_back_one_file: 3,
    write_and_run: 5,
    write_a_page_of_real_size: 6,
    plot_and_see_all_of_it: 3,
    work_in_a_notebook: 4,
    find_why_a_page_is_blank: 1,
    find_out_how_to_upload: 2,
}


@variants
@pytest.mark.parametrize("journey", JOURNEYS, ids=lambda journey: journey.__name__)
def test_it_takes_few_actions(
    surface: Surface,
    journey: Callable[[Newcomer], None],
    size: str,
    *,
    keyboard: bool,
    tmp_path: Path,
    pytestconfig: pytest.Config,
) -> None:
    with first_sight(surface, size=size):
        surface.python(f"import os; os.makedirs({FOLDER!r})")
        pictures = pytestconfig.getoption("--pictures")
        world = World(surface, Outside(0), Person(surface))
        user = Newcomer(world, FOLDER, tmp_path, size=size, keyboard=keyboard, pictures=pictures)
        journey(user)
        assert user.actions <= JOURNEYS[journey]


# --- with a companion ---


@pytest.fixture(scope="module")
def companion(surface_dist: Path) -> Generator[Companion]:
    with companion_of(surface_dist) as companion:
        yield companion


@contextmanager
def admitted(companion: Companion, browsers: BrowserPool, *, size: str) -> Generator[Surface]:
    """Yield the first sight of a page of a companion that admits the browser."""
    surface = Surface(browsers.take(companion.url), companion.entrance.address())
    try:
        with first_sight(surface, size=size):
            surface.wait_for(CONNECTED)
            yield surface
    finally:
        browsers.give_back(surface.driver)


def allow(user: Newcomer, answer: str) -> None:
    """Give an answer of the question as soon as it counts, and wait for what follows."""
    surface = user.surface
    surface.wait_for("document.querySelector('[role=alertdialog] .answers:not([data-guarded])')")
    number = surface.javascript("return document.querySelector('[role=alertdialog] [data-id]').dataset.id")
    # The focus is on Refuse, for safety: an answer has a key of its own.
    assert surface.javascript("return document.activeElement.id") == "approval-refuse"
    user.act(f"#approval-{answer}", ANSWER_KEYS[answer], holding=Keys.ALT)
    surface.wait_for(FOLLOWED_BY, number)


def at_prompt(user: Newcomer, *lines: str) -> None:
    """Run commands in a terminal, before the journey, and leave the focus there."""
    user.arrange.open_panel("terminals")
    user.arrange.enter_terminal()
    for line in lines:
        user.type(line)
        user.arrange.press(Keys.ENTER)


@pytest.fixture
def index(surface_dist: Path) -> Generator[tuple[Outside, Companion]]:
    """Yield an origin with packages, and a companion that reaches it."""
    with (
        outside_on_loopback() as outside,
        companion_of(surface_dist, network=outside.fetcher()) as companion,
    ):
        yield outside, companion


@variants
def test_a_test_is_run_where_pytest_is_missing(
    index: tuple[Outside, Companion],
    browsers: BrowserPool,
    size: str,
    *,
    keyboard: bool,
    tmp_path: Path,
    pytestconfig: pytest.Config,
) -> None:
    outside, companion = index
    with admitted(companion, browsers, size=size) as surface:
        pictures = pytestconfig.getoption("--pictures")
        world = World(surface, outside, Person(surface))
        surface.python(f"import os; os.makedirs({FOLDER!r})")
        user = Newcomer(world, FOLDER, tmp_path, size=size, keyboard=keyboard, pictures=pictures)
        # The user's own index, because no test reaches PyPI.
        at_prompt(user, f"export {world.offer(*map(copied, PYTEST))}", "python -c 'import pytest'", "clear")
        user.reads_line("/project $")
        assert "No module named 'pytest'" in world.run("python -c 'import pytest'")["stderr"]
        open_file(user, "test_sum.py", TEST)
        user.sees(".cm-tests", "▶")
        user.act(".cm-tests [title='Run test_sum']", Keys.ENTER, holding=Keys.CONTROL)
        user.sees("[data-front] .terminal-install", "Install pytest and run again")
        user.act("[data-front] .terminal-install", Keys.ENTER, holding=Keys.CONTROL)
        user.asked("outside.test")
        allow(user, "run")
        user.reads("1 passed")
        user.picture("test")
        assert user.actions <= 3


@pytest.fixture
def repository(tmp_path: Path) -> Generator[str]:
    """Yield the address of a repository on a server at a private address, as a company's is."""
    for command in (["init", "-q", "-b", "main", "work"], ["-C", "work", *COMMIT]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    subprocess.run(["git", "clone", "-q", "--bare", "work", "team.git"], cwd=tmp_path, check=True)
    with git_server(tmp_path) as url:
        yield f"{url}/team.git"


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git for the server")
@variants
def test_a_repository_of_a_private_server_is_cloned(
    companion: Companion,
    browsers: BrowserPool,
    repository: str,
    size: str,
    *,
    keyboard: bool,
    tmp_path: Path,
) -> None:
    with admitted(companion, browsers, size=size) as surface:
        world = World(surface, Outside(0), Person(surface))
        user = Newcomer(world, "/project", tmp_path, size=size, keyboard=keyboard)
        at_prompt(user)
        user.type(f"git clone {repository}")
        user.press(Keys.ENTER)
        user.sees("[role=alertdialog]", "You typed git clone")
        allow(user, "once")
        user.asked("A request leads to a program on this computer")
        allow(user, "always")
        surface.wait_for("!document.querySelector('[role=alertdialog]').open")
        user.reads_line("/project $")
        assert surface.python("import os; os.path.exists('/project/team/.git/HEAD')")
        assert user.actions <= 3


@variants
def test_a_second_browser_is_connected_in_two_actions(
    companion: Companion, browsers: BrowserPool, tmp_path: Path, size: str, *, keyboard: bool
) -> None:
    printed: list[str] = []
    companion.pairings.announce = printed.append
    surface = Surface(browsers.take(companion.url), companion.url)
    try:
        with first_sight(surface, size=size, ready=False):
            world = World(surface, Outside(0), Person(surface))
            user = Newcomer(world, "/project", tmp_path, size=size, keyboard=keyboard)
            user.sees('region "Connection to the companion"', "isn’t connected to the companion")
            if keyboard:
                surface.wait_for("document.activeElement.id === 'connect-browser'")
            user.act('button "Connect this browser"', Keys.ENTER)
            surface.wait_for("document.activeElement.id === 'pairing-code'")
            user.type(printed[0].rpartition(": ")[2])
            user.press(Keys.ENTER)
            surface.wait_for(CONNECTED)
            assert user.actions <= 2
    finally:
        browsers.give_back(surface.driver)
