"""The tabs of the surface: which there are, what is in them, and which one is in front."""

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

MOST_TABS = 20
# Of pictures for the person to look over: in pixels, and how long one may take.
WIDEST = 640
PATIENCE_S = 3.0


class FileSites(Protocol):
    """Directories that tabs show as web sites (sites.py)."""

    def find(self, path: str) -> Location:
        """Return where a file is, or a directory's index.html.

        Raises:
            FileProblem: there is no such page.
        """
        ...

    def open(self, tab: str, root: str) -> None: ...

    def close(self, tab: str) -> None: ...

    def root_around(self, path: str, tab: str, roots: Iterable[str]) -> str | None: ...


class Browser:
    """Tabs by id. `page` is the document that the surface stands in, and is always there.

    Args:
        events: Told of tabs that come, change and go.
        resolve: Gives the absolute path of one as a caller wrote it.
        sites: Shows files as pages.
    """

    def __init__(
        self,
        events: EventLog,
        resolve: Callable[[str], str],
        sites: FileSites,
    ) -> None:
        self._events = events
        self._resolve = resolve
        self._sites = sites
        self._documents: Documents | None = None
        self.origin = ""
        """Of the page, as `http://127.0.0.1:8765`; empty until there is one."""
        self._site_roots: dict[str, set[str]] = {}
        """By the URL of a site's `/`, the directories that are shown from there."""
        self._last = 0
        self.tabs: dict[str, Tab] = {PAGE: self._made(PAGE)}
        self.active = self.tabs[PAGE]

    async def attach(self, documents: Documents) -> None:
        """Take over a page's documents; tabs that an earlier kernel opened are still there."""
        self._documents = documents
        opened = await documents.opened()
        self.origin = opened["origin"]
        self.tabs[PAGE].note(opened["page"])
        for document in opened["tabs"]:
            tab = self.tabs[document.get("tab", "")] = self._made(document.get("tab", ""))
            self._note(tab, document)
            self._last = max(self._last, int(tab.id.removeprefix("t")))
        self.active = self.tabs.get(opened["shown"], self.tabs[PAGE])
        for tab in self.tabs.values():
            self._tell(tab)

    def _note(self, tab: Tab, document: Document) -> None:
        """Take over what the page tells of a tab, and which site may be read for it."""
        tab.note(document)
        site = document.get("site")
        if site is not None:
            self._site_roots.setdefault(site["url"], set()).add(site["root"])
            self._sites.open(tab.id, site["root"])
        elif "site" in document:
            self._sites.close(tab.id)

    async def look(self, max_chars: int) -> tuple[str, str]:
        """What can be acted on in the active tab, or why that can't be told; and where that is."""
        tab = self.active
        try:
            found = await tab.snapshot(max_chars=max_chars, elements=False, peek=True)
        except PageProblem as problem:
            return f"{tab.id} can't be read now: {problem.message}", tab.url or tab.id
        return found["text"], tab.url or tab.id

    async def photograph(self) -> bytes | None:
        """A small picture of the active tab; None of the page itself, and of what can't be read now."""
        if self.active.id == PAGE:
            return None
        try:
            async with asyncio.timeout(PATIENCE_S):
                picture = await self.active.screenshot(format="jpeg", widest=WIDEST)
        except (PageProblem, TimeoutError):
            return None
        return base64.b64decode(picture["data"])

    def rows(self) -> list[TabRow]:
        """Each tab as `{id, url, title, active, loading, readable, why?}`, `page` first."""
        return [tab.row(active=tab is self.active) for tab in self.tabs.values()]

    def tab(self, tab_id: str | None = None) -> Tab:
        """A tab by its id, or the active one.

        Raises:
            TabMissing: there is none of that id.
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
            url: `https://…`, the name of a host, or a path.
            tab_id: Where. The active tab by default; a new one where that is `page`.

        Raises:
            InvalidArguments, FileProblem: it can't be opened.
            Refused: the person doesn't want another origin, or code on the surface's own one.
            TabMissing, UsageProblem: it can't be opened there.
        """
        tab = self.tab(tab_id)
        if tab_id == PAGE:
            raise UsageProblem(
                "the surface stands in 'page', and would end with it",
                hint="Leave tab out, and the url opens in a tab of its own.",
            )
        return await self._open(url, None if tab.id == PAGE else tab)

    async def open(self, url: str = "about:blank") -> Tab:
        """As `navigate`, in a new tab."""
        return await self._open(url, None)

    async def _open(self, url: str, tab: Tab | None) -> Tab:
        address = self._address_of(url)
        found = self._sites.find(address.where) if address.kind == "file" else None
        before, shown = self.active, tab.url if tab else ""
        opened = tab or self._new()
        try:
            await self._load(opened, address, found)
        except Refused:
            opened.url = shown
            if tab is None:
                self._forget(opened, before)
            raise
        return opened

    def _forget(self, tab: Tab, front: Tab) -> None:
        """Take back a tab that the person didn't let the page open."""
        del self.tabs[tab.id]
        self._sites.close(tab.id)
        self._events.publish(TabClosed(tab.id))
        if tab is self.active:
            self._come_forward(front)

    async def _load(self, tab: Tab, address: Address, found: Location | None) -> None:
        tab.loading = True
        self._come_forward(tab)
        try:
            self._note(tab, await self._shown(tab, address, found))
        finally:
            tab.loading = False
            self._tell(tab)

    async def _shown(self, tab: Tab, address: Address, found: Location | None) -> Document:
        if address.kind == "file":
            found = found or self._found_again(tab, address)
            # Its page tells where that is when it begins to load.
            self._sites.open(tab.id, found.root)
            return await self._wire().open_file(tab.id, found.root, found.path + address.rest)
        tab.url = address.where
        self._sites.close(tab.id)
        return await self._wire().open(tab.id, address.where)

    def _found_again(self, tab: Tab, address: Address) -> Location:
        """Where a file is that a tab has shown, though it may be gone by now."""
        roots = [root for roots in self._site_roots.values() for root in roots]
        root = self._sites.root_around(address.where, tab.id, roots)
        return Location(root, quote(address.where)) if root else self._sites.find(address.where)

    async def traverse(self, delta: Literal[-1, 1], tab_id: str | None = None) -> Tab:
        """Go back (-1) or forward (1).

        Raises:
            UsageProblem: there is nothing in that direction.
        """
        tab = self._browsing(tab_id)
        url = tab.history.step(delta)
        if tab.readable and not self._is_elsewhere(tab, url):
            answer = await tab.ask("traverse", delta=delta)
            if answer["moved"]:
                if answer["same_document"] and url is not None:
                    # It has a history of its own, which comes before that of documents.
                    tab.history.step(-1 if delta > 0 else 1)
                self._tell(tab)
                return tab
        if url is None:
            direction = "back" if delta < 0 else "forward"
            raise UsageProblem(f"{tab.id} can't go {direction}: there is nothing", hint="Navigate to a url.")
        await self._load(tab, self._address_of(url), None)
        return tab

    def _is_elsewhere(self, tab: Tab, url: str | None) -> bool:
        """Return whether a step leads to a site that the tab has left, which only the surface can open again."""
        site = next((each for each in self._site_roots if url is not None and url.startswith(each)), None)
        return site is not None and not tab.url.startswith(site)

    async def reload(self, tab_id: str | None = None) -> Tab:
        """Load a tab's document anew."""
        tab = self._browsing(tab_id)
        await self._load(tab, self._address_of(tab.url), None)
        return tab

    def _address_of(self, url: str) -> Address:
        return addresses.read(url, origin=self.origin, sites=self._site_roots, resolve=self._resolve)

    def _browsing(self, tab_id: str | None) -> Tab:
        tab = self.tab(tab_id)
        if tab.id == PAGE:
            raise UsageProblem(
                "'page' is the surface itself and stays", hint="Name a tab that was opened in it."
            )
        return tab

    def focus(self, tab_id: str) -> Tab:
        """Bring a tab to the front; with `page`, what names no tab means the surface's own document."""
        tab = self.tab(tab_id)
        self._come_forward(tab)
        return tab

    async def close(self, tab_id: str | None = None) -> None:
        """Close a tab. Its neighbour comes to the front."""
        tab = self._browsing(tab_id)
        await self._wire().close(tab.id)
        self._sites.close(tab.id)
        ids = list(self.tabs)
        neighbour = ids[ids.index(tab.id) - 1]
        del self.tabs[tab.id]
        self._events.publish(TabClosed(tab.id))
        if tab is self.active:
            self.focus(neighbour)

    def changed(self, document: Document) -> None:
        """The page tells what became of a tab's document by itself, as where a link was followed."""
        tab = self.tabs.get(document.get("tab", ""))
        if tab is not None:
            self._note(tab, document)
            self._tell(tab)

    def _new(self) -> Tab:
        if len(self.tabs) > MOST_TABS:
            raise UsageProblem(f"{MOST_TABS} tabs are open, which is the most", hint="Close some of them.")
        self._last += 1
        tab = self._made(f"t{self._last}")
        self.tabs[tab.id] = tab
        return tab

    def _made(self, tab_id: str) -> Tab:
        return Tab(tab_id, self._ask)

    async def _ask(self, tab_id: str, method: str, params: Row) -> Any:
        return await self._wire().ask(tab_id, method, params)

    async def ask_model(self, method: str, params: Params) -> Any:
        """See `Documents.ask_model`; raises NoPage where no page is there."""
        return await self._wire().ask_model(method, params)

    def _come_forward(self, tab: Tab) -> None:
        before, self.active = self.active, tab
        if before is not tab and before.id in self.tabs:
            self._tell(before)
        self._tell(tab)

    def _tell(self, tab: Tab) -> None:
        self._events.publish(TabChanged(tab.row(active=tab is self.active)))

    def _wire(self) -> Documents:
        if self._documents is None:
            raise NoPage(
                "no page shows the surface's tabs",
                hint="Open the surface's page; Python alone has no documents to look at.",
            )
        return self._documents
