"""The tabs of the surface: open, close, navigate, and read them."""

import asyncio
import base64
from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol
from urllib.parse import quote

from gemini.core.events import EventLog
from gemini.core.protocol import Params
from gemini.dom import addresses
from gemini.dom.addresses import Address
from gemini.dom.documents import Document, Documents
from gemini.dom.events import TabChanged, TabClosed
from gemini.dom.results import TabRow
from gemini.dom.sites import Location
from gemini.dom.tab import PAGE, Row, Tab
from gemini.errors import NoPage, PageProblem, Refused, TabMissing, UsageProblem

MAX_TABS = 20
# Of the screenshots in an agent's run.
SCREENSHOT_WIDTH = 640
SCREENSHOT_TIMEOUT_S = 3.0


class FileSites(Protocol):
    """The directories that tabs show as websites (sites.py)."""

    def find(self, path: str) -> Location:
        """Return the location of a file, or of a directory's index.html.

        Raises:
            FileProblem: There is no such page.
        """
        ...

    def open(self, tab: str, root: str) -> None:
        """Serve a directory while the tab shows it."""
        ...

    def close(self, tab: str) -> None:
        """Stop serving the directory that a tab shows."""
        ...

    def root_containing(self, path: str, tab: str, roots: Iterable[str]) -> str | None:
        """Return the root that contains a path: the tab's, else the innermost."""
        ...


