"""The tool that calls the tools of pages."""

from functools import partial
from typing import Any

from gemini import tools
from gemini.pages.tabs.browser import Browser
from gemini.pages.tabs.results import PageToolResult
from gemini.tools import Effect

declare = partial(tools.declare, group="dom")


class PageTools:
    """The tool that calls tools of pages.

    Args:
        browser: The tabs.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    @declare(effect=Effect.WRITE, untrusted=True, lean=True)
    async def page_tool(
        self, name: str | None = None, arguments: dict[str, Any] | None = None, tab: str | None = None
    ) -> PageToolResult:
        """Call a tool that a page offers, as its snapshot lists; better than clicks.

        Args:
            name: Without it, list the tools with schemas.
        """
        if name is None:
            return PageToolResult(success=True, tools=await self._browser.tab(tab).page_tools())
        return await self._browser.tab_to_use(tab).call_tool(name, **(arguments or {}))
