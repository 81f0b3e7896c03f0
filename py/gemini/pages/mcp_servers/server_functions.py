"""The tools of the user's MCP servers as functions of code mode: `mcp.github.search_issues(q="tea")`."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, cast

from gemini.code_mode.signatures import Described
from gemini.errors import GeminiError, McpProblem
from gemini.pages.mcp_servers.foreign import ForeignTools, value_of
from gemini.pages.mcp_servers.results import McpDeclaration, McpServerRow, McpTools

ABOUT = "Tools of the user's MCP servers, by server."
# A server has no tool of this name in Python, because it is no identifier.
READ: Final = "read resource"
READ_SCHEMA = {"properties": {"uri": {"type": "string"}}, "required": ["uri"]}
READ_ABOUT = "Read a resource of the server, and save it as files."
# A search waits so long for servers that start; later ones have their tools in the next search.
START_S = 10.0
# Code waits so long for the names of servers, which the companion has in a file.
NAMES_S = 5.0
CallTool = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""Calls a tool of the registry for the running code."""


class ServerFunctions:
    """The user's MCP servers.

    Args:
        foreign: Their tools.
        call_tool: Calls `mcp_call` and `mcp_read`.
    """

    tool = "mcp_call"

    def __init__(self, foreign: ForeignTools, call_tool: CallTool) -> None:
        self._foreign, self._call_tool = foreign, call_tool
        self._rows: Sequence[McpServerRow] = ()
        self._problem = ""
        self._lists: dict[str, McpTools] = {}
        self._known: Mapping[str, Sequence[Described]] = {}
        # Lists as of the last change; the others are read again before a call.
        self._fresh: set[str] = set()
        self._reading: set[asyncio.Task[McpTools]] = set()
        self._changes, self._seen = 1, 0
        foreign.on_change(self._changed)

    @property
    def about(self) -> str:
        """A line about the servers, and why there are none."""
        return f"{ABOUT} {self._problem}".strip()

    def places(self) -> Mapping[str, str]:
        """Return each server's name and state, by its name in Python."""
        return {row["module"]: f"{row['name']} ({row['state']})" for row in self._rows}

    def known(self) -> Mapping[str, Sequence[Described]]:
        """Return the tools that were listed last, by the server's name in Python."""
        return self._known

    async def prepare(self, *, with_tools: bool = False) -> None:
        """Read the servers' names, and the tools of those that the user has allowed to start."""
        if self._seen != self._changes:
            seen = self._changes
            try:
                async with asyncio.timeout(NAMES_S):
                    self._rows, self._problem = await self._foreign.servers(), ""
            except McpProblem as problem:
                self._rows, self._problem = (), f"None now: {problem.message}."
            except TimeoutError:
                # The code may need no server.
                self._problem = "The companion doesn't answer."
                return
            self._seen = seen
            self._know()
        wanted = [row for row in self._rows if row["allowed"] and row["module"] not in self._fresh]
        if with_tools and wanted:
            reading = {asyncio.ensure_future(self._list(row["module"])) for row in wanted}
            # Those that take longer continue.
            self._reading |= reading
            for each in reading:
                each.add_done_callback(self._read)
            await asyncio.wait(reading, timeout=START_S)

    async def tools(self, place: str) -> Sequence[Described]:
        """Return the tools of a server, which starts. Raises as `ForeignTools.declarations`."""
        return _described(await self._list(place))

    async def call(self, place: str, tool: str, arguments: dict[str, Any]) -> Any:
        """Call a tool of a server by its name in Python. Raises as `ForeignTools.call`."""
        if tool == READ:
            return await self._call_tool("mcp_read", {"server": place, **arguments})
        found = _by_function(await self._list(place)).get(tool)
        if found is None:
            raise McpProblem(
                f"the server {place!r} has no {tool!r} any more", hint=f"mcp.{place}() lists its tools."
            )
        asked = {"server": place, "tool": found["name"], "arguments": arguments}
        return value_of(await self._call_tool("mcp_call", asked), found)

    async def _list(self, place: str) -> McpTools:
        if place not in self._fresh:
            changes = self._changes
            self._lists[place] = await self._foreign.declarations(place)
            if changes == self._changes:
                self._fresh.add(place)
            self._know()
        return self._lists[place]

    def _read(self, task: "asyncio.Task[McpTools]") -> None:
        self._reading.discard(task)
        # The settings show why a server doesn't start; its own functions raise the error again.
        if not task.cancelled() and not isinstance(error := task.exception(), (GeminiError, type(None))):
            raise error

    def _know(self) -> None:
        lists = {place: self._lists[place] for place in self.places() if place in self._lists}
        self._known = {place: _described(found) for place, found in lists.items()}

    def _changed(self) -> None:
        self._changes += 1
        self._fresh.clear()


def _described(found: McpTools) -> list[Described]:
    own = [
        Described(tool["function"], tool["description"] or tool["title"], tool["input"], _output(tool))
        for tool in found["tools"]
    ]
    return [*own, Described(READ, READ_ABOUT, READ_SCHEMA)]


def _output(tool: McpDeclaration) -> Any:
    """Return the schema of what `value_of` returns of an answer."""
    output = tool["output"]
    properties: Any = output.get("properties") if output else None
    if output is None or not isinstance(properties, dict) or list(cast("Any", properties)) != ["result"]:
        return output
    inner: Any = cast("dict[str, Any]", properties)["result"]
    return (
        {**cast("dict[str, Any]", inner), "$defs": output.get("$defs", {})}
        if isinstance(inner, dict)
        else None
    )


def _by_function(found: McpTools) -> dict[str, McpDeclaration]:
    return {tool["function"]: tool for tool in found["tools"]}
