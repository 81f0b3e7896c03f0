"""A tab, and what can be done to the document in it. docs/page-actions.md tells what each action does and answers."""

import time
from collections.abc import Awaitable, Callable
from typing import Any, Literal, Unpack, cast

from typing_extensions import TypedDict

from gemini.dom.documents import Document
from gemini.dom.history import History
from gemini.dom.results import Acted, ConsoleMessages, Filled, PageText, Scrolled, TabRow, Waited
from gemini.errors import CrossOrigin, PageGone

Row = dict[str, Any]
Ask = Callable[[str, str, Row], Awaitable[Any]]

PAGE = "page"
# How long to wait for what a page is to show, in seconds.
WAIT_S = 10


class Target(TypedDict, total=False):
    """Which element: a ref from a snapshot, a CSS selector, or a point in pixels of the viewport."""

    ref: str | None
    selector: str | None
    x: float | None
    y: float | None


class Tab:
    """One controlled document after the other: the surface's own (`page`), or those of a browser tab.

    Its actions raise `PageProblem`s (gemini.errors), and `InvalidArguments` where they are told too little.

    Args:
        tab_id: `page`, or `t1`, `t2`, ….
        ask: Calls a method of the document's page script: `ask(tab_id, method, params)`.
    """

    def __init__(self, tab_id: str, ask: Ask) -> None:
        self.id = tab_id
        self.url = ""
        self.title = ""
        self.loading = False
        self.readable = True
        self.why: str | None = None
        self.history = History()
        self._ask = ask

    def row(self, *, active: bool) -> TabRow:
        """`{id, url, title, active, loading, readable, why?}`; `why` says why it can't be read."""
        row: TabRow = {
            "id": self.id,
            "url": self.url,
            "title": self.title,
            "active": active,
            "loading": self.loading,
            "readable": self.readable,
        }
        return row if self.why is None else {**row, "why": self.why}

    def note(self, document: Document) -> None:
        """Take over what the page tells of the document that is shown now."""
        self.url = document.get("url", self.url)
        self.title = document.get("title", self.title)
        self.loading = document.get("loading", self.loading)
        self.readable = document.get("readable", self.readable)
        self.why = document.get("why") if not self.readable else None
        if not self.loading and self.url:
            self.history.visit(self.url)

    async def ask(self, method: str, **params: Any) -> Any:
        """Call a method of the page script with those of `params` that aren't None.

        Raises:
            CrossOrigin: the document can't be read.
            PageProblem: as the page script says.
        """
        if not self.readable:
            raise CrossOrigin(
                f"the document in {self.id} can't be read: {self.why}",
                hint="The person can see it, and use it. Another way to its content is a terminal, with curl.",
                data={"tab": self.id, "url": self.url},
            )
        answer = await self._ask(self.id, method, {k: v for k, v in params.items() if v is not None})
        return self._follow(cast(Row, answer)) if isinstance(answer, dict) else answer

    def _follow(self, answer: Row) -> Row:
        """Note where an answer says that the tab is by now."""
        document: Document | None = answer.pop("document", None)
        if document is not None:
            # What was asked led to another one.
            self.note(document)
            return {**answer, "url": self.url, "title": self.title, "loading": self.loading}
        url = answer.get("url", self.url)
        if url != self.url and not self.loading:
            self.url = url
            self.history.renamed(url)
        return answer

    async def snapshot(
        self,
        *,
        scope: str | None = None,
        changed_only: bool = False,
        max_chars: int | None = None,
        elements: bool = True,
        peek: bool = False,
    ) -> Row:
        """What can be acted on, as docs/page.md tells: `{url, title, text, elements, …}`."""
        return await self.ask(
            "snapshot",
            scope=scope,
            changed_only=changed_only,
            max_chars=max_chars,
            elements=elements,
            peek=peek,
        )

    async def click(
        self,
        *,
        double: bool = False,
        button: Literal["left", "middle", "right"] = "left",
        **target: Unpack[Target],
    ) -> Acted:
        return await self.ask("click", double=double, button=button, **target)

    async def type(
        self,
        text: str | None = None,
        *,
        submit: bool = False,
        files: list[Row] | None = None,
        **target: Unpack[Target],
    ) -> Filled:
        """Replace a field's value, or give a file input `files`: `[{name, type, data}]`, `data` in base64."""
        return await self.ask("type", text=text, submit=submit, files=files, **target)

    async def press_key(self, key: str, **target: Unpack[Target]) -> Acted:
        return await self.ask("pressKey", key=key, **target)

    async def select(self, option: str | list[str], **target: Unpack[Target]) -> Filled:
        return await self.ask("select", option=option, **target)

    async def scroll(self, direction: str, amount: float | None = None, **target: Unpack[Target]) -> Scrolled:
        return await self.ask("scroll", direction=direction, amount=amount, **target)

    async def hover(self, **target: Unpack[Target]) -> Acted:
        return await self.ask("hover", **target)

    async def drag(
        self,
        *,
        to: str | None = None,
        dx: float | None = None,
        dy: float | None = None,
        **target: Unpack[Target],
    ) -> Acted:
        return await self.ask("drag", to=to, dx=dx, dy=dy, **target)

    async def wait_for(
        self, *, text: str | None = None, gone: str | None = None, seconds: float | None = None
    ) -> Waited:
        if seconds is None and (text is not None or gone is not None):
            seconds = WAIT_S
        start = time.monotonic()
        while True:
            waited = time.monotonic() - start
            left = None if seconds is None else max(0.0, seconds - waited)
            try:
                answer = await self.ask("waitFor", text=text, gone=gone, seconds=left)
            except PageGone:
                # What is waited for may be in the document that came.
                continue
            answer["waited_s"] = round(waited + answer["waited_s"], 3)
            return answer

    async def text(self, *, instruction: str | None = None, max_chars: int | None = None) -> PageText:
        """What there is to read, as Markdown: `{text, truncated, title, kind, total_chars}`."""
        return await self.ask("text", instruction=instruction, max_chars=max_chars)

    async def screenshot(
        self, *, format: str = "png", ref: str | None = None, widest: int | None = None
    ) -> Row:
        """The viewport, or one element: `{data, width, height, format}`, `data` in base64.

        Args:
            widest: In pixels; what is wider is made smaller.
        """
        return await self.ask("screenshot", format=format, ref=ref, widest=widest)

    async def execute_js(self, code: str) -> Any:
        """Run the body of an async function in the document, and give what it returns, as JSON has it.

        Raises:
            ScriptFailed: it threw.
        """
        return await self.ask("evaluate", code=code)

    async def console(self, since: int | None = None) -> ConsoleMessages:
        """What the document printed and the errors that nobody caught: `{messages, next}`."""
        return await self.ask("console", since=since)
