"""A tab's process and agents try to reach outside of the tab by the browser's debugger."""

from __future__ import annotations

import functools
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from builder.npm import find_node
from gemini_testing import Surface, ToolCallFailed
from gemini_testing.html_page import serving_html
from tests.extension import Web, opened_extension, with_sites
from tests.web.person import Background, Person
from tests.web.test_extension_trusted import switch

COMMANDS = Path(__file__).parents[2] / "web/extension/trusted/commands.js"
ASK = """
const { commandOf } = await import(process.argv[1]);
const asked = JSON.parse(process.argv[2]);
console.log(JSON.stringify(asked.map(([kind, event]) => commandOf(kind, event))));
"""
ALT, CONTROL, META, SHIFT = 1, 2, 4, 8
KEY: dict[str, Any] = {
    "type": "rawKeyDown",
    "key": "a",
    "code": "KeyA",
    "windowsVirtualKeyCode": 65,
    "modifiers": 0,
}
PRESS: dict[str, Any] = {
    "type": "mousePressed",
    "x": 1,
    "y": 2,
    "button": "left",
    "buttons": 1,
    "clickCount": 1,
}


def key(**changes: Any) -> tuple[str, dict[str, Any]]:
    return "dispatchKeyEvent", KEY | changes


def press(**changes: Any) -> tuple[str, dict[str, Any]]:
    return "dispatchMouseEvent", PRESS | changes


REFUSED: dict[str, tuple[Any, Any]] = {
    "another method of input": ("dispatchDragEvent", PRESS),
    "another domain": ("Page.navigate", {"url": "chrome://settings"}),
    "a domain in the kind": ("dispatchKeyEvent.Browser.close", KEY),
    "a name of the prototype": ("constructor", KEY),
    "the prototype": ("__proto__", KEY),
    "a list as kind": (["dispatchKeyEvent"], KEY),
    "no event": ("dispatchKeyEvent", None),
    "copy": key(code="KeyC", windowsVirtualKeyCode=67, modifiers=CONTROL),
    "paste by code": key(code="KeyV", windowsVirtualKeyCode=0, modifiers=CONTROL),
    "paste by number": key(code="KeyA", windowsVirtualKeyCode=86, modifiers=CONTROL),
    "paste on macOS": key(code="KeyV", windowsVirtualKeyCode=86, modifiers=META),
    "paste with more modifiers": key(code="KeyV", windowsVirtualKeyCode=86, modifiers=CONTROL | SHIFT | ALT),
    "modifiers beyond 32 bits": key(code="KeyX", windowsVirtualKeyCode=88, modifiers=2**32 + CONTROL),
    "the key Insert": key(code="Insert", windowsVirtualKeyCode=45, modifiers=SHIFT),
    "Insert of the number pad": key(code="Numpad0", windowsVirtualKeyCode=96, modifiers=SHIFT),
    "cut by Delete": key(code="Delete", windowsVirtualKeyCode=46, modifiers=SHIFT),
    "the keys Copy and Paste": key(key="Paste", code="Paste", windowsVirtualKeyCode=0),
    "the key Cut by name": key(key="Cut", code="", windowsVirtualKeyCode=0),
    "a command of the editor": key(commands=["paste"]),
    "a command behind another": key(commands=["selectAll", "copy"]),
    "commands in a text": key(commands="paste"),
    "commands in an object": key(commands={"0": "paste", "length": 1}),
    "the middle button": press(button="middle"),
    "the right button": press(button="right"),
    "the side buttons": press(button="back"),
    "a button that is none": press(button="Middle"),
    "other buttons that are held": press(buttons=4),
    "the wheel": press(type="mouseWheel"),
    "a type that is none": key(type="paste"),
    "a number as text": press(x="1"),
    "a place that is none": press(x=None),
    "text in a list": ("insertText", {"text": ["x"]}),
}
PASSED: dict[str, tuple[Any, Any]] = {
    "a press": press(),
    "a move": ("dispatchMouseEvent", {"type": "mouseMoved", "x": 1, "y": 2, "button": "none", "buttons": 0}),
    "a release outside": press(type="mouseReleased", x=-1, y=-1, clickCount=0),
    "a key": key(),
    "a key with a text": key(type="keyDown", text="a"),
    "the end of a key": key(type="keyUp"),
    "select all": key(modifiers=CONTROL, commands=["selectAll"]),
    "the letter C": key(key="c", code="KeyC", windowsVirtualKeyCode=67),
    "Delete": key(key="Delete", code="Delete", windowsVirtualKeyCode=46),
    "a text": ("insertText", {"text": "Ada"}),
}


@functools.cache
def answers() -> dict[str, Any]:
    """Return what each request becomes, by its name."""
    asked = REFUSED | PASSED
    command = [
        find_node().node,
        "--input-type=module",
        "-e",
        ASK,
        COMMANDS.as_uri(),
        json.dumps([*asked.values()]),
    ]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return dict(zip(asked, json.loads(printed), strict=True))


