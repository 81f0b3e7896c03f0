"""Tracks which clients are connected by MCP, and notifies them of changes."""

import asyncio
import contextlib
import itertools
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ToolsListChanged,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.types import Scope

from gemini_companion.admission.guard import ADMITTED
from gemini_companion.mcp.keys import Keys

Context = ServerRequestContext[Any, Any]

# A client's own name is shown to the user, so it is short, and can't imitate anything else.
LONGEST_NAME = 40
UNNAMED = "unnamed client"
STDIO = "stdio"
# How long a session counts as in use after its last request.
IN_USE_S = 60.0
NOTIFY_WITHIN_S = 5.0
SESSION = b"mcp-session-id"
# At the limit the oldest is dropped. Its client gets no more notifications, and lists again when it needs to.
MAX_SESSIONS = 1_000

# At the limit the client that was seen longest ago is dropped.
MAX_CLIENTS = 200
# Limits on the tools counted for one client and on their names' characters, since a client may call anything.
MAX_TOOLS = 200
LONGEST_TOOL = 80
# Tools that are listed for one client.
MAX_LISTED = 5
# The key in a request's scope for its `_OpenRequest`.
OPEN_REQUEST = "gemini_companion.mcp"


@dataclass(eq=False)
class Client:
    """A client that is or was connected.

    Attributes:
        key: The identity of its token.
        name: Its own name for itself.
        transport: `stdio` or `http`.
        calls: How many tools it has called.
        last: The tool that it called last.
        last_seen: When it last sent a request, in seconds since 1970.
        tools: How often it has called each tool.
    """

    key: str
    name: str
    transport: str
    calls: int = 0
    last: str | None = None
    last_seen: float = 0.0
    tools: Counter[str] = field(default_factory=Counter[str])

    def called(self, tool: str) -> None:
        """Count a call of a tool."""
        tool = tool[:LONGEST_TOOL]
        self.calls += 1
        self.last = tool
        if tool in self.tools or len(self.tools) < MAX_TOOLS:
            self.tools[tool] += 1

    def row(self, live: bool) -> dict[str, Any]:
        """Return the settings' row: `{key, name, transport, live, calls, last, heard, tools: [{name, calls}]}`."""
        return {
            "key": self.key,
            "name": self.name,
            "transport": self.transport,
            "live": live,
            "calls": self.calls,
            "last": self.last,
            "heard": datetime.fromtimestamp(self.last_seen, UTC).isoformat(timespec="seconds"),
            "tools": [{"name": name, "calls": calls} for name, calls in self.tools.most_common(MAX_LISTED)],
        }


@dataclass
class _Session:
    """A conversation in the older protocol versions, through which the client can be notified.

    Attributes:
        number: Distinguishes sessions of the same key and name that are in use together; 0 before the first request.
    """

    session: ServerSession
    client: Client
    number: int = 0
    last_seen: float = 0.0
    level: types.LoggingLevel | None = None
    subscribed: set[str] = field(default_factory=set[str])


@dataclass(eq=False)
class _OpenRequest:
    """An HTTP request under way: of a session or, once it is known, of a client."""

    session: str | None
    client: Client | None = None


