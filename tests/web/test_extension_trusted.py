"""Trusted input in tabs of the browser, which the user turns on in the extension."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini_testing import Surface, ToolCallFailed
from gemini_testing.html_page import HtmlServer, serving_html
from tests.extension import CLOSE_WEBSITES, IN_PAGE, opened_extension, with_sites
from tests.web.agent import close_tabs, ref_of
from tests.web.names import SHARING
from tests.web.person import Background, Person

# Every event of the page, with whether the browser trusts it.
PAGE = """<!doctype html><title>Pad</title>
<style>#menu + p { display: none } #menu:hover + p { display: block } #box { height: 60px }</style>

<button id="add">Add</button> <button id="window" onclick="window.open('/other.html')">Window</button>
<input id="name"> <textarea id="long"></textarea>
<button id="menu">Menu</button><p>Hidden entry</p>
<div id="card" draggable="true" role="button" tabindex="0">Card</div><div id="box" role="button" tabindex="0">Box</div>
<script>
  const seen = globalThis.seen = {};
  const types = ["click", "pointermove", "keydown", "keyup", "input", "contextmenu", "copy", "dragstart", "drop"];
  for (const type of types) addEventListener(type, (event) => {
    (seen[type] ??= []).push(event.isTrusted);
  }, true);
  add.onclick = (event) => { add.textContent = `trusted: ${event.isTrusted}`; };
  box.ondragover = (event) => event.preventDefault();
  box.ondrop = (event) => { event.preventDefault(); box.append(card); };
</script>"""
PAD = "http://127.0.0.1/pad.html"
ATTACHED = (
    f"(await chrome.tabs.query({{ url: '{PAD}' }}).then(([{{ id }}]) =>"
    " chrome.debugger.sendCommand({ tabId: id }, 'Page.enable')).then(() => true, () => false))"
)

FIND = "const [{ id } = {}] = await chrome.tabs.query({ url: arguments[0] });"

pytestmark = pytest.mark.extended


@pytest.fixture(scope="module")
def server() -> Iterator[HtmlServer]:
    with serving_html(Path("none.js")) as server:
        server.files["/pad.html"] = PAGE
        server.files["/other.html"] = "<!doctype html><title>Other</title>"
        yield server


def switch(person: Person) -> None:
    """Press the switch of trusted input."""
    person.open_panel("browser")
    person.click('button "Share tabs"')
    person.click(f'{SHARING} checkbox "Trusted input"')
    person.click(f'{SHARING} button "Close"')


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, server: HtmlServer) -> Iterator[Surface]:
    """Open the extension with trusted input on, and allow the site."""
    with opened_extension(with_sites(tmp_path_factory.mktemp("extension") / "unpacked")) as surface:
        person = Person(surface)
        person.open_panel("browser")
        switch(person)
        call = Background(surface, "browser_navigate", {"url": f"{server.url}/pad.html"})
        person.click('button "Always allow"')
        call.result()
        yield surface


@pytest.fixture
def surface(whole: Surface, server: HtmlServer) -> Iterator[Surface]:
    close_tabs(whole)
    # Those that were taken back are the user's.
    whole.javascript(CLOSE_WEBSITES)
    whole.call("browser_navigate", url=f"{server.url}/pad.html")
    yield whole


def in_page(surface: Surface, expression: str) -> Any:
    """Evaluate an expression in the page, as its own scripts do."""
    return surface.javascript(IN_PAGE, PAD, expression)


def seen(surface: Surface) -> dict[str, list[bool]]:
    """Return which events the page got, and whether they were trusted."""
    return in_page(surface, "seen")


def attached(surface: Surface) -> bool:
    """Return whether the extension's debugger is in the tab."""
    return surface.javascript(f"return {ATTACHED}")


def test_presses_and_keys_are_trusted(surface: Surface) -> None:
    answer = surface.call("browser_click", selector="#add")
    assert answer["success"] and "trusted: true" in surface.call("browser_get_text")["text"]
    assert surface.call("browser_type", selector="#name", text="Ada Löve 😀")["value"] == "Ada Löve 😀"
    surface.call("browser_press_key", key="Control+a")
    surface.call("browser_press_key", key="x")
    assert surface.call("browser_type", selector="#long", text="a\nb" * 20)["success"]
    events = seen(surface)
    for kind in ("click", "pointermove", "keydown", "keyup", "input"):
        assert all(events[kind]), (kind, events)


def test_what_only_real_input_does(surface: Surface) -> None:
    surface.call("browser_click", selector="#window")
    surface.wait_for(f"(async () => {{ {FIND} return id; }})()", "http://127.0.0.1/other.html")
    surface.javascript(f"{FIND} await chrome.tabs.remove(id)", "http://127.0.0.1/other.html")
    assert "Hidden entry" not in surface.call("browser_get_text")["text"]
    assert surface.call("browser_hover", ref=ref_of(surface, "Menu"))["success"]
    assert "Hidden entry" in surface.call("browser_get_text")["text"]


