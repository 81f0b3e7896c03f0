"""The tools that clients see: the catalogue from the start, what pages declare later, and standing ones."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import mcp_types as types

from gemini.errors import GeminiError, InvalidArguments, UnknownTool
from gemini_companion.mcp.results import failure, result_of, structured_schema
from gemini_companion.pages import Caller, Page, Pages, Row

# Characters of one result; a longer one is cut, and whole in a file of the page, which the cut result names.
MOST_CHARACTERS = 60_000
PAGE = {"type": "string", "description": "A page of list_pages; the current one without it."}

LIST_PAGES = types.Tool(
    name="list_pages",
    description="The pages that have the surface open. The current one gets the calls that name none.",
    input_schema={"type": "object", "properties": {}},
    annotations=types.ToolAnnotations(read_only_hint=True),
)
LIST_TOOLS = types.Tool(
    name="list_page_tools",
    description="All tools of a page as it has them now, with schemas; also those declared since you listed them.",
    input_schema={"type": "object", "properties": {"page": PAGE}},
    annotations=types.ToolAnnotations(read_only_hint=True),
)
CALL_TOOL = types.Tool(
    name="call_page_tool",
    description="Call any tool by its name, as list_page_tools shows it, in a page of your choice.",
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
    """What clients list and call.

    Args:
        pages: Where calls go.
        catalogue: `dist/tools.json`, the tools of a fresh surface.
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
        """The current page's tools, or the catalogue where there is no page yet; then the standing ones."""
        return [*(_tool(row) for row in self._rows() if row["name"] not in self._standing), *STANDING]

    def _rows(self) -> list[Row]:
        page = self._pages.current
        return self._known if page is None or page.tools is None else page.tools

    def input_schema(self, name: str) -> Row | None:
        """The JSON Schema of a tool's arguments; None where there is no such tool."""
        standing = next((tool for tool in STANDING if tool.name == name), None)
        if standing is not None:
            return standing.input_schema
        return next((row["inputSchema"] for row in self._rows() if row["name"] == name), None)

    async def call(self, name: str, arguments: Row, caller: Caller) -> types.CallToolResult:
        """Call a tool; whatever goes wrong is a result, which a model can read."""
        try:
            standing = self._standing.get(name)
            if standing is not None:
                return result_of(await standing(arguments, caller))
            return result_of(await self._call(await self._pages.find(), name, arguments, caller))
        except GeminiError as error:
            return failure(error)

    async def _call(self, page: Page, name: str, arguments: Row, caller: Caller) -> Any:
        meta: Row = {"caller": caller.name}
        # A picture, which is asked for in so many words, doesn't fit into characters.
        if arguments.get("data") is not True:
            meta["maxChars"] = MOST_CHARACTERS
        return await page.ask("tools/call", {"name": name, "arguments": arguments, "_meta": meta}, caller)

    async def _list_pages(self, arguments: Row, caller: Caller) -> Any:
        return {"pages": self._pages.rows()}

    async def _list_tools(self, arguments: Row, caller: Caller) -> Any:
        page = await self._page(arguments)
        return {"page": page.name, "tools": (await page.ask("tools/list", {}))["tools"]}

    async def _call_tool(self, arguments: Row, caller: Caller) -> Any:
        name, given = arguments.get("name"), arguments.get("arguments", {})
        if not isinstance(name, str) or not isinstance(given, dict):
            raise InvalidArguments("name is a tool's name, and arguments are an object")
        if name in self._standing:
            raise UnknownTool(f"{name} is a tool of the companion", hint="Call it directly.")
        return await self._call(await self._page(arguments), name, cast(Row, given), caller)

    async def _page(self, arguments: Row) -> Page:
        name = arguments.get("page")
        return await self._pages.find(None if name is None else str(name))


def _tool(row: Row) -> types.Tool:
    told: Row = row.get("annotations") or {}
    reads = told.get("readOnlyHint", False)
    return types.Tool(
        name=row["name"],
        title=row.get("title"),
        description=row["description"],
        input_schema=row["inputSchema"],
        output_schema=structured_schema(row.get("outputSchema")),
        annotations=types.ToolAnnotations(
            read_only_hint=reads,
            destructive_hint=None if reads else True,
            open_world_hint=bool(told.get("consequentialHint") or told.get("untrustedContentHint")),
        ),
    )
