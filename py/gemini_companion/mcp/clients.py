"""Who is connected by MCP, and who is told of changes."""

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

from gemini_companion.guard import ADMITTED
from gemini_companion.mcp.keys import Keys

Context = ServerRequestContext[Any, Any]

# A client's own name for itself is shown to the person, so it is short, and can't pass for something else.
LONGEST_NAME = 40
UNNAMED = "unnamed client"
STDIO = "stdio"
# A session counts as in use for so long after its last request.
IN_USE_S = 60.0
TELL_WITHIN_S = 5.0
SESSION = b"mcp-session-id"
# Sessions of before are forgotten; a client that is told nothing any more lists anew when it asks for something.
MOST_SESSIONS = 1_000

# Clients of before are forgotten, too, by who was heard longest ago.
MOST_CLIENTS = 200
# Tools that are counted for one client, and characters of their names: a client may call whatever it likes.
MOST_TOOLS = 200
LONGEST_TOOL = 80
# Tools that are told of one client.
MOST_TOLD = 5
# Where a request carries who attends it.
ATTENDED = "gemini_companion.mcp"


@dataclass(eq=False)
class Client:
    """Somebody who is, or was, connected.

    Attributes:
        key: Whose token it has.
        name: As it calls itself.
        transport: `stdio` or `http`.
        calls: How many tools it has called.
        last: The tool that it called last.
        heard: When it asked for something last, in seconds since 1970.
    """

    key: str
    name: str
    transport: str
    calls: int = 0
    last: str | None = None
    heard: float = 0.0
    tools: Counter[str] = field(default_factory=Counter[str])

    def called(self, tool: str) -> None:
        tool = tool[:LONGEST_TOOL]
        self.calls += 1
        self.last = tool
        if tool in self.tools or len(self.tools) < MOST_TOOLS:
            self.tools[tool] += 1

    def row(self, live: bool) -> dict[str, Any]:
        """What is told of it: `{key, name, transport, live, calls, last, heard, tools: [{name, calls}]}`."""
        return {
            "key": self.key,
            "name": self.name,
            "transport": self.transport,
            "live": live,
            "calls": self.calls,
            "last": self.last,
            "heard": datetime.fromtimestamp(self.heard, UTC).isoformat(timespec="seconds"),
            "tools": [{"name": name, "calls": calls} for name, calls in self.tools.most_common(MOST_TOLD)],
        }


@dataclass
class _Session:
    """A conversation of the older protocol versions, which has a way back to the client for as long as it lasts.

    Attributes:
        number: Tells it from others of the same key and name at the same time; 0 until it has asked for something.
    """

    session: ServerSession
    client: Client
    number: int = 0
    heard: float = 0.0
    level: types.LoggingLevel | None = None
    subscribed: set[str] = field(default_factory=set[str])


@dataclass(eq=False)
class _Attended:
    """An HTTP request that is under way: of a session, or else, once it is known, of a client."""

    session: str | None
    client: Client | None = None


