"""A page's access to the user's MCP servers.

Python in the page sends:

    mcp/servers {} -> {servers: [{name, module, listed, state, problem, restarts, tools}]}
    mcp/tools {server} -> {name, module, tools: [{name, function, title, description, input, output, hints, problem}],
                           problems, instructions}
    mcp/call {server, tool, arguments, timeout_s, token?, words?} -> {text, structured?, parts, is_error}
    mcp/read {server, uri, timeout_s, words?} -> {parts}
        mcp/changed {}                                   companion → Python: servers or tools have changed
        mcp/progress {token, done, total, message}       companion → Python, of the call with that token

`mcp/tools` and what follows start the server, which the user allows before (see `McpServers`). Each call is asked by
the page, by server, tool and version of its declaration. All that a server says is text from outside: declarations,
answers, errors, progress. `words` are Python's, never checked. No message has a value of a variable or a header.
The values of the user's secrets are masked in all that a server says.
"""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

from mcp.shared.dispatcher import ProgressFnT
from pydantic import Field

from gemini.core.protocol import Handler, Params
from gemini.errors import Refused
from gemini_companion.mcp_servers.answers import answer_row, contents_rows
from gemini_companion.mcp_servers.connection import ServerConnection
from gemini_companion.mcp_servers.declarations import ToolDeclaration, function_names
from gemini_companion.mcp_servers.errors import McpToolUnknown
from gemini_companion.mcp_servers.secret_values import Masking
from gemini_companion.mcp_servers.servers import McpServers
from gemini_companion.mcp_servers.setups import ServerSetup
from gemini_companion.mcp_servers.versions import Version, Versions
from gemini_companion.pages.consent import Questions
from gemini_companion.pages.parameters import MethodParams, NoParams, validated
from gemini_companion.secrets import Visits

Row = dict[str, Any]
Notify = Callable[[str, Params], None]
KIND = "mcp-tool"
Name = Annotated[str, Field(min_length=1, max_length=200)]
Seconds = Annotated[float, Field(ge=1, le=3_600, strict=False)]
# Of one page at a time.
MAX_CALLS = 32
PROGRESS_EVERY_S = 0.1
LONGEST_MESSAGE = 500


class ServerParams(MethodParams):
    """The parameters of `mcp/tools`."""

    server: Name
    words: dict[str, Any] = {}


class CallParams(MethodParams):
    """The parameters of `mcp/call`."""

    server: Name
    tool: Name
    arguments: dict[str, Any] = {}
    timeout_s: Seconds = 120.0
    token: Annotated[str | None, Field(max_length=100)] = None
    words: dict[str, Any] = {}


class ReadParams(MethodParams):
    """The parameters of `mcp/read`."""

    server: Name
    uri: Annotated[str, Field(min_length=1, max_length=8_000)]
    timeout_s: Seconds = 120.0
    words: dict[str, Any] = {}


class McpAccess:
    """Access to the user's MCP servers, for all pages.

    Args:
        servers: The servers.
        versions: The versions of their tools.
        visits: The placeholders of each page.
    """

    def __init__(
        self, servers: McpServers, versions: Versions | None = None, visits: Visits | None = None
    ) -> None:
        self.servers = servers
        self._versions = versions or Versions()
        self._visits = visits or Visits()

    def for_page(self, questions: Questions, notify: Notify) -> PageAccess:
        """Return one page's access.

        Args:
            questions: Asks the user at the page.
            notify: Sends Python a notification.
        """
        masking = Masking(self.servers.secrets, self._visits.of(questions).placeholder)
        return PageAccess(self.servers, self._versions, questions, notify, masking)


