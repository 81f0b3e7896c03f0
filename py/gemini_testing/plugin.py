"""The pytest plugin: fixtures `surface` and `open_surface`, and the options that say which surface."""

import contextlib
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.common.exceptions import WebDriverException
from urllib3.exceptions import HTTPError

from gemini_testing.browser import launch
from gemini_testing.errors import PageError
from gemini_testing.server import serving
from gemini_testing.surface import Surface

# A page that a test has left takes longer only where Python is stuck.
ANSWERS_WITHIN_S = 20.0
# The page's process has crashed, or its browser's, or the driver's.
CRASHED = (WebDriverException, HTTPError)

BROKEN = pytest.StashKey[list[str]]()

OpenSurface = Callable[..., Surface]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("surface", "the page in headless Chromium")
    group.addoption(
        "--surface-dist", metavar="DIR", help="the built surface to serve; dist/ unless told otherwise"
    )
    group.addoption("--surface-url", metavar="URL", help="a surface that is served already")
    group.addoption("--surface-headed", action="store_true", help="show the browser")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Report pages that cost another browser but no failure."""
    for reason in config.stash.setdefault(BROKEN, []):
        terminalreporter.write_line(f"a page did not answer, and was opened in another browser: {reason}")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Take over what a process of pytest-xdist has to report."""
    node.config.stash.setdefault(BROKEN, []).extend(getattr(node, "workeroutput", {}).get("broken", []))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Pass on what to report, in a process of pytest-xdist."""
    if output := getattr(session.config, "workeroutput", None):
        output["broken"] = session.config.stash.setdefault(BROKEN, [])


@pytest.fixture(scope="session")
def surface_dist(pytestconfig: pytest.Config) -> Path:
    """The folder that holds the built surface."""
    given = pytestconfig.getoption("--surface-dist")
    folder = pytestconfig.invocation_params.dir / given if given else pytestconfig.rootpath / "dist"
    if not (folder / "index.html").is_file():
        raise pytest.UsageError(
            f"there is no built surface in {folder}: run `python3 build.py build`, or give --surface-dist or "
            "--surface-url"
        )
    return folder


@pytest.fixture(scope="module")
def surface_of_module(request: pytest.FixtureRequest) -> Iterator[Surface]:
    """The page that the tests of a module share, in a browser of their own."""
    with _opened(request) as surface:
        with _another_browser_where_it_fails(surface, request.config):
            surface.load()
        yield surface


@pytest.fixture
def surface(surface_of_module: Surface, pytestconfig: pytest.Config) -> Iterator[Surface]:
    """The page, ready. The tests of a module share it; one that leaves it broken costs the next one a fresh page."""
    with _another_browser_where_it_fails(surface_of_module, pytestconfig):
        surface_of_module.wait_for("gemini.python('True')", timeout_s=ANSWERS_WITHIN_S)
    surface_of_module.console()
    yield surface_of_module
    _show_console(surface_of_module)


@pytest.fixture
def open_surface(request: pytest.FixtureRequest) -> Iterator[OpenSurface]:
    """`open_surface(**options)` opens a page in a browser of its own, which is closed when the test ends.

    Options, by name:
        webmcp: False leaves WebMCP off, so that the page takes its polyfill.
        isolated: False leaves out the headers that isolate the page from other origins.
        sites: False serves files that are shown as pages from the surface's own origin, as plain static hosts do.
        kernel: False runs the kernel on the surface's own origin, as plain static hosts do.
        dark: True prefers dark colours.
        size: The window's width and height in pixels.
        dist: A folder to serve in place of the one that the options name.
        path: The page in it; the surface's own unless told otherwise.
        wait: False doesn't wait until Python is ready; it has to be so for a page that isn't the surface's own.
    """
    with contextlib.ExitStack() as opened:

        def open_one(*, path: str = "", wait: bool = True, **options: Any) -> Surface:
            surface = opened.enter_context(_opened(request, **options))
            opened.callback(_show_console, surface)
            surface.url += path
            surface.load(wait=wait)
            return surface

        yield open_one


@contextlib.contextmanager
def _opened(
    request: pytest.FixtureRequest,
    *,
    isolated: bool = True,
    sites: bool = True,
    kernel: bool = True,
    dist: Path | None = None,
    **options: Any,
) -> Generator[Surface]:
    config = request.config
    with contextlib.ExitStack() as stack:
        url = config.getoption("--surface-url")
        if url is None or dist is not None or not (isolated and sites and kernel):
            folder = dist or request.getfixturevalue("surface_dist")
            url = stack.enter_context(serving(folder, isolated=isolated, sites=sites, kernel=kernel))
        surface = Surface(launch(headed=bool(config.option.surface_headed), **options), url)
        try:
            yield surface
        finally:
            # By now it may be another one than at first.
            surface.driver.quit()


@contextlib.contextmanager
def _another_browser_where_it_fails(surface: Surface, config: pytest.Config) -> Generator[None]:
    """Open the page in another browser where it doesn't answer in this one, and have the summary say so."""
    try:
        yield
    except (PageError, TimeoutError, *CRASHED) as error:
        config.stash.setdefault(BROKEN, []).append(str(error))
        with contextlib.suppress(*CRASHED):
            surface.driver.quit()
        surface.driver = launch(headed=bool(config.option.surface_headed))
        surface.load()


def _show_console(surface: Surface) -> None:
    """Into the report of a test that failed."""
    try:
        lines = surface.console()
    except CRASHED as error:
        lines = [f"The browser has crashed: {error}"]
    for line in lines:
        print(line)
