"""The settings change the companion's port: the page follows with its files and stored data."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.support.ui import WebDriverWait

from gemini_companion.admission import control
from gemini_companion.errors import NotRunning
from gemini_companion.host.policy import HostPolicy
from gemini_companion.serving.serve import Options, serve_until
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from gemini_testing.surface import WAIT_TIMEOUT_S
from tests.companions import CONNECTED, server_to_reopen
from tests.web.person import Person, erase

pytestmark = pytest.mark.fortnightly

IS_READY = "return document.documentElement?.dataset.kernel === 'ready'"


def free_port() -> int:
    server = server_to_reopen()
    server.close()
    return server.main.number


def address_at(port: int) -> str:
    while True:
        with suppress(NotRunning):
            return control.new_address(port)


@contextmanager
def serving_on(dist: Path, port: int) -> Generator[None]:
    """Run `control-surface serve` without its window on a thread."""
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    work = serve_until(stop, Options(dist, HostPolicy()), port, opens=False)
    thread = threading.Thread(target=loop.run_until_complete, args=(work,))
    thread.start()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


def arrives(surface: Surface, port: int) -> None:
    """Wait until the page is at a port and connected. A waiting script would end with the page before it."""
    address = f"http://127.0.0.1:{port}/"
    waits = WebDriverWait(surface.driver, WAIT_TIMEOUT_S, ignored_exceptions=[WebDriverException])
    waits.until(lambda driver: driver.current_url.startswith(address) and driver.execute_script(IS_READY))
    surface.wait_for(CONNECTED)


def test_the_page_follows_to_another_port(
    surface_dist: Path, browsers: BrowserPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))
    old, new = free_port(), free_port()
    with serving_on(surface_dist, old):
        surface = Surface(browsers.take(f"http://127.0.0.1:{old}/"), address_at(old))
        try:
            surface.load()
            surface.wait_for(CONNECTED)
            surface.call("file_write", path="/project/retained.txt", content="retained")
            surface.javascript("localStorage.setItem('gemini:probe', '1')")
            person = Person(surface)
            person.open_panel("settings")
            person.click("[data-does='Change the port']")
            field = person.find('form "Change the port" spinbutton "Port"')
            # A port that is taken is refused, with the reason; the page stays.
            erase(field)
            person.type(str(old + 100))
            person.click('form "Change the port" button "Change"')
            person.sees("[data-of=port].bad", "one of this companion's own")
            erase(field)
            person.type(str(new))
            person.click('form "Change the port" button "Change"')

            arrives(surface, new)
            assert surface.call("file_read", path="/project/retained.txt")["content"] == "retained"
            assert surface.javascript("return localStorage.getItem('gemini:probe')") == "1"
            assert "companion=" not in surface.javascript("return location.href")
            person.open_panel("settings")
            person.sees('region "MCP clients"', f"Port {old} leads here")

            # The old address, from a bookmark.
            surface.driver.get(f"http://127.0.0.1:{old}/")
            arrives(surface, new)
        finally:
            browsers.give_back(surface.driver)
