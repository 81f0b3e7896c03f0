"""The page of files that follows its files."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gemini.core.events import EventLog
from gemini.errors import FileMissing
from gemini.pages.tabs.browser import Browser
from gemini.pages.tabs.documents import Documents
from gemini.pages.tabs.live_pages import MOST_FILES, LivePages
from gemini.pages.tabs.sites import Sites
from tests.unit.pages.tabs.page import Page


@pytest.fixture
def sites(tmp_path: Path) -> Sites:
    return Sites(home=str(tmp_path))


@pytest.fixture
async def browser(tmp_path: Path, sites: Sites) -> Browser:
    browser = Browser(EventLog(), lambda path: str(tmp_path / path), sites)
    await browser.attach(Documents(Page().connection))
    return browser


@pytest.fixture
def live(browser: Browser, sites: Sites) -> LivePages:
    return LivePages(browser, sites)


async def test_a_preview_that_fails_follows_no_later_tab(
    browser: Browser, live: LivePages, tmp_path: Path
) -> None:
    with pytest.raises(FileMissing):
        await live.show("missing.html")
    assert live.tab is None
    (tmp_path / "other.html").write_text("<h1>Other</h1>")
    other = await browser.open("other.html")
    assert live.tab is None
    shown = await live.show("other.html")
    assert live.tab == shown.id != other.id


async def test_a_page_that_requests_endless_names_takes_little_memory(
    live: LivePages, sites: Sites, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text("<h1>Hi</h1>")
    shown = await live.show("index.html")
    root = sites.root(shown.id)
    assert root is not None
    for number in range(MOST_FILES + 10):
        live.on_served(f"{root}/{number}", [root])
    assert len(live.files) == MOST_FILES


async def test_a_later_kernel_follows_the_preview_again(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<h1>Hi</h1>")
    page = Page()

    async def kernel() -> tuple[Sites, LivePages]:
        sites = Sites(home=str(tmp_path))
        browser = Browser(EventLog(), lambda path: str(tmp_path / path), sites)
        await browser.attach(Documents(page.connection))
        return sites, LivePages(browser, sites)

    first = await (await kernel())[1].show("index.html")
    row = first.row(active=True)
    assert row.get("live")
    page.tabs[first.id]["live"] = row.get("live")

    sites, live = await kernel()
    live.resume()
    assert live.tab == first.id
    before = page.tabs[first.id]
    while page.tabs[first.id] is before:
        await asyncio.sleep(0)
    live.on_served(f"{sites.root(first.id)}/index.html", [sites.root(first.id) or ""])
    assert list(live.files) == [f"{sites.root(first.id)}/index.html"]
