"""The pages that have the surface open, and which of them is the current one."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from gemini.core.protocol import Connection, Json, Params
from gemini.errors import NobodyToAsk, ProtocolError
from gemini_companion.consent import Questions
from gemini_companion.errors import NoPageConnected, PageLost, UnknownPage

Row = dict[str, Any]
# Seconds after which a request no longer keeps the next one waiting; a short one takes less than a millisecond.
TURN_S = 0.005
AT_ONCE = 1


class Caller(Protocol):
    """Who called a tool of a page: hears of it, and is asked by it, for as long as the call lasts."""

    name: str

    def progress(self, done: float, total: float | None, message: str | None) -> None: ...

    def message(self, level: str, data: Json) -> None: ...

    async def elicit(self, name: str | None, message: str, schema: Row) -> Row:
        """The person's answer to the question of that name, `{action, content?}`."""
        ...

    async def sample(self, prompt: str, system: str | None, max_tokens: int) -> str:
        """What the client's model says."""
        ...


class RemoteFailure(ProtocolError):
    """What a page answered a request with, where that is an error: `error` is `{type, message, hint?, data?}`."""

    def __init__(self, error: Row) -> None:
        super().__init__(str(error.get("message")), hint=error.get("hint"), data=error.get("data"))
        self.error = error

    def as_json(self) -> Row:
        """The page's own words: whoever hears of it doesn't care who passed it on."""
        return {"isError": True, "error": self.error}


