"""The tools that pages offer by WebMCP (https://webmachinelearning.github.io/webmcp/).

All about them is the pages' own text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from gemini.dom.results import PageTool, PageToolResult
from gemini.tools import Effect, declare

if TYPE_CHECKING:
    from gemini.dom.browser import Browser
    from gemini.dom.tab import Tab

# Of the list below a snapshot.
MOST_LISTED = 12
LONGEST_DESCRIPTION = 100


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


async def with_tools(tab: Tab, text: str) -> str:
    """Return a snapshot's text with a line for each tool that the page offers."""
    return f"{text}\n{listing(await tab.page_tools())}" if tab.tool_names else text


def listing(tools: list[PageTool]) -> str:
    """Return a line for each tool: its name, its parameters, and the beginning of its description."""
    lines = [f"  {signature(tool)} {_cut(tool['description'])}" for tool in tools[:MOST_LISTED]]
    more = f"\n  and {len(tools) - MOST_LISTED} more" if len(tools) > MOST_LISTED else ""
    return "The page offers tools, for page_tool:\n" + "\n".join(lines) + more


def signature(tool: PageTool) -> str:
    """Return a tool as a call: `search(query: string, limit?: number)`."""
    schema = tool["input_schema"]
    if schema is None:
        return f"{tool['name']}(…)"
    required: Any = schema.get("required", [])
    properties: Any = schema.get("properties", {})
    if not isinstance(properties, dict) or not isinstance(required, list):
        return f"{tool['name']}(…)"
    parameters = [
        f"{name}{'' if name in required else '?'}: {_type_of(described)}"
        for name, described in cast(dict[str, Any], properties).items()
    ]
    return f"{tool['name']}({', '.join(parameters)})"


def _type_of(described: Any) -> str:
    if not isinstance(described, dict):
        return "any"
    row = cast(dict[str, Any], described)
    choices = row.get("enum")
    if isinstance(choices, list):
        return "|".join(str(choice) for choice in cast(list[Any], choices))
    return str(row.get("type", "any"))


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST_DESCRIPTION else f"{flat[: LONGEST_DESCRIPTION - 1]}…"