class PageAccess:
    """One page's access to the servers.

    Args:
        servers: The servers.
        versions: The versions of their tools.
        questions: Asks the user at the page.
        notify: Sends Python a notification.
        masking: Masks secrets in what servers say.
    """

    def __init__(
        self,
        servers: McpServers,
        versions: Versions,
        questions: Questions,
        notify: Notify,
        masking: Masking,
    ) -> None:
        self._servers = servers
        self._versions = versions
        self._questions = questions
        self._notify = notify
        self._masking = masking
        self._calls = 0
        self.stop = servers.watch(lambda: notify("mcp/changed", {}))

    def handlers(self) -> Mapping[str, Handler]:
        """Return the request methods, for `gemini.core.protocol.Connection`."""
        masked = self._masking.answers
        return {
            "mcp/servers": validated(NoParams, masked(self._list)),
            "mcp/tools": validated(ServerParams, masked(self._tools)),
            "mcp/call": validated(CallParams, masked(self._limit(self._call))),
            "mcp/read": validated(ReadParams, masked(self._limit(self._read))),
        }

    async def _list(self, _: NoParams) -> Row:
        return {"servers": self._servers.rows()}

    async def _tools(self, params: ServerParams) -> Row:
        saved, connection = await self._servers.use(params.server, self._questions)
        listed = await connection.current_tools()
        name = saved.setup.name
        modules = function_names([each.setup.name for each in self._servers.store.all() if each.on])
        return {
            "name": name,
            "module": modules.get(name, name),
            "tools": [each.row() for each in listed.tools],
            "problems": listed.problems[:10],
            "instructions": connection.instructions,
        }

    async def _call(self, params: CallParams) -> Row:
        saved, connection = await self._servers.use(params.server, self._questions)
        tool = await _find(connection, params.tool)
        version = self._versions.seen(saved.setup, tool)
        facts = {
            **_facts(saved.setup, tool.name, version),
            "title": tool.title,
            "arguments": json.dumps(params.arguments, ensure_ascii=False, indent=1),
            "claims": tool.hints,
        }
        await self._questions.ask(KIND, facts, params.words)
        await self._require_same(connection, tool)
        self._versions.allow(saved.setup, tool, version)
        report = self._report(params.token)
        result = await connection.call(tool.name, params.arguments, self._questions, report, params.timeout_s)
        return answer_row(result)

    async def _read(self, params: ReadParams) -> Row:
        saved, connection = await self._servers.use(params.server, self._questions)
        facts = {
            "server": saved.setup.name,
            "place": saved.setup.place,
            "version": saved.setup.digest[:12],
            "uri": params.uri,
        }
        await self._questions.ask(KIND, facts, params.words)
        result = await connection.read(params.uri, params.timeout_s)
        return contents_rows(result.contents)

    async def _require_same(self, connection: ServerConnection, tool: ToolDeclaration) -> None:
        """Check that the tool is still the one that the question was about."""
        now = (await connection.current_tools()).find(tool.name)
        if now is None or now.digest != tool.digest:
            raise Refused(
                f"{tool.name} of {connection.name} changed before the user answered", hint="Call it again."
            )

    def _limit(self, answer: Callable[[Any], Awaitable[Row]]) -> Callable[[Any], Awaitable[Row]]:
        async def limited(params: Any) -> Row:
            if self._calls >= MAX_CALLS:
                raise Refused(
                    f"{MAX_CALLS} calls of MCP servers run, which is the limit", hint="Wait for some."
                )
            self._calls += 1
            try:
                return await answer(params)
            finally:
                self._calls -= 1

        return limited

    def _report(self, token: str | None) -> ProgressFnT:
        last = 0.0

        async def report(progress: float, total: float | None, message: str | None) -> None:
            nonlocal last
            # A server may report as often as it likes.
            if token is None or time.monotonic() - last < PROGRESS_EVERY_S:
                return
            last = time.monotonic()
            text = None if message is None else (await self._masking.text(message))[:LONGEST_MESSAGE]
            self._notify("mcp/progress", {"token": token, "done": progress, "total": total, "message": text})

        return report


async def _find(connection: ServerConnection, name: str) -> ToolDeclaration:
    tools = await connection.current_tools()
    tool = tools.find(name)
    if tool is None:
        known = ", ".join(each.name for each in tools.tools[:50]) or "none"
        raise McpToolUnknown(f"{connection.name} has no tool {name[:80]!r}", hint=f"It has: {known}.")
    return tool


def _facts(setup: ServerSetup, tool: str, version: Version) -> Row:
    facts: Row = {"server": setup.name, "place": setup.place, "tool": tool, "version": version.name}
    return facts if version.before is None else {**facts, "before": version.before, "now": version.now}
