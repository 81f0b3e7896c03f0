"""A tab and the actions on its document. docs/page-actions.md describes each action and its result."""

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Literal, Unpack, cast

from typing_extensions import TypedDict

from gemini.errors import CrossOrigin, PageGone
from gemini.pages.tabs.documents import Document, Place, shown_url
from gemini.pages.tabs.history import History
from gemini.pages.tabs.results import (
    Acted,
    ConsoleMessages,
    Filled,
    Framing,
    PageText,
    PageTool,
    PageToolResult,
    Scrolled,
    TabDownload,
    TabRow,
    Waited,
)
from gemini.pages.tabs.tab_owner import Owner
from gemini.tools.watching import note_element

Row = dict[str, Any]
Ask = Callable[[str, str, Row], Awaitable[Any]]

PAGE = "page"
FORBIDDEN = (
    "its server forbids showing it inside another page ({header}), so the tab is empty; get its content with curl in a "
    "terminal, or ask the user to open it in a tab of their browser"
)
# The default time to wait for a text to appear or disappear.
WAIT_S = 10


class Target(TypedDict, total=False):
    """The element to act on: a ref from a snapshot, a CSS selector, or a point of the viewport in pixels."""

    ref: str | None
    selector: str | None
    x: float | None
    y: float | None


class Tab:
    """A tab of the browser panel, or the surface's own document (`page`).

    Actions raise a `PageProblem` (gemini.errors), or `InvalidArguments` if they lack a target.

    Args:
        tab_id: `page`, or `t1`, `t2`, ….
        ask: Calls a method of the document's page script: `ask(tab_id, method, params)`.

    Attributes:
        owner: The agent that opened the tab; None if it is the user's.
        tool_names: The names of the tools that its document offers.
        downloads: The latest downloads of its documents, oldest first.
        live: Whether the tab shows the preview that reloads when its files change.
    """

    def __init__(self, tab_id: str, ask: Ask) -> None:
        self.id = tab_id
        self.url = ""
        self.title = ""
        self.loading = False
        self.readable = True
        self.why: str | None = None
        self.tool_names: list[str] = []
        self.downloads: list[TabDownload] = []
        self._seen_tools: set[str] = set()
        self.framing: Framing | None = None
        self.history = History()
        self.owner: Owner | None = None
        self.live = False
        self._site: Place | None = None
        self._ask = ask

    def row(self, *, active: bool) -> TabRow:
        """Return the tab as the page receives it."""
        row: TabRow = {
            "id": self.id,
            "url": self.url,
            "title": self.title,
            "active": active,
            "loading": self.loading,
            "readable": self.readable,
        }
        if self.why is not None:
            row["why"] = self.why
        if self.tool_names:
            row["tools"] = self.tool_names
        if self.framing is not None:
            row["framing"] = self.framing
        if self.owner is not None:
            row["owner"] = self.owner.row()
        if self.downloads:
            row["downloads"] = self.downloads
        if self.live:
            row["live"] = True
        return row

    def update(self, document: Document) -> None:
        """Update the tab from the page's report on its document."""
        self._site = document.get("site", self._site)
        self.url = shown_url(document.get("url", self.url), self._site)
        self.title = document.get("title", self.title)
        self.loading = document.get("loading", self.loading)
        self.readable = document.get("readable", self.readable)
        self.why = document.get("why") if not self.readable else None
        self.tool_names = document.get("tools", self.tool_names) if self.readable else []
        self._seen_tools.update(self.tool_names)
        self.downloads = document.get("downloads", self.downloads)
        self.framing = document.get("framing") if not self.readable else None
        if self.is_forbidden:
            self.why = FORBIDDEN.format(header=self.framing)
        if self.pdf is not None:
            self.why = f"it is a PDF file, which is stored as {self.pdf}; browser_get_text reads its text"
        if not self.loading and self.url:
            self.history.visit(self.url)

    @property
    def pdf(self) -> str | None:
        """The path of the PDF file that the tab has stored instead of showing it."""
        last = None if self.readable or not self.downloads else self.downloads[-1].get("path")
        return last if last is not None and last.lower().endswith(".pdf") else None

    @property
    def is_forbidden(self) -> bool:
        """True if the tab is empty because the page forbids being shown in it."""
        return self.framing not in (None, "unknown")

    async def ask(self, method: str, **params: Any) -> Any:
        """Call a method of the page script with the `params` that aren't None.

        Raises:
            CrossOrigin: The document can't be read.
            PageProblem: The page script reported an error.
        """
        if not self.readable:
            seen = "" if self.is_forbidden else "The user can see and use it. "
            raise CrossOrigin(
                f"the document in {self.id} can't be read: {self.why}",
                hint=f"{seen}To get its content, try curl in a terminal.",
                data={"tab": self.id, "url": self.url},
            )
        answer = await self._ask(self.id, method, {k: v for k, v in params.items() if v is not None})
        return self._follow(cast(Row, answer)) if isinstance(answer, dict) else answer

    def _follow(self, answer: Row) -> Row:
        """Update the tab from the document or URL of an answer."""
        if (name := answer.pop("target", None)) is not None:
            note_element(name)
        document: Document | None = answer.pop("document", None)
        if document is not None:
            # The action led to another document.
            self.update(document)
            return {**answer, "url": self.url, "title": self.title, "loading": self.loading}
        if "url" in answer:
            answer = {**answer, "url": shown_url(answer["url"], self._site)}
        url = answer.get("url", self.url)
        if url != self.url and not self.loading:
            self.url = url
            self.history.replace(url)
        return answer

    async def page_tools(self) -> list[PageTool]:
        """Return the tools that the document offers by WebMCP."""
        return (await self.ask("tools"))["tools"]

    async def call_tool(self, name: str, /, **arguments: Any) -> PageToolResult:
        """Call a tool of the document.

        Returns:
            `{success, result, changed, …}`, with `result` as the page returns it.

        Raises:
            NotFound: The document doesn't offer the tool, or no longer.
            InvalidArguments: An argument is missing; `data` has the schema.
            Refused: The page says that the tool has consequences, and the user refused.
        """
        return await self.ask("callTool", name=name, input=arguments)

    def __getattr__(self, name: str) -> Callable[..., Awaitable[PageToolResult]]:
        """Return a function that calls a tool of the document: `await tab.search(query="tea")`."""
        if name.startswith("_") or name not in self._seen_tools:
            raise AttributeError(f"a tab has no {name!r}, and its page offers no tool of that name")
        return partial(self.call_tool, name)

    async def snapshot(
        self,
        *,
        scope: str | None = None,
        changed_only: bool = False,
        max_chars: int | None = None,
        elements: bool = True,
        peek: bool = False,
    ) -> Row:
        """List the elements that can be acted on.

        Args:
            scope: A ref or CSS selector; only elements inside it are listed.
            changed_only: Whether to list only new elements since the last snapshot.
            max_chars: The maximum length of the text.
            elements: Whether to return the elements as data, too.
            peek: Whether to leave the state for `changed_only` as it is.

        Returns:
            `{url, title, text, elements, …}`; see docs/page.md.
        """
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
        modifiers: str | None = None,
        hold: float | None = None,
        **target: Unpack[Target],
    ) -> Acted:
        """Click an element.

        Args:
            double: Whether to click twice.
            button: The mouse button.
            modifiers: Keys that are held, such as `Control+Shift`.
            hold: The seconds until the button is released.
            target: The element or point.
        """
        return await self.ask("click", double=double, button=button, modifiers=modifiers, hold=hold, **target)

    async def type(
        self,
        text: str | None = None,
        *,
        submit: bool = False,
        files: list[Row] | None = None,
        **target: Unpack[Target],
    ) -> Filled:
        """Replace a field's value, or set the `files` of a file input: `[{name, type, data}]`, `data` in base64."""
        return await self.ask("type", text=text, submit=submit, files=files, **target)

    async def press_key(self, key: str, **target: Unpack[Target]) -> Acted:
        """Press a key or a chord, such as `Control+a`, on an element; on the focused one by default."""
        return await self.ask("pressKey", key=key, **target)

    async def select(self, option: str | list[str], **target: Unpack[Target]) -> Filled:
        """Select one or more options by label or value."""
        return await self.ask("select", option=option, **target)

    async def scroll(self, direction: str, amount: float | None = None, **target: Unpack[Target]) -> Scrolled:
        """Scroll an element, or the page; `amount` is in CSS pixels."""
        return await self.ask("scroll", direction=direction, amount=amount, **target)

    async def hover(self, **target: Unpack[Target]) -> Acted:
        """Move the mouse over an element."""
        return await self.ask("hover", **target)

    async def drag(
        self,
        *,
        to: str | None = None,
        dx: float | None = None,
        dy: float | None = None,
        path: list[list[float]] | None = None,
        modifiers: str | None = None,
        hold: float | None = None,
        **target: Unpack[Target],
    ) -> Acted:
        """Drag an element to the ref `to`, by `dx` and `dy` CSS pixels, or along a path. Text is selected.

        Args:
            to: The ref of the destination.
            dx: The distance to the right.
            dy: The distance downwards.
            path: The points `[x, y]` to move through, in pixels of the viewport.
            modifiers: Keys that are held, such as `Shift`.
            hold: The seconds before the first move; 0.3 by default.
            target: The element or point to start from.
        """
        return await self.ask(
            "drag", to=to, dx=dx, dy=dy, path=path, modifiers=modifiers, hold=hold, **target
        )

    async def wait_for(
        self, *, text: str | None = None, gone: str | None = None, seconds: float | None = None
    ) -> Waited:
        """Wait until `text` appears or `gone` disappears, at most `seconds`; without either, wait that long."""
        if seconds is None and (text is not None or gone is not None):
            seconds = WAIT_S
        start = time.monotonic()
        while True:
            waited = time.monotonic() - start
            left = None if seconds is None else max(0.0, seconds - waited)
            try:
                answer = await self.ask("waitFor", text=text, gone=gone, seconds=left)
            except PageGone:
                # The text may be in the next document.
                continue
            answer["waited_s"] = round(waited + answer["waited_s"], 3)
            return answer

    async def text(self, *, instruction: str | None = None, max_chars: int | None = None) -> PageText:
        """Return the document's text as Markdown. Where it is cut, parts that match `instruction` stay."""
        return await self.ask("text", instruction=instruction, max_chars=max_chars)

    async def screenshot(
        self,
        *,
        format: str = "png",
        ref: str | None = None,
        widest: int | None = None,
        boxes: bool | None = None,
    ) -> Row:
        """Take a screenshot of the viewport or of one element.

        Args:
            format: `png` or `jpeg`.
            ref: The element; the viewport by default.
            widest: The maximum width in pixels; a wider picture is scaled down.
            boxes: Whether to draw a box with its ref around each element that can be acted on.

        Returns:
            `{data, width, height, format}`, with `data` in base64.
        """
        return await self.ask("screenshot", format=format, ref=ref, widest=widest, boxes=boxes)

    async def execute_js(self, code: str) -> Any:
        """Run the body of an async function in the document, and return its result as JSON.

        Raises:
            ScriptFailed: The code threw.
        """
        return await self.ask("evaluate", code=code)

    async def console(self, since: int | None = None) -> ConsoleMessages:
        """Return console messages and uncaught errors; `since` is the `next` of an earlier result."""
        return await self.ask("console", since=since)