class Clients:
    """Clients by key and name, and the ways to notify them: older sessions, and the bus for newer ones.

    Args:
        keys: The tokens of clients.
    """

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self.bus = InMemorySubscriptionBus()
        self._clients: dict[tuple[str, str, str], Client] = {}
        self._sessions: OrderedDict[str, _Session] = OrderedDict()
        self._requests: set[_OpenRequest] = set()
        self._on_change: list[Callable[[], None]] = []
        self.on_end: Callable[[str], None] = lambda caller: None
        """Called with the name, as of `record`, of each client whose session it has ended."""

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each client, as `Client.row`, last seen first.

        A client by HTTP is live while it has a request under way, such as the stream of its notifications; one by
        standard input and output is live while this process runs.
        """
        live = {id(each) for each in map(self._of, self._requests) if each is not None}
        rows = sorted(self._clients.values(), key=lambda client: client.last_seen, reverse=True)
        return [client.row(client.transport == STDIO or id(client) in live) for client in rows]

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each change of the rows, or of whether MCP is on."""
        self._on_change.append(listener)

    def changed(self) -> None:
        """Notify the listeners of a change."""
        for listener in self._on_change:
            listener()

    @contextlib.contextmanager
    def tracking(self, scope: Scope) -> Generator[None]:
        """Track an HTTP request while the block runs."""
        key = self._owned(scope)
        request = scope[OPEN_REQUEST] = _OpenRequest(key)
        self._requests.add(request)
        try:
            yield
        finally:
            self._requests.discard(request)
            if scope["method"] == "DELETE" and key is not None:
                ended = self._sessions.pop(key, None)
                if ended is not None and ended.number:
                    self.on_end(_caller(ended.client, ended.number))
            self.changed()

    def record(self, context: Context, call: str | None = None) -> str:
        """Record a request of a client; return its name as a caller of tools, such as `mcp:cursor “Cursor”`.

        The part before the quotes is the companion's own, the rest is the client's.
        """
        client = self._client(context)
        client.last_seen = time.time()
        if call is not None:
            client.called(call)
        session = self._session(context)
        if session is None and context.request is not None:
            request: _OpenRequest | None = context.request.scope.get(OPEN_REQUEST)
            if request is not None:
                request.client = client
        self.changed()
        return _caller(client, 1 if session is None else self._number(session))

    def forget_sessions(self) -> None:
        """Drop all sessions over HTTP, since they have ended."""
        for key in self._sessions.keys() - {STDIO}:
            del self._sessions[key]

    def subscribe(self, context: Context, uri: str) -> None:
        """Notify the client of an older session whenever a resource changes."""
        session = self._session(context)
        if session is not None:
            session.subscribed.add(uri)

    def unsubscribe(self, context: Context, uri: str) -> None:
        """Stop notifying the client of an older session about a resource."""
        session = self._session(context)
        if session is not None:
            session.subscribed.discard(uri)

    def set_level(self, context: Context, level: types.LoggingLevel) -> None:
        """Set the least severe level of messages for the client of an older session."""
        session = self._session(context)
        if session is not None:
            session.level = level

    def level(self, context: Context) -> types.LoggingLevel | None:
        """Return the least severe level that the client of an older session wants; None if it has set none."""
        session = self._session(context)
        return None if session is None else session.level

    async def resources_changed(self) -> None:
        """Notify every client that the list of resources has changed."""
        await self.bus.publish(ResourcesListChanged())
        await self._notify(lambda each: each.session.send_resource_list_changed())

    async def prompts_changed(self) -> None:
        """Notify every client that the list of prompts has changed."""
        await self.bus.publish(PromptsListChanged())
        await self._notify(lambda each: each.session.send_prompt_list_changed())

    async def tools_changed(self) -> None:
        """Notify every client that the list of tools has changed."""
        await self.bus.publish(ToolsListChanged())
        await self._notify(lambda each: each.session.send_tool_list_changed())

    async def resource_updated(self, uri: str) -> None:
        """Notify subscribers that a resource has changed."""
        await self.bus.publish(ResourceUpdated(uri))
        await self._notify(
            lambda each: each.session.send_resource_updated(uri), lambda each: uri in each.subscribed
        )

    async def _notify(
        self,
        send: Callable[[_Session], Awaitable[None]],
        concerns: Callable[[_Session], bool] = lambda _: True,
    ) -> None:
        """Notify all sessions at the same time, so that a client that doesn't read its stream delays no other."""

        async def send_in_time(session: _Session) -> None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(NOTIFY_WITHIN_S):
                    await send(session)

        await asyncio.gather(*(send_in_time(each) for each in self._sessions.values() if concerns(each)))

    def _owned(self, scope: Scope) -> str | None:
        """Return the session that a request names, unless it is another client's."""
        key = next((value.decode("latin-1") for name, value in scope["headers"] if name == SESSION), None)
        session = None if key is None else self._sessions.get(key)
        return None if session is not None and session.client.key != scope[ADMITTED].name else key

    def _of(self, request: _OpenRequest) -> Client | None:
        session = None if request.session is None else self._sessions.get(request.session)
        return request.client if session is None else session.client

    def _number(self, session: _Session) -> int:
        """Return a session's number among its client's sessions that are in use together."""
        session.last_seen = time.time()
        live = {request.session for request in self._requests}
        others = {
            each.number
            for key, each in self._sessions.items()
            if each is not session
            and each.client is session.client
            and (key in live or session.last_seen - each.last_seen < IN_USE_S)
        }
        if session.number == 0 or session.number in others:
            session.number = next(number for number in itertools.count(1) if number not in others)
        return session.number

    def _client(self, context: Context) -> Client:
        identity = self._keys.stdio if context.request is None else context.request.scope[ADMITTED]
        key = (identity.name, _name(context), STDIO if context.request is None else "http")
        client = self._clients.get(key)
        if client is None:
            if len(self._clients) == MAX_CLIENTS:
                del self._clients[min(self._clients, key=lambda each: self._clients[each].last_seen)]
            client = self._clients[key] = Client(*key)
        return client

    def _session(self, context: Context) -> _Session | None:
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return None
        key = STDIO if context.request is None else context.request.headers.get(SESSION.decode())
        if key is None:
            return None
        session = self._sessions.get(key)
        if session is None:
            session = self._sessions[key] = _Session(context.session, self._client(context))
            if len(self._sessions) > MAX_SESSIONS:
                self._sessions.popitem(last=False)
        return session


def _caller(client: Client, number: int) -> str:
    return f"mcp:{client.key} “{client.name}”{f' #{number}' if number > 1 else ''}"


def _name(context: Context) -> str:
    params = context.session.client_params
    name = "" if params is None else params.client_info.name
    return (
        "".join(each for each in name if each.isprintable() and each not in "“”#")[:LONGEST_NAME].strip()
        or UNNAMED
    )
