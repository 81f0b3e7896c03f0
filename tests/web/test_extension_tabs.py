"""The tabs of the browser that the person shares with agents, in the extension."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains

from gemini_testing import Surface, ToolCallFailed
from gemini_testing.html_page import HtmlServer, serving_html
from tests.extension import opened_extension, with_sites
from tests.web.person import Background, Person

PAGE = "<!doctype html><title>Notes</title><h1>Notes</h1><button onclick='this.textContent = 1'>Add</button>"
# The bar's host. Its content is in a closed root.
BAR = "document.querySelector('html > [popover=manual]')"
STOP_FROM_RIGHT = 30
# Calls back when the extension has removed the bar permanently.
UNTIL_GONE = f"""
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
HIDDEN = "the page hides the bar"
# Pages that take the bar away permanently, or make it look so.
HOSTILE = {
    "removes it": f"setInterval(() => {BAR}?.remove(), 20)",
    "makes it transparent": "document.documentElement.style.opacity = '0.01'",
    "disables it": "document.documentElement.inert = true",
    "covers it and lets presses through": (
        "const cover = document.createElement('div'); cover.popover = 'manual';"
        "cover.style.cssText = 'inset: 0; width: 100%; height: 90px; background: red; pointer-events: none';"
        "document.body.append(cover); setInterval(() => { if (cover.matches(':popover-open')) cover.hidePopover();"
        "cover.showPopover(); }, 100)"
    ),
}


@pytest.fixture(scope="module")
def surface(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surface]:
    with opened_extension(with_sites(tmp_path_factory.mktemp("extension") / "unpacked")) as surface:
        yield surface


@pytest.fixture(scope="module")
def server() -> Iterator[HtmlServer]:
    with serving_html(Path("none.js")) as server:
        server.files["/notes.html"] = PAGE
        yield server


@pytest.fixture(autouse=True)
def no_tabs_are_left(surface: Surface) -> Iterator[None]:
    yield
    driver, main = surface.driver, surface.driver.window_handles[0]
    for handle in driver.window_handles[1:]:
        driver.switch_to.window(handle)
        driver.close()
    driver.switch_to.window(main)


@contextmanager
def looking_at(surface: Surface, handle: str) -> Generator[None]:
    """Look at another tab of the browser while the block runs."""
    before = surface.driver.current_window_handle
    surface.driver.switch_to.window(handle)
    yield
    surface.driver.switch_to.window(before)


def open_tab(surface: Surface, url: str) -> str:
    """Open a tab of the browser, as its user does, and return its handle."""
    before = surface.driver.current_window_handle
    surface.driver.switch_to.new_window("tab")
    surface.driver.get(url)
    handle = surface.driver.current_window_handle
    surface.driver.switch_to.window(before)
    return handle


def open_dialog(surface: Surface, person: Person) -> None:
    """Open the dialog that shares tabs."""
    if not surface.javascript("return document.querySelector('#share-tabs-button').checkVisibility()"):
        person.open_panel("browser")
    person.click("#share-tabs-button")


def share(surface: Surface, person: Person, url: str) -> str:
    """Share the only tab that isn't shared, and return its name in the surface."""
    open_dialog(surface, person)
    person.click("#share-tabs .share")
    person.no_longer_sees("#share-tabs .share")
    person.click("#share-tabs .answers button")
    [row] = [row for row in surface.call("browser_tabs") if row["url"] == url and row["readable"]]
    return row["id"]


def read(surface: Surface, person: Person, tab: str) -> str:
    """Read a tab for the first time, which the person allows."""
    call = Background(surface, "browser_snapshot", {"tab": tab})
    person.sees("#approval-question")
    person.click("#approval-once")
    return call.result()


def state_of(surface: Surface, tab: str, part: str) -> None:
    """Wait until the reason why a tab can't be read contains a text."""
    surface.wait_for(
        "await (async () => { const tools = await document.modelContext.getTools();"
        "const tool = tools.find(({ name }) => name === 'browser_tabs');"
        "const rows = JSON.parse(await document.modelContext.executeTool(tool, {}));"
        "return rows.find(({ id }) => id === arguments[0])?.why?.includes(arguments[1]); })()",
        tab,
        part,
    )


