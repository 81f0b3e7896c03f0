"""Attacks by pages of shared tabs on the extension. Each fails; the tab is still in use, or taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gemini_companion.admission.extension import ID
from gemini_testing import ToolCallFailed
from gemini_testing.html_page import serving_html
from tests.extension import BAR, Web, opened_extension, with_sites
from tests.web.agent import ref_of
from tests.web.person import Background, Person

pytestmark = pytest.mark.extended

NOTES = "<!doctype html><title>Notes</title><h1>Notes</h1><button onclick='this.textContent = 1'>Add</button>"
FILES = {
    "/index.html": "<!doctype html><title>Start</title>",
    "/notes.html": NOTES,
    "/victim.html": "<!doctype html><title>Victim</title><a href='#' onclick='globalThis.pressed = 1'>Leave</a>",
    "/secret.html": "<!doctype html><title>Secret</title><p>Balance 42</p>",
}
ATTACKS = Path(__file__).parent / "data/attacks"


def attacks(file: str) -> dict[str, str]:
    """Return the scripts of a file by their titles, which are comments."""
    script = (ATTACKS / file).read_text(encoding="utf-8").replace("BAR", BAR).replace("EXTENSION", ID)
    return dict(part.split("\n", 1) for part in script.removeprefix("// ").split("\n\n// "))


# Expressions in the page, each with the data it got, or nothing.
FAILING = attacks("failing.js")
# Scripts before the page's content, which change nothing for agents.
LYING = attacks("lying.js")
# Scripts that keep the user from pressing Stop.
HIDING = attacks("hiding.js")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder = with_sites(tmp_path_factory.mktemp("extension") / "unpacked")
    with opened_extension(folder) as surface, serving_html(Path("none.js")) as server:
        server.files |= FILES
        web = Web(surface, Person(surface), server, folder)
        web.allow("a")
        yield web


@pytest.fixture
def web(whole: Web) -> Iterator[Web]:
    yield whole
    whole.close_all()


def uses(web: Web, tab: str) -> None:
    """Read the page and press its button, as an agent does."""
    web.surface.call("browser_tabs", action="focus", tab=tab)
    assert '"Add"' in web.surface.call("browser_snapshot")
    assert web.surface.call("browser_click", ref=ref_of(web.surface, '"Add"'))["success"]
    assert '"1"' in web.surface.call("browser_snapshot")


@pytest.mark.parametrize("expression", FAILING.values(), ids=FAILING)
def test_a_page_gets_nothing(web: Web, expression: str) -> None:
    tab = web.go("a", "notes.html")
    assert not web.in_page("a", "notes.html", expression)
    uses(web, tab)
    pages = web.surface.javascript(
        "return (await chrome.runtime.getContexts({ documentUrls: [location.href] })).length"
    )
    assert pages == 1
    assert web.surface.call("terminal_execute", command="ls /project/forged")["exit_code"] != 0


@pytest.mark.parametrize("script", LYING.values(), ids=LYING)
def test_a_page_lies_to_no_agent(web: Web, script: str) -> None:
    web.server.files["/liar.html"] = NOTES.replace("<h1>", f"<script>{script}</script><h1>")
    uses(web, web.go("a", "liar.html"))


def test_forged_listeners_make_nothing_pressable_that_is_covered(web: Web) -> None:
    web.server.files["/covered.html"] = NOTES + (
        "<div style='position: fixed; inset: 0; background: white'></div><script>"
        f"{LYING['says that everything hears presses']}</script>"
    )
    web.go("a", "covered.html")
    with pytest.raises(ToolCallFailed) as failed:
        web.surface.call("browser_click", selector="button")
    assert failed.value.type == "Covered"


def test_a_drawn_bar_stops_nothing_and_the_real_one_stays_in_reach(web: Web) -> None:
    own = web.own_tab("a", "notes.html")
    tab = web.share()
    with web.looking_at(own):
        driver = web.surface.driver
        driver.execute_script(
            "document.body.insertAdjacentHTML('beforeend', '<div style=\"position: fixed; bottom: 8px\">gemini is using"
            " this tab <button id=fake>Stop</button></div><style>* { transform: translateX(-5000px) !important;"
            " opacity: 0 !important; display: none !important; clip-path: inset(50%) !important; }"
            " html, body, body * { all: revert !important }</style>')"
        )
        driver.find_element("id", "fake").click()
    uses(web, tab)
    with web.looking_at(own):
        web.press_stop()
    web.why(tab, "the user has taken it back")


# Calls back when the extension has removed the bar permanently.
UNTIL_TAKEN = f"""
  const done = arguments[0];
  let since = performance.now();
  // A page may take it away again before the next look.
  const watch = new MutationObserver(() => {{ since = performance.now(); }});
  watch.observe(document.documentElement, {{ childList: true }});
  const look = setInterval(() => {{
    if ({BAR}) since = performance.now();
    if (performance.now() - since < 1500) return;
    clearInterval(look);
    watch.disconnect();
    done();
  }}, 10);
