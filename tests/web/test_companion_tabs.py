"""Tabs in the companion's browser: what only they have. tests/web/test_tab_contract.py has the rest."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from gemini.core.protocol import Connection
from gemini_companion.admission.known_browsers import Browsers
from gemini_companion.browser.tabs import TabBrowser
from gemini_companion.serving.app import Companion
from gemini_companion.serving.server import Server, running
from gemini_testing import Surface, ToolCallFailed
from gemini_testing.html_page import HtmlServer, serving_html
from gemini_testing.pool import BrowserPool
from tests.attacks.outside import outside_on_loopback
from tests.browsers import browsers_of
from tests.companions import CONNECTED, companion_of, opened_by, server_on_used_ports
from tests.pdf import pdf
from tests.web.agent import close_tabs
from tests.web.conftest import Start
from tests.web.person import Background, Person

pytestmark = pytest.mark.fortnightly

FILES = {
    "/form.html": "<title>Form</title><style>* { margin: 0 } input { width: 400px; height: 60px }</style>"
    "<input id=name aria-label=Name><button onclick=\"window.open('OTHER/far.html')\">Window</button>"
    "<button onclick=\"setTimeout(() => { location = 'OTHER/far.html' })\">Leave</button>"
    "<button id=wait onclick=poll()>Wait</button>"
    "<button id=get onclick=\"location = 'OTHER/attached/bill.txt'\">Get</button>"
    "<button id=own onclick=\"window.open('/attached/bill.txt')\">Own</button><script>async function poll() {"
    "while (!(await fetch('/leave')).ok); location = 'OTHER/far.html'; }</script>",
    "/attached/bill.txt": "A private bill",
    "/tea.pdf": pdf([["Prices of tea"], ["Green: 3", "Black: 2"]]),
    "/links.html": "<title>Links</title><a href='/next.html'>Next</a>",
    "/next.html": "<title>Next</title><p>Here it goes on</p>",
    "/far.html": "<title>Far</title><p>Secrets of another site</p>",
}


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tabs")


@pytest.fixture(scope="module")
def companion(surface_dist: Path, profile: Path) -> Iterator[Companion]:
    with companion_of(surface_dist, browser=TabBrowser(surface_dist, profile)) as companion:
        yield companion


@pytest.fixture(scope="module")
def surface_of_module(companion: Companion, browsers: BrowserPool) -> Iterator[Surface]:
    with opened_by(companion, browsers) as surface:
        yield surface


@pytest.fixture(scope="module")
def site() -> Iterator[HtmlServer]:
    with serving_html(Path("none.js")) as server:
        for path, text in FILES.items():
            head = "<!doctype html>" if path.endswith(".html") else ""
            server.files[path] = f"{head}{text.replace('OTHER', server.other_url)}"
        yield server


@pytest.fixture
def form(surface: Surface, person: Person, start: Start, site: HtmlServer) -> Iterator[dict[str, Any]]:
    call = start("browser_navigate", url=f"{site.url}/form.html")
    person.click('button "Allow once"')
    yield call.result()
    close_tabs(surface)


def wait_for_tab(surface: Surface, form: dict[str, Any], condition: str) -> None:
    """Wait until a condition of Python's on `tab` is true."""
    code = f"tab = gemini.browser.tab({form['tab']!r}); {condition}"
    surface.wait_for("gemini.python(arguments[0])", code)


def test_a_document_that_went_elsewhere_is_read_after_consent(
    surface: Surface, person: Person, start: Start, site: HtmlServer, form: dict[str, Any]
) -> None:
    # The page leaves by a timer, which the page script doesn't notice.
    surface.call("browser_click", selector="button + button")
    wait_for_tab(surface, form, f"tab.url == {site.other_url + '/far.html'!r}")
    call = start("browser_snapshot", tab=form["tab"])
    assert site.other_url in person.asked()
    person.click('button "Refuse"')
    assert call.result()["error"]["type"] == "Refused"


def test_an_answer_to_a_question_counts_only_where_it_was_asked(
    surface: Surface, person: Person, start: Start, site: HtmlServer, form: dict[str, Any]
) -> None:
    surface.call("browser_click", selector="#wait")
    call = start("browser_execute_js", code="return document.body.innerText")
    assert site.url in person.asked()
    # While the question is open, the page goes where the user has allowed nothing.
    site.files["/leave"] = "now"
    wait_for_tab(surface, form, f"tab.url == {site.other_url + '/far.html'!r} and not tab.loading")
    del site.files["/leave"]
    person.click('button "Allow once"')
    assert call.result()["error"]["type"] == "PageGone"


@pytest.mark.parametrize(("answer", "state"), [("Refuse", "failed"), ("Allow once", "done")])
def test_a_download_from_another_site_is_stored_after_consent(
    surface: Surface,
    person: Person,
    start: Start,
    site: HtmlServer,
    form: dict[str, Any],
    answer: str,
    state: str,
) -> None:
    call = start("browser_click", selector="#get")
    assert f"{site.other_url}/attached/bill.txt" in person.asked()
    person.click(f'button "{answer}"')
    assert len(call.result()["downloads"]) == 1
    wait_for_tab(surface, form, f"tab.downloads[-1]['state'] == {state!r}")
    stored = surface.python("__import__('os').path.exists('/project/downloads/bill.txt')")
    assert stored == (state == "done")


