"""The tabs of the surface: which there are, what is in them, and which one is in front."""

import asyncio
import base64
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Literal, Protocol

from gemini.dom import addresses
from gemini.dom.addresses import Address
from gemini.dom.documents import Document, Documents, Kind
from gemini.dom.tab import PAGE, Row, Tab
from gemini.errors import FileProblem, NoPage, PageProblem, TabMissing, UsageProblem
from gemini.events import EventLog, TabChanged, TabClosed
from gemini.protocol import Params

MOST_TABS = 20
# Of pictures for the person to look over: in pixels, and how long one may take.
WIDEST = 640
PATIENCE_S = 3.0
SHARED_ORIGIN = (
    "This host gives files no origin of their own. Code in the page can do whatever the surface can: "
    "read its files, call its tools, answer its dialogs."
)


class FileSites(Protocol):
    """Gives files addresses below an origin of theirs (sites.py)."""

    def open(self, path: str) -> str:
        """The address of a file, or of a directory's index.html, from the root of that origin.

        Raises:
            FileProblem: there is no such page.
        """
        ...


class Browser:
    """Tabs by id. `page` is the document that the surface stands in, and is always there.

    Args:
        events: Told of tabs that come, change and go.
        resolve: Gives the absolute path of one as a caller wrote it.
        sites: Shows files as pages.
        consent: Asks the person before an action that reaches outside; raises `Refused`.
    """

    def __init__(
        self,
        events: EventLog,
        resolve: Callable[[str], str],
        sites: FileSites,
        consent: Callable[[str, Row], Awaitable[None]],
    ) -> None:
        self._events = events
        self._resolve = resolve
        self._sites = sites
        self._consent = consent
        self._documents: Documents | None = None
        self.origin = ""
        """Of the page, as `http://127.0.0.1:8765`; empty until there is one."""
        self._sites_url: str | None = None
        self._agreed_to_share = False
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
            tab.note(document)
            self._last = max(self._last, int(tab.id.removeprefix("t")))
        self.active = self.tabs.get(opened["shown"], self.tabs[PAGE])
        if opened["tabs"]:
            await self._reopen_sites(documents)
        for tab in self.tabs.values():
            self._tell(tab)

    async def _reopen_sites(self, documents: Documents) -> None:
        """Files that tabs show may be served again, if they are still there."""
        self._sites_url = (await documents.sites())["url"]
        for tab in self.tabs.values():
            if tab.url.startswith(self._sites_url):
                with contextlib.suppress(FileProblem):
                    self._sites.open(self._address_of(tab.url).where)

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

    def rows(self) -> list[Row]:
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
        where = await self._where(address)
        # Not before the person has agreed.
        tab = tab or self._new()
        await self._load(tab, where, address.kind)
        return tab

    async def _where(self, address: Address) -> str:
        """The URL to load, once the person has agreed to what needs it."""
        if address.kind == "other":
            # What is allowed for good is allowed for that origin.
            await self._consent(f"open pages of {addresses.origin_of(address.where)}", {"url": address.where})
        if address.kind != "file":
            return address.where
        path = self._sites.open(address.where)
        sites = await self._wire().sites()
        self._sites_url = sites["url"]
        if not sites["own_origin"] and not self._agreed_to_share:
            await self._consent(
                "open a page on the surface's own origin", {"path": path, "means": SHARED_ORIGIN}
            )
            self._agreed_to_share = True
        return sites["url"].rstrip("/") + path + address.rest

    async def _load(self, tab: Tab, url: str, kind: Kind) -> None:
        tab.url, tab.loading = url, True
        self._come_forward(tab)
        try:
            tab.note(await self._wire().open(tab.id, url, kind))
        finally:
            tab.loading = False
            self._tell(tab)

    async def traverse(self, delta: Literal[-1, 1], tab_id: str | None = None) -> Tab:
        """Go back (-1) or forward (1).

        Raises:
            UsageProblem: there is nothing in that direction.
        """
        tab = self._browsing(tab_id)
        url = tab.history.step(delta)
        if tab.readable:
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
        await self._load(tab, url, self._address_of(url).kind)
        return tab

    async def reload(self, tab_id: str | None = None) -> Tab:
        """Load a tab's document anew."""
        tab = self._browsing(tab_id)
        await self._load(tab, tab.url, self._address_of(tab.url).kind)
        return tab

    def _address_of(self, url: str) -> Address:
        return addresses.read(url, origin=self.origin, sites=self._sites_url, resolve=self._resolve)

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
            tab.note(document)
            self._tell(tab)

    def _new(self) -> Tab:
        if len(self.tabs) > MOST_TABS:
            raise UsageProblem(f"{MOST_TABS} tabs are open, which is the most", hint="Close some of them.")
        self._last += 1
        tab = self._made(f"t{self._last}")
        self.tabs[tab.id] = tab
        return tab

    def _made(self, tab_id: str) -> Tab:
        return Tab(tab_id, self._ask, self._consent)

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
