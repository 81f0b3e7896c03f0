"""A smoke of thirty steps in Firefox, where it is installed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import pytest

from gemini_testing import Surface
from gemini_testing.server import serving
from tests.firefox import CONTROL, ENTER, Firefox, find_firefox, opened_firefox
from tests.web.conftest import CopyOfDist
from tests.web.person import SCREEN

Step = Callable[[Surface], object]

FORM = """<!doctype html><title>Shop</title><label>Name <input id=name></label>
<button onclick="out.textContent = 'Bought ' + document.getElementById('name').value">Buy</button><p id=out></p>"""
GIT = """cd $(mktemp -d) && git init -q && git config user.name T && git config user.email t@example.com &&
echo a > a && git add a && git commit -qm First && git log"""
EXECUTE = """
const tool = (await document.modelContext.getTools()).find(({ name }) => name === "python_run");
return JSON.parse(await document.modelContext.executeTool(tool, arguments[0])).result;
"""
MIDDLE = """
const { left, top, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();
return [left + width / 2, top + height / 2];
"""


@pytest.fixture(scope="module")
def firefox(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    program = find_firefox(downloads=pytestconfig.getoption("--extended") == "all")
    if program is None:
        pytest.skip("Firefox isn't installed")
    with opened_firefox(program, tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


@pytest.fixture(scope="module")
def served(surface_dist: Path) -> Iterator[str]:
    with serving(surface_dist) as url:
        yield url


def firefox_of(surface: Surface) -> Firefox:
    return cast(Firefox, surface.driver)


def runs(command: str, *expected: str, code: int = 0, timeout_s: float = 60) -> Step:
    """A step that runs a command as an agent does."""

    def step(surface: Surface) -> None:
        ran = surface.call("terminal_execute", command=command, timeout_s=timeout_s)
        assert ran["exit_code"] == code, ran
        assert all(part in ran["output"] for part in expected), ran

    return step


def holds(condition: str) -> Step:
    return lambda surface: surface.wait_for(condition)


def clicks(selector: str) -> Step:
    def step(surface: Surface) -> None:
        surface.wait_for(f"document.querySelector({selector!r})?.checkVisibility()")
        firefox_of(surface).click(*surface.javascript(MIDDLE, selector))

    return step


def types(line: str, *expected: str) -> Step:
    """A step that types a line into the terminal in front, and waits for its output."""

    def step(surface: Surface) -> None:
        browser = firefox_of(surface)
        browser.type(line)
        surface.wait_for(f"({SCREEN}).includes(arguments[0])", line)
        browser.press(ENTER)
        for part in expected:
            surface.wait_for(f"({SCREEN}).includes(arguments[0])", part)

    return step


def executes(argument: object) -> Step:
    def step(surface: Surface) -> None:
        assert surface.javascript(EXECUTE, argument) == 42

    return step


def ends_by_control_c(surface: Surface) -> None:
    browser = firefox_of(surface)
    types("sleep 600")(surface)
    browser.press(CONTROL, "c")
    types("echo after $?", "after 130")(surface)


def completes_by_tab(surface: Surface) -> None:
    firefox_of(surface).type("cat repor\ue004")
    surface.wait_for(f"({SCREEN}).includes('cat report.py')")
    firefox_of(surface).press(CONTROL, "c")


def python_waits_for_lines(surface: Surface) -> None:
    types("python", ">>>")(surface)
    types("6 * 7000", "42000")(surface)
    types("exit()", "$")(surface)


def opens_a_page(surface: Surface) -> None:
    surface.call("file_write", path="/project/shop/index.html", content=FORM)
    opened = surface.call("browser_navigate", url="/project/shop/index.html")
    assert re.fullmatch(r"[0-9a-f]{32}\.localhost", urlsplit(opened["url"]).hostname or "")


def reads_the_page(surface: Surface) -> None:
    assert "Bought tea" in surface.call("browser_get_text")["text"]


def reload(surface: Surface) -> None:
    surface.reload()
    assert "Shop" in surface.call("file_read", path="/project/shop/index.html")["content"]


def log_has_no_errors(surface: Surface) -> None:
    assert [line for line in firefox_of(surface).log if line.startswith("error")] == []


def finds_tools(surface: Surface) -> None:
    assert {"terminal_execute", "file_read", "browser_click"} <= {tool["name"] for tool in surface.tools()}


STEPS: dict[str, Step] = {
    "the page is isolated": holds("crossOriginIsolated"),
    "threads share memory": holds("typeof SharedArrayBuffer === 'function'"),
    "stacks can be suspended": holds("'Suspending' in WebAssembly"),
    "the polyfill has the tools": finds_tools,
    "a tool takes an object": executes({"code": "6 * 7"}),
    "a tool takes JSON text": executes('{"code": "6 * 7"}'),
    "nothing is missing": holds("document.querySelector('#missing-button').hidden"),
    "a pipe": runs("printf 'b\\na\\n' | sort | head -1", "a"),
    "an exit code": runs("cd /project && python report.py", "error at", code=1),
    "a loop of bash": runs("for i in 1 2 3; do echo $((i * i)); done | tail -1", "9"),
    "a time limit for code that never pauses": runs("timeout 1 python -c 'while True: pass'", code=124),
    "a program of Python starts another": runs(
        'python -c \'import subprocess as s; print(s.run(["echo", "tea"], capture_output=True).stdout)\'',
        "tea",
    ),
    "input() reads a pipe": runs("echo tea | python -c 'print(input().upper())'", "TEA"),
    "git": runs(GIT, "First"),
    "jq": runs("echo '{\"a\": [1, 2]}' | jq '.a[1]'", "2"),
    "node": runs("node -e 'console.log([1, 2].map((n) => n * 2).join())'", "2,4"),
    "sqlite3": runs("sqlite3 :memory: 'select 6 * 7'", "42"),
    "a server of Python answers": runs(
        "cd /project && (python -m http.server 8000 & sleep 1; curl -s localhost:8000/report.py | head -1; kill %1)"
    ),
    "the panels' menu opens": clicks("#panels-button"),
    "it opens a terminal": clicks("#panels-menu [value=terminals]"),
    "the terminal takes the keyboard": clicks("[data-front] .terminal-view"),
    "a typed command": types("echo $((6 * 7000))", "42000"),
    "Tab completes a name": completes_by_tab,
    "Ctrl+C ends a program that waits": ends_by_control_c,
    "python waits for lines": python_waits_for_lines,
    "a file is a page with an origin of its own": opens_a_page,
    "an agent types into it": lambda surface: surface.call("browser_type", selector="#name", text="tea"),
    "an agent clicks in it": lambda surface: surface.call("browser_click", selector="button"),
    "an agent reads it": reads_the_page,
    "a reload keeps files": reload,
    "the console has no errors": log_has_no_errors,
}


def test_thirty_steps_work(firefox: Firefox, served: str) -> None:
    surface = Surface(cast(Any, firefox), served)
    surface.load()
    done: list[str] = []
    for name, step in STEPS.items():
        try:
            step(surface)
        except Exception as error:
            error.add_note(f"step {len(done) + 1}: {name}\n" + "\n".join(firefox.log[-10:]))
            raise
        done.append(name)
    assert len(done) >= 30


def test_an_embedded_page_without_headers_says_what_it_needs(
    firefox: Firefox, copy_of_dist: CopyOfDist, tmp_path: Path
) -> None:
    shutil.copytree(copy_of_dist(), tmp_path / "app/gemini")
    page = '<!doctype html><title>App</title><script src="gemini/gemini-embed.js"></script><body>'
    (tmp_path / "app/index.html").write_text(page)
    with serving(tmp_path / "app", isolated=False) as url:
        surface = Surface(cast(Any, firefox), url)
        surface.load(wait=False)
        inside = (
            "document.querySelector('gemini-surface')?.shadowRoot.querySelector('iframe').contentDocument"
        )
        surface.wait_for(f"{inside}?.documentElement.dataset.kernel === 'ready'", timeout_s=120)
        # What is missing is listed as it becomes known.
        surface.wait_for(
            f"{inside}.querySelector('#missing-list').textContent.includes('Origin-Agent-Cluster: ?1')"
        )
    assert any("Origin-Agent-Cluster: ?1" in line for line in firefox.log)
