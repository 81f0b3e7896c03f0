"""The list of the tools that a page offers by WebMCP (https://webmachinelearning.github.io/webmcp/).

All about them is the page's own text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from gemini.pages.tabs.results import PageTool

if TYPE_CHECKING:
    from gemini.pages.tabs.tab import Tab

# Of the list below a snapshot.
MOST_LISTED = 12
LONGEST_DESCRIPTION = 100


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