@dataclass
class Page:
    """One page that is connected.

    Attributes:
        name: `page-1`, …; it stays the same when the page is loaded anew.
        key: What the page knows itself by.
        title, url: As the page tells them.
        connection: The conversation with it.
        questions: Asks the person at it.
        tools: Its tools, as its `tools/list` tells them; None until it has.
    """

    name: str
    key: str
    title: str
    url: str
    connection: Connection
    questions: Questions
    tools: list[Row] | None = None
    lost: PageLost | None = None
    _free: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    _callers: dict[str, Caller] = field(default_factory=lambda: {})
    _tokens: "itertools.count[int]" = field(default_factory=itertools.count)

    def row(self) -> Row:
        """What is told of a page: `{name, title, url}`."""
        return {"name": self.name, "title": self.title, "url": self.url}

    async def ask(self, method: str, params: Params, caller: Caller | None = None) -> Json:
        """Ask the page, which is told when the one who asks is cancelled.

        A `caller` can be told of progress, and be asked, meanwhile.

        Raises:
            RemoteFailure: it answered with an error.
            PageLost: it went away meanwhile.
        """
        with self._introduced(params, caller) as told:
            try:
                async with self._turn():
                    return await self.connection.request(method, told)
            except ProtocolError as error:
                if self.lost is not None:
                    raise self.lost from None
                raise _remote(error) from None

    @contextlib.asynccontextmanager
    async def _turn(self) -> AsyncGenerator[None]:
        """One request after another, as long as they are short: the page has callers of its own, who wait, too.

        The next one begins when this one is answered, or takes longer than `TURN_S`.
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
    def _introduced(self, params: Params, caller: Caller | None) -> Generator[Params]:
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
        """Who made the call that `params` names.

        Raises:
            NobodyToAsk: it has ended.
        """
        caller = self._callers.get(str(params.get("call")))
        if caller is None:
            raise NobodyToAsk("the call has ended, so there is nobody to ask")
        return caller

    def progressed(self, params: Params) -> None:
        """Take a `notifications/progress` of the page."""
        caller = self._callers.get(str(params.get("progressToken")))
        if caller is not None:
            caller.progress(float(params["progress"]), params.get("total"), params.get("message"))

    def messaged(self, params: Params) -> None:
        """Take a `notifications/message` of the page, which names the call that it belongs to."""
        caller = self._callers.get(str(params.get("call")))
        if caller is not None:
            caller.message(str(params.get("level")), params.get("data"))

    def lose(self, why: str) -> None:
        """The page is gone: whoever waits for it hears so."""
        self.lost = PageLost(
            f"{self.name} {why} before it answered; whether the call was carried out isn't known",
            hint="Look at what is there before you repeat it.",
        )
        self.connection.close()


def _remote(error: ProtocolError) -> RemoteFailure:
    told: Any = error.data
    details: Any = cast(Row, told).get("data") if isinstance(told, dict) else None
    if isinstance(details, dict) and "type" in details:
        return RemoteFailure({"message": error.message, **cast(Row, details)})
    return RemoteFailure({"type": "ProtocolError", "message": error.message})


class Pages:
    """Pages by name. The current one is that which a person looked at last.

    Args:
        url: Where a page can be opened, for who finds none.
    """

    def __init__(self, url: Callable[[], str]) -> None:
        self._url = url
        self._pages: dict[str, Page] = {}
        self._names: dict[str, str] = {}
        self._current: str | None = None
        self._on_change: list[Callable[[], None]] = []
        self._joined = asyncio.Event()
        self._gone = asyncio.Event()
        self._gone.set()
        # Seconds for which who needs a page waits for one, unless it is known that none will come.
        self._patience = 0.0
        self._hopeless = asyncio.Event()
        self._why_none = ""

    def __iter__(self) -> "itertools.chain[Page]":
        return itertools.chain(self._pages.values())

    @property
    def current(self) -> Page | None:
        return None if self._current is None else self._pages.get(self._current)

    def rows(self) -> list[Row]:
        """Every page as `{name, title, url, current}`."""
        return [{**page.row(), "current": page.name == self._current} for page in self]

    def name_of(self, key: str) -> str:
        """The name of the page that knows itself by `key`, now and when it comes again."""
        return self._names.setdefault(key, f"page-{len(self._names) + 1}")

    def join(self, page: Page) -> None:
        """A page has connected; one of its name that is there still has been replaced by it."""
        before = self._pages.get(page.name)
        if before is not None:
            before.lose("was loaded anew")
        self._pages[page.name] = page
        self._current = self._current or page.name
        self._joined.set()
        self._gone.clear()
        self.changed()

    def leave(self, page: Page, why: str) -> None:
        """A page has gone."""
        page.lose(why)
        if self._pages.get(page.name) is not page:
            return
        del self._pages[page.name]
        if self._current == page.name:
            self._current = next(reversed(self._pages), None)
        if not self._pages:
            self._joined.clear()
            self._gone.set()
        self.changed()

    def of_key(self, key: str) -> Page | None:
        """The connected page that knows itself by `key`."""
        return next((page for page in self if page.key == key), None)

    def look_at(self, page: Page) -> None:
        """A person looks at that page: it becomes the current one."""
        if self._pages.get(page.name) is page and self._current != page.name:
            self._current = page.name
            self.changed()

    async def joined(self) -> None:
        """Wait until there is a page."""
        await self._joined.wait()

    async def gone(self) -> None:
        """Wait until there is none."""
        await self._gone.wait()

    @contextlib.contextmanager
    def awaited(self, seconds: float) -> Generator[None]:
        """Somebody opens a page while the block runs, whenever there is none: `find` waits for it."""
        self._patience = seconds
        try:
            yield
        finally:
            self._patience = 0.0

    def miss(self, why: str | None) -> None:
        """Whoever opens pages can't; nobody waits for one, until it is tried again (None)."""
        self._why_none = why or ""
        (self._hopeless.set if why else self._hopeless.clear)()

    async def find(self, name: str | None = None) -> Page:
        """`choose`, after a wait for a page that is on its way.

        Raises:
            NoPageConnected, UnknownPage: As `choose` does.
        """
        if not self._pages and self._patience:
            waits = [asyncio.create_task(event.wait()) for event in (self._joined, self._hopeless)]
            await asyncio.wait(waits, timeout=self._patience, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()
        return self.choose(name)

    def choose(self, name: str | None = None) -> Page:
        """The page of that name, or the current one.

        Raises:
            NoPageConnected: there is none at all.
            UnknownPage: there is none of that name.
        """
        page = self.current if name is None else self._pages.get(name)
        if page is not None:
            return page
        if not self._pages:
            by_itself = "" if self._patience else "; or start it with --headless, which opens one by itself"
            raise NoPageConnected(
                f"no page has the surface open{self._why_none}",
                hint=f"The person can open {self._url()} in a browser that was let in before, or else what "
                f"`control-surface url` prints, in Chromium with WebMCP on; then call again{by_itself}.",
            )
        raise UnknownPage(f"there is no page {name!r}", hint=f"There are: {', '.join(self._pages)}.")

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever pages or their tools changed."""
        self._on_change.append(listener)

    def changed(self) -> None:
        for listener in self._on_change:
            listener()
