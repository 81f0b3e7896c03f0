"""One tab: its document's page script (web/page/debugger_page.ts), and what only the browser can do."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Coroutine
from typing import Any, cast
from urllib.parse import urlsplit

from gemini.core.protocol import Connection, Params, remote_error
from gemini.errors import (
    CrossOrigin,
    PageFailure,
    PageGone,
    ProtocolError,
    TimedOut,
)
from gemini_companion.browser.tabs import screenshots
from gemini_companion.browser.tabs.debugger import Debugger, DebuggerProblem

Row = dict[str, Any]
WEB = ("http://", "https://")
# After this time, the caller gets a document that is still loading.
LOADS_S = 30.0
# For an action that led to another document, and for the script of a loading document.
ARRIVES_S = 10.0
# For a download whose server answers late.
BEGINS_S = 5.0
# A window has no URL when it opens.
NAMED_S = 1.0
HAS_MESSAGES = "notifications/has_messages"
BINDING = "geminiSend"
TOOLS_CHANGED = "notifications/tools_changed"
SETTINGS = {"dialogs": {"accept": False}, "messages": True, "tools": True}
# Requests of these methods count as the user's press, as a real one would: a page may then open a window.
PRESSES = frozenset(["click", "type", "pressKey", "select"])
# https://chromedevtools.github.io/devtools-protocol/tot/Page/#event-javascriptDialogOpening
LEAVES = "beforeunload"
AWAY = "the browser of the companion has ended; reload the tab"
GONE = "Another document replaced this one before it answered."
GONE_HINT = "Take a new snapshot: refs belong to the current document."
CRASHED = "its page has crashed; reload the tab"


class DocumentReplaced(PageGone):
    """Another document has replaced the one that a request was sent to."""


class DrivenTab:
    """A tab of the companion's browser.

    Args:
        tab: The id of the tab in the surface.
        debugger: The connection to the browser.
        target: The tab's target there.
        script: The bundle of the page script.
        on_change: Called with the tab's row when its document has changed.
        on_messages: Called when its document has new messages.
    """

    def __init__(
        self,
        tab: str,
        debugger: Debugger,
        target: str,
        script: str,
        *,
        on_change: Callable[[Row], None],
        on_messages: Callable[[str], None],
    ) -> None:
        self.id = tab
        self.target = target
        self._debugger = debugger
        self._script = script
        self._on_change = on_change
        self._on_messages = on_messages
        self._session = ""
        # No page can guess it, and no property has it.
        self._secret = f"gemini_{secrets.token_hex(16)}"
        self._state: Row = {
            "url": "",
            "title": "",
            "loading": False,
            "readable": True,
            "why": None,
            "tools": [],
        }
        self._link: Connection | None = None
        self._context: Row = {}
        self._linked = asyncio.Event()
        self._loads = 0
        self._downloads = 0
        self._frames: set[str] = {target}
        self._presses = False
        self._arrived = asyncio.Event()
        self._windows: dict[str, str] = {}
        self._windows_named = asyncio.Event()
        self._windows_named.set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.on_picture: Callable[[Row], None] = lambda picture: None
        self._handlers = self._listeners()

    def _listeners(self) -> dict[str, Callable[[Row], None]]:
        """Return the functions that receive the debugger's events, by method."""
        return {
            "Runtime.executionContextCreated": lambda params: self._on_context(params["context"]),
            "Runtime.executionContextDestroyed": self._on_context_end,
            "Runtime.executionContextsCleared": self._on_context_end,
            "Runtime.bindingCalled": self._on_message,
            "Page.frameAttached": lambda params: self._frames.add(params["frameId"]),
            "Page.frameNavigated": lambda params: self._on_navigated(params["frame"]),
            "Page.navigatedWithinDocument": self._on_moved,
            "Page.loadEventFired": lambda _: self._run(self._on_load()),
            "Page.javascriptDialogOpening": self._on_dialog,
            "Page.screencastFrame": self._on_picture,
            "Inspector.targetCrashed": lambda _: self.lose(CRASHED),
        }

    def row(self) -> Row:
        """Return the report on the document: `{tab, url, title, loading, readable, why, tools, site}`."""
        return {"tab": self.id, **self._state, "site": None}

    async def attach(self) -> None:
        """Connect to the tab, whose documents get the page script from now on."""
        attached = await self._debugger.send(
            "Target.attachToTarget", {"targetId": self.target, "flatten": True}
        )
        self._session = attached["sessionId"]
        self._debugger.listen(self._session, self._on_event)
        await asyncio.gather(
            self.command("Runtime.addBinding", {"name": BINDING}),
            self.command("Page.addScriptToEvaluateOnNewDocument", {"source": self._source()}),
            self.command("Page.enable"),
            self.command("Runtime.enable"),
            self.command("Inspector.enable"),
            # Documents behave as if a user looked at them.
            self.command("Emulation.setFocusEmulationEnabled", {"enabled": True}),
        )

    def _source(self) -> str:
        return (
            f"const {self._secret} = (() => {{ const send = globalThis.{BINDING}; delete globalThis.{BINDING};\n"
            f"{self._script}\nreturn geminiDriven.start(send); }})();"
        )

    async def command(self, method: str, params: Row | None = None) -> Row:
        """Send the tab a command of the debugger."""
        return await self._debugger.send(method, params, self._session)

    async def open(self, url: str) -> Row:
        """Open a URL and wait until it has loaded; return the row."""
        self._update(url=url, title="", loading=True, readable=True, why=None)
        loads, downloads = self._loads, self._downloads
        answer = await self.command("Page.navigate", {"url": url})
        problem = answer.get("errorText")
        if problem is not None:
            if answer.get("isDownload"):
                await self._next_arrival(loads, downloads, BEGINS_S)
            why = "it is a download" if answer.get("isDownload") else f"it can't be opened ({problem})"
            self._update(url=url, loading=False, readable=False, why=why)
        elif "loaderId" in answer:
            await self._next_arrival(loads, downloads, LOADS_S)
        else:
            # The same document, at another fragment.
            self._update(url=url, loading=False)
        return self.row()

    async def ask(self, method: str, params: Params, origin: str) -> Any:
        """Call a method of the document's script. If it navigates, return when the next document has loaded.

        Args:
            method: Of the page script.
            params: Of the method.
            origin: The one that the user was asked about, where the document must be.

        Raises:
            PageProblem: The script has reported an error.
            PageGone, CrossOrigin: Another document has replaced this one, or there is none that can be read.
        """
        if not self._state["readable"]:
            raise CrossOrigin(f"the document in {self.id} can't be read: {self._state['why']}")
        if method == "screenshot":
            return await self._screenshot_at(origin, params)
        loads, downloads, url = self._loads, self._downloads, self._state["url"]
        answer: Any
        try:
            answer = await self._request(method, params, origin)
        except DocumentReplaced:
            if method not in PRESSES:
                raise
            # What was pressed has led to another document, which came before the answer.
            nothing: Row = {"focus": None, "dialogs": [], "changed": 0}
            answer = {"success": True, "url": url, **nothing, "navigates_to": ""}
        if not isinstance(answer, dict):
            return answer
        answer = cast(Row, answer)
        if answer.get("navigates_to") is not None:
            await self._next_arrival(loads, downloads, ARRIVES_S)
            if self._loads == loads and self._downloads != downloads:
                # The document has stayed.
                answer.pop("navigates_to")
            else:
                address = answer["navigates_to"] or self._state["url"]
                answer = {**answer, "navigates_to": address, "document": self.row()}
        elif answer.pop("downloads_file", False):
            await self._next_arrival(loads, downloads, BEGINS_S)
        await _wait(self._windows_named, NAMED_S)
        opened = [url for url in self._windows.values() if url]
        self._windows.clear()
        return {**answer, "opened": opened} if opened else answer

    async def _screenshot_at(self, origin: str, params: Params) -> Row:
        # The answer comes from the document that is at the origin.
        await self._request("about", {}, origin)
        link = self._link
        picture = await screenshots.take(self.command, self._request, **params)
        if link is not self._link:
            raise _gone()
        return picture

    @property
    def _origin(self) -> str:
        """The origin of the document that the link leads to, as the browser says."""
        for found in (str(self._context.get("origin", "")), str(self._state["url"])):
            if found.startswith(WEB):
                parts = urlsplit(found)
                return f"{parts.scheme}://{parts.netloc}"
        return ""

    async def _request(self, method: str, params: Params, origin: str | None = None) -> Any:
        if self._link is None:
            await _wait(self._linked, ARRIVES_S)
        link = self._link
        if link is None:
            raise TimedOut("The document is still loading.", hint="Try again.")
        if origin is not None and self._origin != (origin if origin.startswith(WEB) else ""):
            raise _gone()
        self._presses = method in PRESSES
        try:
            return await link.request(method, params)
        except ProtocolError as error:
            if link is not self._link:
                raise DocumentReplaced(GONE, hint=GONE_HINT) from None
            raise remote_error(error, PageFailure) from error

    async def _next_arrival(self, loads: int, downloads: int, most: float) -> None:
        """Wait for a document or a download, if none has come since the counts were taken."""
        if self._loads == loads and self._downloads == downloads:
            await _wait(self._arrived, most)

    def has_opened(self, target: str, url: str) -> None:
        """Record that the document has opened a window, which is closed. Its URL is empty until it is known."""
        self._windows[target] = url
        (self._windows_named.set if all(self._windows.values()) else self._windows_named.clear)()

    def owns(self, frame: str) -> bool:
        """Return whether a frame belongs to the tab, or to a window that its documents have opened."""
        return frame in self._frames or frame in self._windows

    def has_download(self, frame: str) -> None:
        """Record that a download has begun in a frame. A window that was opened for it closes."""
        if self._windows.pop(frame, None) is not None and all(self._windows.values()):
            self._windows_named.set()
        self._downloads += 1
        self._arrive()

    def lose(self, why: str) -> None:
        """Record that the document will not return."""
        self._unlink()
        self._update(loading=False, readable=False, why=why)
        self._arrived.set()

    def close(self) -> None:
        """Stop listening; the caller closes the target."""
        self._unlink()
        self._debugger.forget(self._session)
        for task in self._tasks:
            task.cancel()

    def _update(self, **change: Any) -> None:
        self._state = {**self._state, **change}
        self._on_change(self.row())

    def _on_event(self, method: str, params: Row) -> None:
        handle = self._handlers.get(method)
        if handle is not None:
            handle(params)

    def _on_context_end(self, params: Row) -> None:
        ended = params.get("executionContextUniqueId")
        if ended is None or ended == self._context.get("uniqueId"):
            self._unlink()

    def _on_message(self, params: Row) -> None:
        own = params["name"] == BINDING and params["executionContextId"] == self._context.get("id")
        if own and self._link is not None:
            self._link.receive(params["payload"])

    def _on_dialog(self, params: Row) -> None:
        self._run(self.command("Page.handleJavaScriptDialog", {"accept": params["type"] == LEAVES}))

    def _on_picture(self, params: Row) -> None:
        self._run(self.command("Page.screencastFrameAck", {"sessionId": params["sessionId"]}))
        self.on_picture({"tab": self.id, "data": params["data"]})

    def _on_context(self, context: Row) -> None:
        about = context.get("auxData", {})
        # The main frame of a page target has the target's id.
        if not about.get("isDefault") or about.get("frameId") != self.target:
            return
        self._unlink()
        self._context = context

        def send(text: str) -> None:
            expression = f"{self._secret}.receive({json.dumps(text)})"
            self._run(self._evaluate(expression, context["uniqueId"], presses=self._presses))

        listeners: dict[str, Callable[[Row], None]] = {
            HAS_MESSAGES: lambda _: self._on_messages(self.id),
            TOOLS_CHANGED: lambda params: self._update(tools=params.get("tools", [])),
        }
        self._link = Connection(send, {}, listeners=listeners)
        self._linked.set()
        self._run(self._greet(self._link))

    async def _greet(self, link: Connection) -> None:
        await link.request("install", SETTINGS)

    async def _evaluate(self, expression: str, context: str, *, presses: bool) -> None:
        running = {"expression": expression, "uniqueContextId": context, "userGesture": presses}
        await self.command("Runtime.evaluate", running)

    def _unlink(self) -> None:
        link, self._link, self._context = self._link, None, {}
        self._linked.clear()
        if link is not None:
            link.close()

    def _on_moved(self, params: Row) -> None:
        if params["frameId"] == self.target:
            self._update(url=params["url"])

    def _on_navigated(self, frame: Row) -> None:
        if "parentId" in frame:
            return
        self._frames = {self.target}
        url = f"{frame['url']}{frame.get('urlFragment', '')}"
        failed = frame.get("unreachableUrl")
        if failed:
            self._update(url=failed, title="", loading=False, readable=False, why="it can't be opened")
            return
        self._update(url=url, title="", loading=True, readable=True, why=None, tools=[])

    async def _on_load(self) -> None:
        about: Row = {}
        if self._state["readable"]:
            about = await self._request("about", {})
        self._loads += 1
        self._update(
            title=about.get("title", self._state["title"]), tools=about.get("tools", []), loading=False
        )
        self._arrive()

    def _arrive(self) -> None:
        self._arrived.set()
        self._arrived.clear()

    def _run(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run the reaction to an event. Its document may be gone before it ends."""

        async def react() -> None:
            try:
                await work
            except (DebuggerProblem, ProtocolError, PageGone, TimedOut):
                return

        task = asyncio.create_task(react())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # A task that is cancelled before it begins never awaits its work.
        task.add_done_callback(lambda _: work.close())


def _gone() -> PageGone:
    return PageGone(GONE, hint=GONE_HINT)


async def _wait(event: asyncio.Event, most: float) -> None:
    try:
        async with asyncio.timeout(most):
            await event.wait()
    except TimeoutError:
        return