def test_the_browser_drags(surface: Surface) -> None:
    surface.call("browser_drag", ref=ref_of(surface, "Card"), to_ref=ref_of(surface, "Box"))
    assert in_page(surface, "box.contains(card)")
    assert all(seen(surface)["dragstart"] + seen(surface)["drop"])


def test_the_clipboard_and_menus_of_the_browser_are_out_of_reach(surface: Surface) -> None:
    surface.call("browser_type", selector="#name", text="Ada")
    for key in ("Control+a", "Control+c", "End", "Control+v"):
        surface.call("browser_press_key", key=key)
    assert '"AdaAda"' in surface.call("browser_snapshot")
    surface.call("browser_click", selector="#add", button="right")
    events = seen(surface)
    assert not any(events["copy"] + events["contextmenu"])


def test_a_tab_in_the_background_is_pictured_by_the_browser(surface: Surface) -> None:
    picture = surface.call("browser_screenshot", ref=ref_of(surface, '"Add"'))
    assert picture["width"] > 20
    assert attached(surface)


def test_the_bar_is_out_of_reach_of_trusted_presses_and_keys(surface: Surface) -> None:
    x, y = in_page(
        surface,
        "(({ right, bottom }) => [right - 30, bottom - 15])"
        "(document.querySelector('[popover]').getBoundingClientRect())",
    )
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("browser_click", x=x, y=y)
    assert failed.value.type == "OffLimits"
    in_page(surface, "document.body.innerHTML = '<p>No field</p>'")
    with pytest.raises(ToolCallFailed) as failed:
        for key in ("Tab", "Tab", "Enter"):
            surface.call("browser_press_key", key=key)
    assert failed.value.type == "OffLimits"


SWAP = """(() => {
  const frame = document.createElement("iframe");
  frame.src = arguments[0];
  frame.style.cssText = "position: fixed; inset: 0; width: 100%; height: 100%; border: 0; visibility: hidden";
  document.body.append(frame);
  const show = () => { frame.style.visibility = "visible"; };
  addEventListener(EVENT, show, true);
  return new Promise((resolve) => { frame.onload = () => resolve(true); });
})()"""


@pytest.mark.parametrize("event", ["pointermove", "pointerdown"])
def test_a_press_never_becomes_a_click_in_a_frame_of_another_site(
    surface: Surface, server: HtmlServer, event: str
) -> None:
    server.files["/victim.html"] = (
        "<!doctype html><body style='height: 100vh'><script>"
        "addEventListener('click', () => parent.postMessage('clicked', '*'));</script>"
    )
    in_page(surface, "addEventListener('message', ({ data }) => { globalThis.stolen = data; }) ?? 0")
    victim = f"{server.other_url}/victim.html"
    in_page(surface, SWAP.replace("arguments[0]", repr(victim)).replace("EVENT", repr(event)))
    with contextlib.suppress(ToolCallFailed):
        surface.call("browser_click", selector="#add")
    assert in_page(surface, "globalThis.stolen ?? null") is None


def test_questions_of_the_browser_are_answered(surface: Surface, server: HtmlServer) -> None:
    in_page(surface, "addEventListener('beforeunload', (event) => event.preventDefault()) ?? 0")
    surface.call("browser_click", selector="#add")
    opened = surface.call("browser_navigate", url=f"{server.url}/other.html")
    assert opened["title"] == "Other"


def test_without_the_choice_input_is_not_trusted_and_the_debugger_goes(
    surface: Surface, person: Person
) -> None:
    surface.call("browser_click", selector="#add")
    assert attached(surface)
    switch(person)
    surface.wait_for(f"!{ATTACHED}")
    surface.call("browser_click", selector="#add")
    assert "trusted: false" in surface.call("browser_get_text")["text"]
    switch(person)


def test_cancel_in_the_bar_of_the_browser_ends_the_sharing(surface: Surface) -> None:
    surface.call("browser_click", selector="#add")
    # No test can press in the browser's bar.
    surface.javascript(
        f"{FIND} chrome.debugger.onDetach.dispatch({{ tabId: id }}, 'canceled_by_user')",
        PAD,
    )
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("browser_click", selector="#add")
    assert failed.value.type == "CrossOrigin" and "Cancel" in str(failed.value)
    assert in_page(surface, "document.querySelector('[popover]')") is None


def test_the_end_of_the_sharing_detaches_the_debugger(surface: Surface, person: Person) -> None:
    surface.call("browser_click", selector="#add")
    person.open_panel("browser")
    person.click('button "Share tabs"')
    person.click(f'{SHARING} button "Stop sharing"')
    person.click(f'{SHARING} button "Close"')
    surface.wait_for(f"!{ATTACHED}")
