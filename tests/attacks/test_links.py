"""Links in untrusted text try to lead away without a press, or elsewhere than they say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.attacks.listener import Listener, fenced_listener
from tests.attacks.markup import PANELS, PLACES, in_console, in_preview, press_at, roots
from tests.web.agent import close_tabs
from tests.web.conftest import end_refusals
from tests.web.person import Person
from tests.web.shadow import FOUND

pytestmark = pytest.mark.fortnightly


@pytest.fixture(scope="module")
def outside() -> Iterator[Listener]:
    with fenced_listener() as listener:
        yield listener


ADDRESS = "https://attacked.test/?d=secret"
LINKS = {
    "console": f"<p><a href='{ADDRESS}'>https://docs.python.org/</a> the end</p>",
    "preview": f"[https://docs.python.org/]({ADDRESS}) the end",
    "notebook": f"[https://docs.python.org/]({ADDRESS}) the end",
    "output": f"<p><a href='{ADDRESS}'>https://docs.python.org/</a> the end</p>",
    "chat": f"[https://docs.python.org/]({ADDRESS}) the end",
}


@pytest.fixture(params=LINKS)
def link(request: pytest.FixtureRequest, surface: Surface, person: Person) -> Iterator[str]:
    """Draw a link in one of the places, and return the selector of what contains it."""
    surface.call("file_write", path="/project/attack/x", content="")
    PLACES[request.param](surface, person, LINKS[request.param])
    yield f"{PANELS[request.param]} [role=link]"
    close_tabs(surface)
    surface.python("gemini.agents.current().model = None")


ASKED = "return document.querySelector('#approval').open"


def refuse(surface: Surface, person: Person, address: str = ADDRESS) -> None:
    person.sees("#approval-question", address)
    surface.wait_for("document.querySelector('#approval .answers:not([data-guarded])')")
    person.click("#approval-refuse")
    surface.wait_for("!document.querySelector('#approval').open")
    end_refusals(surface)


def drag(surface: Surface, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag the element at a point to the strip of the browser's tabs."""
    for kind, (x, y) in (("mousePressed", start), ("mouseMoved", end), ("mouseReleased", end)):
        event = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
        surface.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)


def test_a_pressed_link_asks_with_its_true_address(surface: Surface, person: Person, link: str) -> None:
    windows = surface.driver.window_handles
    found = person.find(link)
    assert found.get_attribute("title") == ADDRESS and found.get_attribute("href") is None
    found.click()
    refuse(surface, person)
    surface.driver.execute_script("arguments[0].focus()", found)
    person.press(Keys.ENTER)
    refuse(surface, person)
    # What opens windows and tabs of the browser for a link with an address.
    left, top = surface.driver.execute_script(
        "const { left, top } = arguments[0].getBoundingClientRect(); return [left + 5, top + 5]", found
    )
    for button, modifiers in (("middle", 0), ("middle", 2), ("right", 0)):
        press_at(surface.driver, left, top, button, modifiers)
    drag(surface, (left, top), (20, 20))
    person.press(Keys.ESCAPE)
    assert not surface.javascript(ASKED)
    for modifiers in (2, 8, 1, 4):
        press_at(surface.driver, left, top, "left", modifiers)
        refuse(surface, person)
    assert surface.driver.window_handles == windows


def test_an_allowed_link_opens(surface: Surface, person: Person, outside: Listener) -> None:
    in_console(surface, person, f"<p><a href='{outside.url}/linked'>here</a> the end</p>")
    outside.received(surface)
    person.click("#console-log [role=link]")
    person.sees("#approval-question", f"{outside.url}/linked")
    assert outside.received(surface) == []
    surface.wait_for("document.querySelector('#approval .answers:not([data-guarded])')")
    person.click("#approval-once")
    surface.wait_for("!document.querySelector('#approval').open")
    surface.wait_for(
        "(await gemini.callTool('browser_tabs', { action: 'list' }))?.some?.(({ url }) => url.endsWith('/linked'))"
    )
    assert "/linked" in outside.received(surface)
    close_tabs(surface)


SCHEMES = [
    "javascript:acted=1", "data:text/html,x", "blob:null/x", "file:///etc/passwd", "//attacked.test/", "intent://x", "",
    "chrome://settings", "view-source:https://attacked.test/", "filesystem:x", "mailto:a@b.test",
]  # fmt: skip


def test_other_schemes_are_no_links(surface: Surface, person: Person) -> None:
    links = " ".join(f"<a href='{scheme}'>link</a>" for scheme in SCHEMES)
    in_console(surface, person, f"<p>{links} the end</p>")
    assert surface.javascript(f"return {FOUND}('#console-log :is([role=link], [href])').length") == 0
    assert surface.javascript(f"return {FOUND}('#console-log a').length") == len(SCHEMES)


def test_links_within_a_text_stay_in_it(surface: Surface, person: Person) -> None:
    text = "[down](#the-end-of-it)\n\n" + "line\n\n" * 200 + "# The end of it!\n\n<a name=own></a>the end\n"
    in_preview(surface, person, text)
    person.click("#preview-body [role=link]")
    surface.wait_for(f"{roots('preview')}.some((root) => root.activeElement?.localName === 'h1')")
    assert surface.javascript("return document.querySelector('#preview-body').scrollTop") > 0
    assert surface.javascript("return location.hash") == ""


IN_TERMINAL = (
    "const span = [...document.querySelectorAll('[data-front] .xterm-rows span')]"
    ".find((span) => span.textContent.includes(arguments[0]));"
    "const { left, top, height } = span.getBoundingClientRect(); return { x: left + 20, y: top + height / 2 };"
)


def test_a_link_of_a_terminal_asks_with_its_own_address(surface: Surface, shell: Person) -> None:
    """A program chooses both by OSC 8: https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda"""
    windows = surface.driver.window_handles
    # The text is a link, too, where the terminal doesn't take the program's.
    for url, asked in (("javascript:document.title=1", "https://docs.python.org/"), (ADDRESS, ADDRESS)):
        shell.type(
            f"clear; printf '\\e]8;;{url}\\e\\\\https://docs.python.org/\\e]8;;\\e\\\\\\n'; echo sh''own\n"
        )
        shell.reads_line("shown")
        place = surface.javascript(IN_TERMINAL, "docs.python.org")
        mouse(surface, "mouseMoved", x=place["x"], y=place["y"] + 200)
        mouse(surface, "mouseMoved", **place)
        # The terminal looks for a link once the pointer is there.
        surface.wait_for("document.querySelector('[data-front] .xterm-cursor-pointer')")
        for kind in ("mousePressed", "mouseReleased"):
            mouse(surface, kind, button="left", clickCount=1, **place)
        refuse(surface, shell, asked)
        assert surface.driver.window_handles == windows


def mouse(surface: Surface, kind: str, **event: object) -> None:
    surface.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, **event})
