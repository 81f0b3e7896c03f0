"""The tools that clients see: the page's, or the catalogue while there is no page, and the companion's own."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import mcp_types as types

from gemini.errors import GeminiError, InvalidArguments, UnknownTool
from gemini_companion.mcp.results import failure, result_of, structured_schema
from gemini_companion.pages import Caller, Page, Pages, Row

# The most characters of one result. A longer one is cut, and names the page's file with the whole.
MAX_CHARACTERS = 60_000
PAGE = {"type": "string", "description": "A page from list_pages; by default the current one."}

LIST_PAGES = types.Tool(
    name="list_pages",
    description="List the pages that have the surface open. Calls that name no page go to the current one.",
    input_schema={"type": "object", "properties": {}},
    annotations=types.ToolAnnotations(read_only_hint=True),
)
LIST_TOOLS = types.Tool(
    name="list_page_tools",
    description="List all current tools of a page with schemas, including those declared since you listed them.",
    input_schema={"type": "object", "properties": {"page": PAGE}},
    annotations=types.ToolAnnotations(read_only_hint=True),
)
CALL_TOOL = types.Tool(
    name="call_page_tool",
    description="Call any tool from list_page_tools by its name, in a page of your choice.",
    input_schema={
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "arguments": {"type": "object", "default": {}},
            "page": PAGE,
        },
        "required": ["name"],
    },
)
STANDING = (LIST_PAGES, LIST_TOOLS, CALL_TOOL)


class Tools:
    """The tools that clients list and call.

    Args:
        pages: The pages that run the tools.
        catalogue: `dist/tools.json`, the tools of a new surface.
    """

    def __init__(self, pages: Pages, catalogue: Path) -> None:
        self._pages = pages
        self._known: list[Row] = json.loads(catalogue.read_text(encoding="utf-8"))["tools"]
        self._standing: dict[str, Callable[[Row, Caller], Awaitable[Any]]] = {
            LIST_PAGES.name: self._list_pages,
            LIST_TOOLS.name: self._list_tools,
            CALL_TOOL.name: self._call_tool,
        }

    def listed(self) -> list[types.Tool]:
        """Return the current page's tools, or the catalogue while there is no page, and then the companion's own."""
        return [*(_tool(row) for row in self._rows() if row["name"] not in self._standing), *STANDING]

    def _rows(self) -> list[Row]:
        page = self._pages.current
        return self._known if page is None or page.tools is None else page.tools

    def input_schema(self, name: str) -> Row | None:
        """Return the JSON Schema of a tool's arguments; None if there is no such tool."""
        standing = next((tool for tool in STANDING if tool.name == name), None)
        if standing is not None:
            return standing.input_schema
        return next((row["inputSchema"] for row in self._rows() if row["name"] == name), None)

    def needs(self, name: str) -> list[str]:
        """Return the abilities that a client must have to call a tool."""
        return [need for row in self._rows() if row["name"] == name for need in row.get("needs", ())]

    async def call(self, name: str, arguments: Row, caller: Caller) -> types.CallToolResult:
        """Call a tool; every failure is a result that a model can read."""
        try:
            standing = self._standing.get(name)
            if standing is not None:
                return result_of(await standing(arguments, caller))
            return result_of(await self._call(await self._pages.find(), name, arguments, caller))
        except GeminiError as error:
            return failure(error)

    async def _call(self, page: Page, name: str, arguments: Row, caller: Caller) -> Any:
        meta: Row = {"caller": caller.name}
        # A picture that was requested explicitly doesn't fit into so few characters.
        if arguments.get("data") is not True:
            meta["maxChars"] = MAX_CHARACTERS
        return await page.ask("tools/call", {"name": name, "arguments": arguments, "_meta": meta}, caller)

    async def _list_pages(self, arguments: Row, caller: Caller) -> Any:
        return {"pages": self._pages.rows()}

    async def _list_tools(self, arguments: Row, caller: Caller) -> Any:
        page = await self._page(arguments)
        return {"page": page.name, "tools": (await page.ask("tools/list", {}))["tools"]}

    async def _call_tool(self, arguments: Row, caller: Caller) -> Any:
        name, given = arguments.get("name"), arguments.get("arguments", {})
        if not isinstance(name, str) or not isinstance(given, dict):
            raise InvalidArguments("name must be a tool's name, and arguments must be an object")
        if name in self._standing:
            raise UnknownTool(f"{name} is a tool of the companion", hint="Call it directly.")
        return await self._call(await self._page(arguments), name, cast(Row, given), caller)

    async def _page(self, arguments: Row) -> Page:
        name = arguments.get("page")
        return await self._pages.find(None if name is None else str(name))


def _tool(row: Row) -> types.Tool:
    annotations: Row = row.get("annotations") or {}
    reads = annotations.get("readOnlyHint", False)
    return types.Tool(
        name=row["name"],
        title=row.get("title"),
        description=row["description"],
        input_schema=row["inputSchema"],
        output_schema=structured_schema(row.get("outputSchema")),
        annotations=types.ToolAnnotations(
            read_only_hint=reads,
            destructive_hint=None if reads else True,
            open_world_hint=bool(
                annotations.get("consequentialHint") or annotations.get("untrustedContentHint")
            ),
        ),
    )
