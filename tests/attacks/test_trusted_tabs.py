"""Agents try to reach outside of their tab by trusted input: other tabs, the browser itself, dialogs of the system."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains

from gemini_testing import Surface
from gemini_testing.html_page import serving_html
from tests.extension import PAGE, Web, opened_extension, with_sites
from tests.web.conftest import end_refusals
from tests.web.person import Background, Person
from tests.web.test_extension_trusted import switch

pytestmark = pytest.mark.extended

FORM = """<!doctype html><title>Form</title><style>body { margin: 0 }</style>
<button id="add" style="position: fixed; left: 100px; top: 100px; width: 80px; height: 40px">Add</button>
<input id="name" style="margin: 10px"> <input id="password" type="password">
<p style="position: fixed; top: 200px"><input id="file" type="file">
<input id="pick" type="button" value="Pick" onclick="file.showPicker()"></p>
<script>
  const seen = globalThis.seen = { clicks: 0, keys: [] };
  add.onclick = () => { seen.clicks += 1; };
  addEventListener("keydown", ({ key, isTrusted }) => { if (isTrusted) seen.keys.push(key); }, true);
</script>"""

# A page that wants keys, and reports those it gets.
NEXT = """<!doctype html><title>Next</title><input autofocus>
<script>
  const seen = globalThis.seen = [];
  for (const type of ["keydown", "input", "pointerdown", "pointerup", "click"]) addEventListener(type, (event) => {
    seen.push(`${type} ${event.key ?? event.data ?? ""}`);
    parent.postMessage(seen, "*");
  }, true);
</script>"""
FRAME = """(() => {
  addEventListener("message", ({ data }) => { globalThis.stolen = data; });
  const frame = document.createElement("iframe");
  frame.src = "URL";
  frame.style = "position: fixed; left: 300px; top: 300px";
  document.body.append(frame);
  return new Promise((resolve) => { frame.onload = () => resolve(true); });
})()"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Open the extension with trusted input on, and allow a site."""
    folder = with_sites(tmp_path_factory.mktemp("extension") / "unpacked")
    with opened_extension(folder) as surface, serving_html(Path("none.js")) as server:
        server.files |= {"/index.html": "<!doctype html><title>Start</title>", "/form.html": FORM}
        server.files["/own.html"] = FORM.replace("Form", "Own")
        web = Web(surface, Person(surface), server, folder)
        web.person.open_panel("browser")
        switch(web.person)
        web.allow("a")
        yield web


@pytest.fixture
def web(whole: Web) -> Iterator[Web]:
    yield whole
    whole.close_all()


def windows(surface: Surface) -> list[str]:
    """Return the browser's open tabs: their addresses, by window."""
    found = "(await chrome.tabs.query({})).map(({ windowId, url }) => `${windowId} ${url}`).sort()"
    return surface.javascript(f"return {found}")


def attempt(web: Web, tool: str, **given: Any) -> str:
    """Call a tool and refuse its questions; return its error's type, or "" if it succeeds."""
    call = Background(web.surface, tool, given)
    web.person.answer_questions(call, "refuse")
    result = call.result()
    return result["error"]["type"] if isinstance(result, dict) and "error" in result else ""


def press_as_the_user(web: Web, url: str) -> None:
    """Press a key in the browser's tab with an address, as the user does who looks at it."""
    driver = web.surface.driver
    before = driver.current_window_handle
    for handle in driver.window_handles:
        driver.switch_to.window(handle)
        if driver.current_url == url:
            ActionChains(driver).send_keys("u").perform()
    driver.switch_to.window(before)


# Of the browser: new tabs and windows, the end of them, its address field, tools, dialogs and menus.
CHORDS = (
    *("Control+t", "Control+n", "Control+w", "Control+F4", "Control+Shift+n", "F12"),
    *("Control+Shift+i", "F11", "Control+l", "Alt+d", "F6", "Control+p"),
    *("Control+s", "Control+o", "Control+h", "Control+j", "Alt+F4", "F5"),
)


@pytest.mark.parametrize("chord", CHORDS)
def test_a_chord_reaches_the_page_and_not_the_browser(web: Web, chord: str) -> None:
    tab = web.go("a", "form.html")
    web.surface.call("browser_click", selector="#name")
    before = windows(web.surface)
    web.surface.call("browser_press_key", key=chord)
    for character in "x/":
        web.surface.call("browser_press_key", key=character)
    assert windows(web.surface) == before
    # The control: the same way, the page got the chord's key and the text that followed it.
    assert web.in_page("a", "form.html", "document.querySelector('#name').value").endswith("x/")
    assert web.in_page("a", "form.html", "seen.keys.length") >= 3
    assert tab in {row["id"] for row in web.surface.call("browser_tabs")}


