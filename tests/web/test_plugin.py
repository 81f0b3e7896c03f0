"""Other projects test their tools with the plugin, as docs/testing.md describes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gemini_testing.plugin import OpenSurface
from gemini_testing.server import serving

pytestmark = pytest.mark.extended

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs/testing.md"

# The page's console output helps to see the reason.
FAILING = """

def test_that_fails(surface: Surface) -> None:
    surface.javascript("console.warn('a word from the page')")
    assert surface.call("file_read", path="/project/none")
"""


@pytest.fixture
def other_project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Create another project that can import the package but has none of this project's settings."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "py"))
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    # Load this plugin by name, whether or not it is installed.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini("[pytest]\nfilterwarnings = error\n")
    return pytester


def run(project: pytest.Pytester, *arguments: str | Path) -> pytest.RunResult:
    return project.runpytest_subprocess("-p", "gemini_testing.plugin", "-p", "no:cacheprovider", *arguments)


def test_the_guide_s_example_runs_on_a_served_surface(
    other_project: pytest.Pytester, surface_dist: Path
) -> None:
    found = re.search(
        r"<!-- example: plugin -->\n```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert found
    other_project.makepyfile(found[1] + FAILING)

    with serving(surface_dist) as url:
        result = run(other_project, f"--surface-url={url}")

    result.assert_outcomes(passed=5, failed=1)
    result.stdout.fnmatch_lines(
        ["*ToolCallFailed: FileMissing: '/project/none' does not exist*", "WARNING: *a word from the page*"]
    )


def test_a_missing_build_is_reported(other_project: pytest.Pytester) -> None:
    other_project.makepyfile("def test_it(surface): pass")

    result = run(other_project)

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*there is no built surface in */dist or */gemini_companion/dist: install a wheel*"]
    )


def test_options_of_open_surface_apply(open_surface: OpenSurface) -> None:
    surface = open_surface(dark=True, size=(500, 400), wait=False)

    assert surface.javascript(
        "return [innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches, crossOriginIsolated]"
    ) == [500, 400, True, True]


def test_a_failed_wait_reports_the_last_value(open_surface: OpenSurface) -> None:
    surface = open_surface(wait=False)

    with pytest.raises(TimeoutError, match=r"still null after 0.1 s: document.querySelector\('#none'\)"):
        surface.wait_for("document.querySelector('#none')", timeout_s=0.1)
