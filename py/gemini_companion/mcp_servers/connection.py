"""The connection to one server: it starts on first use, restarts with growing pauses, and passes calls on.

off → starting → ready → waiting (it ended; restarts after a pause) → starting …
└→ failed (it ended too often; the next use or the user starts it again)
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import webbrowser
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import mcp_types as types
from mcp import Client
from mcp.shared.dispatcher import ProgressFnT
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from gemini.errors import GeminiError, TimedOut
from gemini_companion.mcp_servers.declarations import ToolList, tool_list
from gemini_companion.mcp_servers.elicitation import ask_person
from gemini_companion.mcp_servers.errors import McpServerDown, McpServerProblem
from gemini_companion.mcp_servers.program import Streams
from gemini_companion.pages.consent import Questions

Row = dict[str, Any]
State = Literal["off", "starting", "ready", "waiting", "failed"]
# Enough for a first `npx -y`, which downloads.
CONNECT_S = 180.0
LIST_S = 30.0
# Seconds before the first restart, doubled with each that follows soon, up to the longest.
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
MAX_FAILURES = 5
# A server that ran so long starts with a short pause again.
STABLE_S = 60.0
MAX_PAGES = 100
# Characters of a server's text in a message.
LONGEST_QUOTE = 1_000
log = logging.getLogger(__name__)


@dataclass
class Opening:
    """The streams of a server, and what is known when they end.

    Attributes:
        streams: The SDK's transport.
        last_words: Returns the last words of a program.
        lost: Set when a program ends. An address never sets it: its requests fail.
    """

    streams: AbstractAsyncContextManager[Streams]
    last_words: Callable[[], str] = lambda: ""
    lost: asyncio.Event = field(default_factory=asyncio.Event)


Open = Callable[[], Awaitable[Opening]]


class ServerConnection:
    """The connection to a server.

    Args:
        name: The name that the user chose.
        open_streams: Opens it. Raises GeminiError.
        on_change: Called after each change of its state or its tools.
        pause: Waits for a number of seconds.
        open_page: Opens an address in the user's browser.

    Attributes:
        state: See above.
        problem: Why it isn't ready; None if it is, or was never needed.
        restarts: How often it was started again.
        tools: Its tools, as listed last.
        instructions: Its words about itself.
    """

    def __init__(
        self,
        name: str,
        open_streams: Open,
        on_change: Callable[[], None] = lambda: None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        open_page: Callable[[str], Any] = webbrowser.open,
    ) -> None:
        self.name = name
        self.state: State = "off"
        self.problem: str | None = None
        self.restarts = 0
        self.tools = ToolList()
        self.instructions = ""
        self._open = open_streams
        self._on_change = on_change
        self._pause = pause
        self._open_page = open_page
        self._client: Client | None = None
        self._task: asyncio.Task[None] | None = None
        self._lost = asyncio.Event()
        self._settled = asyncio.Event()
        self._relisting: asyncio.Task[None] | None = None
        # Held while the tools are listed again.
        self._listing = asyncio.Lock()
        # The changes of tools that the server has sent, and those that the list has.
        self._changes = self._listed = 0
        # The pages whose calls run, the latest last: a question of the server goes to that one.
        self._callers: list[Questions] = []

    async def client(self) -> Client:
        """Return the SDK's client once the server is ready.

        Raises:
            McpServerDown: It isn't there, and is started again later, or at the next use.
        """
        if self.state in ("off", "failed"):
            self._start()
        await self._settled.wait()
        if self._client is None:
            raise self._down()
        return self._client

    async def current_tools(self) -> ToolList:
        """Return the tools, after they are listed again if the server has said that they changed.

        Raises:
            TimedOut: It took too long.
            McpServerDown: The server isn't there.
            McpServerProblem: It doesn't list them.
        """
        client = await self.client()
        if self._listed != self._changes:
            await self._ask(self._list_again(client), f"listing the tools of {self.name}", LIST_S)
        return self.tools

    async def call(
        self, tool: str, arguments: Row, questions: Questions, progress: ProgressFnT, timeout_s: float
    ) -> types.CallToolResult:
        """Call a tool; cancelling the caller cancels the call.

        Args:
            tool: The server's name of it.
            arguments: The arguments.
            questions: The page to ask if the server asks.
            progress: Receives the call's progress.
            timeout_s: Seconds until it is cancelled.

        Raises:
            TimedOut: It took longer.
            McpServerDown: The server ended, or can't be reached.
            McpServerProblem: It refused, or answered nonsense.
        """
        client = await self.client()
        with self._called_by(questions):
            return await self._ask(
                client.call_tool(tool, arguments, progress_callback=progress),
                f"{tool} of {self.name}",
                timeout_s,
            )

    async def read(self, uri: str, timeout_s: float) -> types.ReadResourceResult:
        """Return a resource's contents. Raises as `call`."""
        client = await self.client()
        return await self._ask(client.read_resource(uri), f"reading from {self.name}", timeout_s)

    async def restart(self) -> None:
        """Start the server again now, since the user asks for it."""
        await self.close()
        await self.client()

    async def close(self) -> None:
        """End the server."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        self._client, self.problem = None, None
        self._set("off")

    def _start(self) -> None:
        self._settled.clear()
        self._set("starting")
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        loop, failures = asyncio.get_running_loop(), 0
        while True:
            began = loop.time()
            self.problem, is_final = await self._serve()
            self._client = None
            failures = 1 if loop.time() - began > STABLE_S else failures + 1
            if is_final or failures >= MAX_FAILURES:
                self._settle("failed")
                return
            self._settle("waiting")
            await self._pause(min(FIRST_PAUSE_S * 2 ** (failures - 1), LONGEST_PAUSE_S))
            self.restarts += 1
            self._settled.clear()
            self._set("starting")

    async def _serve(self) -> tuple[str, bool]:
        """Connect; return why the connection has ended, and whether another attempt would end in the same way."""
        opening: Opening | None = None
        try:
            opening = await self._open()
            await self._connected(opening)
        except Exception as error:
            first = first_of(error)
            if isinstance(first, GeminiError):
                return first.message, True
            # Whatever a server causes in the SDK ends its own connection alone.
            log.info("The MCP server %s failed.", self.name, exc_info=error)
            why = f"{self.name} can't be used: {reason(first)}"
        else:
            why = f"{self.name} has ended"
        words = opening.last_words().strip() if opening else ""
        return (f"{why}. It last wrote: {words[-LONGEST_QUOTE:]}" if words else why), False

    async def _connected(self, opening: Opening) -> None:
        self._lost = opening.lost
        client = Client(
            opening.streams,
            elicitation_callback=self._elicit,
            message_handler=self._receive,
            client_info=types.Implementation(name="control-surface", version="1"),
            # A tool's list is read again when it changes, so nothing else needs to be remembered.
            cache=None,
        )
        async with contextlib.AsyncExitStack() as stack:
            async with asyncio.timeout(CONNECT_S):
                await stack.enter_async_context(client)
                # The answers are text from outside, whatever they look like, and a pattern in a server's schema could
                # keep the companion busy.
                client.session.validate_tool_result = _accept
                self.instructions = (client.instructions or "")[:10_000]
                self._listed = self._changes
                await self._list(client)
            self._client = client
            listening = asyncio.create_task(self._listen(client))
            stack.callback(listening.cancel)
            self._settle("ready")
            await opening.lost.wait()

    async def _list(self, client: Client) -> None:
        found: list[types.Tool] = []
        seen: set[str] = set()
        cursor: str | None = None
        if client.server_capabilities.tools is None:
            self.tools = ToolList()
            return
        for _ in range(MAX_PAGES):
            page = await client.list_tools(cursor=cursor)
            found += page.tools
            cursor = page.next_cursor
            if not cursor or cursor in seen:
                break
            seen.add(cursor)
        self.tools = tool_list(found)

    async def _listen(self, client: Client) -> None:
        """List the tools again after changes, for servers of 2026-07-28; others send messages."""
        tools = client.server_capabilities.tools
        if tools is None or not tools.list_changed or client.protocol_version < "2026-07-28":
            return
        with contextlib.suppress(MCPError, RuntimeError, TimeoutError):
            async with client.listen(tools_list_changed=True) as events:
                async for _ in events:
                    self._changes += 1
                    await self._relist(client)

    async def _receive(self, message: Any) -> None:
        if not isinstance(message, types.ToolListChangedNotification) or self._client is None:
            return
        self._changes += 1
        # A task, since the answer to its request comes by the caller of this function.
        if self._relisting is None or self._relisting.done():
            self._relisting = asyncio.create_task(self._relist(self._client))

    async def _relist(self, client: Client) -> None:
        # The next call tries again, and says why it can't.
        with contextlib.suppress(MCPError, ValidationError, RuntimeError):
            await self._list_again(client)

    async def _list_again(self, client: Client) -> None:
        async with self._listing:
            while self._listed != (changes := self._changes):
                await self._list(client)
                self._listed = changes
                self._on_change()

    async def _elicit(self, context: Any, params: types.ElicitRequestParams) -> Any:
        if not self._callers:
            return types.ElicitResult(action="cancel")
        return await ask_person(self.name, params, self._callers[-1], self._open_page)

    @contextlib.contextmanager
    def _called_by(self, questions: Questions) -> Any:
        self._callers.append(questions)
        try:
            yield
        finally:
            self._callers.remove(questions)

    async def _ask(self, asked: Any, what: str, timeout_s: float) -> Any:
        try:
            async with asyncio.timeout(timeout_s):
                return await asked
        except TimeoutError:
            raise TimedOut(
                f"{what} took longer than {timeout_s:g} s",
                hint="Call it with a longer timeout_s, or ask for less.",
            ) from None
        except MCPError as error:
            raise self._failure(error, what) from None
        except ValidationError:
            raise McpServerProblem(f"{what} answered with something that isn't a result") from None
        except RuntimeError as error:
            raise McpServerProblem(f"{what} failed: {reason(error)}") from None

    def _failure(self, error: MCPError, what: str) -> GeminiError:
        if error.code == types.CONNECTION_CLOSED or "Session terminated" in error.message:
            # An address has no other sign of its end.
            self._lost.set()
            return McpServerDown(f"{self.name} ended before it answered", hint=RESTARTS)
        return McpServerProblem(f"{what} failed: {error.message[:LONGEST_QUOTE]}")

    def _down(self) -> McpServerDown:
        hint = RESTARTS if self.state == "waiting" else "Ask the user to look at it in the settings."
        return McpServerDown(self.problem or f"{self.name} has ended", hint=hint)

    def _settle(self, state: State) -> None:
        if state == "ready":
            self.problem = None
        self._set(state)
        self._settled.set()

    def _set(self, state: State) -> None:
        self.state = state
        self._on_change()


RESTARTS = "It is started again in a moment: try again then."


async def _accept(name: str, result: types.CallToolResult) -> None:
    """Accept any result."""


def first_of(error: BaseException) -> BaseException:
    """Return an error, or the first of a group."""
    if isinstance(error, BaseExceptionGroup):
        return first_of(cast("BaseExceptionGroup[BaseException]", error).exceptions[0])
    return error


def reason(error: BaseException) -> str:
    """Return the reason of an error."""
    text = error.message if isinstance(error, MCPError | GeminiError) else str(error)
    return (text or type(error).__name__)[:LONGEST_QUOTE]
