"""Fixtures of a plain Pyodide with our wheel, in a page's main thread and in a worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_pyodide.fixture import selenium_common, selenium_context_manager
from pytest_pyodide.runner import SeleniumChromeRunner
from pytest_pyodide.server import spawn_web_server

# Pyodide may start slowly on a busy machine.
SeleniumChromeRunner.script_timeout = 120

ISOLATION = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}


@pytest.fixture(scope="session")
def web_server_main(pytestconfig: pytest.Config) -> Iterator[tuple[str, str, Path]]:
    """Serve the tests' Pyodide, with the headers that shared memory needs."""
    with spawn_web_server(pytestconfig.getoption("--dist-dir"), extra_headers=ISOLATION) as server:
        yield server


@pytest.fixture(
    scope="module", params=["main", pytest.param("worker", marks=pytest.mark.extended(together="worker"))]
)
def installed(
    request: pytest.FixtureRequest, runtime: str, web_server_main: tuple[str, str, Path]
) -> Iterator[Any]:
    """Return Pyodide after `micropip.install(<our wheel>)`."""
    dist: Path = request.config.option.dist_dir
    [wheel] = dist.glob("control_surface-*.whl")
    with selenium_common(request, runtime, web_server_main, worker=request.param == "worker") as runner:
        runner.load_package("micropip")
        runner.run_async(f"import micropip; await micropip.install('{runner.base_url}/{wheel.name}')")
        yield runner


@pytest.fixture
def selenium(installed: Any) -> Iterator[Any]:
    with selenium_context_manager(installed) as runner:
        yield runner


@pytest.fixture
def selenium_started(selenium: Any) -> Any:
    """Return Pyodide with a started surface and a new /project."""
    selenium.run_async("import gemini; await gemini.start()")
    return selenium
