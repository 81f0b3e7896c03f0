"""Going back and forward and reloading, from inside the page."""

from __future__ import annotations

from selenium.webdriver.support.ui import WebDriverWait

from gemini_testing.html_page import HtmlPage
from tests.web.page.conftest import OpenPage

PAGES = {
    f"/{name}.html": f"<!doctype html><script src='/gemini-page.js'></script><title>{name}</title>"
    for name in ("one", "two")
}


def wait_for_url(page: HtmlPage, ending: str) -> None:
    WebDriverWait(page.driver, 20, 0.05).until(
        lambda driver: driver.execute_script(
            "return 'geminiPage' in window && location.href.endsWith(arguments[0])", ending
        )
    )


def test_back_and_forward(open_page: OpenPage) -> None:
    page = open_page("", files=PAGES)
    page.driver.get(f"{page.server.url}/one.html")
    page.driver.get(f"{page.server.url}/two.html")
    page.run("location.hash = 'part'")
    go = "return await geminiPage.go({ delta: arguments[0] })"
    assert page.run(go, -1) == {"moved": True, "same_document": True}
    wait_for_url(page, "/two.html")
    back = page.run(go, -1)
    assert back == {"moved": True, "same_document": False, "navigates_to": f"{page.server.url}/one.html"}
    wait_for_url(page, "/one.html")
    assert page.run(go, 2)["moved"] is True
    wait_for_url(page, "#part")
    assert page.run(go, 1) == {"moved": False, "same_document": False}


def test_reload(open_page: OpenPage) -> None:
    page = open_page("")
    page.run("globalThis.before = true")
    assert page.run("return geminiPage.reload()") == {"navigates_to": f"{page.server.url}/page.html"}
    WebDriverWait(page.driver, 20, 0.05).until(
        lambda driver: driver.execute_script("return 'geminiPage' in window && !window.before")
    )
