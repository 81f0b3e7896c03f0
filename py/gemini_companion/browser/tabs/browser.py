"""The companion's own Chromium for tabs, with its own profile; it starts when the first tab is opened."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gemini.errors import Unsupported
from gemini_companion.browser.chromium_process import debugged
from gemini_companion.browser.launch import flags
from gemini_companion.browser.tabs.debugger import Debugger, DebuggerProblem
from gemini_companion.browser.tabs.downloads import Downloads
from gemini_companion.errors import BrowserMissing
from gemini_companion.storage.private_files import private_folder, write_private
from gemini_testing.chromium import find_browser, missing_browser

Row = dict[str, Any]
SCRIPT = "gemini-driven.js"
# Pages can't read the browser's viewer of PDF files, so these are downloads.
PREFERENCES = {"plugins": {"always_open_pdf_externally": True}}
HIDDEN = ("--headless=new", "--disable-gpu", "--hide-scrollbars")
FLAGS = (
    # Containers' /dev/shm is often too small.
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Pages in the background must work as if a user were looking at them.
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
    # A page from this cache would have an earlier connection; and one flag can have one list only.
    "--disable-features=BackForwardCache,WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    "--window-size=1280,900",
)


class TabBrowser:
    """The browser.

    Args:
        dist: The built surface, with the page script.
        profile: The folder where it stores what pages store.
        visible: Whether it has a window, in which the user can use the tabs, too.

    Attributes:
        downloads: The downloads of tabs.
    """

    def __init__(self, dist: Path, profile: Path, *, visible: bool = False) -> None:
        self._script = dist / SCRIPT
        self._profile = profile
        self._visible = visible
        self.downloads = Downloads(profile / "downloads")
        self._running: contextlib.AsyncExitStack | None = None
        self._debugger: Debugger | None = None
        self._starting = asyncio.Lock()
        self._on_lost: set[Callable[[], None]] = set()
        self._on_opened: dict[str, Callable[[str, str], None]] = {}
        self._discarding: set[asyncio.Task[None]] = set()

    def on_lost(self, action: Callable[[], None]) -> Callable[[], None]:
        """Call `action` when the browser has ended on its own; return a function that stops this."""
        self._on_lost.add(action)
        return lambda: self._on_lost.discard(action)

    @property
    def script(self) -> str:
        """The text of the page script."""
        return self._script.read_text(encoding="utf-8")

    async def debugger(self) -> Debugger:
        """Return the connection to the browser, which is started if it doesn't run.

        Raises:
            BrowserMissing, Unsupported: It can't be started.
            FolderUnusable: The profile can't be written.
        """
        async with self._starting:
            if self._debugger is None:
                await self._start()
            assert self._debugger is not None
            return self._debugger

    async def create(self) -> tuple[Debugger, str]:
        """Create a tab; return the connection and the tab's target."""
        debugger = await self.debugger()
        created = await debugger.send("Target.createTarget", {"url": "about:blank"})
        return debugger, created["targetId"]

    def watch_windows(self, target: str, opened: Callable[[str, str], None]) -> None:
        """Close the windows that a tab's documents open.

        Args:
            target: The tab's target.
            opened: Called with a window's target and URL; the URL is empty until it is known.
        """
        self._on_opened[target] = opened

    async def discard(self, target: str) -> None:
        """Close a tab."""
        self._on_opened.pop(target, None)
        if self._debugger is not None:
            with contextlib.suppress(DebuggerProblem):
                await self._debugger.send("Target.closeTarget", {"targetId": target})

    async def aclose(self) -> None:
        """End the browser."""
        self._on_lost.clear()
        running, self._running, self._debugger = self._running, None, None
        if running is not None:
            await running.aclose()

    async def _start(self) -> None:
        if sys.platform == "win32":
            raise Unsupported(
                "Tabs in the companion's browser need Linux or macOS.", hint="Use the extension instead."
            )
        program = find_browser()
        if program is None:
            raise BrowserMissing(
                f"the companion has no browser for tabs, since {missing_browser()}",
                hint="Install Chrome or Chromium, or set the environment variable CHROME_BIN to its path.",
            )
        private_folder(self._profile)
        preferences = self._profile / "Default" / "Preferences"
        if not preferences.exists():
            write_private(preferences, json.dumps(PREFERENCES))
        if self._running is not None:
            await self._running.aclose()
        stack = contextlib.AsyncExitStack()
        shown = () if self._visible else HIDDEN
        try:
            browser = await stack.enter_async_context(
                debugged([str(program), *flags(self._profile), *shown, *FLAGS])
            )
        except OSError as error:
            raise BrowserMissing(f"{program} can't be started: {error}") from error
        debugger = Debugger(browser.commands, browser.answers)
        stack.callback(debugger.close)
        debugger.on_close(lambda: self._lost(debugger))
        debugger.listen(None, self._on_event)
        self._running, self._debugger = stack, debugger
        await debugger.send("Target.setDiscoverTargets", {"discover": True})
        await self.downloads.start(debugger)

    def _lost(self, debugger: Debugger) -> None:
        if self._debugger is debugger:
            self._debugger = None
            for action in list(self._on_lost):
                action()

    def _on_event(self, method: str, params: Row) -> None:
        self.downloads.on_event(method, params)
        info = params.get("targetInfo", {})
        if method not in {"Target.targetCreated", "Target.targetInfoChanged"} or info.get("type") != "page":
            return
        opened = self._on_opened.get(info.get("openerId", ""))
        if opened is None:
            return
        opened(info["targetId"], info["url"])
        if info["url"]:
            task = asyncio.create_task(self.discard(info["targetId"]))
            self._discarding.add(task)
            task.add_done_callback(self._discarding.discard)
