"""The pages that have the surface open, and the one that is current."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from gemini.core.protocol import Connection, Json, Params
from gemini.errors import NobodyToAsk, ProtocolError
from gemini_companion.errors import NoPageConnected, PageLost, PageNotReady, UnknownPage
from gemini_companion.named_command import named_command
from gemini_companion.pages.consent import Questions

Row = dict[str, Any]
# Seconds after which a request no longer delays the next one; a short one takes less than a millisecond.
TURN_S = 0.005
AT_ONCE = 1
# Seconds that a call waits for the Python of a page that starts. Clients of MCP's TypeScript SDK give up after 60.
START_S = 45.0


class Caller(Protocol):
    """The caller of a page's tool: receives its reports and answers its questions, until the call ends."""

    name: str

    def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Receive progress of the call."""
        ...

    def message(self, level: str, data: Json) -> None:
        """Receive a message of the tool."""
        ...

    async def elicit(self, name: str | None, message: str, schema: Row) -> Row:
        """Return the user's answer to the question of that name, `{action, content?}`."""
        ...

    async def sample(self, prompt: str, system: str | None, max_tokens: int) -> str:
        """Return the answer of the client's model."""
        ...

    async def roots(self) -> list[Row]:
        """Return the folders that the client works in, `{uri, name?}` of each."""
        ...


class RemoteFailure(ProtocolError):
    """An error that a page answered with.

    Args:
        error: `{type, message, hint?, data?}`.
    """

    def __init__(self, error: Row) -> None:
        super().__init__(str(error.get("message")), hint=error.get("hint"), data=error.get("data"))
        self.error = error

    def as_json(self) -> Row:
        """Return the page's own error, as if the caller had asked the page directly."""
        return {"isError": True, "error": self.error}


@dataclass
class Page:
    """A connected page.

    Attributes:
        name: `page-1`, …; it stays the same when the page is reloaded.
        key: The key by which the page identifies itself.
        title, url: As the page reports them.
        connection: The connection to it.
        questions: Asks the user at it.
        tools: Its `tools/list`; None until its Python has answered.
        problem: The reason why its Python doesn't start, if the page has reported one.
        lost: The error for callers, once the page is lost.
    """

    name: str
    key: str
    title: str
    url: str
    connection: Connection
    questions: Questions
    tools: list[Row] | None = None
    problem: str | None = None
    lost: PageLost | None = None
    _free: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    _callers: dict[str, Caller] = field(default_factory=lambda: {})
    _tokens: "itertools.count[int]" = field(default_factory=itertools.count)

    def row(self) -> Row:
        """Return the row of the page: `{name, title, url}`."""
        return {"name": self.name, "title": self.title, "url": self.url}

    async def ask(self, method: str, params: Params, caller: Caller | None = None) -> Json:
        """Send the page a request. The page is notified if the caller is cancelled.

        Meanwhile the page can report progress to a `caller`, and ask it.

        Raises:
            RemoteFailure: The page answered with an error.
            PageLost: The page was lost meanwhile.
        """
        with self._introduce(params, caller) as sent:
            try:
                async with self._turn():
                    return await self.connection.request(method, sent)
            except ProtocolError as error:
                if self.lost is not None:
                    raise self.lost from None
                raise _remote(error) from None

    @contextlib.asynccontextmanager
    async def _turn(self) -> AsyncGenerator[None]:
        """Send short requests one after another, since the page has other callers, too.

        The next request starts when this one is answered, or takes longer than `TURN_S`.
        """
        await self._free.acquire()
        is_over = False

        def end() -> None:
            nonlocal is_over
            if not is_over:
                is_over = True
                self._free.release()

        timer = asyncio.get_running_loop().call_later(TURN_S, end)
        try:
            yield
        finally:
            timer.cancel()
            end()

    @contextlib.contextmanager
    def _introduce(self, params: Params, caller: Caller | None) -> Generator[Params]:
        if caller is None:
            yield params
            return
        token = f"call-{next(self._tokens)}"
        self._callers[token] = caller
        try:
            yield {**params, "_meta": {**params.get("_meta", {}), "progressToken": token, "call": token}}
        finally:
            del self._callers[token]

    def caller(self, params: Params) -> Caller:
        """Return the caller that `params` names.

        Raises:
            NobodyToAsk: The call has ended.
        """
        caller = self._callers.get(str(params.get("call")))
        if caller is None:
            raise NobodyToAsk("the call has ended, so there is nobody to ask")
        return caller

    def progressed(self, params: Params) -> None:
        """Handle a `notifications/progress` of the page."""
        caller = self._callers.get(str(params.get("progressToken")))
        if caller is not None:
            caller.progress(float(params["progress"]), params.get("total"), params.get("message"))

    def messaged(self, params: Params) -> None:
        """Handle a `notifications/message` of the page, which names its call."""
        caller = self._callers.get(str(params.get("call")))
        if caller is not None:
            caller.message(str(params.get("level")), params.get("data"))

    def lose(self, why: str) -> None:
        """Fail all requests to the page, since it is lost."""
        self.lost = PageLost(
            f"{self.name} {why} before it answered; it is unknown whether the call was carried out",
            hint="Check the current state before you repeat it.",
        )
        self.connection.close()


def _remote(error: ProtocolError) -> RemoteFailure:
    data: Any = error.data
    details: Any = cast(Row, data).get("data") if isinstance(data, dict) else None
    if isinstance(details, dict) and "type" in details:
        return RemoteFailure({"message": error.message, **cast(Row, details)})
    return RemoteFailure({"type": "ProtocolError", "message": error.message})


