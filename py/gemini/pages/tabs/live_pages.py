"""The page of files that the user previews: it reloads when a file that it has requested changes."""

import asyncio
import contextlib
import os
from collections.abc import Collection
from typing import Protocol

from gemini.errors import PageProblem, TabMissing
from gemini.pages.tabs.browser import Browser
from gemini.pages.tabs.tab import Tab

Stamp = tuple[int, int, int] | None
"""The inode, modification time in nanoseconds and size of a file; None if it is missing."""


# A page can request endless names. Those after the first ones are no reason to reload it.
MOST_FILES = 1_000


class ServedSites(Protocol):
    """The sites that report which files they serve (sites.py)."""

    def root(self, tab: str) -> str | None:
        """Return the directory that a tab shows."""
        ...


class LivePages:
    """Follows the files of one tab's page.

    Args:
        browser: The tabs.
        sites: The sites that tabs show.
    """

    def __init__(self, browser: Browser, sites: ServedSites) -> None:
        self._browser = browser
        self._sites = sites
        self.tab: str | None = None
        """The tab that shows the last preview; None before the first one."""
        self.files: dict[str, Stamp] = {}
        """The files that its page has requested."""
        self._root: str | None = None
        self._reloading: asyncio.Task[None] | None = None

    async def show(self, path: str) -> Tab:
        """Preview a page in the tab that showed the last preview, or in a new one.

        Args:
            path: The path of an HTML or SVG file, or of a directory with an index.html.

        Raises:
            FileProblem: There is no such page.
            UsageProblem: Too many tabs are open.
        """
        self.files.clear()
        if self.tab in self._browser.tabs:
            return await self._browser.navigate(path, self.tab)
        # The first files are requested before the tab has loaded.
        self.tab = self._browser.next_id
        try:
            return await self._browser.open(path, live=True)
        finally:
            # Without the page, another one would get the id.
            if self.tab not in self._browser.tabs:
                self.tab = None

    def resume(self) -> None:
        """Follow the preview of an earlier kernel. It reloads, since its files are unknown and may have changed."""
        self.tab = next((tab.id for tab in self._browser.tabs.values() if tab.live), None)
        if self.tab is not None:
            self._reloading = asyncio.get_running_loop().create_task(self._reload())

    def on_served(self, file: str, roots: Collection[str]) -> None:
        """Note a file that a site has requested, whether it exists or not."""
        root = None if self.tab is None else self._sites.root(self.tab)
        if root is None or root not in roots:
            return
        if root != self._root:
            self._root = root
            self.files.clear()
        if file in self.files or len(self.files) < MOST_FILES:
            self.files[file] = _stamp(file)

    def refresh(self) -> None:
        """Reload the page if one of its files has changed since it was requested."""
        now = {file: _stamp(file) for file in self.files}
        if now == self.files or self._reloading is not None:
            return
        self.files = now
        self._reloading = asyncio.get_running_loop().create_task(self._reload())

    async def _reload(self) -> None:
        # The tab may be closed meanwhile, or show another page.
        try:
            with contextlib.suppress(TabMissing, PageProblem):
                if self.tab is not None and self._sites.root(self.tab) is not None:
                    await self._browser.refresh(self.tab)
        finally:
            self._reloading = None
        # A file that was saved during the reload.
        self.refresh()


def _stamp(file: str) -> Stamp:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size
