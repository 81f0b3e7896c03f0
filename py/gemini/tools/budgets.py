"""The sizes of tools' descriptions, lists and answers, in characters, for each kind of client.

Each description in the list of tools costs every agent context, and each answer the context of its agent. A declaration
over its budget fails; a test holds the list to its budget; an answer over its budget is cut, and a file has all of it.

Clients that take few tools get the lean list: the tools with `lean=True` in their declarations. `Bridge` in
`webmcp_bridge.js` finds out which clients those are. MCP clients get the full list, and `call_page_tool` for the tools
of other pages (`gemini_companion/mcp/tools.py`).
"""

from gemini.errors import ToolDeclarationError

# Chrome's guidance for WebMCP tools: browsers may cut longer text.
DESCRIPTION_BUDGET = 500
PARAMETER_BUDGET = 150
# The names, descriptions and schemas of a new surface's tools as compact JSON. Raise it to at most 12,000.
LIST_BUDGET = 11_700
# Answers to callers without a limit of their own: agents in browsers, and MCP clients, which read more at once.
ANSWER_BUDGETS = {"webmcp": 20_000, "mcp": 60_000}


def check_budget(subject: str, text: str, budget: int) -> None:
    """Raise `ToolDeclarationError` if `text` has more than `budget` characters."""
    if len(text) > budget:
        raise ToolDeclarationError(
            f"{subject} has {len(text)} characters; the limit is {budget}",
            data={"length": len(text), "most": budget},
        )