@pytest.mark.parametrize("name", REFUSED)
def test_input_that_could_leave_the_tab_is_refused(name: str) -> None:
    assert answers()[name] is None


@pytest.mark.parametrize("name", PASSED)
def test_input_for_the_tab_passes_with_its_own_fields_only(name: str) -> None:
    kind, event = PASSED[name]
    assert answers()[name] == {"method": f"Input.{kind}", "params": event}


FORM = """<!doctype html><title>Form</title><style>body { margin: 0 }</style>
<button id="add" style="position: fixed; left: 100px; top: 100px; width: 80px; height: 40px">Add</button>
<input id="name" style="margin: 10px"> <input id="password" type="password">
<label>File <input id="file" type="file"></label>
<input id="pick" type="button" value="Pick" onclick="file.showPicker()">
<script>
  const seen = globalThis.seen = { clicks: 0, keys: [] };
  add.onclick = () => { seen.clicks += 1; };
  addEventListener("keydown", ({ key, isTrusted }) => { if (isTrusted) seen.keys.push(key); }, true);
</script>"""


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
    """Return what the browser has open: its tabs' addresses, by window."""
    found = "(await chrome.tabs.query({})).map(({ windowId, url }) => `${windowId} ${url}`).sort()"
    return surface.javascript(f"return {found}")


CHORDS = (
    "Control+t",
    "Control+n",
    "Control+w",
    "Control+F4",
    "Control+Shift+n",
    "F12",
    "Control+Shift+i",
    "F11",
)
CHORDS += (
    "Control+l",
    "Alt+d",
    "F6",
    "Control+p",
    "Control+s",
    "Control+o",
    "Control+h",
    "Control+j",
    "Alt+F4",
    "F5",
)


@pytest.mark.extended
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


@pytest.mark.extended
@pytest.mark.parametrize(("x", "y"), [(-5, -5), (140, -40), (99_999, 120), (140, 99_999)])
def test_a_place_outside_of_the_tab_is_refused(web: Web, x: int, y: int) -> None:
    web.go("a", "form.html")
    with pytest.raises(ToolCallFailed):
        web.surface.call("browser_click", x=x, y=y)
    web.surface.call("browser_click", x=140, y=120)
    assert web.in_page("a", "form.html", "seen.clicks") == 1


@pytest.mark.extended
def test_the_user_s_own_tab_gets_no_input(web: Web) -> None:
    """Neither in front, nor by a name, nor by what an agent's tab does."""
    own = web.own_tab("a", "own.html")
    web.go("a", "form.html")
    with web.looking_at(own):
        web.surface.driver.execute_script("document.querySelector('#name').focus()")
    for tab in ("own", "page-2", "1", "t99"):
        with pytest.raises(ToolCallFailed):
            web.surface.call("browser_click", tab=tab, selector="#add")
    web.surface.call("browser_click", selector="#add")
    web.surface.call("browser_type", selector="#name", text="Ada")
    assert web.in_page("a", "form.html", "[seen.clicks, document.querySelector('#name').value]") == [1, "Ada"]
    assert web.in_page(
        "a", "own.html", "[seen.clicks, seen.keys, document.querySelector('#name').value]"
    ) == [0, [], ""]


@pytest.mark.extended
def test_no_input_after_the_user_has_taken_the_tab_back(web: Web) -> None:
    own = web.own_tab("a", "own.html")
    tab = web.share()
    web.surface.call("browser_click", tab=tab, selector="#add")
    assert web.in_page("a", "own.html", "seen.clicks") == 1
    with web.looking_at(own):
        web.press_stop()
    web.why(tab, "the person has taken it back")
    with pytest.raises(ToolCallFailed):
        web.surface.call("browser_click", tab=tab, selector="#add")
    assert web.in_page("a", "own.html", "seen.clicks") == 1


@pytest.mark.extended
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


@pytest.mark.extended
def test_a_chooser_of_files_of_the_system_stays_closed(web: Web) -> None:
    web.go("a", "form.html")
    before = windows(web.surface)
    for selector in ("#pick", "#file"):
        web.surface.call("browser_click", selector=selector)
    web.surface.call("browser_click", selector="#add")
    assert web.in_page("a", "form.html", "[seen.clicks, document.querySelector('#file').files.length]") == [
        1,
        0,
    ]
    assert windows(web.surface) == before


BROWSERS = (
    "chrome://settings",
    "devtools://x",
    "file:///etc/passwd",
    "view-source:http://a",
    "about:settings",
)


@pytest.mark.extended
@pytest.mark.parametrize("url", BROWSERS)
def test_no_page_of_the_browser_is_opened_for_input(web: Web, url: str) -> None:
    with pytest.raises(ToolCallFailed):
        web.surface.call("browser_navigate", url=url)
    assert web.go("a", "form.html")