@pytest.mark.extended
def test_a_file_for_which_a_page_opens_a_window_is_stored(
    surface: Surface, site: HtmlServer, form: dict[str, Any]
) -> None:
    answer = surface.call("browser_click", selector="#own")
    [download] = answer["downloads"]
    assert answer["success"] and download["state"] == "done"
    assert surface.call("file_read", path=download["path"])["content"] == "A private bill"


def test_a_pdf_file_is_stored_and_read(
    surface: Surface, person: Person, start: Start, site: HtmlServer, form: dict[str, Any], profile: Path
) -> None:
    call = start("browser_navigate", url=f"{site.url}/tea.pdf")
    person.click('button "Allow once"')
    opened = call.result()
    [download] = opened["downloads"]
    assert opened["readable"] is False and download["path"] == "/project/downloads/tea.pdf"
    assert "browser_get_text reads" in opened["why"]
    text = surface.call("browser_get_text")
    assert text["text"] == "--- Page 1 of 2 ---\nPrices of tea\n\n--- Page 2 of 2 ---\nGreen: 3\nBlack: 2"
    assert text["kind"] == "pdf" and text["truncated"] is False
    assert "PDF file with 2 pages" in surface.call("browser_snapshot")
    # The browser's own copy is gone.
    assert not list((profile / "downloads").iterdir())


def test_a_press_whose_answer_its_document_took_along_has_led_to_another(
    surface: Surface, start: Start, person: Person, site: HtmlServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = start("browser_navigate", url=f"{site.url}/links.html")
    person.click('button "Allow once"')
    call.result()
    receive = Connection.receive

    def lossy(connection: Connection, text: str) -> None:
        if "navigates_to" not in text:
            receive(connection, text)

    monkeypatch.setattr(Connection, "receive", lossy)
    answer = surface.call("browser_click", selector="a")
    assert answer["success"] and answer["navigates_to"] == f"{site.url}/next.html", answer
    assert 'page "Next"' in surface.call("browser_snapshot")
    close_tabs(surface)


def test_a_window_that_the_page_opens_is_closed_and_reported(
    surface: Surface, site: HtmlServer, form: dict[str, Any]
) -> None:
    answer = surface.call("browser_click", selector="button")
    assert answer["opened"] == [f"{site.other_url}/far.html"]


def test_the_person_sees_the_page_and_types_in_it(
    surface: Surface, person: Person, form: dict[str, Any]
) -> None:
    surface.python(f"gemini.browser.focus({form['tab']!r}).id")
    surface.wait_for("document.querySelector('.outer-tab.front img')?.naturalWidth > 100")
    view = surface.driver.find_element(By.CSS_SELECTOR, ".browser-layer")
    box = view.rect
    near_corner = (-box["width"] // 2 + 60, -box["height"] // 2 + 20)
    ActionChains(surface.driver).move_to_element_with_offset(view, *near_corner).click().perform()
    person.type("Ada")
    wait_for_tab(surface, form, "'Ada' in (await tab.snapshot())['text']")


def test_the_surface_is_not_opened_in_its_own_tabs(companion: Companion, surface: Surface) -> None:
    port = companion.url.rpartition(":")[2].strip("/")
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("browser_navigate", url=f"http://localhost:{port}/")
    assert failed.value.type == "OffLimits"


def test_a_browser_that_ended_is_started_again(surface: Surface, profile: Path, form: dict[str, Any]) -> None:
    [process] = browsers_of(profile)
    os.kill(process, signal.SIGKILL)
    wait_for_tab(surface, form, "'ended' in (tab.why or '')")
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("browser_snapshot")
    assert failed.value.type == "CrossOrigin" and "reload" in str(failed.value)
    surface.call("browser_tabs", action="reload")
    assert "Name" in surface.call("browser_snapshot")


@pytest.mark.extended
def test_a_page_that_forbids_frames_opens_in_the_browser_of_a_companion_that_has_one_by_now(
    surface_dist: Path, profile: Path, tmp_path: Path, browsers: BrowserPool
) -> None:
    server, known = server_on_used_ports(), tmp_path / "browsers.json"
    surface = Surface(browsers.take(), "")
    person = Person(surface)
    try:
        with outside_on_loopback() as outside:
            companion = Companion(surface_dist, server, browsers=Browsers(known), network=outside.fetcher())
            surface.url = companion.entrance.address()
            outside.page_headers["/alone"] = {"X-Frame-Options": "DENY"}
            with running(server, companion.app(), **companion.other_apps()):
                surface.load()
                surface.wait_for(CONNECTED)
                Background(surface, "browser_navigate", {"url": f"{outside.url}/alone"})
                person.click('button "Allow once"')
                person.open_panel("browser")
                person.click("#page-tab-t1")
                person.sees("[role=status].card", "start the companion with --browser")
            surface.wait_for("document.querySelector('#status-companion').innerText === 'Companion offline'")
            server = Server(server.main.number)
            companion = Companion(
                surface_dist, server, browsers=Browsers(known), browser=TabBrowser(surface_dist, profile)
            )
            with running(server, companion.app(), **companion.other_apps()):
                person.sees("[role=status].card", "Agents can use it in the companion's browser only.")
                person.click("[role=status].card .primary")
                person.no_longer_sees("[role=status].card")
                [row] = [each for each in surface.call("browser_tabs") if each["id"] != "page"]
                assert row["readable"] and "framing" not in row
    finally:
        browsers.give_back(surface.driver)
