"""Shared fixtures of the end-to-end tests."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.keys import Keys

from gemini_testing import PageError, Surface
from gemini_testing.browser import emulate
from tests.schemas import check
from tests.web.person import Background, Person

Start = Callable[..., Background]
CopyOfDist = Callable[..., Path]
Resize = Callable[..., None]


@pytest.fixture(scope="session")
def output_schemas(surface_dist: Path) -> dict[str, Any]:
    """Return the output schema of each tool, by name."""
    tools = json.loads((surface_dist / "tools.json").read_text())["tools"]
    return {tool["name"]: tool["outputSchema"] for tool in tools if "outputSchema" in tool}


@pytest.fixture(autouse=True)
def answers_of_pages_fit_their_schemas(
    output_schemas: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check every answer from a page against the tool's listed output schema."""
    call_raw = Surface.call_raw

    def checked(surface: Surface, tool: str, /, **arguments: Any) -> str:
        text = call_raw(surface, tool, **arguments)
        value = json.loads(text)
        # Failures and truncated results have other forms.
        if tool in output_schemas and not (isinstance(value, dict) and {"isError", "cut"} & set(value)):
            check(text, output_schemas[tool], tool)
        return text

    monkeypatch.setattr(Surface, "call_raw", checked)


@pytest.fixture
def person(surface: Surface) -> Person:
    person = Person(surface)
    is_open = "return document.querySelector('dialog[open]') !== null"
    if surface.javascript(is_open):
        # The test before has left it open, which costs less than another start of the page.
        person.press(Keys.ESCAPE)
        if surface.javascript(is_open):
            surface.reload()
    # What a stranger sees is tested by `stranger`.
    person.open_workspace()
    return person


STRANGER = "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false, configurable: true })"


@pytest.fixture
def stranger(surface: Surface) -> Iterator[Person]:
    """Yield a user at the first sight of the page, which shows the tour: it doesn't know that a program drives it."""
    added = surface.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": STRANGER})
    surface.reload(fresh=True)
    yield Person(surface)
    surface.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    surface.reload(fresh=True)


# The page's clock moves on by five minutes.
END_REFUSALS = """
if (document.querySelector("#approval-title") === null) return;
const { now } = Date;
Date.now = () => now.call(Date) + 300_000;
if (document.querySelector("#ask-again")?.checkVisibility()) document.querySelector("#refusing").hidden = true;
"""


def end_refusals(surface: Surface) -> None:
    """Let the minute pass in which a page doesn't ask again what was refused."""
    surface.driver.execute_script(END_REFUSALS)


@pytest.fixture(autouse=True)
def refusals_end(request: pytest.FixtureRequest) -> Iterator[None]:
    """Refusals in a row, and the words of a refused question, count for a minute: not in the next test of the page."""
    yield
    found = [getattr(value, "surface", value) for value in request.node.funcargs.values()]
    for surface in {id(each): each for each in found if isinstance(each, Surface)}.values():
        # A page that a test has closed or broken forgets automatically.
        with contextlib.suppress(PageError, WebDriverException):
            end_refusals(surface)


@pytest.fixture
def resize(surface: Surface) -> Iterator[Resize]:
    """Return `resize(width, height, dark=False)`, which changes the size of the window until the test ends."""

    def resize(width: int = 1400, height: int = 900, *, dark: bool = False) -> None:
        emulate(surface.driver, size=(width, height), dark=dark, saves_data=True)
        surface.wait_for("document.documentElement.dataset.narrow === arguments[0]", str(width < 700).lower())

    yield resize
    resize()


@pytest.fixture
def terminal(surface: Surface) -> Iterator[str]:
    """Create a terminal for the test and return its id."""
    made: str = surface.call("terminal_create")["terminal_id"]
    yield made
    if made in [row["id"] for row in surface.call("terminal_list")]:
        surface.call("terminal_close", terminal_id=made)


@pytest.fixture
def shell(person: Person, terminal: str) -> Person:
    """Return the user with the focus in an empty terminal."""
    person.sees(f"[data-tab-panel-id={terminal}][aria-selected=true]")
    person.enter_terminal()
    return person


@pytest.fixture
def folder(surface: Surface, request: pytest.FixtureRequest) -> str:
    """Create an empty directory for the test and return its absolute path."""
    path = f"/project/{request.node.originalname}"
    surface.python(f"import os, shutil; shutil.rmtree({path!r}, ignore_errors=True); os.makedirs({path!r})")
    return path


@pytest.fixture
def start(surface: Surface) -> Start:
    """Return `start(tool, **arguments)`, which calls a tool without waiting for its result."""

    def start(tool: str, /, **arguments: Any) -> Background:
        return Background(surface, tool, arguments)

    return start


@pytest.fixture
def copy_of_dist(surface_dist: Path, tmp_path: Path) -> CopyOfDist:
    """Return `copy_of_dist(without=pattern)`, which copies the built surface without one file."""

    def copy(*, without: str | None = None) -> Path:
        shutil.copytree(surface_dist, tmp_path / "dist")
        if without:
            [file] = (tmp_path / "dist").glob(without)
            # Some builds have it compressed, too.
            file.unlink()
            for ending in (".br", ".gz"):
                file.with_name(file.name + ending).unlink(missing_ok=True)
        return tmp_path / "dist"

    return copy