@pytest.mark.parametrize(("x", "y"), [(-5, -5), (140, -40), (99_999, 120), (140, 99_999)])
def test_a_place_outside_of_the_tab_is_refused(web: Web, x: int, y: int) -> None:
    web.go("a", "form.html")
    assert attempt(web, "browser_click", x=x, y=y) == "NotFound"
    web.surface.call("browser_click", x=140, y=120)
    assert web.in_page("a", "form.html", "seen.clicks") == 1


def test_the_user_s_own_tab_gets_no_input(web: Web) -> None:
    """Neither in front, nor by a name, nor by what an agent's tab does."""
    own = web.own_tab("a", "own.html")
    web.go("a", "form.html")
    with web.looking_at(own):
        web.surface.driver.execute_script("document.querySelector('#name').focus()")
    for tab in ("own", "page-2", "1", "t99"):
        assert attempt(web, "browser_tabs", action="focus", tab=tab) == "TabMissing"
    web.surface.call("browser_click", selector="#add")
    web.surface.call("browser_type", selector="#name", text="Ada")
    assert web.in_page("a", "form.html", "[seen.clicks, document.querySelector('#name').value]") == [1, "Ada"]
    assert web.in_page(
        "a", "own.html", "[seen.clicks, seen.keys, document.querySelector('#name').value]"
    ) == [0, [], ""]


def test_no_input_after_the_user_has_taken_the_tab_back(web: Web) -> None:
    own = web.own_tab("a", "own.html")
    tab = web.share()
    web.surface.call("browser_tabs", action="focus", tab=tab)
    web.surface.call("browser_click", selector="#add")
    assert web.in_page("a", "own.html", "seen.clicks") == 1
    with web.looking_at(own):
        web.press_stop()
    web.why(tab, "the user has taken it back")
    assert attempt(web, "browser_click", selector="#add") == "CrossOrigin"
    assert attempt(web, "browser_press_key", key="x") == "CrossOrigin"
    assert web.in_page("a", "own.html", "[seen.clicks, seen.keys]") == [1, []]


@pytest.mark.parametrize("selector", ["#share-tabs-button", "#browser-url", "#status"])
def test_the_surface_s_own_page_gets_no_input(web: Web, selector: str) -> None:
    web.go("a", "form.html")
    web.surface.call("browser_tabs", action="focus", tab=web.surface.call("browser_tabs")[0]["id"])
    assert attempt(web, "browser_click", selector=selector) == "OffLimits"
    web.go("a", "form.html")
    web.surface.call("browser_click", selector="#add")
    assert web.in_page("a", "form.html", "seen.clicks") == 1


def test_keys_and_presses_of_an_agent_answer_no_question(web: Web) -> None:
    tab = web.go("a", "form.html")
    asking = Background(web.surface, "browser_tabs", {"action": "open", "url": web.url("b", "form.html")})
    web.person.sees("#approval-question", web.url("b", "form.html"))
    web.surface.wait_for("document.querySelector('#approval .answers').dataset.guarded !== ''")
    web.surface.call("browser_tabs", action="focus", tab=tab)
    for key in ("Tab", "Enter", "Escape", "x"):
        web.surface.call("browser_press_key", key=key)
    web.surface.call("browser_click", selector="#add")
    assert web.in_page("a", "form.html", "seen.clicks") >= 1
    assert asking.is_running and web.surface.javascript("return document.querySelector('#approval').open")
    # The control: the user's press answers.
    web.person.click("#approval-once")
    assert asking.result()[-1]["url"] == web.url("b", "form.html")


# What a page does in the middle of an action: the rest of the input would be for the next document.
LEAVING = {
    "with the press": ("pointerdown", "browser_click", {"selector": "#add", "hold": 0.5}),
    "with the mouse": ("pointermove", "browser_click", {"selector": "#add", "hold": 0.5}),
    "with a key": ("keydown", "browser_type", {"selector": "#name", "text": "secret" * 10}),
    "with the text": ("input", "browser_type", {"selector": "#name", "text": "secret" * 10}),
    "with a drag": ("pointerdown", "browser_drag", {"path": "140,120 150,130 400,300 140,120"}),
}


@pytest.mark.parametrize("way", LEAVING)
def test_input_ends_with_the_document_that_it_was_for(web: Web, way: str) -> None:
    event, tool, given = LEAVING[way]
    web.server.files["/next.html"] = NEXT
    web.go("a", "form.html")
    there, pattern = web.url("c", "next.html"), "http://c.test.localhost/next.html"
    web.in_page(
        "a", "form.html", f"addEventListener('{event}', () => {{ location = '{there}'; }}, true) ?? 0"
    )
    attempt(web, tool, **given)
    web.surface.wait_for(f"(await chrome.tabs.query({{ url: '{pattern}' }})).length === 1")
    assert attempt(web, "browser_press_key", key="x") in ("CrossOrigin", "PageGone", "Refused")
    assert web.in_page("c", "next.html", "seen") == []
    # The control: the document would have noticed.
    press_as_the_user(web, there)
    assert web.in_page("c", "next.html", "seen") == ["keydown u", "input u"]