def test_a_shared_tab_is_read_after_consent_until_the_person_stops_it(
    surface: Surface, person: Person, server: HtmlServer
) -> None:
    url = f"{server.url}/notes.html"
    own = open_tab(surface, url)
    tab = share(surface, person, url)
    assert "Notes" in read(surface, person, tab)
    surface.call("browser_tabs", action="focus", tab=tab)
    assert surface.call("browser_click", selector="button")["success"]
    look = "return (await chrome.tabGroups.query({})).map(({ title, color }) => [title, color])"
    assert surface.javascript(look) == [["gemini", "purple"]]
    with looking_at(surface, own):
        assert surface.driver.execute_script("return document.querySelector('button').textContent") == "1"
        # The page's own presses don't count, and it can't read the bar.
        assert surface.driver.execute_script(f"return {BAR}.shadowRoot") is None
        surface.driver.execute_script(f"{BAR}.click()")
        right, top = surface.driver.execute_script(
            f"const box = {BAR}.getBoundingClientRect(); return [box.right, (box.top + box.bottom) / 2]"
        )
        press = ActionChains(surface.driver, duration=0)
        press.w3c_actions.pointer_action.move_to_location(int(right) - STOP_FROM_RIGHT, int(top))
        press.click().perform()
    state_of(surface, tab, "the person has taken it back")
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("browser_snapshot", tab=tab)
    assert failed.value.type == "CrossOrigin"
    with looking_at(surface, own):
        assert surface.driver.execute_script(f"return {BAR}") is None


@pytest.mark.extended
def test_mail_and_banks_are_off_until_the_person_allows_the_site(
    surface: Surface, person: Person, server: HtmlServer
) -> None:
    url = f"{server.url}/notes.html".replace("127.0.0.1", "mail.localhost")
    call = Background(surface, "browser_navigate", {"url": url})
    person.sees("#approval-question")
    person.click("#approval-once")
    assert call.result()["error"]["type"] == "OffLimits"
    open_tab(surface, url)
    open_dialog(surface, person)
    person.sees("#share-tabs li", "a mail site, off")
    person.click("#share-tabs li button")
    person.sees("#share-tabs .share")
    person.click("#share-tabs .answers button")
    tab = share(surface, person, url)
    assert "Notes" in read(surface, person, tab)


@pytest.mark.extended
def test_a_reload_of_the_surface_keeps_the_tabs(surface: Surface, person: Person, server: HtmlServer) -> None:
    url = f"{server.url}/notes.html"
    open_tab(surface, url)
    tab = share(surface, person, url)
    surface.reload()
    assert "Notes" in read(surface, person, tab)


@pytest.mark.extended
@pytest.mark.parametrize("script", HOSTILE.values(), ids=HOSTILE)
def test_a_page_that_takes_the_bar_away_is_no_longer_shared(
    surface: Surface, person: Person, server: HtmlServer, script: str
) -> None:
    url = f"{server.url}/notes.html"
    own = open_tab(surface, url)
    tab = share(surface, person, url)
    surface.driver.switch_to.window(own)
    surface.driver.execute_script(script)
    # The tab stays in front: in the background nobody would see the bar.
    surface.driver.execute_async_script(UNTIL_GONE)
    surface.driver.switch_to.window(surface.driver.window_handles[0])
    state_of(surface, tab, HIDDEN)


@pytest.mark.extended
def test_forged_answers_of_the_page_break_only_its_own_facts(
    surface: Surface, person: Person, server: HtmlServer
) -> None:
    server.files["/forger.html"] = (
        PAGE
        + """<script>
      const forge = (type, detail) => dispatchEvent(new CustomEvent(type, { detail }));
      addEventListener("gemini-ask", () => forge("gemini-answer", "no JSON") || forge("gemini-answer", "[{}]"), true);
      const notes = ["x", "null", '["console", null]', '["console", {"level": "fatal"}]', '["answered", {"kind": 1}]'];
      for (const detail of notes) setInterval(() => forge("gemini-note", detail), 50);
    </script>"""
    )
    url = f"{server.url}/forger.html"
    open_tab(surface, url)
    tab = share(surface, person, url)
    assert "Notes" in read(surface, person, tab)
    surface.call("browser_tabs", action="focus", tab=tab)
    assert surface.call("browser_click", selector="button")["success"]
    assert surface.call("browser_console")["messages"] == []
