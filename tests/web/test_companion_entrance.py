"""The connection between the page and its companion, and the page's storage."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_companion.admission.known_browsers import Browsers
from gemini_companion.admission.one_time_codes import LaunchFile
from gemini_companion.serving.app import Companion
from gemini_companion.serving.server import Server, running
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import CONNECTED, companion_of, server_on_used_ports
from tests.web.axe import violations
from tests.web.person import Person

pytestmark = pytest.mark.fortnightly

ATTENDED = "from gemini.kernel.kernel import kernel\nkernel.registry.consent.attended"
# What scripts of the page's origin find in its storage, and what they can do with the key.
STORED = """
const open = indexedDB.open("control-surface");
await new Promise((resolve) => (open.onsuccess = resolve));
const asked = open.result.transaction("keys").objectStore("keys").get("companion");
await new Promise((resolve) => (asked.onsuccess = resolve));
const { privateKey } = asked.result;
const attempts = ["pkcs8", "jwk"].map((format) => crypto.subtle.exportKey(format, privateKey));
const exported = await Promise.allSettled(attempts);
return {
  extractable: privateKey.extractable,
  exported: exported.map(({ status }) => status),
  text: JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.cookie, history.state]),
  globals: Object.keys(window).filter((name) => /token|companion|entrance/i.test(name)),
};
"""
LABEL = "document.querySelector('#status-companion').innerText === arguments[0]"


@pytest.fixture(scope="module")
def companion(surface_dist: Path) -> Iterator[Companion]:
    with companion_of(surface_dist) as companion:
        yield companion


@pytest.fixture
def surface(companion: Companion, browsers: BrowserPool) -> Iterator[Surface]:
    """A browser that has never connected."""
    surface = Surface(browsers.take(companion.url), companion.url)
    yield surface
    browsers.give_back(surface.driver)


def go(surface: Surface, url: str) -> None:
    surface.driver.get("about:blank")
    surface.driver.get(url)
    surface.wait_until_ready()


def opening_file(companion: Companion, folder: Path) -> tuple[LaunchFile, str]:
    async def make() -> tuple[LaunchFile, str]:
        file = LaunchFile(folder)
        address = companion.entrance.address(file=file)
        file.write_redirect(address)
        return file, address.partition("#companion=")[2]

    return asyncio.run(make())


def test_the_launch_file_opens_the_page_which_stores_no_secret(
    companion: Companion, surface: Surface, tmp_path: Path
) -> None:
    file, code = opening_file(companion, tmp_path / "run")
    surface.driver.get(file.url)
    surface.wait_for(f"document.querySelector('#status-companion') && {CONNECTED}")
    assert not file.path.exists()
    stored = surface.javascript(STORED)
    assert stored["extractable"] is False and stored["exported"] == ["rejected", "rejected"]
    assert code not in stored["text"] and companion.token not in stored["text"] and stored["globals"] == []
    assert surface.driver.current_url == companion.url

    # After a reload and in another tab, it connects automatically.
    go(surface, companion.url)
    surface.wait_for(CONNECTED)
    surface.driver.get("about:blank")
    surface.driver.get(f"{companion.url}#companion={code}&nobody=")
    surface.wait_until_ready()
    surface.wait_for(CONNECTED)
    assert surface.driver.current_url == f"{companion.url}#nobody="


@pytest.mark.extended
def test_a_browser_without_access_says_what_to_do(companion: Companion, surface: Surface) -> None:
    go(surface, companion.url)
    surface.wait_for(LABEL, "Not connected")
    surface.driver.execute_script("location.hash = 'companion=guessed'")
    surface.wait_for(LABEL, "Companion refused")
    assert "guessed" not in surface.driver.current_url
    # In the same tab.
    surface.driver.get(companion.entrance.address())
    surface.wait_for(CONNECTED)


def test_a_browser_is_connected_by_the_code_of_the_terminal(companion: Companion, surface: Surface) -> None:
    printed: list[str] = []
    companion.pairings.announce = printed.append
    person = Person(surface)
    go(surface, companion.url)
    surface.wait_for(LABEL, "Not connected")
    person.sees('region "Connection to the companion"', "isn’t connected to the companion")
    assert violations(surface, 'region "Connection to the companion"') == []
    # No script presses it.
    person.by_script('button "Connect this browser"')
    assert printed == []
    person.click('button "Connect this browser"')
    person.sees('textbox "Type the code that the companion’s terminal shows now:"')
    assert violations(surface, 'region "Connection to the companion"') == []
    person.type(f"{printed[0].rpartition(': ')[2]}{Keys.ENTER}")
    surface.wait_for(CONNECTED)
    person.no_longer_sees('region "Connection to the companion"')


def test_a_browser_is_connected_by_a_press_in_one_that_is(
    companion: Companion, surface: Surface, browsers: BrowserPool
) -> None:
    companion.pairings.announce = None
    go(surface, companion.entrance.address())
    surface.wait_for(CONNECTED)
    other = Surface(browsers.take(companion.url), companion.url)
    try:
        go(other, companion.url)
        here, there = Person(surface), Person(other)
        there.click('button "Connect this browser"')
        number = there.sees("#pairing-number")
        assert number in here.asked("Connect this browser")
        assert "Chrome on Linux" in here.asked()
        here.click('button "Connect it"')
        other.wait_for(CONNECTED)
    finally:
        browsers.give_back(other.driver)


@pytest.mark.extended
def test_no_link_makes_the_page_unattended(companion: Companion, surface: Surface) -> None:
    go(surface, companion.entrance.address())
    surface.wait_for(CONNECTED)
    for link in ("#nobody", "#nobody=", "#companion=x&nobody=", "#attended=false"):
        go(surface, f"{companion.url}{link}")
        surface.wait_for(CONNECTED)
        assert surface.python(ATTENDED) is True, link


@pytest.mark.extended
def test_a_headless_page_is_unattended_until_a_user_enters(companion: Companion, surface: Surface) -> None:
    go(surface, companion.entrance.address(attended=False))
    surface.wait_for(CONNECTED)
    assert surface.python(ATTENDED) is False
    go(surface, companion.url)
    surface.wait_for(CONNECTED)
    assert surface.python(ATTENDED) is False
    go(surface, companion.entrance.address())
    surface.wait_for(CONNECTED)
    assert surface.python(ATTENDED) is True


@pytest.mark.extended
def test_the_page_reconnects_after_a_restart_of_the_companion(
    surface_dist: Path, tmp_path: Path, browsers: BrowserPool
) -> None:
    file = tmp_path / "browsers.json"
    server = server_on_used_ports()
    companion = Companion(surface_dist, server, browsers=Browsers(file))
    surface = Surface(browsers.take(), companion.entrance.address())
    try:
        with running(server, companion.app(), **companion.other_apps()):
            surface.load()
            surface.wait_for(CONNECTED)
        surface.wait_for(LABEL, "Companion offline")
        server = Server(server.main.number)
        companion = Companion(surface_dist, server, browsers=Browsers(file))
        with running(server, companion.app(), **companion.other_apps()):
            surface.wait_for(CONNECTED)
            Browsers(file).forget()
            surface.driver.execute_script("document.dispatchEvent(new Event('freeze'))")
            surface.wait_for(LABEL, "Companion refused")
    finally:
        browsers.give_back(surface.driver)