class Pages:
    """The connected pages by name. The current one is the page that a user looked at last.

    Args:
        url: Returns the address where a page can be opened, for messages.
    """

    def __init__(self, url: Callable[[], str]) -> None:
        self._url = url
        self._pages: dict[str, Page] = {}
        self._names: dict[str, str] = {}
        self._current: str | None = None
        self._on_change: list[Callable[[], None]] = []
        self._joined = asyncio.Event()
        self._emptied = asyncio.Event()
        self._emptied.set()
        # How long a caller waits for a page, in seconds, unless it is known that none will come.
        self._patience = 0.0
        self._unavailable = asyncio.Event()
        self._why_none = ""
        self._change = asyncio.Event()

    def __iter__(self) -> "itertools.chain[Page]":
        return itertools.chain(self._pages.values())

    @property
    def current(self) -> Page | None:
        """The current page, or None."""
        return None if self._current is None else self._pages.get(self._current)

    def rows(self) -> list[Row]:
        """Return a row of each page: `{name, title, url, current}`."""
        return [{**page.row(), "current": page.name == self._current} for page in self]

    def name_of(self, key: str) -> str:
        """Return the name of the page with that key, the same each time it connects."""
        return self._names.setdefault(key, f"page-{len(self._names) + 1}")

    def join(self, page: Page) -> None:
        """Add a page that has connected, replacing one of the same name."""
        before = self._pages.get(page.name)
        if before is not None:
            before.lose("was reloaded")
        self._pages[page.name] = page
        self._current = self._current or page.name
        self._joined.set()
        self._emptied.clear()
        self.changed()

    def leave(self, page: Page, why: str) -> None:
        """Remove a page that is lost."""
        page.lose(why)
        if self._pages.get(page.name) is not page:
            return
        del self._pages[page.name]
        if self._current == page.name:
            self._current = next(reversed(self._pages), None)
        if not self._pages:
            self._joined.clear()
            self._emptied.set()
        self.changed()

    def by_key(self, key: str) -> Page | None:
        """Return the connected page with that key, or None."""
        return next((page for page in self if page.key == key), None)

    def focus(self, page: Page) -> None:
        """Make the page current, since a user looks at it."""
        if self._pages.get(page.name) is page and self._current != page.name:
            self._current = page.name
            self.changed()

    async def joined(self) -> None:
        """Wait until there is a page."""
        await self._joined.wait()

    async def emptied(self) -> None:
        """Wait until there is no page."""
        await self._emptied.wait()

    @contextlib.contextmanager
    def expected(self, seconds: float) -> Generator[None]:
        """Let `find` wait for a page while the block runs, during which a browser opens one whenever there is none."""
        self._patience = seconds
        try:
            yield
        finally:
            self._patience = 0.0

    def set_unavailable(self, why: str | None) -> None:
        """Let no caller wait for a page, since none can be opened; None lets callers wait again."""
        self._why_none = why or ""
        (self._unavailable.set if why else self._unavailable.clear)()

    async def find(self, name: str | None = None) -> Page:
        """Return a page whose Python answers, after a wait for one that is expected or starts.

        Without a name, it is the current page if that is ready, else another that is ready.

        Raises:
            NoPageConnected, UnknownPage: As in `select`.
            PageNotReady: Python doesn't start in the page.
        """
        if not self._pages and self._patience:
            waits = [asyncio.create_task(event.wait()) for event in (self._joined, self._unavailable)]
            await asyncio.wait(waits, timeout=self._patience, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()
        try:
            async with asyncio.timeout(START_S):
                while (page := self._ready(name)) is None:
                    await self._change.wait()
                return page
        except TimeoutError:
            page = self.select(name)
            raise self._not_ready(page, f"has not started Python in {START_S:g} s") from None

    def _ready(self, name: str | None) -> Page | None:
        """Return the page that answers, or None while it starts.

        Raises:
            NoPageConnected, UnknownPage, PageNotReady: As in `find`.
        """
        page = self.select(name)
        if page.tools is None and name is None:
            page = next((other for other in self if other.tools is not None), page)
        if page.tools is not None:
            return page
        if page.problem is not None:
            raise self._not_ready(page, f"can't start Python: {page.problem}")
        return None

    def _not_ready(self, page: Page, why: str) -> PageNotReady:
        return PageNotReady(
            f"{page.name} {why}",
            hint=f"The user can look at that page, which says more, and reload it, or open {self._url()} in another "
            f"browser that was admitted before, or the address that `{named_command('url')}` prints; then call again.",
        )

    def select(self, name: str | None = None) -> Page:
        """Return the page of that name, or the current one.

        Raises:
            NoPageConnected: No page is connected.
            UnknownPage: No page has that name.
        """
        page = self.current if name is None else self._pages.get(name)
        if page is not None:
            return page
        if not self._pages:
            by_itself = "" if self._patience else "; or start it with --headless, which opens one by itself"
            raise NoPageConnected(
                f"no page has the surface open{self._why_none}",
                hint=f"The user can open {self._url()} in a browser that was admitted before, or else the address "
                f"that `{named_command('url')}` prints, in Chromium with WebMCP enabled; then call again{by_itself}.",
            )
        raise UnknownPage(f"there is no page {name!r}", hint=f"There are: {', '.join(self._pages)}.")

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each change of pages or their tools."""
        self._on_change.append(listener)

    def changed(self) -> None:
        """Notify the listeners, and calls that wait for a page, of a change."""
        self._change.set()
        self._change = asyncio.Event()
        for listener in self._on_change:
            listener()