@pytest.mark.parametrize("text", ["secret", "SECRET"])
@pytest.mark.parametrize("moment", ["at once", "keydown", "keyup", "input"])
def test_no_text_for_a_frame_of_another_site(web: Web, moment: str, text: str) -> None:
    """The page moves the keyboard to a frame of a site that isn't allowed."""
    web.server.files["/next.html"] = NEXT
    web.go("a", "form.html")
    web.in_page("a", "form.html", FRAME.replace("URL", web.url("c", "next.html")))
    aim = "document.querySelector('iframe').focus()"
    if moment == "at once":
        web.in_page("a", "form.html", f"({aim}, 0)")
        attempt(web, "browser_press_key", key=text[0])
    else:
        web.in_page("a", "form.html", f"addEventListener('{moment}', () => {aim}, true) ?? 0")
        attempt(web, "browser_type", selector="#name", text=text)
    assert web.in_page("a", "form.html", "globalThis.stolen ?? []") == []
    # The control: the frame would have noticed.
    web.in_page("a", "form.html", f"({aim}, 0)")
    press_as_the_user(web, web.url("a", "form.html"))
    assert web.in_page("a", "form.html", "globalThis.stolen ?? []") == ["keydown u"]


RACE = """(() => {
  const turns = new MessageChannel();
  let left = TURNS;
  turns.port1.onmessage = () => {
    left -= 1;
    if (left > 0) turns.port2.postMessage(0);
    else document.querySelector("iframe").focus();
  };
  addEventListener("keydown", () => turns.port2.postMessage(0), { once: true });
  return 0;
})()"""


@pytest.mark.parametrize("turns", [1, 10, 40, 160, 640, 2_500, 10_000])
def test_a_frame_that_takes_the_keyboard_between_two_keys_gets_one_at_most(web: Web, turns: int) -> None:
    """The browser sends a key to the frame that has the focus when the key arrives (docs/security.md)."""
    web.server.files["/next.html"] = NEXT
    web.go("a", "form.html")
    web.in_page("a", "form.html", FRAME.replace("URL", web.url("c", "next.html")))
    web.in_page("a", "form.html", RACE.replace("TURNS", str(turns)))
    attempt(web, "browser_type", selector="#name", text="secret" * 5)
    stolen = web.in_page("a", "form.html", "globalThis.stolen ?? []")
    assert sum(each.startswith("keydown") for each in stolen) <= 1, stolen
    # The control: the frame would have noticed each.
    web.in_page("a", "form.html", "(document.querySelector('iframe').focus(), 0)")
    press_as_the_user(web, web.url("a", "form.html"))
    assert "keydown u" in web.in_page("a", "form.html", "globalThis.stolen ?? []")


@pytest.mark.parametrize("way", ["type", "keys"])
def test_a_password_needs_consent(web: Web, way: str) -> None:
    web.go("a", "form.html")
    value = "document.querySelector('#password').value"
    for answer, expected in (("refuse", ""), ("once", "k")):
        if way == "type":
            call = Background(web.surface, "browser_type", {"selector": "#password", "text": "k"})
        else:
            web.surface.call("browser_click", selector="#password")
            call = Background(web.surface, "browser_press_key", {"key": "k"})
        web.person.sees("#approval-question", "password")
        web.person.click(f"#approval-{answer}")
        call.result()
        assert web.in_page("a", "form.html", value) == expected
        # The same question isn't asked again at once.
        end_refusals(web.surface)


def test_a_chooser_of_files_of_the_system_stays_closed(web: Web) -> None:
    web.go("a", "form.html")
    before = windows(web.surface)
    assert "file dialog, which stays closed" in web.surface.call("browser_click", selector="#pick")["note"]
    assert attempt(web, "browser_click", selector="#file") == "Unsupported"
    web.surface.call("browser_click", selector="#add")
    assert web.in_page("a", "form.html", "[seen.clicks, document.querySelector('#file').files.length]") == [
        1,
        0,
    ]
    assert windows(web.surface) == before


BROWSERS = (
    PAGE,
    "chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn/home.html",
    "chrome://settings",
    "devtools://x",
    "file:///etc/passwd",
    "view-source:http://a",
    "about:settings",
)


@pytest.mark.parametrize("url", BROWSERS)
def test_no_page_of_the_browser_is_opened_for_input(web: Web, url: str) -> None:
    assert attempt(web, "browser_navigate", url=url) in ("InvalidArguments", "FileMissing")
    assert web.go("a", "form.html")
