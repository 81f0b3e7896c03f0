"""Browsers that tests use in turn.

Starting Chromium and compiling the page's WebAssembly takes twice as long as opening the page in a browser that has
done it before, so an emptied browser is used again.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome
from urllib3.exceptions import HTTPError

from gemini_testing.browser import emulate, launch
from gemini_testing.snapshots import Snapshots

# The process of the page, the browser or the driver has crashed.
CRASHED = (WebDriverException, HTTPError)
# Few tests have more browsers open at the same time.
MAX_IDLE = 3
# Creating a snapshot takes as long as several starts from it save, so a run of one or two modules needs none.
OPENINGS_WITHOUT_SNAPSHOT = 2


@dataclass(frozen=True)
class _Kind:
    """The options that a running browser keeps until it ends."""

    webmcp: bool
    headed: bool
    third_party_storage: bool = True


class BrowserPool:
    """A pool of browsers.

    A browser that is taken has one empty tab, and nothing stored except its caches of HTTP and compiled code.

    Args:
        snapshots: The snapshots of Python that the browsers share.
    """

    def __init__(self, snapshots: Snapshots | None = None) -> None:
        self._kinds: dict[Chrome, _Kind] = {}
        self._idle: list[Chrome] = []
        self._snapshots = snapshots
        self._openings = 0

    def take(
        self,
        url: str | None = None,
        *,
        webmcp: bool = True,
        headed: bool = False,
        saves_data: bool = True,
        third_party_storage: bool = True,
        **emulated: Any,
    ) -> Chrome:
        """Return an empty browser that nobody else uses.

        Args:
            url: The page that it will open. The page starts from a shared snapshot of Python, if there is one.
            webmcp: Whether WebMCP is enabled.
            headed: Whether the window is visible.
            third_party_storage: False blocks what frames of other sites store.
            saves_data: False lets the page create its own snapshot, as in a user's browser.
            **emulated: Options of `emulate`.
        """
        kind = _Kind(webmcp, headed, third_party_storage)
        driver = next((each for each in self._idle if self._kinds[each] == kind), None)
        if driver is None:
            driver = launch(webmcp=webmcp, headed=headed, third_party_storage=third_party_storage)
            self._kinds[driver] = kind
        else:
            self._idle.remove(driver)
        if url is not None and saves_data and self._snapshots:
            self._openings += 1
            if not self._snapshots.give(driver, url) and self._openings > OPENINGS_WITHOUT_SNAPSHOT:
                self._snapshots.create(driver, url)
                _empty(driver)
                self._snapshots.give(driver, url)
        emulate(driver, saves_data=saves_data, **emulated)
        return driver

    def give_back(self, driver: Chrome) -> None:
        """Empty a browser for the next test. One that has crashed is ended."""
        try:
            if len(self._idle) < MAX_IDLE:
                _empty(driver)
                self._idle.append(driver)
                return
        except CRASHED:
            # The next test gets another one.
            pass
        self._end(driver)

    def replace(self, driver: Chrome) -> Chrome:
        """End a browser that doesn't respond, and return a new one of the same kind."""
        kind = self._kinds[driver]
        self._end(driver)
        new = launch(webmcp=kind.webmcp, headed=kind.headed, third_party_storage=kind.third_party_storage)
        self._kinds[new] = kind
        return new

    def end(self) -> None:
        """End all browsers."""
        for driver in list(self._kinds):
            self._end(driver)

    def _end(self, driver: Chrome) -> None:
        del self._kinds[driver]
        with contextlib.suppress(*CRASHED):
            driver.quit()


def _empty(driver: Chrome) -> None:
    old = driver.window_handles
    # What tests emulate and override belongs to the tab.
    driver.switch_to.new_window("tab")
    new = driver.current_window_handle
    for handle in old:
        driver.switch_to.window(handle)
        driver.close()
    driver.switch_to.window(new)
    # In a page without the focus, the first press only moves the focus there.
    driver.execute_cdp_cmd("Page.bringToFront", {})
    driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    driver.execute_cdp_cmd("Browser.resetPermissions", {})
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "default"})
    driver.get("about:blank")
    driver.get_log("browser")
