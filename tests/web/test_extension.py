"""The surface as a browser extension: its page, what its policy confines, and the companion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface, ToolCallFailed
from tests.attacks.outside import Outside, outside_on_loopback
from tests.companions import CONNECTED, companion_of
from tests.extension import PAGE, opened_extension
from tests.web.person import Background, Person

# What code in the kernel can reach: the names of the extension's APIs, and requests that bypass the network door.
POWERS = """
import js
from pyodide.ffi import JsException

def refused(act):
    try:
        act()
    except (AttributeError, JsException) as problem:
        return str(problem)
    return ""

def request():
    native = js.Object.getPrototypeOf(js.XMLHttpRequest).new()
    native.open("GET", "URL", False)
    native.send()

[hasattr(js, "chrome"), refused(request), refused(lambda: js.WebSocket.new("WS")), refused(lambda: js.eval("1"))]
"""


@pytest.fixture(scope="module")
def surface() -> Iterator[Surface]:
    with opened_extension() as surface:
        yield surface


@pytest.fixture
def outside() -> Iterator[Outside]:
    with outside_on_loopback() as outside:
        yield outside


def test_an_agent_uses_the_tools_and_code_has_no_power_of_the_extension(
    surface: Surface, outside: Outside
) -> None:
    ran = surface.call("terminal_execute", command="python -c 'print(6 * 7)' && ls")
    assert ran["exit_code"] == 0 and ran["output"].startswith("42\n")
    assert surface.javascript("return [crossOriginIsolated, typeof chrome.tabs.query]") == [True, "function"]
    has_apis, *refusals = surface.python(
        POWERS.replace("URL", outside.url).replace("WS", outside.url.replace("http", "ws"))
    )
    assert has_apis is False and all(refusals), refusals
    assert outside.seen() == (0, [])


def test_requests_wait_for_consent_and_then_come_from_no_origin(
    surface: Surface, person: Person, outside: Outside
) -> None:
    code = f"from urllib.request import urlopen\nurlopen('{outside.url}/a').read().decode()"
    call = Background(surface, "python_run", {"code": code})
    assert f"{outside.url}/a" in person.sees("#approval-question") and outside.requests == []
    person.click("#approval-once")
    assert call.result()["result"] == "hällo"
    assert outside.requests == ["GET /a"]


def test_files_are_not_shown_as_pages_which_would_have_its_power(surface: Surface) -> None:
    surface.call("file_write", path="/project/page.html", content="<h1>Page</h1>")
    with pytest.raises(ToolCallFailed, match="can't be shown as pages in the browser extension"):
        surface.call("browser_navigate", url="/project/page.html")


def test_it_connects_to_the_companion_by_the_address_that_is_entered(
    surface: Surface, person: Person, surface_dist: Path
) -> None:
    with companion_of(surface_dist) as companion:
        person.open_panel("settings")
        field = person.find("#settings-companion-address")
        field.send_keys("http://example.net/#companion=1", Keys.ENTER)
        person.sees("#settings-mcp-outcome", "control-surface url")
        field.clear()
        field.send_keys(companion.entrance.address(), Keys.ENTER)
        surface.wait_for(CONNECTED)
        surface.reload()
        surface.wait_for(CONNECTED)
        [page] = companion.pages.rows()
        assert page["url"] == PAGE
