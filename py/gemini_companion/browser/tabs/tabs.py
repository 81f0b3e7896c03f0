"""The methods by which a page uses tabs in the companion's browser, as handlers of its JSON-RPC connection.

The page itself sends, and Python can't (web/ui/companion/link.ts); the page asks the user first:

    tabs/open {tab, url} -> row                     opens a URL, in a new tab if there is none of that id
    tabs/ask {tab, method, params, origin} -> any   calls a method of the page script, if the document is at the origin
    tabs/close {tab} -> {}
    tabs/download {tab, id, start} -> {data, next}  a part of a finished download in base64, which is deleted at the end
    tabs/discard {tab, id} -> {}                    cancels a download, or deletes its file
    tabs/show {tab, width, height} -> {}            sends pictures of that tab while the user looks at it; of none if
                                                    `tab` is null
    tabs/input {tab, kind, event} -> {}             the user's own pointer, key or text; as in the debugger's `Input`

The companion sends:

    tabs/changed row                                `{tab, url, title, loading, readable, why, tools, site}`
    tabs/has_messages {tab}
    tabs/downloaded row                             `{tab, id, name, url, received, size, state, why}`, at each change
    tabs/picture {tab, data}                        a JPEG in base64
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field

from gemini.core.protocol import Handler, Params
from gemini.errors import InvalidArguments, OffLimits, TabMissing, UsageProblem
from gemini_companion.browser.tabs.browser import TabBrowser
from gemini_companion.browser.tabs.debugger import DebuggerProblem
from gemini_companion.browser.tabs.tab import AWAY, DrivenTab
from gemini_companion.pages.parameters import MethodParams, validated

Row = dict[str, Any]
MAX_TABS = 20
PICTURE = {"format": "jpeg", "quality": 70}
# The methods of the page script that callers may use (web/shared/methods.ts).
METHODS = frozenset(
    [
        "snapshot", "text", "screenshot", "console", "about", "waitFor",
        "tools", "callTool", "find", "table", "network", "dialogs",
        "click", "type", "pressKey", "select", "scroll", "hover", "drag", "evaluate", "go", "reload",
    ]
)  # fmt: skip
TabId = Annotated[str, Field(pattern=r"^t\d{1,9}$")]
Pixels = Annotated[int, Field(ge=100, le=8_000)]


class OpenParams(MethodParams):
    """The parameters of `tabs/open`."""

    tab: TabId
    url: Annotated[str, Field(max_length=1 << 16)]


class AskParams(MethodParams):
    """The parameters of `tabs/ask`."""

    tab: TabId
    method: str
    params: dict[str, Any]
    origin: str | None


class TabParams(MethodParams):
    """The parameters of `tabs/close`."""

    tab: TabId


class DownloadParams(MethodParams):
    """The parameters of `tabs/download` and `tabs/discard`."""

    tab: TabId
    id: Annotated[str, Field(max_length=64)]
    start: Annotated[int, Field(ge=0)] = 0


class ShowParams(MethodParams):
    """The parameters of `tabs/show`."""

    tab: TabId | None
    width: Pixels = 1280
    height: Pixels = 800


class InputParams(MethodParams):
    """The parameters of `tabs/input`; `event` has the parameters of `Input.dispatch…Event` or `Input.insertText`."""

    tab: TabId
    kind: Literal["dispatchMouseEvent", "dispatchKeyEvent", "insertText"]
    event: dict[str, Any]


class BrowserTabs:
    """The tabs of one page.

    Args:
        browser: Where they are opened; None if the user hasn't allowed it.
        own: The hosts and ports of the companion itself, which no tab may open.
        sites: The origins that the user has allowed on the command line; `*` for all public ones.
        notify: Sends the page a notification.
    """

    def __init__(
        self,
        browser: TabBrowser | None,
        own: frozenset[str],
        sites: Sequence[str],
        notify: Callable[[str, Params], None],
    ) -> None:
        self._browser = browser
        self._own = own
        self._sites = sites
        self._notify = notify
        self._tabs: dict[str, DrivenTab] = {}
        self._shown: DrivenTab | None = None
        self._size = (1280, 800)
        self._opening = asyncio.Lock()
        self._stop_watching = browser.on_lost(self._lost) if browser is not None else lambda: None

    def row(self) -> Row:
        """Return whether the page may open tabs, and where without a question: `{on, sites}`."""
        return {"on": self._browser is not None, "sites": list(self._sites)}

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by method."""
        if self._browser is None:
            return {}
        return {
            "tabs/open": validated(OpenParams, self._open),
            "tabs/ask": validated(AskParams, self._ask),
            "tabs/close": validated(TabParams, self._close),
            "tabs/download": validated(DownloadParams, self._download),
            "tabs/discard": validated(DownloadParams, self._discard),
            "tabs/show": validated(ShowParams, self._show),
            "tabs/input": validated(InputParams, self._input),
        }

    async def close(self) -> None:
        """Close all tabs, since their page is gone."""
        self._stop_watching()
        for tab in list(self._tabs):
            await self._close(TabParams(tab=tab))

    async def _open(self, params: OpenParams) -> Row:
        self._require_web(params.url)
        async with self._opening:
            tab = self._tabs.get(params.tab) or await self._create(params.tab)
        return await tab.open(params.url)

    def _require_web(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise InvalidArguments(
                f"{url[:200]!r} can't be opened in a tab", hint="Use an http or https URL."
            )
        if parts.netloc.rpartition("@")[2] in self._own:
            raise OffLimits("The surface can't be opened in one of its own tabs.", hint="Open another page.")

    async def _create(self, tab_id: str) -> DrivenTab:
        assert self._browser is not None
        if len(self._tabs) >= MAX_TABS:
            raise UsageProblem(f"{MAX_TABS} tabs are open, which is the maximum", hint="Close some of them.")
        debugger, target = await self._browser.create()
        tab = DrivenTab(
            tab_id,
            debugger,
            target,
            self._browser.script,
            on_change=lambda row: self._notify("tabs/changed", row),
            on_messages=lambda tab: self._notify("tabs/has_messages", {"tab": tab}),
        )
        tab.on_picture = lambda picture: self._notify("tabs/picture", picture)
        self._browser.watch_windows(target, tab.has_opened)
        self._browser.downloads.add(tab, lambda row: self._notify("tabs/downloaded", row))
        await tab.attach()
        await self._resize(tab)
        self._tabs[tab_id] = tab
        return tab

    async def _resize(self, tab: DrivenTab) -> None:
        width, height = self._size
        await tab.command(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    def _find(self, tab_id: str) -> DrivenTab:
        tab = self._tabs.get(tab_id)
        if tab is None:
            raise TabMissing(f"The companion's browser has no tab {tab_id!r}.", hint="Open the page again.")
        return tab

    async def _ask(self, params: AskParams) -> Any:
        if params.method not in METHODS:
            raise InvalidArguments(f"there is no method {params.method!r} for tabs")
        return await self._find(params.tab).ask(params.method, params.params, params.origin or "null")

    async def _close(self, params: TabParams) -> Row:
        assert self._browser is not None
        tab = self._tabs.pop(params.tab, None)
        if tab is not None:
            if tab is self._shown:
                self._shown = None
            tab.close()
            self._browser.downloads.remove(tab)
            await self._browser.discard(tab.target)
        return {}

    async def _download(self, params: DownloadParams) -> Row:
        assert self._browser is not None
        return self._browser.downloads.read(params.tab, params.id, params.start)

    async def _discard(self, params: DownloadParams) -> Row:
        assert self._browser is not None
        self._browser.downloads.discard(params.tab, params.id)
        return {}

    async def _show(self, params: ShowParams) -> Row:
        before, self._shown = self._shown, self._tabs.get(params.tab or "")
        with contextlib.suppress(DebuggerProblem):
            if before is not None and before is not self._shown:
                await before.command("Page.stopScreencast")
            if self._shown is not None:
                self._size = (params.width, params.height)
                await self._resize(self._shown)
                await self._shown.command("Page.startScreencast", PICTURE)
        return {}

    async def _input(self, params: InputParams) -> Row:
        await self._find(params.tab).command(f"Input.{params.kind}", params.event)
        return {}

    def _lost(self) -> None:
        for tab in self._tabs.values():
            tab.close()
            if self._browser is not None:
                self._browser.downloads.remove(tab)
            tab.lose(AWAY)
        # A tab that is opened or reloaded starts the browser again.
        self._tabs.clear()
        self._shown = None
