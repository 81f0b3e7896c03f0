"""Pages of HTML, without the surface."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from gemini_testing.browser import launch
from gemini_testing.html_page import HtmlPage, HtmlServer, serving_html

OpenPage = Callable[..., HtmlPage]


@pytest.fixture(scope="session")
def page_script(surface_dist: Path) -> Path:
    """The page script as a build makes it."""
    return surface_dist / "gemini-page.js"


@pytest.fixture(scope="session")
def html_server(page_script: Path) -> Iterator[HtmlServer]:
    with serving_html(page_script) as server:
        yield server


@pytest.fixture(scope="session")
def plain_browser() -> Iterator[Chrome]:
    driver = launch(webmcp=False)
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture
def open_page(plain_browser: Chrome, html_server: HtmlServer) -> OpenPage:
    """`open_page(html)` shows it in Chromium, with the page script put first."""
    return HtmlPage(plain_browser, html_server).open
