"""The tabs of the surface: open, close, navigate, and read them."""

import asyncio
import base64
from collections.abc import Callable
from typing import Any, Literal

from gemini.core.events import EventLog
from gemini.core.protocol import Params
from gemini.errors import NoPage, PageProblem, Refused, TabMissing, UsageProblem
from gemini.pages.tabs.addresses import Address
from gemini.pages.tabs.documents import Document, Documents
from gemini.pages.tabs.events import TabChanged, TabClosed
from gemini.pages.tabs.places import FileSites, Places
from gemini.pages.tabs.results import TabRow
from gemini.pages.tabs.sites import Location
from gemini.pages.tabs.tab import PAGE, Row, Tab
from gemini.pages.tabs.tab_owners import Owners
from gemini.pages.tabs.tool_list import with_tools

MAX_TABS = 20
# Agents leave room for the user's own tabs.
MAX_TABS_FOR_AGENTS = 15
# Of the screenshots in an agent's run.
SCREENSHOT_WIDTH = 640
SCREENSHOT_TIMEOUT_S = 3.0


class Browser:
    """The tabs by id. `page` is the surface's own document and always exists.

    The user and their scripts use the tab in front. An agent has its own tabs, which open behind it; only there does
    it navigate. Other tabs it uses after it has named them.

    Args:
        events: Receives an event when a tab is opened, changed or closed.
        resolve: Returns the absolute form of a caller's path.
        sites: Serves files as pages.
        listens: Returns whether a server in the page listens at a port.

    Attributes:
        active: The tab in front, which the user sees.
        owners: The agents that have tabs.
        follows: Whether the tab that an agent opens or navigates comes to the front.
    """

    def __init__(
        self,
        events: EventLog,
        resolve: Callable[[str], str],
        sites: FileSites,
        listens: Callable[[int], bool] = lambda port: False,
    ) -> None:
        self._events = events
        self._sites = sites
        self._places = Places(sites, resolve, listens)
        self._documents: Documents | None = None
        self.origin = ""
        """The origin of the page, such as `http://127.0.0.1:8765`; empty until a page connects."""
        self._last = 0
        self.follows = False
        self.tabs: dict[str, Tab] = {PAGE: self._create(PAGE)}
        self.active = self.tabs[PAGE]
        self.owners = Owners(self.tabs, self._publish)

    async def attach(self, documents: Documents) -> None:
        """Connect to a page's documents, including the tabs that an earlier kernel opened."""
        self._documents = documents
        opened = await documents.opened()
        self.origin = opened["origin"]
        self.tabs[PAGE].update(opened["page"])
        for document in opened["tabs"]:
            tab = self.tabs[document.get("tab", "")] = self._create(document.get("tab", ""))
            self._places.update(tab, document)
            owner = document.get("owner")
            tab.owner = None if owner is None else self.owners.restore(owner)
            tab.live = document.get("live", False)
            self._last = max(self._last, int(tab.id.removeprefix("t")))
        self.active = self.tabs.get(opened["shown"], self.tabs[PAGE])
        for tab in self.tabs.values():
            self._publish(tab)

    async def snapshot(self, max_chars: int) -> tuple[str, str]:
        """Return a snapshot of the tab that calls use, as text, or why it can't be read; and the tab's URL."""
        tab = self.tab()
        try:
            found = await tab.snapshot(max_chars=max_chars, elements=False, peek=True)
        except PageProblem as problem:
            return f"{tab.id} can't be read now: {problem.message}", tab.url or tab.id
        note = (
            ""
            if self.owners.may_use(tab)
            else f"(You have no tab. The user looks at {tab.id}, which shows:)\n"
        )
        return note + await with_tools(tab, found["text"]), tab.url or tab.id

    async def screenshot(self) -> bytes | None:
        """Take a small JPEG of the tab that calls use.

        Returns:
            None for `page`, for a tab that can't be read now, and for an agent without a tab.
        """
        tab = self.tab()
        if tab.id == PAGE or not self.owners.may_use(tab):
            return None
        try:
            async with asyncio.timeout(SCREENSHOT_TIMEOUT_S):
                picture = await tab.screenshot(format="jpeg", widest=SCREENSHOT_WIDTH)
        except (PageProblem, TimeoutError):
            return None
        return base64.b64decode(picture["data"])

    def rows(self) -> list[TabRow]:
        """Return each tab as `{id, url, title, active, loading, readable, why?, owner?}`, `page` first."""
        return [tab.row(active=tab is self.active) for tab in self.tabs.values()]

    def rows_for_caller(self) -> list[TabRow]:
        """Return the rows, with `yours` on the tab that the next calls of the running agent use."""
        owner = self.owners.acting()
        yours = None if owner is None else self.owners.tab_of(owner)
        return [{**row, "yours": True} if yours and yours.id == row["id"] else row for row in self.rows()]

    def tab(self, tab_id: str | None = None) -> Tab:
        """Return a tab to read by its id; without one, the agent's own, or else the tab in front.

        Raises:
            TabMissing: No tab has this id.
        """
        if tab_id is None:
            owner = self.owners.acting()
            return self.active if owner is None else self.owners.tab_of(owner) or self.active
        found = self.tabs.get(tab_id)
        if found is None:
            raise TabMissing(f"there is no tab {tab_id!r}", hint=f"The tabs are: {', '.join(self.tabs)}.")
        return found

    def tab_to_use(self, tab_id: str | None = None) -> Tab:
        """Return a tab to act on, as `tab` does.

        Raises:
            TabMissing: No tab has this id.
            UsageProblem: The tab is another agent's, or the user's and wasn't named.
        """
        tab = self.tab(tab_id)
        self.owners.require_use(tab, named=tab_id is not None)
        return tab

    def take(self, tab_id: str) -> None:
        """Make an agent's tab the user's.

        Raises:
            TabMissing: No tab has this id.
        """
        self.owners.give(self.tab(tab_id), None)

    async def navigate(self, url: str, tab_id: str | None = None) -> Tab:
        """Open a URL, a file or a directory with an index.html, and wait until it has loaded.

        Args:
            url: `https://…`, a host name, or a path.
            tab_id: The tab to open it in; the active one by default, or a new one if that is `page`. An agent's pages
                open only in its own tabs, whatever it names.

        Raises:
            InvalidArguments, FileProblem: The URL or path can't be opened.
            PageUnreachable: An agent opens a server in the page that has ended.
            Refused: The user refused another origin, or code on the surface's own origin.
            TabMissing, UsageProblem: The tab is missing, or is `page`.
        """
        tab = self.tab(tab_id)
        if tab_id == PAGE:
            raise UsageProblem(
                "'page' is the surface itself, which navigating would end",
                hint="Omit tab to open the url in a new tab.",
            )
        return await self._open(url, self.owners.tab_to_navigate(tab))

    async def open(self, url: str = "about:blank", *, live: bool = False) -> Tab:
        """Open a URL in a new tab; see `navigate`.

        Args:
            url: The URL.
            live: Whether the tab shows the preview. The page tells a later kernel so.
        """
        return await self._open(url, None, live=live)

    async def _open(self, url: str, tab: Tab | None, *, live: bool = False) -> Tab:
        address = self._places.parse(url, self.origin)
        if self.owners.acting() is not None:
            self._places.require_running(address)
        found = self._sites.find(address.where) if address.kind == "file" else None
        before, previous_url = self.active, tab.url if tab else ""
        opened = tab or await self._new()
        opened.live = opened.live or live
        if opened.owner is not None and opened.owner is self.owners.acting():
            opened.owner.tab = opened.id
        try:
            await self._load(opened, address, found, activate=self._comes_to_front())
        except Refused:
            opened.url = previous_url
            if tab is None:
                self._discard(opened, before)
            raise
        return opened

    def _comes_to_front(self) -> bool:
        return self.follows or self.owners.acting() is None

    def _discard(self, tab: Tab, before: Tab) -> None:
        """Remove a new tab that the user refused, and activate the earlier one."""
        del self.tabs[tab.id]
        self._sites.close(tab.id)
        self._events.publish(TabClosed(tab.id))
        if tab is self.active:
            self._activate(before)

    async def _load(self, tab: Tab, address: Address, found: Location | None, *, activate: bool) -> None:
        tab.loading = True
        if activate:
            self._activate(tab)
        try:
            self._places.update(tab, await self._show(tab, address, found))
        finally:
            tab.loading = False
            self._publish(tab)

    async def _show(self, tab: Tab, address: Address, found: Location | None) -> Document:
        if address.kind == "file":
            found = found or self._places.locate(tab, address)
            # The page reports the URL when the document starts to load.
            self._sites.open(tab.id, found.root)
            return await self._connect().open_file(tab.id, found.root, found.path + address.rest)
        tab.url = address.where + address.rest
        self._sites.close(tab.id)
        if address.kind == "server":
            port = int(address.where.rpartition(":")[2])
            return await self._connect().open_server(tab.id, port, address.rest)
        return await self._connect().open(tab.id, address.where)

    async def go(self, delta: Literal[-1, 1], tab_id: str | None = None) -> Tab:
        """Go back (-1) or forward (1) in a tab's history.

        Raises:
            UsageProblem: The history ends in that direction.
        """
        tab = self._require_closable(tab_id)
        url = tab.history.step(delta)
        if tab.readable and not self._places.is_elsewhere(tab, url):
            answer = await tab.ask("go", delta=delta)
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
        await self._load(
            tab, self._places.parse(url, self.origin, again=True), None, activate=self._comes_to_front()
        )
        return tab

    async def reload(self, tab_id: str | None = None) -> Tab:
        """Reload a tab's document."""
        tab = self._require_closable(tab_id)
        await self._load(
            tab, self._places.parse(tab.url, self.origin, again=True), None, activate=self._comes_to_front()
        )
        return tab

    async def refresh(self, tab_id: str) -> None:
        """Reload a tab's document for any caller; the tab stays where it is."""
        tab = self.tab(tab_id)
        await self._load(tab, self._places.parse(tab.url, self.origin, again=True), None, activate=False)

    def _require_closable(self, tab_id: str | None) -> Tab:
        tab = self.tab(tab_id)
        if tab.id == PAGE:
            raise UsageProblem(
                "'page' is the surface itself and can't be changed", hint="Pass the id of another tab."
            )
        self.owners.require_own(tab)
        return tab

    def focus(self, tab_id: str) -> Tab:
        """Activate a tab. An agent's calls that name no tab use this one from now on; the user's view stays.

        With `page`, calls that name no tab act on the surface's own document.
        """
        tab = self.tab(tab_id)
        owner = self.owners.acting()
        if owner is not None:
            owner.tab = tab.id
        if owner is None or (self.follows and tab.owner is owner):
            self._activate(tab)
        return tab

    async def close(self, tab_id: str | None = None) -> None:
        """Close a tab. If it was active, activate its neighbor."""
        await self._close(self._require_closable(tab_id))

    async def _close(self, tab: Tab) -> None:
        await self._connect().close(tab.id)
        self._sites.close(tab.id)
        ids = list(self.tabs)
        neighbor = ids[ids.index(tab.id) - 1]
        del self.tabs[tab.id]
        self._events.publish(TabClosed(tab.id))
        if tab is self.active:
            self._activate(self.tabs[neighbor])

    def changed(self, document: Document) -> None:
        """Update a tab whose document changed on its own, for example because a link was followed."""
        tab = self.tabs.get(document.get("tab", ""))
        if tab is not None:
            self._places.update(tab, document)
            self._publish(tab)

    @property
    def next_id(self) -> str:
        """The id of the tab that is opened next."""
        return f"t{self._last + 1}"

    async def _new(self) -> Tab:
        owner = self.owners.acting()
        most = MAX_TABS if owner is None else MAX_TABS_FOR_AGENTS
        if len(self.tabs) > most:
            await self._make_room(most)
        tab = self._create(self.next_id)
        self._last += 1
        self.tabs[tab.id] = tab
        if owner is not None:
            self.owners.give(tab, owner)
        return tab

    async def _make_room(self, most: int) -> None:
        """Close the oldest tab that a finished run has left behind."""
        for tab in list(self.tabs.values()):
            if tab.owner is not None and tab.owner.finished and tab is not self.active:
                return await self._close(tab)
        raise UsageProblem(f"{most} tabs are open, which is the maximum", hint="Close some of them.")

    def _create(self, tab_id: str) -> Tab:
        return Tab(tab_id, self._ask)

    async def _ask(self, tab_id: str, method: str, params: Row) -> Any:
        return await self._connect().ask(tab_id, method, params)

    async def ask_model(self, method: str, params: Params) -> Any:
        """Call a method of the browser's built-in language model; see `Documents.ask_model`.

        Raises:
            NoPage: No page is connected.
        """
        return await self._connect().ask_model(method, params)

    async def ask_owner(self, method: str, params: Params) -> Any:
        """Call a method of the page's owner of a power; see `Documents.ask_owner`.

        Raises:
            NoPage: No page is connected.
        """
        return await self._connect().ask_owner(method, params)

    def _activate(self, tab: Tab) -> None:
        before, self.active = self.active, tab
        if before is not tab and before.id in self.tabs:
            self._publish(before)
        self._publish(tab)

    def _publish(self, tab: Tab) -> None:
        self._events.publish(TabChanged(tab.row(active=tab is self.active)))

    def _connect(self) -> Documents:
        if self._documents is None:
            raise NoPage(
                "no page is connected to show the surface's tabs",
                hint="Open the surface's page; Python alone has no documents.",
            )
        return self._documents
