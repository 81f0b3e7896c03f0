"""The tabs of the browser that the user shares with agents, in the extension."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gemini_testing import ToolCallFailed
from gemini_testing.html_page import serving_html
from tests.extension import BAR, Web, opened_extension, with_sites
from tests.web.names import SHARING
from tests.web.person import Background, Person

pytestmark = pytest.mark.fortnightly

PAGE = "<!doctype html><title>Notes</title><h1>Notes</h1><button onclick='this.textContent = 1'>Add</button>"
FILES = """<!doctype html><title>Files</title><a href="/attached/list.csv">List</a>
<a href="/attached/list.csv" target="_blank">New tab</a> <a href="/notes.html" target="_blank">Notes</a>"""

WAY = "Store agents’ downloads here"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder = with_sites(tmp_path_factory.mktemp("extension") / "unpacked", downloads=False)
    with opened_extension(folder) as surface, serving_html(Path("none.js")) as server:
        server.files |= {"/notes.html": PAGE, "/files.html": FILES, "/attached/list.csv": "tea,7"}
        yield Web(surface, Person(surface), server, folder)


@pytest.fixture
def web(whole: Web) -> Iterator[Web]:
    yield whole
    whole.close_all()


def read(web: Web, tab: str) -> str:
    """Read a tab for the first time, which the user allows."""
    call = Background(web.surface, "browser_snapshot", {"tab": tab})
    web.person.click('button "Allow once"')
    return call.result()


def test_a_shared_tab_is_read_after_consent_until_the_person_stops_it(web: Web) -> None:
    surface = web.surface
    own = web.own_tab("a", "notes.html")
    tab = web.share()
    assert "Notes" in read(web, tab)
    surface.call("browser_tabs", action="focus", tab=tab)
    assert surface.call("browser_click", selector="button")["success"]
    look = "return (await chrome.tabGroups.query({})).map(({ title, color }) => [title, color])"
    assert surface.javascript(look) == [["gemini", "purple"]]
    with web.looking_at(own):
        assert surface.driver.execute_script("return document.querySelector('button').textContent") == "1"
        # The page's own presses don't count, and it can't read the bar.
        assert surface.driver.execute_script(f"return {BAR}.shadowRoot") is None
        surface.driver.execute_script(f"{BAR}.click()")
        web.press_stop()
    web.why(tab, "the user has taken it back")
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("browser_snapshot", tab=tab)
    assert failed.value.type == "CrossOrigin"
    with web.looking_at(own):
        assert surface.driver.execute_script(f"return {BAR}") is None


@pytest.mark.extended
def test_mail_and_banks_are_off_until_the_person_allows_the_site(web: Web) -> None:
    call = Background(web.surface, "browser_navigate", {"url": web.url("mail", "notes.html")})
    web.person.click('button "Allow once"')
    assert call.result()["error"]["type"] == "OffLimits"
    web.own_tab("mail", "notes.html")
    web.open_sharing()
    web.person.sees(f"{SHARING} li", "a mail site, off")
    web.person.click(f'{SHARING} button "Allow this site"')
    web.person.sees(f"{SHARING} .share")
    web.person.click(f'{SHARING} button "Close"')
    assert "Notes" in read(web, web.share())


@pytest.mark.extended
def test_a_reload_of_the_surface_keeps_the_tabs(web: Web) -> None:
    web.own_tab("a", "notes.html")
    tab = web.share()
    web.surface.reload()
    assert "Notes" in read(web, tab)


@pytest.mark.extended
def test_without_the_permission_a_file_stays_with_the_browser_as_it_says(web: Web) -> None:
    call = Background(web.surface, "browser_navigate", {"url": web.url("a", "files.html")})
    assert web.person.answer_questions(call, "always")
    call.result()
    answer = web.surface.call("browser_click", selector="a + a + a")
    assert answer["success"] and answer["opened"] == [web.url("a", "notes.html")]
    # Waiting for a document takes up to 10 s, and 30 s after opening one.
    for selector in ("a", "a + a"):
        with at_most(8):
            answer = web.surface.call("browser_click", selector=selector)
        assert answer["success"] and WAY in answer["note"]
    url = web.url("a", "attached/list.csv")
    with at_most(8), pytest.raises(ToolCallFailed, match=WAY):
        web.surface.call("browser_navigate", url=url)
    with at_most(8), pytest.raises(ToolCallFailed, match=WAY):
        web.surface.call("browser_tabs", action="open", url=url)


@contextmanager
def at_most(seconds: float) -> Generator[None]:
    start = time.monotonic()
    yield
    assert time.monotonic() - start < seconds
