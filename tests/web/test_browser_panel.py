"""The Browser panel: address bar, tabs, and the agents' view."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.attacks.outside import outside_on_loopback
from tests.web.agent import close_tabs, show_tab
from tests.web.conftest import Resize, Start
from tests.web.person import Person
from tests.web.site import Site

pytestmark = pytest.mark.fortnightly

PAGE = """<!doctype html><title>{0}</title><h1>{0}</h1>
<button style="position: absolute; left: 200px; top: 100px; width: 150px; height: 60px"
  onclick="this.textContent = 'Pressed'">Press</button>"""

ANSWERABLE = "document.querySelector('[role=alertdialog] .answers:not([data-guarded])')"


@pytest.fixture
def pages(surface: Surface, folder: str) -> Iterator[str]:
    for name in ("one", "two"):
        surface.call("file_write", path=f"{folder}/{name}.html", content=PAGE.format(name.title()))
    yield folder
    close_tabs(surface)


def tabs(surface: Surface) -> list[str]:
    return surface.javascript(
        "return [...document.querySelectorAll('#browser-tabs button')].map((tab) => tab.innerText)"
    )


def open_panel(person: Person) -> None:
    person.open_panel("browser")


def go_to(person: Person, address: str) -> None:
    open_panel(person)
    person.click('region "Browser" textbox "Address, or path of an HTML file"')
    person.press("a", holding=Keys.CONTROL)
    person.type(address + Keys.ENTER)


WIDTH = "(await gemini.callTool('browser_get_text', { tab: arguments[0] })).text.match(/width (\\d+)/)?.[1]"


def test_a_person_s_page_has_the_width_of_the_panel_or_of_a_device(
    surface: Surface, person: Person, pages: str, resize: Resize
) -> None:
    script = "setInterval(() => { document.body.textContent = `width ${innerWidth}` }, 50)"
    surface.call(
        "file_write", path=f"{pages}/wide.html", content=f"<title>Wide</title><script>{script}</script>"
    )
    resize(1280, 720)
    go_to(person, f"{pages}/wide.html")
    [tab] = surface.wait_for(
        "(await gemini.callTool('browser_tabs', {})).filter(({ title }) => title === 'Wide').map(({ id }) => id)"
        ".slice(0, 1).reduce((_, id) => [id], null)"
    )
    panel = surface.javascript("return document.querySelector('#browser-view').clientWidth")
    assert panel < 1024
    surface.wait_for(f"{WIDTH} === String(arguments[1])", tab, panel)

    for device, width in (("phone", 390), ("desktop", 1280), ("", panel)):
        person.choose('combobox "Width of the page"', device)
        surface.wait_for(f"{WIDTH} === String(arguments[1])", tab, width)
    # An agent's own tab doesn't depend on the panel.
    surface.call("browser_navigate", url=f"{pages}/wide.html")
    own = next(row["id"] for row in surface.call("browser_tabs") if row.get("yours"))
    surface.wait_for(f"{WIDTH} === '1024'", own)
    show_tab(surface, own)
    person.no_longer_sees('combobox "Width of the page"')
    surface.wait_for(f"{WIDTH} === '1024'", own)

    # On a phone, a page for phones has the phone's width.
    resize(390, 844)
    person.click('button "Browser"')
    show_tab(surface, tab)
    surface.wait_for(f"{WIDTH} === '390'", tab)


def test_an_entered_address_asks_once_for_its_origin(surface: Surface, person: Person, start: Start) -> None:
    go_to(person, "entered.test/one")
    person.asked("You entered this address")
    buttons = "[...document.querySelectorAll('[role=alertdialog] button')].map(({ innerText }) => innerText)"
    shown = surface.javascript(
        "const found = (id) => document.querySelector(id)?.innerText;"
        f"return [found('#approval-title'), found('#approval-words'), found('#approval-scope'), {buttons}]"
    )
    assert shown == ["Open entered.test?", None, "", ["Cancel", "Open"]]
    surface.wait_for(ANSWERABLE)
    person.press(Keys.ENTER)
    person.no_longer_sees("[role=alertdialog]")
    go_to(person, "https://entered.test/two")
    urls = "(await gemini.callTool('browser_tabs', {})).map(({ url }) => url)"
    surface.wait_for(f"{urls}.includes('https://entered.test/two')")

    # Another origin, an agent, and an address that was there before and is only extended, are other questions.
    call = start("browser_navigate", url="https://entered.test/three")
    person.asked("Python wants to open a page")
    person.click('button "Refuse"')
    call.result()
    person.no_longer_sees("[role=alertdialog]")
    person.click('region "Browser" textbox "Address, or path of an HTML file"')
    person.press(Keys.END)
    person.type("?more" + Keys.ENTER)
    person.asked("Python wants to open a page")
    person.click('button "Refuse"')
    person.no_longer_sees("[role=alertdialog]")


@pytest.mark.fortnightly
def test_a_page_that_forbids_frames_is_named_where_the_browser_reveals_it(
    surface: Surface, person: Person
) -> None:
    with outside_on_loopback() as outside:
        for path, header, value in (
            ("/policy", "Content-Security-Policy", "frame-ancestors 'none'"),
            ("/options", "X-Frame-Options", "DENY"),
        ):
            outside.page_headers[path] = {header: value}
        go_to(person, f"{outside.url}/policy")
        person.sees("[role=alertdialog] h2", "Open ")
        surface.wait_for(ANSWERABLE)
        person.click('button "Open"')
        card = person.sees("[role=status].card", f"127.0.0.1:{outside.port} can't be shown here")
        assert "frame-ancestors" in card
        surface.wait_for("document.activeElement.id === 'browser-outside'")
        [row] = [each for each in surface.call("browser_tabs") if each.get("framing")]
        assert row["framing"] == "frame-ancestors" and "so the tab is empty" in row["why"]

        # Without the companion, nothing tells this header from a page that can't be read.
        go_to(person, f"{outside.url}/options")
        person.sees('region "Browser" .browser-unread', "This page may not allow being shown here")
        person.sees('region "Browser" button "Open in a browser tab"', "Open in a browser tab")
    close_tabs(surface)


@pytest.mark.fortnightly
def test_a_press_selects_the_address(surface: Surface, person: Person, pages: str) -> None:
    go_to(person, f"{pages}/one.html")
    person.sees('tablist "Open pages" [aria-selected=true]', "One")
    person.click('tablist "Open pages" [aria-selected=true]')
    person.click('region "Browser" textbox "Address, or path of an HTML file"')
    field = "document.querySelector('#browser-url')"
    assert surface.javascript(
        f"return {field}.selectionEnd - {field}.selectionStart === {field}.value.length"
    )


@pytest.mark.fortnightly
def test_a_user_opens_pages_and_switches_tabs_by_keyboard(
    surface: Surface, person: Person, pages: str
) -> None:
    go_to(person, f"{pages}/one.html")
    person.sees('tablist "Open pages" [aria-selected=true]', "One")
    person.click('button "New tab"')
    person.sees('tablist "Open pages" [aria-selected=true]', "New tab")
    go_to(person, f"{pages}/two.html")
    person.sees('tablist "Open pages" [aria-selected=true]', "Two")
    assert tabs(surface) == ["This page", "One", "Two"]

    person.click('tablist "Open pages" [aria-selected=true]')
    person.press(Keys.ARROW_LEFT)
    person.sees('tablist "Open pages" [aria-selected=true]', "One")
    address = 'region "Browser" textbox "Address, or path of an HTML file"'
    assert str(person.find(address).get_property("value")).endswith("/one.html")
    assert surface.call("browser_get_text")["text"].startswith("# One")

    person.click('button "Close tab"')
    surface.wait_for("document.querySelectorAll('#browser-tabs button').length === 2")


@pytest.mark.extended
def test_a_page_without_a_title_is_named_by_its_path(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/plain.html", content="<p>Hello</p>")
    go_to(person, f"{folder}/plain.html")
    person.sees('tablist "Open pages" [aria-selected=true]', f"{folder}/plain.html")
    close_tabs(surface)


def test_an_address_that_can_not_be_opened_shows_an_error(
    surface: Surface, person: Person, pages: str
) -> None:
    go_to(person, f"{pages}/three.html")
    person.sees('region "Browser" [role=alert]', "three.html")


@pytest.mark.extended
def test_back_forward_and_reload_are_buttons(surface: Surface, person: Person, pages: str) -> None:
    go_to(person, f"{pages}/one.html")
    person.sees('tablist "Open pages" [aria-selected=true]', "One")
    go_to(person, f"{pages}/two.html")
    person.sees('tablist "Open pages" [aria-selected=true]', "Two")
    person.click('region "Browser" button "Back"')
    person.sees('tablist "Open pages" [aria-selected=true]', "One")
    person.click('region "Browser" button "Forward"')
    person.sees('tablist "Open pages" [aria-selected=true]', "Two")
    person.click('button "Reload"')
    person.sees('tablist "Open pages" [aria-selected=true]', "Two")


@pytest.mark.extended
def test_refs_are_drawn_over_their_elements(surface: Surface, person: Person, pages: str) -> None:
    surface.call("browser_navigate", url=f"{pages}/one.html")
    show_tab(surface)
    open_panel(person)
    person.click('button "Refs: show the agents’ view"')
    person.sees('list "Snapshot of the page"', 'button [200,100 150x60] "Press"')

    person.click('list "Snapshot of the page" button')
    box, frame, scale = surface.wait_for(
        """((box) => box && (() => {
          const place = (element) => {
            const { x, y, width } = element.getBoundingClientRect();
            return [x, y, width];
          };
          const stage = document.querySelector("#browser-stage");
          const scale = stage.style.getPropertyValue("--scale");
          return [place(box), place(document.querySelector(".tab-frame.front")), scale];
        })())(document.querySelector(".ref-box.selected"))"""
    )
    scale = float(scale)
    assert box[0] - frame[0] == pytest.approx(200 * scale, abs=1.5)
    assert box[1] - frame[1] == pytest.approx(100 * scale, abs=1.5)
    assert box[2] == pytest.approx(150 * scale, abs=1.5)
    person.click('button "Refs: show the agents’ view"')


def test_an_agent_s_action_flashes_and_updates_the_snapshot(
    surface: Surface, person: Person, pages: str
) -> None:
    surface.call("browser_navigate", url=f"{pages}/one.html")
    show_tab(surface)
    open_panel(person)
    person.click('button "Refs: show the agents’ view"')
    person.sees('list "Snapshot of the page"', '"Press"')
    surface.javascript(
        """globalThis.flashes = [];
        new MutationObserver((records) => {
          for (const { addedNodes } of records) {
            for (const { className, style } of addedNodes) {
              if (className === "action-flash") flashes.push([parseFloat(style.left), parseFloat(style.top)]);
            }
          }
        }).observe(document.querySelector("#browser-stage"), { childList: true });"""
    )
    surface.call("browser_click", selector="button")
    [[x, y]] = surface.wait_for("flashes.length && flashes")
    assert 200 <= x <= 350 and 100 <= y <= 160
    person.sees('list "Snapshot of the page"', '"Pressed"')
    person.click('button "Refs: show the agents’ view"')


@pytest.mark.extended
def test_the_user_s_view_does_not_affect_the_agent_s_changes(
    surface: Surface, person: Person, pages: str
) -> None:
    surface.call("browser_navigate", url=f"{pages}/one.html")
    surface.call("browser_snapshot")
    show_tab(surface)
    open_panel(person)
    person.click('button "Refs: show the agents’ view"')
    surface.call("browser_click", selector="button")
    person.sees('list "Snapshot of the page"', '"Pressed"')
    assert '"Pressed"' in surface.call("browser_snapshot", changed_only=True)
    person.click('button "Refs: show the agents’ view"')


@pytest.mark.extended
def test_only_a_user_turns_the_network_on(surface: Surface, person: Person, pages: str) -> None:
    surface.call("browser_navigate", url=f"{pages}/one.html")
    show_tab(surface)
    open_panel(person)
    person.by_script('button "Network"')
    person.sees('region "Browser" [aria-label=Network][aria-pressed=false]:enabled')
    person.click('button "Network"')
    # The page has tried to reach nothing, so the user names a host.
    person.click('region "Browser" textbox "This page has tried to reach no host. Host that it may reach:"')
    person.type("api.example.org\n")
    person.asked("https://api.example.org")
    person.click('button "Allow while it is open"')
    person.sees('region "Browser" [aria-label=Network][aria-pressed=true]')
    # The tab shows the same page on an origin with network access.
    site = Site(surface)
    site.tab = surface.javascript("return document.querySelector('.tab-frame.front').title").removeprefix(
        "Page in "
    )
    assert "//n" in site.says("location.href")
    assert surface.call("browser_get_text")["text"]
    person.click('button "Network"')
    person.sees('region "Browser" [aria-label=Network][aria-pressed=false]')
    assert surface.call("browser_get_text")["text"]
    person.click('tablist "Open pages" tab "This page"')
    person.sees('region "Browser" [aria-label=Network]:disabled')


@pytest.mark.extended
def test_an_empty_page_offers_the_hosts_that_it_lacks(surface: Surface, person: Person) -> None:
    source = '<script src="https://api.example.org/vue.js"></script><script>Vue.createApp({})</script>'
    surface.call("file_write", path="/project/shop/index.html", content=source)
    surface.call("browser_navigate", url="/project/shop/index.html")
    show_tab(surface)
    open_panel(person)
    person.sees('region "Errors of the page"', "Allow api.example.org")
    person.by_script('button "Allow api.example.org…"')
    person.click('button "Allow api.example.org…"')
    person.asked("https://api.example.org")
    person.click('button "Allow while it is open"')
    person.sees('region "Browser" [aria-label=Network][aria-pressed=true]')
    # It has loaded again, and may reach the host, so its errors name none that it lacks.
    person.no_longer_sees('region "Errors of the page" button "Allow api.example.org…"')
    person.click('button "Network"')


@pytest.mark.extended
def test_a_narrow_page_keeps_tabs_while_another_panel_is_shown(
    surface: Surface, person: Person, resize: Resize
) -> None:
    resize(380, 700)
    surface.call("file_write", path="/project/page/index.html", content=PAGE.format("Narrow"))
    surface.call("browser_navigate", url="/project/page")
    person.open_panel("files")
    assert '[200,100 150x60] "Press"' in surface.call("browser_snapshot")
    surface.call("browser_click", selector="button")
    person.open_panel("browser")
    person.click('tablist "Open pages" [data-owner=working]')
    person.sees('tablist "Open pages" [aria-selected=true]', "Narrow")
    close_tabs(surface)


@pytest.mark.extended
def test_a_user_who_types_elsewhere_keeps_the_focus_while_an_agent_acts(
    surface: Surface, person: Person, folder: str
) -> None:
    page = (
        "<title>Busy</title><input id=field><button onclick=\"this.textContent = 'pressed'\">Press</button><p id=log>"
        "<script>for (const type of ['focus', 'change']) field.addEventListener(type, () => log.append(` ${type}ed`))"
        "</script>"
    )
    surface.call("file_write", path=f"{folder}/busy.html", content=page)
    surface.call("browser_tabs", action="open", url=f"{folder}/busy.html")
    person.click('combobox "Search and commands"')
    person.type("half a")
    surface.call("browser_type", selector="#field", text="of the agent")
    surface.call("browser_click", selector="button")
    person.type(" sentence")
    assert person.find('combobox "Search and commands"').get_property("value") == "half a sentence"
    # The page has received the same events as from a user.
    text = surface.call("browser_get_text")["text"]
    assert "pressed" in text and "focused changeed" in text
    person.press(Keys.ESCAPE)
    close_tabs(surface)


@pytest.mark.extended
def test_the_script_places_pages_where_the_browser_misplaces_them(surface: Surface, person: Person) -> None:
    layer = "document.querySelector('.browser-layer')"
    person.open_panel("browser")
    # By anchor positioning.
    assert surface.javascript(f"return {layer}.style.top") == ""
    surface.javascript(
        """const style = document.createElement("style");
        style.textContent = ".browser-layer { position-anchor: --none; top: anchor(top, 5000px) }";
        document.head.append(style);"""
    )
    person.toggle_panel("files")
    surface.wait_for(
        f"Math.abs({layer}.getBoundingClientRect().top - document.querySelector('.browser-view')"
        ".getBoundingClientRect().top) <= 1"
    )
    surface.reload()