class Browser:
    """The tabs by id. `page` is the surface's own document and always exists.

    Args:
        events: Receives an event when a tab is opened, changed or closed.
        resolve: Returns the absolute form of a caller's path.
        sites: Serves files as pages.
        listens: Returns whether a server in the page listens at a port.
    """

    def __init__(
        self,
        events: EventLog,
        resolve: Callable[[str], str],
        sites: FileSites,
        listens: Callable[[int], bool] = lambda port: False,
    ) -> None:
        self._events = events
        self._resolve = resolve
        self._sites = sites
        self._documents: Documents | None = None
        self.origin = ""
        """The origin of the page, such as `http://127.0.0.1:8765`; empty until a page connects."""
        self._site_roots: dict[str, set[str]] = {}
        """The directories that each site has served, by the URL of its `/`."""
        self._listens = listens
        self._servers: set[str] = set()
        """The servers in the page that tabs have shown, such as `http://localhost:8000`."""
        self._last = 0
        self.tabs: dict[str, Tab] = {PAGE: self._create(PAGE)}
        self.active = self.tabs[PAGE]

    async def attach(self, documents: Documents) -> None:
        """Connect to a page's documents, including the tabs that an earlier kernel opened."""
        self._documents = documents
        opened = await documents.opened()
        self.origin = opened["origin"]
        self.tabs[PAGE].update(opened["page"])
        for document in opened["tabs"]:
            tab = self.tabs[document.get("tab", "")] = self._create(document.get("tab", ""))
            self._update(tab, document)
            self._last = max(self._last, int(tab.id.removeprefix("t")))
        self.active = self.tabs.get(opened["shown"], self.tabs[PAGE])
        for tab in self.tabs.values():
            self._publish(tab)

    def _update(self, tab: Tab, document: Document) -> None:
        """Update a tab and the site that it shows from the page's report."""
        tab.update(document)
        site = document.get("site")
        if site is not None and not site["root"].startswith("/"):
            self._servers.add(site["root"])
            self._sites.close(tab.id)
        elif site is not None:
            self._site_roots.setdefault(site["url"], set()).add(site["root"])
            self._sites.open(tab.id, site["root"])
        elif "site" in document:
            self._sites.close(tab.id)

    async def snapshot(self, max_chars: int) -> tuple[str, str]:
        """Return a snapshot of the active tab as text, or why it can't be read; and the tab's URL."""
        tab = self.active
        try:
            found = await tab.snapshot(max_chars=max_chars, elements=False, peek=True)
        except PageProblem as problem:
            return f"{tab.id} can't be read now: {problem.message}", tab.url or tab.id
        return found["text"], tab.url or tab.id

    async def screenshot(self) -> bytes | None:
        """Take a small JPEG of the active tab; return None for `page`, and for a tab that can't be read now."""
        if self.active.id == PAGE:
            return None
        try:
            async with asyncio.timeout(SCREENSHOT_TIMEOUT_S):
                picture = await self.active.screenshot(format="jpeg", widest=SCREENSHOT_WIDTH)
        except (PageProblem, TimeoutError):
            return None
        return base64.b64decode(picture["data"])

    def rows(self) -> list[TabRow]:
        """Return each tab as `{id, url, title, active, loading, readable, why?}`, `page` first."""
        return [tab.row(active=tab is self.active) for tab in self.tabs.values()]

    def tab(self, tab_id: str | None = None) -> Tab:
        """Return a tab by its id, or the active one.

        Raises:
            TabMissing: No tab has this id.
        """
        if tab_id is None:
            return self.active
        found = self.tabs.get(tab_id)
        if found is None:
            raise TabMissing(f"there is no tab {tab_id!r}", hint=f"The tabs are: {', '.join(self.tabs)}.")
        return found

    async def navigate(self, url: str, tab_id: str | None = None) -> Tab:
        """Open a URL, a file or a directory with an index.html, and wait until it has loaded.

        Args:
            url: `https://…`, a host name, or a path.
            tab_id: The tab to open it in; the active one by default, or a new one if that is `page`.

        Raises:
            InvalidArguments, FileProblem: The URL or path can't be opened.
            Refused: The user refused another origin, or code on the surface's own origin.
            TabMissing, UsageProblem: The tab is missing, or is `page`.
        """
        tab = self.tab(tab_id)
        if tab_id == PAGE:
            raise UsageProblem(
                "'page' is the surface itself, which navigating would end",
                hint="Omit tab to open the url in a new tab.",
            )
        return await self._open(url, None if tab.id == PAGE else tab)

    async def open(self, url: str = "about:blank") -> Tab:
        """Open a URL in a new tab; see `navigate`."""
        return await self._open(url, None)

    async def _open(self, url: str, tab: Tab | None) -> Tab:
        address = self._address_of(url)
        found = self._sites.find(address.where) if address.kind == "file" else None
        before, previous_url = self.active, tab.url if tab else ""
        opened = tab or self._new()
        try:
            await self._load(opened, address, found)
        except Refused:
            opened.url = previous_url
            if tab is None:
                self._discard(opened, before)
            raise
        return opened

    def _discard(self, tab: Tab, before: Tab) -> None:
        """Remove a new tab that the user refused, and activate the earlier one."""
        del self.tabs[tab.id]
        self._sites.close(tab.id)
        self._events.publish(TabClosed(tab.id))
        if tab is self.active:
            self._activate(before)

    async def _load(
        self, tab: Tab, address: Address, found: Location | None, *, activate: bool = True
    ) -> None:
        tab.loading = True
        if activate:
            self._activate(tab)
        try:
            self._update(tab, await self._show(tab, address, found))
        finally:
            tab.loading = False
            self._publish(tab)

    async def _show(self, tab: Tab, address: Address, found: Location | None) -> Document:
        if address.kind == "file":
            found = found or self._locate(tab, address)
            # The page reports the URL when the document starts to load.
            self._sites.open(tab.id, found.root)
            return await self._connected().open_file(tab.id, found.root, found.path + address.rest)
        tab.url = address.where + address.rest
        self._sites.close(tab.id)
        if address.kind == "server":
            port = int(address.where.rpartition(":")[2])
            return await self._connected().open_server(tab.id, port, address.rest)
        return await self._connected().open(tab.id, address.where)

    def _locate(self, tab: Tab, address: Address) -> Location:
        """Return the location of a file that a tab has shown; the file may be deleted by now."""
        roots = [root for roots in self._site_roots.values() for root in roots]
        root = self._sites.root_containing(address.where, tab.id, roots)
        return Location(root, quote(address.where)) if root else self._sites.find(address.where)

    async def go(self, delta: Literal[-1, 1], tab_id: str | None = None) -> Tab:
        """Go back (-1) or forward (1) in a tab's history.

        Raises:
            UsageProblem: The history ends in that direction.
        """
        tab = self._require_closable(tab_id)
        url = tab.history.step(delta)
        if tab.readable and not self._is_elsewhere(tab, url):
            answer = await tab.ask("traverse", delta=delta)
            if answer["moved"]:
                if answer["same_document"] and url is not None:
                    # The document moved in its own history, so this step didn't happen.
                    tab.history.step(-1 if delta > 0 else 1)
                self._publish(tab)
                return tab
        if url is None:
            direction = "back" if delta < 0 else "forward"
            raise UsageProblem(
                f"{tab.id} can't go {direction}: its history ends here", hint="Navigate to a url."
            )
        await self._load(tab, self._address_of(url, again=True), None)
        return tab

    def _is_elsewhere(self, tab: Tab, url: str | None) -> bool:
        """Return whether a step leads to a site that the tab has left; only the surface can reopen it."""
        places = [*self._site_roots, *(f"{server}/" for server in self._servers)]
        site = next((each for each in places if url is not None and url.startswith(each)), None)
        return site is not None and not tab.url.startswith(site)

    async def reload(self, tab_id: str | None = None, *, activate: bool = True) -> Tab:
        """Reload a tab's document."""
        tab = self._require_closable(tab_id)
        await self._load(tab, self._address_of(tab.url, again=True), None, activate=activate)
        return tab

    def _address_of(self, url: str, *, again: bool = False) -> Address:
        """Parse an address; one that was shown before still means its server if that has stopped."""
        shown = self._servers if again else ()
        return addresses.parse(
            url,
            origin=self.origin,
            sites=self._site_roots,
            resolve=self._resolve,
            serves=lambda port: self._listens(port) or f"http://localhost:{port}" in shown,
        )

    def _require_closable(self, tab_id: str | None) -> Tab:
        tab = self.tab(tab_id)
        if tab.id == PAGE:
            raise UsageProblem(
                "'page' is the surface itself and can't be changed", hint="Pass the id of another tab."
            )
        return tab

    def focus(self, tab_id: str) -> Tab:
        """Activate a tab. With `page`, calls that name no tab act on the surface's own document."""
        tab = self.tab(tab_id)
        self._activate(tab)
        return tab

    async def close(self, tab_id: str | None = None) -> None:
        """Close a tab. If it was active, activate its neighbor."""
        tab = self._require_closable(tab_id)
        await self._connected().close(tab.id)
        self._sites.close(tab.id)
        ids = list(self.tabs)
        neighbor = ids[ids.index(tab.id) - 1]
        del self.tabs[tab.id]
        self._events.publish(TabClosed(tab.id))
        if tab is self.active:
            self.focus(neighbor)

    def changed(self, document: Document) -> None:
        """Update a tab whose document changed on its own, for example because a link was followed."""
        tab = self.tabs.get(document.get("tab", ""))
        if tab is not None:
            self._update(tab, document)
            self._publish(tab)

    @property
    def next_id(self) -> str:
        """The id of the tab that is opened next."""
        return f"t{self._last + 1}"

    def _new(self) -> Tab:
        if len(self.tabs) > MAX_TABS:
            raise UsageProblem(f"{MAX_TABS} tabs are open, which is the maximum", hint="Close some of them.")
        tab = self._create(self.next_id)
        self._last += 1
        self.tabs[tab.id] = tab
        return tab

    def _create(self, tab_id: str) -> Tab:
        return Tab(tab_id, self._ask)

    async def _ask(self, tab_id: str, method: str, params: Row) -> Any:
        return await self._connected().ask(tab_id, method, params)

    async def ask_model(self, method: str, params: Params) -> Any:
        """Call a method of the browser's built-in language model; see `Documents.ask_model`.

        Raises:
            NoPage: No page is connected.
        """
        return await self._connected().ask_model(method, params)

    def _activate(self, tab: Tab) -> None:
        before, self.active = self.active, tab
        if before is not tab and before.id in self.tabs:
            self._publish(before)
        self._publish(tab)

    def _publish(self, tab: Tab) -> None:
        self._events.publish(TabChanged(tab.row(active=tab is self.active)))

    def _connected(self) -> Documents:
        if self._documents is None:
            raise NoPage(
                "no page is connected to show the surface's tabs",
                hint="Open the surface's page; Python alone has no documents.",
            )
        return self._documents
