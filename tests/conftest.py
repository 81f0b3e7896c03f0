"""What all tests share."""

from importlib.metadata import entry_points
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

from gemini.tools.registry import Registry
from gemini.tools.tool import Tool
from tests.schemas import check

# A busy machine is no counterexample.
settings.register_profile("surface", deadline=None)
settings.load_profile("surface")

PLUGIN = "gemini_testing.plugin"

# Where the package is installed, pytest has found the plugin by itself.
installed = any(point.value == PLUGIN for point in entry_points(group="pytest11"))
pytest_plugins = ["pytester"] if installed else ["pytester", PLUGIN]


FIRST_TRY = "first try failed"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for reports in terminalreporter.stats.values():
        for report in reports:
            # What a process of pytest-xdist ran comes here as a report, and no other way.
            for name, line in getattr(report, "user_properties", ()):
                if name == FIRST_TRY and report.when == "call":
                    terminalreporter.write_line(f"a first try failed: {report.nodeid}: {line}")


def _last_line(report: pytest.TestReport) -> str:
    return report.longreprtext.strip().rpartition("\n")[2]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Give a journey in a real browser a second try: a busy machine fails it once, a bug twice."""
    if not {"web", "conformance"} & set(item.path.parts):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    failures = [report for report in reports if report.failed]
    if failures:
        item._initrequest()  # type: ignore[attr-defined] # pyright: ignore - as pytest does before each run
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        # Where both fail, the first tells more: the second may only meet what the first has left.
        told = [(f"first try, {failure.when}", failure.longreprtext) for failure in failures]
        for report in reports:
            report.sections[:0] = told
            report.user_properties.append((FIRST_TRY, _last_line(failures[0])))
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.fixture(autouse=True)
def answers_fit_their_schemas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check every answer of a tool that a test gets in this process against the schema that is listed for it."""
    answer = Registry._answer  # pyright: ignore[reportPrivateUsage]

    async def checked(registry: Registry, tool: Tool, *rest: Any) -> tuple[Any, str]:
        value, text = await answer(registry, tool, *rest)
        if tool.output_schema:
            check(text, tool.output_schema, tool.declaration.name)
        return value, text

    monkeypatch.setattr(Registry, "_answer", checked)


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shells of this machine read no start-up files of the user who runs the tests."""
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
