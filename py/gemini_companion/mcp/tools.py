"""The tools that clients see: the page's, or the catalogue while there is no page, and the companion's own."""

import json
from pathlib import Path
from typing import Any, cast

import mcp_types as types

from gemini.errors import GeminiError, InvalidArguments, UnknownTool
from gemini.tools.budgets import ANSWER_BUDGETS
from gemini_companion.mcp.profile import Profile
from gemini_companion.mcp.results import failure, result_of, structured_schema
from gemini_companion.pages.pages import Caller, Page, Pages, Row

# One tool, since clients take few.
CALL_TOOL = types.Tool(
    name="call_page_tool",
    description=(
        "Call any tool in a page of your choice. Without a name, list the tools of the page with their schemas; "
        "without a page either, list the pages that have the surface open."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "arguments": {"type": "object", "default": {}},
            "page": {"type": "string", "description": "By default the current one."},
        },
    },
)


class Tools:
    """The tools that clients list and call.

    Args:
        pages: The pages that run the tools.
        catalogue: `dist/tools.json`, the tools of a new surface.
    """

    def __init__(self, pages: Pages, catalogue: Path) -> None:
        self._pages = pages
        self._known: list[Row] = json.loads(catalogue.read_text(encoding="utf-8"))["tools"]

    def listed(self, profile: Profile = "all") -> list[types.Tool]:
        """Return the current page's tools, or the catalogue while there is no page, and then the companion's own.

        With the profile `code`, they are only the two of code mode.
        """
        rows = [row for row in self._rows() if bool(row.get("code")) == (profile == "code")]
        own = [] if profile == "code" else [CALL_TOOL]
        return [*(_tool(row) for row in rows if row["name"] != CALL_TOOL.name), *own]

    def _rows(self) -> list[Row]:
        page = self._pages.current
        return self._known if page is None or page.tools is None else page.tools

    def input_schema(self, name: str) -> Row | None:
        """Return the JSON Schema of a tool's arguments; None if there is no such tool."""
        if name == CALL_TOOL.name:
            return CALL_TOOL.input_schema
        return next((row["inputSchema"] for row in self._rows() if row["name"] == name), None)

    def needs(self, name: str) -> list[str]:
        """Return the abilities that a client must have to call a tool."""
        return [need for row in self._rows() if row["name"] == name for need in row.get("needs", ())]

    async def call(self, name: str, arguments: Row, caller: Caller) -> types.CallToolResult:
        """Call a tool; every failure is a result that a model can read."""
        try:
            if name == CALL_TOOL.name:
                return result_of(await self._call_tool(arguments, caller))
            return result_of(await self._call(await self._pages.find(), name, arguments, caller))
        except GeminiError as error:
            return failure(error)

    async def _call(self, page: Page, name: str, arguments: Row, caller: Caller) -> Any:
        meta: Row = {"caller": caller.name}
        # A picture that was requested explicitly doesn't fit into so few characters.
        if arguments.get("data") is not True:
            meta["maxChars"] = ANSWER_BUDGETS["mcp"]
        return await page.ask("tools/call", {"name": name, "arguments": arguments, "_meta": meta}, caller)

    async def _call_tool(self, arguments: Row, caller: Caller) -> Any:
        name, given = arguments.get("name"), arguments.get("arguments", {})
        if name is None:
            return await self._list(arguments)
        if not isinstance(name, str) or not isinstance(given, dict):
            raise InvalidArguments("name must be a tool's name, and arguments must be an object")
        if name == CALL_TOOL.name:
            raise UnknownTool(f"{name} is a tool of the companion", hint="Call it directly.")
        return await self._call(await self._page(arguments), name, cast(Row, given), caller)

    async def _list(self, arguments: Row) -> Row:
        if arguments.get("page") is None:
            return {"pages": self._pages.rows()}
        page = await self._page(arguments)
        return {"page": page.name, "tools": (await page.ask("tools/list", {}))["tools"]}

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
