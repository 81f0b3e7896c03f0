"""Who is connected by MCP, and who is told of changes."""

from collections import OrderedDict
from dataclasses import dataclass, field
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

Context = ServerRequestContext[Any, Any]

# A client's own name for itself is shown to the person, so it is short, and can't pass for something else.
LONGEST_NAME = 40
UNNAMED = "unnamed client"
# Sessions of before are forgotten; a client that is told nothing any more lists anew when it asks for something.
MOST_SESSIONS = 1_000


@dataclass
class Client:
    """What is told of a client: its name, how it is connected, how many calls it made, and the last one."""

    name: str
    transport: str
    calls: int = 0
    last: str | None = None


@dataclass
class _Session:
    """A conversation of the older protocol versions, which has a way back to the client for as long as it lasts."""

    session: ServerSession
    level: types.LoggingLevel | None = None
    subscribed: set[str] = field(default_factory=set[str])


class Clients:
    """Clients by name, and the ways to tell them of changes: older sessions one by one, newer ones by the bus."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self._clients: dict[tuple[str, str], Client] = {}
        self._sessions: OrderedDict[str, _Session] = OrderedDict()

    def rows(self) -> list[dict[str, Any]]:
        """Every client that has asked for something: `{name, transport, calls, last}`."""
        return [vars(client) for client in self._clients.values()]

    def note(self, context: Context, call: str | None = None) -> str:
        """A client asks for something; gives its name as the caller of tools."""
        self._session(context)
        name = _name(context)
        transport = "stdio" if context.request is None else "http"
        client = self._clients.setdefault((name, transport), Client(name, transport))
        if call is not None:
            client.calls += 1
            client.last = call
        return f"mcp:{name}"

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
        for each in list(self._sessions.values()):
            await each.session.send_resource_list_changed()

    async def prompts_changed(self) -> None:
        """Tell every client that other prompts are offered."""
        await self.bus.publish(PromptsListChanged())
        for each in list(self._sessions.values()):
            await each.session.send_prompt_list_changed()

    async def tools_changed(self) -> None:
        """Tell every client that the list of tools is another one."""
        await self.bus.publish(ToolsListChanged())
        for each in list(self._sessions.values()):
            await each.session.send_tool_list_changed()

    async def resource_updated(self, uri: str) -> None:
        """Tell those who asked for it that a resource has changed."""
        await self.bus.publish(ResourceUpdated(uri))
        for each in list(self._sessions.values()):
            if uri in each.subscribed:
                await each.session.send_resource_updated(uri)

    def _session(self, context: Context) -> _Session | None:
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return None
        key = "stdio" if context.request is None else context.request.headers.get("mcp-session-id")
        if key is None:
            return None
        session = self._sessions.get(key)
        if session is None:
            session = self._sessions[key] = _Session(context.session)
            if len(self._sessions) > MOST_SESSIONS:
                self._sessions.popitem(last=False)
        return session


def _name(context: Context) -> str:
    params = context.session.client_params
    told = "" if params is None else params.client_info.name
    return "".join(each for each in told if each.isprintable())[:LONGEST_NAME].strip() or UNNAMED
