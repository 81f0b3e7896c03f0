"""Agents and a user use sites in tabs of the browser, in the extension, one journey after the other."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.common.exceptions import WebDriverException

from gemini_testing import Surface
from gemini_testing.html_page import serving_html
from tests.extension import Web, opened_extension, with_sites
from tests.pdf import pdf
from tests.web.agent import ref_of
from tests.web.names import SHARING
from tests.web.person import Background, Person

pytestmark = pytest.mark.extended

SITES = Path(__file__).parent / "data/sites"
START = "<!doctype html><title>Start</title>"
# What an agent calls after opening a page, and a part of the last answer. `@text` is the ref of the line with a text.
SIMPLE: dict[str, tuple[str, list[tuple[str, dict[str, Any]]], str]] = {
    "reads what can be used": ("shop.html", [("browser_snapshot", {})], '"Buy"'),
    "reads the text": ("shop.html", [("browser_get_text", {})], "Open until Sunday"),
    "finds a text below its heading": (
        "shop.html",
        [("browser_find", {"text": "sunday"})],
        '"below":"Prices"',
    ),
    "reads the end of a table": ("shop.html", [("browser_table", {"start": 58})], '"T60","60 €"'),
    "reads console messages": (
        "work.html",
        [("browser_click", {"selector": "#fail"}), ("browser_console", {})],
        "nothing is not",
    ),
    "lists requests": (
        "work.html",
        [("browser_click", {"selector": "#load"}), ("browser_network", {"url": "stock"})],
        '"status":200',
    ),
    "pictures a tab in the background": ("shop.html", [("browser_screenshot", {})], '"height"'),
    "pictures an element": ("shop.html", [("browser_screenshot", {"ref": "@Buy"})], '"height"'),
    "pictures refs": ("shop.html", [("browser_screenshot", {"boxes": True})], '"height"'),
    "presses in a frame": (
        "parts.html",
        [("browser_click", {"ref": "@In a frame"}), ("browser_snapshot", {})],
        '"1"',
    ),
    "presses in an open root": (
        "parts.html",
        [("browser_click", {"ref": "@open root"}), ("browser_snapshot", {})],
        "In an open root",
    ),
    "presses in a closed root": (
        "parts.html",
        [("browser_click", {"ref": "@closed root"}), ("browser_snapshot", {})],
        "In a closed root",
    ),
    "fills a form in one call": (
        "shop.html",
        [
            (
                "browser_fill",
                {
                    "fields": [
                        {"field": "Name", "value": "Ada"},
                        {"field": "Kind", "value": "Green"},
                        {"field": "As a gift", "value": True},
                    ],
                    "submit": True,
                },
            ),
            ("browser_get_text", {}),
        ],
        "name=Ada&kind=Green&gift=on",
    ),
    "types and presses Enter": (
        "shop.html",
        [
            ("browser_type", {"selector": "[name=name]", "text": "Bo", "submit": True}),
            ("browser_get_text", {}),
        ],
        "name=Bo",
    ),
    "selects an option": (
        "shop.html",
        [("browser_select", {"selector": "select", "option": "Green"})],
        '"Green"',
    ),
    "presses a key": (
        "shop.html",
        [
            ("browser_click", {"selector": "[name=gift]"}),
            ("browser_press_key", {"key": "Space"}),
            ("browser_snapshot", {}),
        ],
        '"As a gift"',
    ),
    "follows a link": ("shop.html", [("browser_click", {"ref": '@"Thanks"'})], '"Thanks"'),
    "drags": (
        "work.html",
        [("browser_drag", {"ref": "@Card", "to_ref": "@Box"}), ("browser_snapshot", {})],
        "Dropped",
    ),
    "opens a menu by hovering": (
        "work.html",
        [("browser_hover", {"ref": '@"Menu"'}), ("browser_get_text", {})],
        "Entry",
    ),
    "moves a slider": (
        "work.html",
        [("browser_type", {"ref": "@Cups", "text": "4"}), ("browser_snapshot", {})],
        "4",
    ),
    "scrolls to the end": (
        "work.html",
        [("browser_scroll", {"direction": "down", "amount": 9000})],
        '"at_end":true',
    ),
    "answers a question": (
        "work.html",
        [
            ("browser_dialog", {"accept": True}),
            ("browser_click", {"selector": "#sure"}),
            ("browser_snapshot", {}),
        ],
        "true",
    ),
    "answers a prompt": (
        "work.html",
        [("browser_dialog", {"accept": True, "text": "5"}), ("browser_click", {"selector": "#ask"})],
        '"answer":"5"',
    ),
    "uploads a file": (
        "work.html",
        [
            ("file_write", {"path": "/project/a.txt", "content": "tea"}),
            ("browser_upload", {"paths": ["/project/a.txt"], "ref": "@Picture"}),
            ("browser_wait_for", {"seconds": 0.1}),
            ("browser_snapshot", {}),
        ],
        "tea",
    ),
    "reads a PDF": (
        "files.html",
        [("browser_click", {"ref": '@"Tea"'}), ("browser_get_text", {})],
        "Prices of tea",
    ),
    "waits for a text": (
        "work.html",
        [("browser_click", {"selector": "#later"}), ("browser_wait_for", {"text": "All done"})],
        "waited_s",
    ),
    "goes back and forward": (
        "shop.html",
        [
            ("browser_click", {"ref": '@"Thanks"'}),
            ("browser_tabs", {"action": "back"}),
            ("browser_tabs", {"action": "forward"}),
        ],
        '"Thanks"',
    ),
    "follows a page's own history": (
        "work.html",
        [("browser_click", {"selector": "#next"}), ("browser_tabs", {"action": "back"})],
        "/work.html",
    ),
    "reloads": (
        "work.html",
        [
            ("browser_click", {"selector": "#next"}),
            ("browser_tabs", {"action": "back"}),
            ("browser_tabs", {"action": "reload"}),
        ],
        '"Work"',
    ),
    "calls a tool of the page": (
        "tools.html",
        [("page_tool", {"name": "search", "arguments": {"query": "tea"}})],
        '"tea"',
    ),
    "sends a form that is a tool": (
        "tools.html",
        [("page_tool", {"name": "order", "arguments": {"kind": "green"}})],
        "kind=green",
    ),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder = with_sites(tmp_path_factory.mktemp("extension") / "unpacked")
    with opened_extension(folder) as surface, serving_html(Path("none.js")) as server:
        server.files |= {f"/{page.name}": page.read_text(encoding="utf-8") for page in SITES.iterdir()}
        server.files |= {"/index.html": START, "/stock": '{"left": 7}'}
        server.files |= {"/attached/list.csv": "tea,7", "/tea.pdf": pdf([["Prices of tea"]])}
        web = Web(surface, Person(surface), server, folder)
        web.person.open_panel("tools")
        web.person.click('region "Tools" .switch[data-group=dom_extra]')
        web.person.sees('region "Tools" .switch[data-group=dom_extra]', "On")
        for site in ("a", "b"):
            web.allow(site)
        yield web


@pytest.fixture
def web(whole: Web) -> Iterator[Web]:
    yield whole
    whole.close_all()


def with_refs(surface: Surface, arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        name: ref_of(surface, value[1:]) if isinstance(value, str) and value.startswith("@") else value
        for name, value in arguments.items()
    }


@pytest.mark.parametrize(("path", "calls", "part"), SIMPLE.values(), ids=SIMPLE)
def test_an_agent(whole: Web, path: str, calls: list[tuple[str, dict[str, Any]]], part: str) -> None:
    whole.go("a", path)
    answer: Any = ""
    for tool, arguments in calls:
        answer = whole.surface.call(tool, **with_refs(whole.surface, arguments))
    assert part in (
        answer if isinstance(answer, str) else json.dumps(answer, separators=(",", ":"), ensure_ascii=False)
    )


def test_what_an_agent_downloads_is_not_stored_on_the_device(web: Web) -> None:
    web.surface.python("__import__('shutil').rmtree('/project/downloads', ignore_errors=True)")
    web.go("a", "files.html")
    for name in ("Stock", "Make", "List"):
        [row] = web.surface.call("browser_click", ref=ref_of(web.surface, name))["downloads"]
        assert row["state"] == "done", name
    web.surface.call("browser_navigate", url=web.url("a", "attached/list.csv"))
    row = web.surface.call("browser_tabs")[-1]
    assert row["url"] == web.url("a", "files.html") and "list (2).csv" in row["downloads"][-1]["path"]
    assert web.surface.javascript("return await chrome.downloads.search({})") == []


FILES_ELSEWHERE = """<!doctype html><title>Elsewhere</title>
<a href="/attached/list.csv" target="_blank">New tab</a> <a href="OTHER/attached/list.csv">Other site</a>
<button onclick="window.open('/attached/list.csv')">Window</button>
<button onclick="window.open('OTHER/attached/list.csv')">Window of another site</button>
<form method="post" action="/attached/list.csv"><button>Post</button></form>
<form method="post" action="/attached/list.csv" target="_blank"><button>Post in a new tab</button></form>
<form action="/attached/list.csv"><button>Ask</button></form>"""


@pytest.mark.parametrize("name", ["New tab", "Window", "Ask"])
def test_a_file_that_does_not_replace_the_page_is_stored_by_the_surface(web: Web, name: str) -> None:
    open_files_elsewhere(web)
    answer = web.surface.call("browser_click", ref=ref_of(web.surface, f'"{name}"'))
    [row] = answer["downloads"]
    assert row["state"] == "done" and answer["success"] and "note" not in answer
    assert web.surface.call("file_read", path=row["path"])["content"] == "tea,7"
    no_file_elsewhere(web)


@pytest.mark.parametrize(
    ("name", "decision", "state"),
    [
        ("Other site", "Allow once", "done"),
        ("Window of another site", "Allow once", "done"),
        ("Window of another site", "Refuse", "failed"),
    ],
)
def test_a_file_of_another_site_is_stored_after_consent(
    web: Web, name: str, decision: str, state: str
) -> None:
    tab = open_files_elsewhere(web)
    call = Background(web.surface, "browser_click", {"ref": ref_of(web.surface, f'"{name}"')})
    assert "/project/downloads" in web.person.asked(web.url("b", "attached/list.csv"))
    web.person.click(f'button "{decision}"')
    call.result()
    code = f"gemini.browser.tab({tab!r}).downloads[-1]['state'] == {state!r}"
    web.surface.wait_for("gemini.python(arguments[0])", code)
    no_file_elsewhere(web)


def no_file_elsewhere(web: Web) -> None:
    """Assert that no file is on the device, and that no tab is left of it."""
    assert web.surface.javascript("return await chrome.downloads.search({})") == []
    assert web.surface.javascript("return await chrome.tabs.query({ url: '*://*/attached/*' })") == []


@pytest.mark.parametrize("name", ["Post", "Post in a new tab"])
def test_a_form_s_answer_stays_with_the_browser_as_it_says(web: Web, name: str) -> None:
    open_files_elsewhere(web)
    answer = web.surface.call("browser_click", ref=ref_of(web.surface, f'"{name}"'))
    assert "can’t be sent twice" in answer["note"] and "downloads" not in answer
    [item] = web.surface.javascript("return await chrome.downloads.search({})")
    web.surface.javascript("await chrome.downloads.erase({ id: arguments[0] })", item["id"])


def test_a_file_s_address_is_opened_in_a_new_tab(web: Web) -> None:
    row = web.surface.call("browser_tabs", action="open", url=web.url("a", "attached/list.csv"))[-1]
    assert (row["readable"], row["why"]) == (False, "it is a file")
    assert web.surface.call("file_read", path=row["downloads"][-1]["path"])["content"] == "tea,7"
    # The tab continues with a page.
    assert web.go("a", "shop.html", row["id"]) == row["id"]
    assert "Prices" in text(web, row["id"])


def open_files_elsewhere(web: Web) -> str:
    web.server.files["/elsewhere.html"] = FILES_ELSEWHERE.replace("OTHER/", web.url("b", ""))
    # In a separate tab, in which only that site is allowed.
    return web.another("a", "elsewhere.html")


def test_a_pdf_that_the_person_shares_is_stored_after_consent(web: Web) -> None:
    web.own_tab("e", "tea.pdf")
    web.open_sharing()
    web.person.click(f'{SHARING} button "Share"')
    web.person.asked("/project/downloads")
    web.person.click('button "Allow once"')
    web.person.no_longer_sees(f"{SHARING} .share")
    web.person.click(f'{SHARING} button "Close"')
    tab = web.surface.call("browser_tabs")[-1]["id"]
    assert "Prices of tea" in text(web, tab)


def consent(web: Web, tool: str, arguments: dict[str, Any], decision: str) -> Any:
    """Call a tool, which asks, and return its answer."""
    call = Background(web.surface, tool, arguments)
    assert web.person.answer_questions(call, decision)
    return call.result()


def text(web: Web, tab: str | None = None) -> str:
    return web.surface.call("browser_get_text", **({} if tab is None else {"tab": tab}))["text"]


@pytest.mark.parametrize(("decision", "path"), [("refuse", "index.html"), ("once", "thanks.html")])
def test_a_link_to_another_site_waits_for_the_person(web: Web, decision: str, path: str) -> None:
    web.server.files["/far.html"] = START + f"<a href='{web.url('c', path)}'>Far</a>"
    web.go("a", "far.html")
    answer = consent(web, "browser_click", {"ref": ref_of(web.surface, "Far")}, decision)
    if decision == "once":
        assert answer["title"] == "Thanks"
        assert "Thank you" in consent(web, "browser_get_text", {}, "once")["text"]
    else:
        assert answer["error"]["type"] == "Refused" and '"Far"' in web.surface.call("browser_snapshot")


def test_a_password_waits_for_the_person(web: Web) -> None:
    web.go("a", "shop.html")
    field = {"selector": "[name=code]", "text": "1234"}
    assert consent(web, "browser_type", field, "once")["value"] == "••••"


def test_javascript_waits_for_the_person(web: Web) -> None:
    web.go("a", "shop.html")
    assert consent(web, "browser_execute_js", {"code": "return document.title"}, "once") == {"result": "Shop"}


def test_the_person_signs_in_and_the_agent_goes_on(web: Web) -> None:
    own = web.own_tab("a", "account.html")
    tab = web.share()
    assert "Nobody" in text(web, tab)
    with web.looking_at(own):
        web.surface.driver.find_element("id", "user").send_keys("ada\n")
    web.surface.call("browser_tabs", action="focus", tab=tab)
    assert web.surface.call("browser_wait_for", text="user=ada")
    # The agent's own tab is the same browser's; the other site doesn't know them.
    web.go("a", "account.html")
    assert "user=ada" in text(web)
    web.go("b", "account.html")
    assert "Nobody" in text(web)


def test_two_sites_are_used_at_once(web: Web) -> None:
    shop, form = web.another("a", "shop.html"), web.another("b", "shop.html")
    price = web.surface.call("browser_table", start=6, count=1, tab=shop)["rows"][0][1]
    web.surface.call("browser_tabs", action="focus", tab=form)
    web.surface.call("browser_type", selector="[name=name]", text=price, submit=True)
    assert "name=7" in text(web, form) and "Prices" in text(web, shop)


def test_two_tabs_of_a_site_have_their_own_state(web: Web) -> None:
    one, other = web.another("a", "work.html"), web.another("a", "work.html")
    web.surface.call("browser_click", selector="#load")
    assert web.surface.call("browser_snapshot", tab=one).startswith('page "Work"')
    assert web.surface.call("browser_snapshot", tab=other).startswith('page "7"')


def test_a_tab_in_the_background_goes_on_by_itself(web: Web) -> None:
    work = web.another("a", "work.html")
    web.surface.call("browser_click", selector="#later")
    web.another("b", "shop.html")
    web.surface.call("browser_tabs", action="focus", tab=work)
    assert web.surface.call("browser_wait_for", text="All done")


def test_a_window_that_a_page_opens_is_the_persons_and_can_be_shared(web: Web) -> None:
    own = web.own_tab("a", "work.html")
    tab = web.share()
    with web.looking_at(own):
        web.surface.driver.find_element("id", "window").click()
    assert [row["id"] for row in web.surface.call("browser_tabs")][-1] == tab
    popup = web.share()
    assert "Thank you" in text(web, popup)


def test_a_shared_tab_is_closed_by_the_person(web: Web) -> None:
    own = web.own_tab("a", "shop.html")
    tab = web.share()
    with web.looking_at(own):
        web.surface.driver.close()
    web.why(tab, "the user has closed it")


def test_the_person_goes_to_another_site_in_a_shared_tab(web: Web) -> None:
    own = web.own_tab("a", "shop.html")
    tab = web.share()
    assert "Prices" in text(web, tab)
    with web.looking_at(own):
        web.surface.driver.get(web.url("d", "thanks.html"))
    assert consent(web, "browser_get_text", {"tab": tab}, "refuse")["error"]["type"] == "Refused"
    with web.looking_at(own):
        web.surface.driver.get(web.url("a", "shop.html"))
    assert "Prices" in text(web, tab)


def test_the_surface_is_reloaded_in_the_middle(web: Web) -> None:
    tab = web.go("a", "shop.html")
    web.surface.call("browser_type", selector="[name=name]", text="Ada")
    web.surface.reload()
    # Permissions given after agents have read pages end with Python.
    assert '"Ada"' in consent(web, "browser_snapshot", {"tab": tab}, "run")


def test_the_service_worker_ends_in_the_middle(web: Web) -> None:
    web.go("a", "shop.html")
    web.surface.call("browser_type", selector="[name=name]", text="Ada")
    web.surface.driver.execute_cdp_cmd("ServiceWorker.enable", {})
    web.surface.driver.execute_cdp_cmd("ServiceWorker.stopAllWorkers", {})
    assert web.surface.call("browser_press_key", key="Enter")["success"]
    assert "name=Ada" in text(web)


def test_a_tab_crashes_in_the_middle(web: Web) -> None:
    tab = web.another("a", "shop.html")
    own = web.surface.driver.window_handles[-1]
    with web.looking_at(own), contextlib.suppress(WebDriverException):
        web.surface.driver.execute_cdp_cmd("Page.crash", {})
    web.surface.call("browser_tabs", action="reload", tab=tab)
    assert "Prices" in text(web, tab)


def test_the_extension_is_updated_in_the_middle(web: Web) -> None:
    tab = web.go("a", "shop.html")
    web.surface.call("browser_type", selector="[name=name]", text="Ada")
    driver = web.surface.driver
    own = next(handle for handle in driver.window_handles if handle != driver.current_window_handle)
    # The browser closes the extension's pages.
    driver.switch_to.window(own)
    driver.webextension.install(path=str(web.folder))
    driver.switch_to.new_window("tab")
    web.surface.load()
    assert '"Ada"' in consent(web, "browser_snapshot", {"tab": tab}, "run")
    with web.looking_at(own):
        assert driver.execute_script("return document.querySelectorAll('[popover]').length") == 1
