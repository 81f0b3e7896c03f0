"""The pytest plugin: the fixtures `surface` and `open_surface`, and the options that select the surface."""

import contextlib
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini_companion import pyodide_dist as pyodide
from gemini_companion.site import INSTALLED
from gemini_testing.errors import PageError
from gemini_testing.pool import CRASHED, BrowserPool
from gemini_testing.server import serving
from gemini_testing.snapshots import Snapshots
from gemini_testing.surface import Surface

# A page takes longer to respond after a test only if Python is stuck.
RESPONSE_TIMEOUT_S = 20.0

UNRESPONSIVE = pytest.StashKey[list[str]]()

OpenSurface = Callable[..., Surface]
ServeSurface = Callable[..., str]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that select the surface and show the browser."""
    group = parser.getgroup("surface", "the page in headless Chromium")
    group.addoption(
        "--surface-dist", metavar="DIR", help="the built surface to serve (default: dist/, or the wheel's)"
    )
    group.addoption("--surface-url", metavar="URL", help="the URL of a surface that is already served")
    group.addoption("--surface-headed", action="store_true", help="show the browser")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Report pages that needed a new browser, although no test failed."""
    for reason in config.stash.setdefault(UNRESPONSIVE, []):
        terminalreporter.write_line(f"a page did not respond and was opened in a new browser: {reason}")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Collect the reports of a pytest-xdist worker."""
    node.config.stash.setdefault(UNRESPONSIVE, []).extend(getattr(node, "workeroutput", {}).get("broken", []))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Pass the reports of a pytest-xdist worker to the main process."""
    if output := getattr(session.config, "workeroutput", None):
        output["broken"] = session.config.stash.setdefault(UNRESPONSIVE, [])


@pytest.fixture(scope="session")
def surface_dist(pytestconfig: pytest.Config) -> Path:
    """The folder of the built surface."""
    given = pytestconfig.getoption("--surface-dist")
    usual = pytestconfig.rootpath / "dist"
    folders = [pytestconfig.invocation_params.dir / given] if given else [usual, INSTALLED]
    for folder in folders:
        if (folder / "index.html").is_file():
            return folder
    raise pytest.UsageError(
        f"there is no built surface in {' or '.join(map(str, folders))}: install a wheel that has one "
        "(`python3 build.py wheel`), run `python3 build.py build` in a source tree, or pass --surface-dist or "
        "--surface-url"
    )


