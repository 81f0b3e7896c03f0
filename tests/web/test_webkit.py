"""WebKitGTK, which has no SharedArrayBuffer, no JSPI and no private file system: the page starts and names each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from selenium.webdriver.remote.webdriver import WebDriver

from gemini_testing import Surface
from gemini_testing.server import serving
from tests.web.person import Background
from tests.webkit import find_webkit, opened_webkit

PROGRAM = find_webkit()
pytestmark = [
    pytest.mark.extended("webkit"),
    pytest.mark.skipif(PROGRAM is None, reason="WebKitGTK, its driver or Xvfb isn't installed"),
]
PAGE = """<!doctype html><title>Shop</title><button onclick="this.textContent = 'Bought'">Buy</button>"""
START_S = 180


@pytest.fixture(scope="module")
def page(surface_dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surface]:
    assert PROGRAM is not None
    with serving(surface_dist) as url, opened_webkit(PROGRAM, tmp_path_factory.mktemp("webkit")) as driver:
        surface = Surface(cast(Any, driver), url)
        surface.load(wait=False)
        surface.wait_for("document.documentElement.dataset.kernel === 'ready'", timeout_s=START_S)
        yield surface


def output(page: Surface, command: str) -> str:
    return page.call("terminal_execute", command=command, timeout_s=60)["output"]


def test_each_missing_feature_is_named_with_what_works_instead(page: Surface) -> None:
    names = page.wait_for(
        """((found) => found.length >= 3 && found)(
          [...document.querySelectorAll("#missing-list strong")].map((each) => each.textContent))"""
    )
    assert any("code that never pauses" in name for name in names)
    assert any("input()" in name for name in names)
    assert any("beyond this page" in name for name in names)
    assert not any(name == "Saving all files" for name in names)


def test_commands_and_python_work(page: Surface) -> None:
    assert output(page, "printf 'b\\na\\n' | sort | head -1") == "a\n"
    assert output(page, "python -c 'print(6 * 7)'") == "42\n"
    assert output(page, "echo tea | python -c 'print(input().upper())'") == "TEA\n"


def test_what_waits_says_what_it_needs(page: Surface) -> None:
    run = "python -c 'import subprocess as s; s.run([\"ls\"], capture_output=True)'"
    said = output(page, run)
    assert "no stack switching (JSPI)" in said
    assert "never awaited" not in said


def test_pages_of_tabs_are_in_the_window(page: Surface) -> None:
    driver: WebDriver = page.driver
    page.call("file_write", path="/project/shop/index.html", content=PAGE)
    opening = Background(page, "browser_navigate", {"url": "/project/shop/index.html"})
    # Its sites have no origin of their own, so the page asks.
    page.wait_for("document.querySelector('#approval-once:not([data-guarded] *)')?.checkVisibility()")
    driver.find_element("id", "approval-once").click()
    opening.result()
    page.wait_for("document.querySelector('.browser-layer').getBoundingClientRect().top < 200")
    assert "Buy" in page.call("browser_get_text")["text"]
    page.call("browser_click", selector="button")
    assert "Bought" in page.call("browser_get_text")["text"]