class Clients:
    """Clients by key and name, and the ways to tell them of changes: older sessions, and newer ones by the bus."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self.bus = InMemorySubscriptionBus()
        self._clients: dict[tuple[str, str, str], Client] = {}
        self._sessions: OrderedDict[str, _Session] = OrderedDict()
        self._attended: set[_Attended] = set()
        self._on_change: list[Callable[[], None]] = []

    def rows(self) -> list[dict[str, Any]]:
        """Every client that has asked for something, as `Client.row`, who asked last first.

        Those by HTTP are live while a request of theirs is under way, as the stream is by which they are told of
        changes; those by standard input and output for as long as this process runs.
        """
        live = {id(each) for each in map(self._of, self._attended) if each is not None}
        rows = sorted(self._clients.values(), key=lambda client: client.heard, reverse=True)
        return [client.row(client.transport == STDIO or id(client) in live) for client in rows]

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever the rows changed, or whether they are answered."""
        self._on_change.append(listener)

    def changed(self) -> None:
        for listener in self._on_change:
            listener()

    @contextlib.contextmanager
    def attending(self, scope: Scope) -> Generator[None]:
        """An HTTP request of some client is under way while the block runs."""
        key = next((value.decode("latin-1") for name, value in scope["headers"] if name == SESSION), None)
        attended = scope[ATTENDED] = _Attended(key)
        self._attended.add(attended)
        try:
            yield
        finally:
            self._attended.discard(attended)
            if scope["method"] == "DELETE" and key is not None:
                self._sessions.pop(key, None)
            self.changed()

    def note(self, context: Context, call: str | None = None) -> str:
        """A client asks for something; gives its name as the caller of tools, `mcp:cursor “Cursor”`.

        What stands before the quotes is the companion's word, and the rest the client's own.
        """
        client = self._client(context)
        client.heard = time.time()
        if call is not None:
            client.called(call)
        session = self._session(context)
        if session is None and context.request is not None:
            attended: _Attended | None = context.request.scope.get(ATTENDED)
            if attended is not None:
                attended.client = client
        self.changed()
        number = 1 if session is None else self._number(session)
        return f"mcp:{client.key} “{client.name}”{f' #{number}' if number > 1 else ''}"

    def forget_sessions(self) -> None:
        """All sessions by HTTP have ended."""
        for key in self._sessions.keys() - {STDIO}:
            del self._sessions[key]

    def subscribe(self, context: Context, uri: str) -> None:
        """Tell the client of an older session whenever that resource changes."""
        session = self._session(context)
        if session is not None:
            session.subscribed.add(uri)

    def unsubscribe(self, context: Context, uri: str) -> None:
        session = self._session(context)
        if session is not None:
            session.subscribed.discard(uri)

    def set_level(self, context: Context, level: types.LoggingLevel) -> None:
        """Tell the client of an older session nothing that matters less."""
        session = self._session(context)
        if session is not None:
            session.level = level

    def level(self, context: Context) -> types.LoggingLevel | None:
        """What the client of an older session has asked to be told from."""
        session = self._session(context)
        return None if session is None else session.level

    async def resources_changed(self) -> None:
        """Tell every client that other resources are offered."""
        await self.bus.publish(ResourcesListChanged())
        await self._tell(lambda each: each.session.send_resource_list_changed())

    async def prompts_changed(self) -> None:
        """Tell every client that other prompts are offered."""
        await self.bus.publish(PromptsListChanged())
        await self._tell(lambda each: each.session.send_prompt_list_changed())

    async def tools_changed(self) -> None:
        """Tell every client that the list of tools is another one."""
        await self.bus.publish(ToolsListChanged())
        await self._tell(lambda each: each.session.send_tool_list_changed())

    async def resource_updated(self, uri: str) -> None:
        """Tell those who asked for it that a resource has changed."""
        await self.bus.publish(ResourceUpdated(uri))
        await self._tell(
            lambda each: each.session.send_resource_updated(uri), lambda each: uri in each.subscribed
        )

    async def _tell(
        self,
        send: Callable[[_Session], Awaitable[None]],
        concerns: Callable[[_Session], bool] = lambda _: True,
    ) -> None:
        """All at once: a client that doesn't read its stream keeps nobody else waiting."""

        async def tell(session: _Session) -> None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TELL_WITHIN_S):
                    await send(session)

        await asyncio.gather(*(tell(each) for each in self._sessions.values() if concerns(each)))

    def _of(self, attended: _Attended) -> Client | None:
        session = None if attended.session is None else self._sessions.get(attended.session)
        return attended.client if session is None else session.client

    def _number(self, session: _Session) -> int:
        """Which of the sessions of its client, as long as several are in use at once."""
        session.heard = time.time()
        live = {attended.session for attended in self._attended}
        others = {
            each.number
            for key, each in self._sessions.items()
            if each is not session
            and each.client is session.client
            and (key in live or session.heard - each.heard < IN_USE_S)
        }
        if session.number == 0 or session.number in others:
            session.number = next(number for number in itertools.count(1) if number not in others)
        return session.number

    def _client(self, context: Context) -> Client:
        identity = self._keys.stdio if context.request is None else context.request.scope[ADMITTED]
        key = (identity.name, _name(context), STDIO if context.request is None else "http")
        client = self._clients.get(key)
        if client is None:
            if len(self._clients) == MOST_CLIENTS:
                del self._clients[min(self._clients, key=lambda each: self._clients[each].heard)]
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
            if len(self._sessions) > MOST_SESSIONS:
                self._sessions.popitem(last=False)
        return session


def _name(context: Context) -> str:
    params = context.session.client_params
    told = "" if params is None else params.client_info.name
    return (
        "".join(each for each in told if each.isprintable() and each not in "“”#")[:LONGEST_NAME].strip()
        or UNNAMED
    )
