"""Tools of the servers that the user wants in agents' lists, as tools of the registry."""

import asyncio
import inspect
from collections.abc import Callable
from typing import Any, Final, cast

from gemini.errors import GeminiError
from gemini.pages.mcp_servers.foreign import ForeignTools
from gemini.pages.mcp_servers.results import McpDeclaration, McpResult
from gemini.pages.mcp_servers.tools import GROUP
from gemini.tools import Effect, Registry
from gemini.tools.declaration import ATTRIBUTE, Declaration, Parameter, Signature

Row = dict[str, Any]

# Of one server. Agents find others by mcp_tools.
MAX_LISTED = 100
LONGEST_NAME, LONGEST_DESCRIPTION, LONGEST_PARAMETER = 64, 400, 150
DEEPEST = 5
# What all agents' clients understand (gemini.tools.schema).
TYPES = {"string", "number", "integer", "boolean", "array", "object"}
MISSING: Final = object()


class ListedTools:
    """Adds the tools of such servers to the registry, and removes them again.

    Args:
        foreign: All tools of servers.
        registry: The registry of tools.
    """

    def __init__(self, foreign: ForeignTools, registry: Registry) -> None:
        self._foreign = foreign
        self._registry = registry
        self._names: set[str] = set()
        self._rows: dict[str, list[McpDeclaration]] = {}
        self._task: asyncio.Task[None] | None = None
        self._is_stale = False
        foreign.on_change(self._changed)

    def _changed(self) -> None:
        self._is_stale = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._update())

    async def _update(self) -> None:
        while self._is_stale:
            self._is_stale = False
            await self.refresh()

    async def refresh(self) -> None:
        """Read the servers' lists, and add and remove tools accordingly. A server that doesn't start has none."""
        wanted: dict[str, tuple[str, McpDeclaration]] = {}
        for server in await self._list_servers():
            try:
                found = await self._foreign.declarations(server)
            except GeminiError:
                # The settings show why.
                continue
            for tool in found["tools"][:MAX_LISTED]:
                name = f"mcp_{found['module']}_{tool['function']}"
                if len(name) <= LONGEST_NAME:
                    wanted[name] = (server, tool)
        for name in self._names - wanted.keys():
            self._registry.remove(name)
        self._names = set()
        for name, (server, tool) in wanted.items():
            self._registry.add(
                foreign_tool(self._foreign, name, server, tool), replace=True, asks_first=False
            )
            self._names.add(name)

    async def _list_servers(self) -> list[str]:
        try:
            rows = await self._foreign.servers()
        except GeminiError:
            # Without a companion there are none.
            return []
        # Nothing that the user hasn't seen starts for a list.
        return [row["name"] for row in rows if row["listed"] and row["allowed"]]


def foreign_tool(foreign: ForeignTools, name: str, server: str, tool: McpDeclaration) -> Callable[..., Any]:
    """Return a function that calls a server's tool, declared as a tool of the registry."""

    async def call(**keywords: Any) -> McpResult:
        arguments = {key: value for key, value in keywords.items() if value is not MISSING}
        return await foreign.call(server, tool["name"], arguments)

    schema = simple(tool["input"])
    required = set(schema.get("required", ()))
    text = f"{server} (MCP server) says: {tool['description'] or tool['title'] or tool['name']}"
    signature = Signature(
        text if len(text) <= LONGEST_DESCRIPTION else text[:LONGEST_DESCRIPTION] + "…",
        tuple(
            Parameter(key, Any, inspect.Parameter.empty if key in required else MISSING, None)
            for key in schema.get("properties", ())
        ),
        McpResult,
    )
    declaration = Declaration(
        name=name,
        read=lambda: signature,
        group=GROUP,
        effect=Effect.OUTSIDE,
        untrusted=True,
        schema=schema,
    )
    setattr(call, ATTRIBUTE, declaration)
    return call


def simple(schema: Any, levels: int = DEEPEST) -> Row:
    """Return a schema in the subset that browsers accept. What isn't in it is left out: the server checks anyway."""
    given = cast(Row, schema) if isinstance(schema, dict) else {}
    result: Row = {}
    if given.get("type") in TYPES:
        result["type"] = given["type"]
    if isinstance(given.get("description"), str):
        result["description"] = given["description"][:LONGEST_PARAMETER]
    if isinstance(given.get("enum"), list):
        result["enum"] = given["enum"]
    if levels == 0:
        return result
    properties = given.get("properties")
    if isinstance(properties, dict):
        members = cast(Row, properties)
        result["properties"] = {name: simple(member, levels - 1) for name, member in members.items()}
        required = given.get("required")
        names = (
            [each for each in cast("list[Any]", required) if each in members]
            if isinstance(required, list)
            else []
        )
        if names:
            result["required"] = names
    if isinstance(given.get("items"), dict):
        result["items"] = simple(given["items"], levels - 1)
    if levels == DEEPEST:
        result.setdefault("type", "object")
        result.setdefault("properties", {})
    return result