"""


@pytest.mark.parametrize("script", HIDING.values(), ids=HIDING)
def test_a_page_that_keeps_the_person_from_stop_is_no_longer_shared(web: Web, script: str) -> None:
    own = web.own_tab("a", "notes.html")
    tab = web.share()
    web.surface.driver.switch_to.window(own)
    web.surface.driver.execute_script(script)
    # The tab stays in front, as nobody would see the bar in the background.
    web.surface.driver.execute_async_script(UNTIL_TAKEN)
    web.surface.driver.switch_to.window(web.surface.driver.window_handles[0])
    web.why(tab, "the page hides the bar")


def test_a_page_that_leaves_while_the_person_is_asked_is_not_used_elsewhere(web: Web) -> None:
    far = web.url("c", "index.html")
    web.server.files["/lure.html"] = NOTES + f"<a href='{far}'>Leave</a>"
    web.go("a", "lure.html")
    call = Background(web.surface, "browser_click", {"ref": ref_of(web.surface, "Leave")})
    web.person.asked()
    web.in_page("a", "lure.html", f"void (location = {web.url('d', 'victim.html')!r})")
    web.surface.wait_for(
        "(await chrome.tabs.query({ url: 'http://d.test.localhost/*', status: 'complete' })).length"
    )
    web.person.click('button "Allow once"')
    assert call.result()["error"]["type"] in {"PageGone", "Refused", "StaleRef"}
    assert web.in_page("d", "victim.html", "globalThis.pressed ?? location.pathname") == "/victim.html"


def test_a_frame_of_another_site_is_neither_read_nor_pressed(web: Web) -> None:
    web.server.files["/framing.html"] = NOTES + f"<iframe src='{web.url('d', 'secret.html')}'></iframe>"
    tab = web.go("a", "framing.html")
    assert "42" not in web.surface.call("browser_get_text", tab=tab)["text"]
    with pytest.raises(ToolCallFailed) as failed:
        web.surface.call("browser_click", selector="iframe")
    assert failed.value.type == "CrossOrigin"


def test_the_process_of_a_page_reads_no_settings_of_the_extension(web: Web) -> None:
    web.go("a", "notes.html")
    got = web.surface.javascript(
        "const [{ id }] = await chrome.tabs.query({ url: 'http://a.test.localhost/*' });"
        "const func = () => chrome.storage.local.get().then(() => 'read', () => 'refused');"
        "return (await chrome.scripting.executeScript({ target: { tabId: id }, func }))[0].result"
    )
    assert got == "refused"


def test_a_page_that_leads_its_tab_to_a_mail_site_shows_agents_nothing_of_it(web: Web) -> None:
    web.server.files["/inbox.html"] = "<!doctype html><title>Inbox</title><p>Balance 42</p>"
    mail = f"http://mail.test.localhost:{web.server.server_port}/inbox.html"
    web.server.files["/leads.html"] = f"{NOTES}<script>lead = () => {{ location = '{mail}' }}</script>"
    tab = web.go("a", "leads.html")
    web.in_page("a", "leads.html", "setTimeout(lead) && undefined")
    web.why(tab, "a bank's or a mail site")
    web.surface.call("browser_tabs", action="focus", tab=tab)
    for tool in ("browser_snapshot", "browser_get_text", "browser_screenshot"):
        with pytest.raises(ToolCallFailed) as failed:
            web.surface.call(tool)
        assert failed.value.type == "CrossOrigin"
        assert "a bank's or a mail site" in str(failed.value) and "Balance" not in str(failed.value)