@pytest.fixture(scope="session")
def pyodide_dist(surface_dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Pyodide and the surface's packages, as pytest-pyodide's `--dist-dir` takes it."""
    folder = tmp_path_factory.mktemp("pyodide")
    pyodide.make(folder, surface_dist)
    return folder


@pytest.fixture(scope="session")
def browsers(pytestconfig: pytest.Config) -> Iterator[BrowserPool]:
    """The browsers that tests use in turn."""
    # Without pytest's cache they share no snapshot of Python.
    cache = getattr(pytestconfig, "cache", None)
    browsers = BrowserPool(Snapshots(cache.mkdir("surface")) if cache else None)
    yield browsers
    browsers.end()


@pytest.fixture(scope="session")
def serve_surface(surface_dist: Path) -> Iterator[ServeSurface]:
    """Serve the built surface with `serve_surface(**options)`, which returns its URL; see `open_surface`.

    The same options return the same URL, so that a browser finds its cached files.
    """
    urls: dict[frozenset[tuple[str, bool]], str] = {}
    with contextlib.ExitStack() as servers:

        def serve(**options: bool) -> str:
            key = frozenset(options.items())
            if key not in urls:
                urls[key] = servers.enter_context(serving(surface_dist, **options))
            return urls[key]

        yield serve


@pytest.fixture(scope="module")
def surface_options() -> dict[str, Any]:
    """Options of the page that a module's tests share; see `open_surface`. A module may override them."""
    return {}


@pytest.fixture(scope="module")
def surface_of_module(
    request: pytest.FixtureRequest, browsers: BrowserPool, surface_options: dict[str, Any]
) -> Iterator[Surface]:
    """The page that the tests of a module share, with nothing stored."""
    with _open(request, **surface_options) as surface:
        with _retry_in_new_browser(surface, browsers, request.config):
            surface.load()
        yield surface


@pytest.fixture
def surface(
    surface_of_module: Surface, browsers: BrowserPool, pytestconfig: pytest.Config
) -> Iterator[Surface]:
    """The page, ready. The tests of a module share it; the next test gets a new page if one leaves it broken."""
    with _retry_in_new_browser(surface_of_module, browsers, pytestconfig):
        surface_of_module.wait_for("gemini.python('True')", timeout_s=RESPONSE_TIMEOUT_S)
    surface_of_module.console()
    yield surface_of_module
    _show_console(surface_of_module)


@pytest.fixture
def open_surface(request: pytest.FixtureRequest) -> Iterator[OpenSurface]:
    """Open pages in separate browsers with `open_surface(**options)`; they close when the test ends.

    Options, by name:
        webmcp: False disables WebMCP, so the page uses its polyfill.
        isolated: False omits the headers that isolate the page from other origins.
        sites: False serves files that are shown as pages from the surface's own origin, as plain static hosts do.
        kernel: False runs the kernel on the surface's own origin, as plain static hosts do.
        dark: True prefers dark colors.
        size: The window's width and height in pixels.
        third_party_storage: False blocks what frames of other sites store, as some browsers do.
        saves_data: False prepares a faster second start, as the page does by default in a user's browser.
        dist: A folder to serve instead of the one that the command line selects.
        path: The page to open in it; the surface's own by default.
        wait: False doesn't wait until Python is ready; pages other than the surface's own need it.
    """
    with contextlib.ExitStack() as opened:

        def open_one(*, path: str = "", wait: bool = True, **options: Any) -> Surface:
            surface = opened.enter_context(_open(request, **options))
            opened.callback(_show_console, surface)
            surface.url += path
            surface.load(wait=wait)
            return surface

        yield open_one


@contextlib.contextmanager
def _open(
    request: pytest.FixtureRequest,
    *,
    isolated: bool = True,
    sites: bool = True,
    kernel: bool = True,
    dist: Path | None = None,
    **options: Any,
) -> Generator[Surface]:
    config = request.config
    browsers: BrowserPool = request.getfixturevalue("browsers")
    with contextlib.ExitStack() as stack:
        given = config.getoption("--surface-url")
        if dist is not None:
            url = stack.enter_context(serving(dist, isolated=isolated, sites=sites, kernel=kernel))
        elif given and isolated and sites and kernel:
            url = given
        else:
            url = request.getfixturevalue("serve_surface")(isolated=isolated, sites=sites, kernel=kernel)
        headed = bool(config.option.surface_headed)
        # What a copy of the surface lacks, a snapshot may have.
        shared = url if dist is None else None
        surface = Surface(browsers.take(shared, headed=headed, **options), url)
        try:
            yield surface
        finally:
            # The driver may have been replaced.
            browsers.give_back(surface.driver)


@contextlib.contextmanager
def _retry_in_new_browser(surface: Surface, browsers: BrowserPool, config: pytest.Config) -> Generator[None]:
    """Open the page in a new browser if it doesn't respond in this one, and report it in the summary."""
    try:
        yield
    except (PageError, TimeoutError, *CRASHED) as error:
        config.stash.setdefault(UNRESPONSIVE, []).append(str(error))
        surface.driver = browsers.replace(surface.driver)
        surface.load()


def _show_console(surface: Surface) -> None:
    """Print the browser's console, which pytest shows if the test fails."""
    try:
        lines = surface.console()
    except CRASHED as error:
        lines = [f"The browser has crashed: {error}"]
    for line in lines:
        print(line)
