"""Fixtures for HTML pages without the surface."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from gemini_testing.html_page import HtmlPage, HtmlServer, serving_html
from gemini_testing.pool import BrowserPool

OpenPage = Callable[..., HtmlPage]


@pytest.fixture(scope="session")
def page_script(surface_dist: Path) -> Path:
    """Return the path of the built page script."""
    return surface_dist / "gemini-page.js"


@pytest.fixture(scope="session")
def html_server(page_script: Path) -> Iterator[HtmlServer]:
    with serving_html(page_script) as server:
        yield server


@pytest.fixture(scope="session")
def plain_browser(browsers: BrowserPool) -> Iterator[Chrome]:
    driver = browsers.take(webmcp=False)
    yield driver
    browsers.give_back(driver)


@pytest.fixture
def open_page(plain_browser: Chrome, html_server: HtmlServer) -> OpenPage:
    """Return a function that opens HTML in Chromium, with the page script first."""
    return HtmlPage(plain_browser, html_server).open
