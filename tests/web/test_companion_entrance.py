"""How the page comes to its companion, and what it keeps of that."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from gemini_companion.app import Companion
from gemini_companion.browsers import Browsers
from gemini_companion.one_time_codes import LaunchFile
from gemini_companion.server import Server, running
from gemini_testing import Surface
from gemini_testing.browser import launch
from tests.companions import CONNECTED, companion_of

ATTENDED = "from gemini.server.kernel import kernel\nkernel.registry.consent.attended"
# All that scripts of the page's origin find where pages keep things, and what they can do with the key.
KEPT = """
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
def surface(companion: Companion) -> Iterator[Surface]:
    """A browser that was never let in."""
    surface = Surface(launch(), companion.url)
    yield surface
    surface.driver.quit()


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


def test_the_file_opens_the_page_which_keeps_nothing_that_opens_it_again(
    companion: Companion, surface: Surface, tmp_path: Path
) -> None:
    file, code = opening_file(companion, tmp_path / "run")
    surface.driver.get(file.url)
    surface.wait_for(f"document.querySelector('#status-companion') && {CONNECTED}")
    assert not file.path.exists()
    kept = surface.javascript(KEPT)
    assert kept["extractable"] is False and kept["exported"] == ["rejected", "rejected"]
    assert code not in kept["text"] and companion.token not in kept["text"] and kept["globals"] == []
    assert surface.driver.current_url == companion.url

    # Loaded anew, and in another tab, it is connected with nothing that anybody does.
    go(surface, companion.url)
    surface.wait_for(CONNECTED)
    surface.driver.get("about:blank")
    surface.driver.get(f"{companion.url}#companion={code}&nobody=")
    surface.wait_until_ready()
    surface.wait_for(CONNECTED)
    assert surface.driver.current_url == f"{companion.url}#nobody="


def test_a_browser_that_was_not_let_in_is_told_what_to_do(companion: Companion, surface: Surface) -> None:
    go(surface, companion.url)
    surface.wait_for(LABEL, "No companion")
    surface.driver.execute_script("location.hash = 'companion=guessed'")
    surface.wait_for(LABEL, "Companion refused")
    assert "guessed" not in surface.driver.current_url
    # In the same tab.
    surface.driver.get(companion.entrance.address())
    surface.wait_for(CONNECTED)


@pytest.mark.parametrize("link", ["#nobody", "#nobody=", "#companion=x&nobody=", "#attended=false"])
def test_no_link_says_that_nobody_is_there(companion: Companion, surface: Surface, link: str) -> None:
    go(surface, companion.entrance.address())
    surface.wait_for(CONNECTED)
    go(surface, f"{companion.url}{link}")
    surface.wait_for(CONNECTED)
    assert surface.python(ATTENDED) is True


def test_a_page_that_the_companion_opened_for_itself_has_nobody_until_somebody_comes(
    companion: Companion, surface: Surface
) -> None:
    go(surface, companion.entrance.address(attended=False))
    surface.wait_for(CONNECTED)
    assert surface.python(ATTENDED) is False
    go(surface, companion.url)
    surface.wait_for(CONNECTED)
    assert surface.python(ATTENDED) is False
    go(surface, companion.entrance.address())
    surface.wait_for(CONNECTED)
    assert surface.python(ATTENDED) is True


def test_after_a_restart_of_the_companion_the_page_is_connected_again(
    surface_dist: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "browsers.json"
    server = Server(0)
    companion = Companion(surface_dist, server, browsers=Browsers(kept))
    surface = Surface(launch(), companion.entrance.address())
    try:
        with running(server, companion.app(), **companion.other_apps()):
            surface.load()
            surface.wait_for(CONNECTED)
        surface.wait_for(LABEL, "Companion offline")
        server = Server(server.main.number)
        companion = Companion(surface_dist, server, browsers=Browsers(kept))
        with running(server, companion.app(), **companion.other_apps()):
            surface.wait_for(CONNECTED)
            Browsers(kept).forget()
            surface.driver.execute_script("document.dispatchEvent(new Event('freeze'))")
            surface.wait_for(LABEL, "Companion refused")
    finally:
        surface.driver.quit()
