"""The user's servers, for all pages: their connections, and the question before one starts.

The user allows each server once, and again after a change of its command line, variables' names or address. It starts
when it is first used, and ends with the companion, or when the user switches it off.
"""

from __future__ import annotations

import asyncio
import contextlib
import webbrowser
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from typing import Any

from gemini.core.delayed import Delayed
from gemini.errors import Refused
from gemini_companion.mcp_servers import addresses
from gemini_companion.mcp_servers.connection import Opening, ServerConnection
from gemini_companion.mcp_servers.declarations import function_names
from gemini_companion.mcp_servers.errors import McpServerOff
from gemini_companion.mcp_servers.program import Program, Streams
from gemini_companion.mcp_servers.secret_values import filled
from gemini_companion.mcp_servers.setups import ServerSetup
from gemini_companion.mcp_servers.sign_in import SignIn, Tokens
from gemini_companion.mcp_servers.store import SavedServer, ServerStore
from gemini_companion.pages.consent import Questions
from gemini_companion.secrets import Secrets

Row = dict[str, Any]
KIND, SIGN_IN = "mcp-server", "mcp-sign-in"
# Faster changes are combined into one notification, in seconds.
NOTIFY_EVERY_S = 0.3


class McpServers:
    """The user's servers.

    Args:
        store: What is saved about them.
        pause: Waits before a server that has ended starts again.
        open_page: Opens an address in the user's browser.
        secrets: The user's secrets, which values of variables and headers can name.
    """

    def __init__(
        self,
        store: ServerStore | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        open_page: Callable[[str], Any] = webbrowser.open,
        secrets: Secrets | None = None,
    ) -> None:
        self._open_page = open_page
        self.secrets = secrets or Secrets()
        self.store = store or ServerStore()
        self._pause = pause
        self._connections: dict[str, ServerConnection] = {}
        self._turns: dict[str, asyncio.Lock] = {}
        # The page that used each server last: a sign-in is asked there.
        self._users: dict[str, Questions] = {}
        self._listeners: set[Callable[[], None]] = set()
        self._notifying = Delayed(self._notify, NOTIFY_EVERY_S)

    async def aclose(self) -> None:
        """End all servers."""
        await asyncio.gather(*(each.close() for each in self._connections.values()))
        self._connections.clear()

    def watch(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after changes, at most a few times a second; return a function that stops it."""
        self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)

    def changed(self) -> None:
        """Notify the listeners soon of a change of servers, states or tools."""
        if self._listeners:
            self._notifying.request()

    def _notify(self) -> None:
        for listener in list(self._listeners):
            listener()

    def rows(self) -> list[Row]:
        """Return a row of each server that is on: `{name, module, listed, allowed, state, problem, restarts, tools}`.

        `tools` is their number, or None before they were listed.
        """
        servers = [each for each in self.store.all() if each.on]
        modules = function_names([each.setup.name for each in servers])
        return [
            {"name": each.setup.name, "module": modules[each.setup.name], "listed": each.listed}
            | {"allowed": each.is_allowed}
            | self.state(each.setup.name)
            for each in servers
        ]

    def state(self, name: str) -> Row:
        """Return `{state, problem, restarts, tools, problems}` of a server."""
        found = self._connections.get(name)
        if found is None:
            return {"state": "off", "problem": None, "restarts": 0, "tools": None, "problems": []}
        return {
            "state": found.state,
            "problem": found.problem,
            "restarts": found.restarts,
            "tools": len(found.tools.tools) if found.state == "ready" else None,
            "problems": found.tools.problems[:10],
        }

    async def use(self, name: str, questions: Questions) -> tuple[SavedServer, ServerConnection]:
        """Return a server that the user allows, once it is ready.

        Args:
            name: Its name, or its module's.
            questions: The page to ask at.

        Raises:
            McpServerUnknown: There is none.
            McpServerOff: The user has switched it off.
            McpServerDown: It doesn't start.
            Refused: The user refuses to start it.
        """
        saved = self._find(name)
        name = saved.setup.name
        if not saved.on:
            raise McpServerOff(
                f"the user has switched off the MCP server {name}", hint="Continue without it."
            )
        async with self._turns.setdefault(name, asyncio.Lock()):
            saved = await self._ensure_allowed(self._find(name), questions)
        self._users[name] = questions
        connection = self._connections.get(name)
        if connection is None:
            connection = ServerConnection(
                name, partial(self._open, name), self.changed, self._pause, self._open_page
            )
            self._connections[name] = connection
        await connection.client()
        return saved, connection

    def _find(self, name: str) -> SavedServer:
        modules = function_names([each.setup.name for each in self.store.all()])
        names = {module: server for server, module in modules.items()}
        return self.store.get(name if name in modules else names.get(name, name))

    async def _ensure_allowed(self, saved: SavedServer, questions: Questions) -> SavedServer:
        if saved.is_allowed:
            return saved
        await self.end(saved.setup.name)
        await questions.ask(KIND, facts_of(saved), answers=("always",))
        # It may have changed while the user read.
        current = self.store.get(saved.setup.name)
        if current.setup != saved.setup:
            raise Refused("the server was changed before the user answered", hint="Call it again.")
        return self.store.change(current, allowed=current.setup.digest)

    async def end(self, name: str) -> None:
        """End a server, if it runs."""
        connection = self._connections.pop(name, None)
        if connection is not None:
            await connection.close()
            self.changed()

    async def restart(self, name: str, questions: Questions) -> None:
        """Start a server again, since the user asks for it. Raises as `use`."""
        await self.end(self._find(name).setup.name)
        await self.use(name, questions)

    async def _open(self, name: str) -> Opening:
        # A restart comes without a caller, so what the user has decided meanwhile counts.
        saved = self.store.get(name)
        if not saved.on or not saved.is_allowed:
            raise McpServerOff(f"the user hasn't allowed the MCP server {name} as it is now")
        values = await filled(self.secrets, saved.setup, await self.store.values(name))
        if saved.setup.kind == "http":
            return Opening(self._address(saved, values))
        lost = asyncio.Event()
        program = Program(saved.setup, values, lost.set)
        return Opening(program.connected(), lambda: program.last_words, lost)

    @contextlib.asynccontextmanager
    async def _address(self, saved: SavedServer, values: dict[str, str]) -> AsyncGenerator[Streams]:
        setup = saved.setup
        async with contextlib.AsyncExitStack() as stack:
            auth = None
            if setup.oauth:
                tokens = Tokens(self.store, setup.name, in_file=saved.in_file)
                sign_in = SignIn(setup, tokens, partial(self._ask_sign_in, setup), self._open_page)
                auth = await stack.enter_async_context(sign_in.provided())
            yield await stack.enter_async_context(addresses.connected(setup, values, auth))

    async def _ask_sign_in(self, setup: ServerSetup, address: str) -> None:
        questions = self._users.get(setup.name)
        if questions is None:
            raise Refused(f"no page asks for a sign-in to {setup.name}")
        await questions.ask(
            SIGN_IN, {"server": setup.name, "url": setup.url, "address": address}, answers=("once",)
        )


def facts_of(saved: SavedServer) -> Row:
    """Return what the question before a server's start shows."""
    setup = saved.setup
    return {
        "server": setup.name,
        "transport": setup.kind,
        "place": setup.place,
        "directory": setup.directory,
        "values": setup.labels,
        "changed": bool(saved.allowed),
    }
