"""Hooks and fixtures of all tests."""

import gc
import os
import ssl
from collections.abc import Generator, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import httpcore2
import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

from gemini.tools.dispatcher import Dispatcher
from gemini.tools.tool import Tool
from tests.schemas import check
from tests.tiers import ALL_MARKED, FILES, TURNS, has_turn, opens

# A busy machine would exceed any deadline.
settings.register_profile("surface", deadline=None)
settings.load_profile("surface")

PLUGIN = "gemini_testing.plugin"

# If the package is installed, pytest finds the plugin itself.
installed = any(point.value == PLUGIN for point in entry_points(group="pytest11"))
pytest_plugins = ["pytester"] if installed else ["pytester", PLUGIN]


FIRST_TRY = "first try failed"
TESTS = Path(__file__).parent
LONGEST_NAME = 1_000
WITH_PAGES = ("attacks", "pyodide", "web")
# These open no pages.
UNITS = "unit/"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--extended",
        default="all",
        metavar="all|none|PART/PARTS",
        help="which of the tests marked `extended` or `fortnightly` run",
    )
    parser.addoption(
        "--files", default="all", metavar="all|PART/PARTS", help="which of the files that take turns run"
    )
    parser.addoption("--pictures", type=Path, help="the folder in which the journeys save their pictures")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    # Each process sends the names of all tests.
    return f"{argname} of {len(val)}" if isinstance(val, (str, bytes)) and len(val) > LONGEST_NAME else None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Leave what was collected out of garbage collections: it stays, and looking through it takes seconds each time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


# First, so that what is left out costs the plugins no time.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if (marker := item.get_closest_marker("timing")) and not marker.args:
            raise pytest.UsageError(f"{item.nodeid}: say why its timing can fail: `timing(reason)`")
    # Files that open pages take the longest. Short files at the end keep all processes busy until then.
    items.sort(key=lambda item: item.path.relative_to(TESTS).parts[0] not in WITH_PAGES)
    wanted = str(config.getoption("--extended"))
    if wanted == "all":
        return
    turns = {item: _turns(item) for item in items}
    daily = {item.path for item in items if not turns[item]}
    left_out = {item for item in items if turns[item] and not _runs(item, turns[item], daily, wanted)}
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files out whose turn isn't today: even collecting them takes time."""
    if collection_path.suffix != ".py":
        return None
    file = _file(collection_path)
    return None if opens(file, FILES.get(file, 1), str(config.getoption("--files"))) else True


def _file(path: Path) -> str:
    return path.relative_to(TESTS).as_posix()


def _runs(item: pytest.Item, turns: list[tuple[str, int]], daily: set[Path], wanted: str) -> bool:
    """Return whether a test with marks runs today; `daily` are the files with tests that have none."""
    file = _file(item.path)
    alone = 1 if item.path in daily or file.startswith(UNITS) else ALL_MARKED
    return has_turn(turns, wanted, file=file, every=FILES.get(file, alone))


def _turns(item: pytest.Item) -> list[tuple[str, int]]:
    """Return for each mark what has its turn together with a test, and after how many days at most."""
    turns: list[tuple[str, int]] = []
    for name, days in TURNS.items():
        marked = list(item.iter_markers_with_node(name))
        # The last mark of a test is that of a parameter, often of the page that it needs.
        marked = [each for each in marked if each[0] is item][::-1] + [
            each for each in marked if each[0] is not item
        ]
        together = next((mark.kwargs["together"] for _, mark in marked if "together" in mark.kwargs), None)
        if together:
            turns.append((f"{_file(item.path)} {together}", days))
        elif marked:
            # What was marked belongs to the same part on every machine.
            # A marked module comes as a whole, because its tests share a page.
            turns.append((marked[0][0].nodeid, days))
    return turns


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for reports in terminalreporter.stats.values():
        for report in reports:
            # Reports are the only way from a process of pytest-xdist to this one.
            for name, line in getattr(report, "user_properties", ()):
                if name == FIRST_TRY and report.when == "call":
                    terminalreporter.write_line(f"a first try failed: {report.nodeid}: {line}")


def _last_line(report: pytest.TestReport) -> str:
    return report.longreprtext.strip().rpartition("\n")[2]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test marked `timing` again if it fails. Any other test that fails fails the run."""
    if item.get_closest_marker("timing") is None:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    failures = [report for report in reports if report.failed]
    if failures:
        item._initrequest()  # type: ignore[attr-defined] # pyright: ignore - as pytest does before each run
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        # If both fail, the first says more: the second may fail because of remains of the first.
        sections = [(f"first try, {failure.when}", failure.longreprtext) for failure in failures]
        for report in reports:
            report.sections[:0] = sections
            report.user_properties.append((FIRST_TRY, _last_line(failures[0])))
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.fixture(autouse=True)
def answers_fit_their_schemas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check every tool's answer in this process against the tool's output schema."""
    encode = Dispatcher.encode

    def checked(dispatcher: Dispatcher, tool: Tool, value: Any) -> tuple[Any, str]:
        value, text = encode(dispatcher, tool, value)
        if tool.output_schema:
            check(text, tool.output_schema, tool.declaration.name)
        return value, text

    monkeypatch.setattr(Dispatcher, "encode", checked)


@pytest.fixture
def empty_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty home directory, so that shells read no start-up files of the user."""
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture(autouse=True, scope="session")
def authorities_are_read_once() -> Iterator[None]:
    """Share TLS contexts: reading the system's authorities takes longer than most tests of a client."""
    contexts: dict[tuple[object, ...], ssl.SSLContext] = {}
    default = httpcore2.default_ssl_context

    def shared(*, _trust_env: bool = True) -> ssl.SSLContext:
        key = (_trust_env, os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
        if key not in contexts:
            contexts[key] = default(_trust_env=_trust_env)
        return contexts[key]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(httpcore2, "default_ssl_context", shared)
        yield
