"""More counted journeys of newcomers: a blank page, a plot, a server at a private address, a second browser."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_companion.serving.app import Companion
from gemini_testing import Surface
from gemini_testing.browser import emulate
from gemini_testing.pool import BrowserPool
from tests.attacks.outside import Outside
from tests.companions import CONNECTED, companion_of, opened_by
from tests.git.server import git_server
from tests.web.packages import World
from tests.web.person import Person
from tests.web.test_newcomer import SIZES, VARIANTS, Newcomer, prepare
from tests.web.test_notebook import FIGURE, VISIBLE

pytestmark = pytest.mark.extended

BLANK = "<!doctype html><title>Shop</title>\n<body><script>\ndocument.body.append(shop.name);\n</script>\n"
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
ANSWER_KEYS = {"once": "1", "always": "5"}
FOLLOWED_BY = (
    "!document.querySelector('#approval').open"
    " || document.querySelector('#approval-question').dataset.id !== arguments[0]"
)


@pytest.fixture(scope="module")
def companion(surface_dist: Path) -> Generator[Companion]:
    with companion_of(surface_dist) as companion:
        yield companion


@pytest.fixture(scope="module")
def world(companion: Companion, browsers: BrowserPool) -> Generator[World]:
    with opened_by(companion, browsers) as surface:
        yield World(surface, Outside(0), Person(surface))


@pytest.fixture
def repository(tmp_path: Path) -> Generator[str]:
    """Yield the address of a repository on a server at a private address, as a company's is."""
    for command in (["init", "-q", "-b", "main", "work"], ["-C", "work", *COMMIT]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    subprocess.run(["git", "clone", "-q", "--bare", "work", "team.git"], cwd=tmp_path, check=True)
    with git_server(tmp_path) as url:
        yield f"{url}/team.git"


def find_why_a_page_is_blank(user: Newcomer) -> None:
    path = f"{user.folder}/page.html"
    user.surface.call("file_write", path=path, content=BLANK)
    user.arrange.press("k", holding=Keys.CONTROL)
    user.arrange.type("page.html")
    # Without the file yet, the selected item may be the search for its name in all files.
    user.sees("#omnibar-list [aria-selected=true][data-kind=file]", "page.html")
    user.arrange.press(Keys.ENTER)
    user.surface.wait_for("document.activeElement.ariaLabel?.startsWith('Text of page.html')")
    user.act("#editor-run", Keys.ENTER, holding=Keys.CONTROL)
    user.sees("#browser-errors", "shop is not defined")
    assert user.sees("#browser-errors .link") == "page.html:3"


def plot_and_see_all_of_it(user: Newcomer) -> None:
    user.choose_command("python console", "Python console")
    user.surface.wait_for("document.activeElement.closest('#python') !== null")
    user.arrange.copy(FIGURE)
    user.arrange.paste()
    user.press(Keys.ENTER)
    user.surface.wait_for(VISIBLE.replace("{least}", "200"))


JOURNEYS: dict[Callable[[Newcomer], None], int] = {find_why_a_page_is_blank: 1, plot_and_see_all_of_it: 3}


@pytest.mark.parametrize(("size", "dark", "keyboard"), VARIANTS)
@pytest.mark.parametrize("journey", JOURNEYS, ids=lambda journey: journey.__name__)
def test_it_takes_few_actions(
    world: World,
    journey: Callable[[Newcomer], None],
    size: str,
    *,
    dark: bool,
    keyboard: bool,
    tmp_path: Path,
) -> None:
    folder = f"/project/{journey.__name__}"
    prepare(world, folder, size=size, dark=dark)
    user = Newcomer(world, folder, tmp_path, size=size, keyboard=keyboard)
    journey(user)
    assert user.actions <= JOURNEYS[journey]


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git for the server")
@pytest.mark.parametrize("keyboard", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_a_repository_of_a_private_server_is_cloned(
    world: World, repository: str, size: str, *, keyboard: bool, tmp_path: Path
) -> None:
    prepare(world, "/project/clones", size=size, dark=False)
    user = Newcomer(world, "/project/clones", tmp_path, size=size, keyboard=keyboard)
    user.arrange.open_panel("terminals")
    user.arrange.enter_terminal()
    user.type("cd /project/clones")
    user.arrange.press(Keys.ENTER)
    user.reads("/project/clones $")
    user.type(f"git clone {repository}")
    user.press(Keys.ENTER)
    user.sees("#approval-typed", "You typed git clone")
    allow(user, "once")
    user.sees("#approval-question", "A request leads to a program on this computer")
    allow(user, "always")
    user.surface.wait_for("!document.querySelector('#approval').open")
    user.reads_line("/project/clones $")
    assert world.surface.python("import os; os.path.exists('/project/clones/team/.git/HEAD')")
    assert user.actions <= 3


def allow(user: Newcomer, answer: str) -> None:
    """Give an answer of the question as soon as it counts, and wait for what follows."""
    surface = user.surface
    surface.wait_for("!document.querySelector('#approval .answers').hasAttribute('data-guarded')")
    number = surface.javascript("return document.querySelector('#approval-question').dataset.id")
    # The focus is on Refuse, for safety: an answer has a key of its own.
    assert surface.javascript("return document.activeElement.id") == "approval-refuse"
    user.act(f"#approval-{answer}", ANSWER_KEYS[answer], holding=Keys.ALT)
    surface.wait_for(FOLLOWED_BY, number)


@pytest.mark.parametrize("keyboard", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_a_second_browser_is_connected_in_two_actions(
    companion: Companion, browsers: BrowserPool, tmp_path: Path, size: str, *, keyboard: bool
) -> None:
    printed: list[str] = []
    companion.pairings.announce = printed.append
    surface = Surface(browsers.take(companion.url), companion.url)
    try:
        emulate(surface.driver, size=SIZES[size], saves_data=True)
        surface.load()
        world = World(surface, Outside(0), Person(surface))
        user = Newcomer(world, "/project", tmp_path, size=size, keyboard=keyboard)
        user.sees("#unconnected", "isn’t connected to the companion")
        if keyboard:
            surface.wait_for("document.activeElement.id === 'connect-browser'")
        user.act("#connect-browser", Keys.ENTER)
        user.sees("#pairing-code")
        surface.wait_for("document.activeElement.id === 'pairing-code'")
        user.type(printed[0].rpartition(": ")[2])
        user.press(Keys.ENTER)
        surface.wait_for(CONNECTED)
        assert user.actions <= 2
    finally:
        browsers.give_back(surface.driver)
