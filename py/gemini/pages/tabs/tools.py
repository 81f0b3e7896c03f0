"""The browser tools that agents call."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from gemini import tools
from gemini.errors import InvalidArguments, PageUnreachable, Unsupported
from gemini.pages.tabs import pdf, screenshots, uploads
from gemini.pages.tabs.browser import Browser
from gemini.pages.tabs.results import (
    Acted,
    ConsoleMessages,
    Evaluated,
    Filled,
    Navigated,
    PageText,
    Scrolled,
    TabRow,
    Waited,
)
from gemini.pages.tabs.screenshots import Screenshot
from gemini.pages.tabs.tab import Tab
from gemini.pages.tabs.tool_list import with_tools
from gemini.tools import Effect, current_call

declare = partial(tools.declare, group="dom")

BUDGET = 4_000
# What a tab says of a server that doesn't answer (gemini_companion/browser/tabs/tab.py,
# web/ui/panels/browser/frame.ts).
UNREACHABLE = "it can't be opened ("
Budget = Annotated[int, Field(ge=300, le=1_000_000)]
Seconds = Annotated[float, Field(ge=0, le=600)]
# JavaScript checks the limit, because a limit in the schema costs every agent context.
Hold = float


class BrowserTools:
    """The browser tools.

    Args:
        browser: The tabs to act on.
        file: Returns the file at a caller's path, or raises a `FileProblem`.
        read_pdf: Returns the text of each page of a PDF file, given its absolute path.
    """

    def __init__(
        self,
        browser: Browser,
        file: Callable[[str], Path],
        read_pdf: Callable[[str], Awaitable[list[str]]],
    ) -> None:
        self._browser = browser
        self._file = file
        self._read_pdf = read_pdf

    @declare(effect=Effect.WRITE, untrusted=True, action="open_page", lean=True)
    async def browser_navigate(self, url: str, tab: str | None = None) -> Navigated:
        """Open a page and wait until it loads. Another origin needs consent.

        Args:
            url: A URL or an HTML file's path.
            tab: One of your tabs.
        """
        return _navigate(await self._browser.navigate(url, tab))

    @declare(effect=Effect.READ, untrusted=True, lean=True)
    async def browser_snapshot(
        self,
        tab: str | None = None,
        scope: str | None = None,
        changed_only: bool = False,
        max_chars: Budget = BUDGET,
    ) -> str:
        """List elements to act on: [ref] role [x,y wxh] "name" states. Other tools take the refs.

        Args:
            tab: Yours, or else the user's; page is the document around the surface.
            scope: A ref or CSS selector.
            changed_only: Only what is new since the last snapshot.
        """
        shown = self._browser.tab(tab)
        if shown.pdf is not None:
            return pdf.snapshot(shown.pdf, await self._read_pdf(shown.pdf), max_chars)
        found = await shown.snapshot(
            scope=scope, changed_only=changed_only, max_chars=max_chars, elements=False
        )
        return await with_tools(shown, found["text"])

    @declare(effect=Effect.WRITE, untrusted=True, lean=True)
    async def browser_click(
        self,
        ref: str | None = None,
        selector: str | None = None,
        x: float | None = None,
        y: float | None = None,
        double: bool = False,
        button: Literal["left", "middle", "right"] = "left",
        modifiers: str | None = None,
        hold: Hold | None = None,
    ) -> Acted:
        """Click an element by ref, CSS selector or point; report changes.

        Args:
            modifiers: Such as Control+Shift.
            hold: Seconds.
        """
        return await self._tab.click(
            ref=ref, selector=selector, x=x, y=y, double=double, button=button, modifiers=modifiers, hold=hold
        )

    @declare(effect=Effect.WRITE, untrusted=True, withholds="text", lean=True)
    async def browser_type(
        self, text: str, ref: str | None = None, selector: str | None = None, submit: bool = False
    ) -> Filled:
        """Replace a field's value.

        Args:
            text: For a file input, one path per line.
            ref: The focused element by default.
            submit: Then press Enter.
        """
        tab = self._tab
        if ref is None and selector is None:
            selector = ":focus"
        try:
            answer = await tab.type(text, submit=submit, ref=ref, selector=selector)
        except Unsupported as error:
            if error.data != {"takes": "files"}:
                raise
            files = uploads.read([self._file(line) for line in text.splitlines()])
            answer = await tab.type(files=files, ref=ref, selector=selector)
        _reveal(answer)
        return answer

    @declare(effect=Effect.WRITE, untrusted=True, withholds="key", lean=True)
    async def browser_press_key(self, key: str) -> Acted:
        """Press a key on the focused element.

        Args:
            key: Enter, Escape, ArrowDown, a character, or a chord such as Control+a.
        """
        answer = await self._tab.press_key(key)
        _reveal(answer)
        return answer

    @declare(effect=Effect.WRITE, untrusted=True, lean=True)
    async def browser_select(
        self, option: str, ref: str | None = None, selector: str | None = None
    ) -> Filled:
        """Select an option of a drop-down, listbox, menu, tree or tabs.

        Args:
            option: Its label or value.
        """
        return await self._tab.select(option, ref=ref, selector=selector)

    @declare(effect=Effect.WRITE, untrusted=True, lean=True)
    async def browser_scroll(
        self,
        direction: Literal["up", "down", "left", "right"],
        amount: float | None = None,
        ref: str | None = None,
    ) -> Scrolled:
        """Scroll the page, or an element.

        Args:
            amount: Pixels.
        """
        return await self._tab.scroll(direction, amount, ref=ref)

    @declare(effect=Effect.WRITE, untrusted=True)
    async def browser_hover(
        self, ref: str | None = None, x: float | None = None, y: float | None = None
    ) -> Acted:
        """Move the mouse over an element or point."""
        return await self._tab.hover(ref=ref, x=x, y=y)

    @declare(effect=Effect.WRITE, untrusted=True)
    async def browser_drag(
        self,
        ref: str | None = None,
        to_ref: str | None = None,
        dx: float | None = None,
        dy: float | None = None,
        path: str | None = None,
        modifiers: str | None = None,
        hold: Hold | None = None,
    ) -> Acted:
        """Drag an element to another, by pixels, or along a path; select text.

        Args:
            path: Points such as 10,20 90,20.
        """
        points = _points(path)
        x, y = points.pop(0) if ref is None and points else (None, None)
        return await self._tab.drag(
            ref=ref, x=x, y=y, to=to_ref, dx=dx, dy=dy, path=points or None, modifiers=modifiers, hold=hold
        )

    @declare(effect=Effect.READ, untrusted=True, lean=True)
    async def browser_wait_for(
        self, text: str | None = None, gone: str | None = None, seconds: Seconds | None = None
    ) -> Waited:
        """Wait until a text appears or is gone, or for some seconds.

        Args:
            seconds: The maximum; 10 by default.
        """
        return await self._browser.tab().wait_for(text=text, gone=gone, seconds=seconds)

    @declare(effect=Effect.READ, untrusted=True, lean=True)
    async def browser_get_text(
        self, instruction: str | None = None, tab: str | None = None, max_chars: Budget = 10_000
    ) -> PageText:
        """Read a page as Markdown.

        Args:
            instruction: What to look for; matches survive a cut.
        """
        shown = self._browser.tab(tab)
        if shown.pdf is not None:
            return pdf.page_text(shown.pdf, await self._read_pdf(shown.pdf), instruction or "", max_chars)
        return await shown.text(instruction=instruction, max_chars=max_chars)

    @declare(effect=Effect.READ, untrusted=True, lean=True)
    async def browser_screenshot(
        self,
        format: Literal["png", "jpeg"] = "png",
        ref: str | None = None,
        data: bool = False,
        boxes: bool = False,
    ) -> Screenshot:
        """Save a screenshot of the viewport or one element.

        Args:
            boxes: Draw refs.
            data: Also return it in base64.
        """
        tab = self._browser.tab()
        picture = await tab.screenshot(format=format, ref=ref, boxes=boxes or None)
        saved = screenshots.save(picture, tab.title)
        call = current_call()
        if data or (call and call.takes_pictures):
            saved["data"] = picture["data"]
        return saved

    @declare(effect=Effect.OUTSIDE, untrusted=True)
    async def browser_execute_js(self, code: str, tab: str | None = None) -> Evaluated:
        """Run JavaScript in a page; one not from files needs consent.

        Args:
            code: The body of an async function.
        """
        return {"result": await self._browser.tab_to_use(tab).execute_js(code)}

    @declare(effect=Effect.READ, untrusted=True, lean=True)
    async def browser_console(self, tab: str | None = None, since: int | None = None) -> ConsoleMessages:
        """Read a page's console messages and uncaught errors.

        Args:
            since: The next of an earlier result.
        """
        return await self._browser.tab(tab).console(since)

    @declare(effect=Effect.WRITE, untrusted=True, action="tabs", lean=True)
    async def browser_tabs(
        self,
        action: Literal["list", "open", "focus", "close", "back", "forward", "reload"] = "list",
        url: str | None = None,
        tab: str | None = None,
    ) -> list[TabRow]:
        """Act on your tab, then list all. The user sees the active one."""
        browser = self._browser
        if action == "open":
            await browser.open(url or "about:blank")
        elif action == "focus":
            browser.focus(browser.tab(tab).id)
        elif action == "close":
            await browser.close(tab)
        elif action == "reload":
            await browser.reload(tab)
        elif action != "list":
            await browser.go(-1 if action == "back" else 1, tab)
        return browser.rows_for_caller()

    @property
    def _tab(self) -> Tab:
        """The tab to act on."""
        return self._browser.tab_to_use()


def _navigate(tab: Tab) -> Navigated:
    if tab.why is not None and tab.why.startswith(UNREACHABLE):
        raise PageUnreachable(
            f"{tab.url} can't be reached: {tab.why.removeprefix(UNREACHABLE).removesuffix(')')}",
            hint="Check the address, and whether its server runs. Terminals of the page have ports of their own.",
            data={"tab": tab.id, "url": tab.url},
        )
    result: Any = {"url": tab.url, "title": tab.title, "tab": tab.id}
    if tab.loading:
        result["loading"] = True
    if not tab.readable:
        result |= {"readable": False, "why": tab.why}
        if tab.downloads:
            result["downloads"] = tab.downloads[-1:]
    return result


def _points(path: str | None) -> list[list[float]]:
    """Return the points of a path such as `10,20 90,20`.

    Raises:
        InvalidArguments: It isn't a path.
    """
    points: list[list[float]] = []
    for point in (path or "").split():
        x, _, y = point.partition(",")
        try:
            points.append([float(x), float(y)])
        except ValueError as error:
            raise InvalidArguments(
                f"{path!r} is not a path", hint="pass points such as 10,20 90,20"
            ) from error
    return points


def _reveal(answer: Acted | Filled) -> None:
    """Show the typed text in the log, unless the user had to consent because the field is their own."""
    call = current_call()
    if call is not None and "consented" not in answer:
        call.reveal()
