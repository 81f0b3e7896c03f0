"""Browsers that tests use in turn.

Starting Chromium and compiling the page's WebAssembly takes twice as long as opening the page in a browser that has
done it before, so an emptied browser is used again. It keeps the page's snapshot of Python, as a user's browser does
(web/kernel/snapshot.js): a start from it takes two thirds of the processor's time.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome
from urllib3.exceptions import HTTPError

from gemini_testing.browser import emulate, launch

# The process of the page, the browser or the driver has crashed.
CRASHED = (WebDriverException, HTTPError)
# Few tests have more browsers open at the same time.
MAX_IDLE = 3
# Creating a snapshot takes as long as four starts from it save.
OPENINGS_WITHOUT_SNAPSHOT = 2
KERNEL_URL = "return document.querySelector('.kernel-frame')?.src"
# Both run in a document of the kernel's origin, whose storage is emptied between them.
READ_SNAPSHOT = """
const done = arguments[0];
(async () => {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("python-snapshot");
  for await (const [name, file] of folder) {
    // A start that hasn't ended, or a snapshot that isn't complete, has a suffix.
    if (/[.](in-use|unfinished)$/.test(name)) continue;
    globalThis.snapshot = [name, await (await file.getFile()).arrayBuffer()];
  }
})().then(() => done("snapshot" in globalThis), () => done(false));
"""
WRITE_SNAPSHOT = """
const done = arguments[0];
(async () => {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle("python-snapshot", { create: true });
  const [name, bytes] = globalThis.snapshot;
  const writer = await (await folder.getFileHandle(name, { create: true })).createWritable();
  await writer.write(bytes);
  await writer.close();
})().then(() => done(true));
"""


@dataclass(frozen=True)
class _Kind:
    """The options that a running browser keeps until it ends."""

    webmcp: bool
    headed: bool


class BrowserPool:
    """A pool of browsers.

    A browser that is taken has one empty tab, and nothing stored except its caches of HTTP and compiled code and, after
    some openings, the snapshot of Python.
    """

    def __init__(self) -> None:
        self._kinds: dict[Chrome, _Kind] = {}
        self._idle: list[Chrome] = []
        self._openings: dict[Chrome, int] = {}
        # The address of the kernel whose snapshot a browser keeps.
        self._snapshots: dict[Chrome, str] = {}

    def take(
        self,
        *,
        webmcp: bool = True,
        headed: bool = False,
        saves_data: bool = True,
        reopened: bool = False,
        **emulated: Any,
    ) -> Chrome:
        """Return an empty browser that nobody else uses.

        Args:
            webmcp: Whether WebMCP is enabled.
            headed: Whether the window is visible.
            saves_data: False removes the snapshot, and lets the page create one, as in a user's browser. By default
                only a page that the browser opens after several others creates one.
            reopened: Whether later tests open the same page, so that its snapshot is of use.
            **emulated: Options of `emulate`.
        """
        kind = _Kind(webmcp, headed)
        driver = next((each for each in self._idle if self._kinds[each] == kind), None)
        if driver is None:
            driver = launch(webmcp=webmcp, headed=headed)
            self._kinds[driver] = kind
        else:
            self._idle.remove(driver)
        if not saves_data and self._snapshots.pop(driver, None):
            _empty(driver)
        opened = self._openings[driver] = self._openings.get(driver, 0) + 1
        creates = reopened and driver not in self._snapshots and opened > OPENINGS_WITHOUT_SNAPSHOT
        emulate(driver, saves_data=saves_data and not creates, **emulated)
        return driver

    def give_back(self, driver: Chrome) -> None:
        """Empty a browser for the next test. One that has crashed is ended."""
        try:
            if len(self._idle) < MAX_IDLE:
                kernel = self._snapshots.pop(driver, None) or _kernel_url(driver)
                if _empty(driver, kernel) and kernel:
                    self._snapshots[driver] = kernel
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
        new = launch(webmcp=kind.webmcp, headed=kind.headed)
        self._kinds[new] = kind
        return new

    def end(self) -> None:
        """End all browsers."""
        for driver in list(self._kinds):
            self._end(driver)

    def _end(self, driver: Chrome) -> None:
        del self._kinds[driver]
        self._snapshots.pop(driver, None)
        self._openings.pop(driver, None)
        with contextlib.suppress(*CRASHED):
            driver.quit()


def _kernel_url(driver: Chrome) -> str | None:
    """Return the address of the kernel's document in the current tab, or None."""
    driver.switch_to.default_content()
    return driver.execute_script(KERNEL_URL)


def _empty(driver: Chrome, kernel_url: str | None = None) -> bool:
    """Empty a browser; return whether it keeps the snapshot of the kernel at `kernel_url`."""
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
    keeps = False
    if kernel_url:
        driver.get(urljoin(kernel_url, "/robots.txt"))
        keeps = driver.execute_async_script(READ_SNAPSHOT)
    driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    if keeps:
        driver.execute_async_script(WRITE_SNAPSHOT)
    driver.execute_cdp_cmd("Browser.resetPermissions", {})
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "default"})
    driver.get("about:blank")
    driver.get_log("browser")
    return keeps
