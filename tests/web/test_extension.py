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
from tests.providers import HttpError, Provider, call, running_provider
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

def request(path):
    native = js.Object.getPrototypeOf(js.XMLHttpRequest).new()
    native.open("GET", "URL" + path, False)
    native.send()

[
    hasattr(js, "chrome"),
    *(refused(lambda path=path: request(path)) for path in ("", "/entrance/open", "/models/small")),
    refused(lambda: js.WebSocket.new("WS/page")),
    refused(lambda: js.eval("1")),
]
"""


RUN = """
import gemini
from gemini.models.choice import choice_of
from gemini.server.kernel import kernel
kernel.models.choose(kernel.models.add(choice_of("wire", "small")))
(await gemini.agents.run("Say aye", tools=["files"])).result
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


@pytest.mark.extended
def test_python_does_not_start_without_the_service_worker_that_confines_it(surface: Surface) -> None:
    def bypass(on: bool) -> None:
        surface.driver.execute_cdp_cmd("Network.enable", {})
        surface.driver.execute_cdp_cmd("Network.setBypassServiceWorker", {"bypass": on})
        surface.driver.refresh()

    bypass(True)
    surface.wait_for('document.body.innerText.includes("Python isn\'t confined")')
    bypass(False)
    surface.wait_until_ready()


def test_files_are_not_shown_as_pages_which_would_have_its_power(surface: Surface) -> None:
    surface.call("file_write", path="/project/page.html", content="<h1>Page</h1>")
    with pytest.raises(ToolCallFailed, match="can't be shown as pages in the browser extension"):
        surface.call("browser_navigate", url="/project/page.html")


@pytest.fixture
def provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """A provider of models that companions know as `wire`."""
    with running_provider() as provider:
        file = tmp_path / "control-surface" / "providers.toml"
        file.parent.mkdir()
        file.write_text(f'[providers.wire]\nbase_url = "{provider.base_url("openai")}"\nkey = "none"\n')
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        yield provider


def test_it_uses_the_companion_whose_address_is_entered_and_its_models(
    surface: Surface, person: Person, surface_dist: Path, provider: Provider
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
        provider.replies = [HttpError(429, "later"), call("done", result="aye")]
        run = Background(surface, "python_run", {"code": RUN})
        assert "wire" in person.sees("#approval-question", "small")
        person.click("#approval-once")
        assert run.result()["result"] == "aye"
        assert len(provider.requests) == 2
