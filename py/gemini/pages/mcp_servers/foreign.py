"""Foreign tools: what the user's MCP servers offer, through the companion.

Code mode makes its modules `mcp.SERVER` from `servers` and `declarations`, with a function for each declaration, and
makes them again after `on_change`. A function's call is a call of the tool `mcp_call`, so that it is in the log, names
who asked, and counts as text from outside; `value_of` is what it returns.
"""

import itertools
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, cast

from gemini.core.protocol import Params
from gemini.errors import CompanionLost, GeminiError, McpProblem, ToolFailed
from gemini.pages.mcp_servers.results import McpDeclaration, McpFile, McpResult, McpServerRow, McpTools
from gemini.pages.mcp_servers.saving import result_of, save
from gemini.tools import current_call
from gemini.tools.consent import request_context

Ask = Callable[[str, Params, type[GeminiError]], Awaitable[Any]]
"""Sends the companion a request: `ask(method, params, problem)`. See `HostBackend.ask_companion`."""
USUAL_TIMEOUT_S = 120.0
# Characters of a server's text in an error.
LONGEST_FAILURE = 4_000


class Companion(Protocol):
    """The connection to the companion."""

    async def ask_companion(self, method: str, params: Params, problem: type[GeminiError]) -> Any:
        """Send a request, and return the result."""
        ...

    def on_attach(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever a companion connects or disconnects."""
        ...

    def on_notice(self, method: str, listener: Callable[[Params], None]) -> None:
        """Call `listener` with the parameters of each notification of that method."""
        ...


class ForeignTools:
    """The tools of the user's MCP servers.

    Args:
        companion: The connection to the companion.
    """

    def __init__(self, companion: Companion) -> None:
        self._companion = companion
        self._tokens = itertools.count(1)
        self._progress: dict[str, Callable[[float, float | None, str | None], None]] = {}
        self._listeners: list[Callable[[], None]] = []
        companion.on_attach(self._changed)
        companion.on_notice("mcp/changed", lambda _: self._changed())
        companion.on_notice("mcp/progress", self._progressed)

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever the servers or their tools may have changed."""
        self._listeners.append(listener)

    async def servers(self) -> list[McpServerRow]:
        """Return the servers that the user has added and switched on, without starting any.

        Raises:
            McpProblem: No companion is connected.
        """
        return (await self._ask("mcp/servers"))["servers"]

    async def declarations(self, server: str) -> McpTools:
        """Return a server's tools; it starts if it doesn't run, and the user is asked before the first time.

        Raises:
            McpProblem: There is no such server, or it doesn't start; `type` names the companion's error.
            Refused: The user refused.
        """
        return await self._ask("mcp/tools", server=server, words=_words())

    async def call(
        self, server: str, tool: str, arguments: dict[str, Any], timeout_s: float = USUAL_TIMEOUT_S
    ) -> McpResult:
        """Call a tool of a server. Within a tool's call, its progress is that call's.

        Raises:
            ToolFailed: The tool failed; the message is the server's.
            McpProblem: There is no such server or tool, or the server ended.
            TimedOut: It took longer than `timeout_s`.
            Refused: The user refused.
        """
        token = f"call-{next(self._tokens)}"
        call = current_call()
        if call is not None and call.progress is not None:
            self._progress[token] = call.progress
        try:
            answer = await self._ask(
                "mcp/call",
                server=server,
                tool=tool,
                arguments=arguments,
                timeout_s=timeout_s,
                token=token,
                words=_words(),
            )
        finally:
            self._progress.pop(token, None)
        if answer["is_error"]:
            text = answer["text"].strip()[:LONGEST_FAILURE]
            raise ToolFailed(text or f"{tool} of {server} failed without a reason")
        return result_of(answer, f"{server}-{tool}")

    async def read(self, server: str, uri: str, timeout_s: float = USUAL_TIMEOUT_S) -> list[McpFile]:
        """Read a resource of a server, and save its parts as files. Raises as `call`."""
        answer = await self._ask("mcp/read", server=server, uri=uri, timeout_s=timeout_s, words=_words())
        return [save(part, server) for part in answer["parts"]]

    async def _ask(self, method: str, **params: Any) -> Any:
        try:
            return await self._companion.ask_companion(method, params, McpProblem)
        except CompanionLost:
            raise McpProblem(
                "MCP servers need the companion, which isn't connected",
                hint="Ask the user to start it: `control-surface serve`.",
            ) from None

    def _changed(self) -> None:
        for listener in self._listeners:
            listener()

    def _progressed(self, params: Params) -> None:
        report = self._progress.get(str(params.get("token")))
        if report is not None:
            report(params["done"], params.get("total"), params.get("message"))


def value_of(result: McpResult, declaration: McpDeclaration | None = None) -> Any:
    """Return what a function for a tool returns: the structured answer, or the text; the whole result with files.

    An answer `{"result": value}` of a tool that declares nothing else is the value.
    """
    if "files" in result or "links" in result:
        return result
    if "structured" not in result:
        return result.get("text", "")
    value = cast(Any, result["structured"])
    output = declaration["output"] if declaration else None
    is_wrapped = output is not None and list(output.get("properties", ())) == ["result"]
    if not is_wrapped or not isinstance(value, dict):
        return cast(Any, value)
    return cast("dict[str, Any]", value).get("result")


def _words() -> dict[str, Any]:
    return request_context(current_call())
