"""The surface as a browser extension: its page, what its policy confines, and the companion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_companion.serving.app import Companion
from gemini_testing import Surface, ToolCallFailed
from tests.attacks.listener import fenced_listener
from tests.attacks.outside import Outside, outside_on_loopback
from tests.companions import CONNECTED, companion_of
from tests.extension import PAGE, opened_extension
from tests.providers import HttpError, Provider, call, running_provider
from tests.web.console import empty_console
from tests.web.person import Background, Person
from tests.web.site import Site, write_site
from tests.web.test_policy import CHARTS, in_chart, show_chart
from tests.web.test_servers import Servers

pytestmark = pytest.mark.fortnightly

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
from gemini.models.providers.choice import choice_of
from gemini.kernel.kernel import kernel
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
    refused = surface.call("terminal_execute", command="node -e 1")
    assert refused["exit_code"] == 1 and "can't run in the browser extension" in refused["output"]


def test_requests_wait_for_consent_and_then_come_from_no_origin(
    surface: Surface, person: Person, outside: Outside
) -> None:
    code = f"from urllib.request import urlopen\nurlopen('{outside.url}/a').read().decode()"
    call = Background(surface, "python_run", {"code": code})
    assert f"{outside.url}/a" in person.asked() and outside.requests == []
    person.click('button "Allow once"')
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


def test_files_are_no_pages_of_its_own_origin_which_has_power(surface: Surface, person: Person) -> None:
    surface.call("file_write", path="/project/page.html", content="<h1>Page</h1>")
    with pytest.raises(ToolCallFailed, match="has no origin for files and servers as pages"):
        surface.call("browser_navigate", url="/project/page.html")
    person.click('contentinfo "Status" .warning')
    person.sees('region "Missing features"', "Files and servers as pages")
    # It is over the rail.
    person.press(Keys.ESCAPE)
    person.no_longer_sees('region "Missing features"')


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provider]:
    """A provider of models that companions know as `wire`."""
    folder = tmp_path_factory.mktemp("configuration")
    with running_provider() as provider, pytest.MonkeyPatch.context() as patch:
        provider.configure(folder)
        patch.setenv("XDG_CONFIG_HOME", str(folder))
        yield provider


@pytest.fixture(scope="module")
def companion(surface: Surface, surface_dist: Path, provider: Provider) -> Iterator[Companion]:
    """A companion whose address a user has entered in the settings."""
    with companion_of(surface_dist) as companion:
        person = Person(surface)
        person.open_panel("settings")
        field = person.find('region "MCP clients" textbox "Address of the companion"')
        field.send_keys("http://example.net/#companion=1", Keys.ENTER)
        person.sees('region "MCP clients" [role=status]', "that the command url prints")
        field.clear()
        field.send_keys(companion.entrance.address(), Keys.ENTER)
        surface.wait_for(CONNECTED)
        yield companion


@pytest.mark.extended
def test_it_connects_again_to_the_companion_whose_address_was_entered(
    companion: Companion, surface: Surface
) -> None:
    surface.reload()
    surface.wait_for(CONNECTED)
    [page] = companion.pages.rows()
    assert page["url"] == PAGE


@pytest.mark.extended
@pytest.mark.usefixtures("companion")
def test_an_agent_uses_the_companions_models(surface: Surface, person: Person, provider: Provider) -> None:
    provider.replies = [HttpError(429, "later"), call("done", result="aye")]
    run = Background(surface, "python_run", {"code": RUN})
    assert "wire" in person.asked("small")
    person.click('button "Allow once"')
    assert run.result()["result"] == "aye"
    assert len(provider.requests) == 2


@pytest.mark.extended
@pytest.mark.usefixtures("companion")
def test_files_and_servers_are_pages_of_the_companions_origins(surface: Surface) -> None:
    write_site(surface)
    site, servers = Site(surface), Servers(surface)
    opened = site.open("/project/site/index.html")
    assert opened["title"] == "Grüße" and ".localhost:" in opened["url"]
    assert site.says("said.textContent") == "Hello Zoë"
    assert "Site" in surface.call("browser_snapshot")
    assert site.run("return [globalThis.chrome?.storage ?? null, origin.includes('localhost')]") == [
        None,
        True,
    ]
    assert site.run("try { return top.document.title } catch ({ name }) { return name }") == "SecurityError"
    servers.start("python -m http.server 8000", "Serving HTTP on 0.0.0.0 port 8000", "/project/site")
    assert site.open("http://localhost:8000/")["title"] == "Grüße"
    assert site.says("said.textContent") == "Hello Zoë"
    servers.close()


@pytest.mark.extended
@pytest.mark.parametrize("media_type", CHARTS)
def test_charts_are_drawn_in_a_page_that_reaches_nothing(
    surface: Surface, person: Person, media_type: str
) -> None:
    with empty_console(person):
        show_chart(person, media_type, CHARTS[media_type])
        surface.wait_for("document.querySelector('.chart')?.dataset.height")
        assert in_chart(
            surface, "return [document.querySelectorAll('svg path').length > 3, self.origin]"
        ) == [
            True,
            "null",
        ]
        with fenced_listener() as listener:
            # The extension's other sandboxed page may fetch.
            attempts = "fetch(`${url}/fetch`).catch(() => 0); location = `${url}/away`"
            in_chart(surface, f"const url = {listener.url!r}; setTimeout(() => {{ {attempts} }})")
            frame = "document.querySelector('.chart iframe').contentDocument.querySelector('iframe')"
            surface.wait_for(f"{frame}.contentWindow.length === 0")
            # Chromium connects before it asks the policy where a frame may go; nothing is sent.
            assert set(listener.seen) <= {"connection"}
