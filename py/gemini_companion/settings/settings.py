"""The user's methods of a page's connection. Only the page itself can send them, not Python in it (link.ts).

    settings/status {} -> {mcp, clients, configurations, saved, browsers: {known, here}, host}
    settings/save_client {client} -> {}               its token outlives the companion
    settings/revoke_client {client} -> {revoked}
    settings/mcp {on} -> {on}
    settings/move_port {port} -> {url}               the companion continues there a moment later
    settings/mcp_tools {tools} -> {tools}
    settings/test_mcp {} -> {tools, called, protocol, duration_ms}
    settings/git_credentials {} -> {keyring, credentials}
    settings/delete_git_credential {origin} -> {deleted}
    settings/forget_browsers {} -> {forgotten}       all but the page's own
        settings/changed {on, git, servers}              companion → page: the status has changed

`mcp` is `{on, tools, url, port, former, movable}`: `tools` are those that clients list, `all` or `code`, `former` are
the ports that the surface had before, and `movable` says whether it can have another one. `clients` come from
`mcp.clients.Client.row`, `saved` from `mcp.keys.Keys.rows`,
`configurations` from `configurations`, `known` from `browsers.Browser.row`, with the id of the page's own
browser in `here`, and `credentials` from `Credentials.rows`; `git` is the number of their changes so far, and `servers`
of the changes of MCP servers, whose methods are in `.mcp_servers`. The
methods of language models are in `gemini_companion.settings.models`, the methods of the search engine, places and
servers of calendars in `.search`, `.places` and `.dav` there, of private addresses in `.private_origins`, and of
secrets in `.secrets`.
`keyring` is the name of the system's keyring, or null.
`host` is `{allowed, directories, grants, terminals}` of this page alone, with rows of `host.consent.StandingGrant.row`.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from gemini.core.delayed import Delayed
from gemini.core.protocol import Handler, Params
from gemini.errors import InvalidArguments
from gemini_companion.admission.known_browsers import Browsers
from gemini_companion.mcp.clients import Clients
from gemini_companion.mcp.endpoint import Endpoint
from gemini_companion.mcp.keys import Keys
from gemini_companion.mcp.profile import Profile, Profiles
from gemini_companion.models import Gateway
from gemini_companion.models.errors import KeyringUnavailable
from gemini_companion.network import Credentials
from gemini_companion.pages.consent import Questions
from gemini_companion.pages.parameters import MethodParams, NoParams, validated
from gemini_companion.settings.commands import Command, passing_command
from gemini_companion.settings.configurations import configurations
from gemini_companion.settings.dav import DavSettings
from gemini_companion.settings.mcp_servers import McpServerSettings
from gemini_companion.settings.models import ModelSettings
from gemini_companion.settings.places import PlaceSettings
from gemini_companion.settings.private_origins import PrivateOriginSettings
from gemini_companion.settings.probe import NAME as PROBE
from gemini_companion.settings.probe import probe
from gemini_companion.settings.search import SearchSettings
from gemini_companion.settings.search_model import SearchModelSettings
from gemini_companion.settings.secrets import SecretSettings
from gemini_companion.storage.system_keyring import KeyringFailed, keyring_name
from gemini_companion.web import Places, Search

Row = dict[str, Any]
# Faster changes are combined into one notification, in seconds.
NOTIFY_EVERY_S = 0.3


class TurnParams(MethodParams):
    """The parameters of `settings/mcp`."""

    on: bool


class ToolsParams(MethodParams):
    """The parameters of `settings/mcp_tools`."""

    tools: Profile


class PortParams(MethodParams):
    """The parameters of `settings/move_port`."""

    port: int


class ClientParams(MethodParams):
    """The parameters of `settings/save_client` and `settings/revoke_client`."""

    client: str


class OriginParams(MethodParams):
    """The parameters of `settings/delete_git_credential`."""

    origin: str


@dataclass(frozen=True)
class Access:
    """The ways to reach a companion.

    Attributes:
        url: Of MCP.
        port: The surface's port.
        keys: This run's tokens.
        command: Starts another companion.
        former: The ports that the surface had before, and that lead to this one.
        move: Moves the surface to another port, and returns its address; None if that isn't possible.
    """

    url: str
    port: int
    keys: Keys
    command: Command
    former: tuple[int, ...] = ()
    move: Callable[[int], Awaitable[str]] | None = None


class Settings:
    """The settings of a companion, for all of its pages.

    Args:
        access: How clients reach it.
        endpoint: MCP, which can be turned off and on.
        profiles: The tools that MCP clients list.
        clients: The connected clients.
        gateway: Serves language models.
        browsers: The known browsers.
        credentials: The saved credentials for git servers.
        search: Searches the web.
        places: Finds places.
        dav: The settings of servers of calendars and contacts.
        private: The settings of origins at private addresses.
        secrets: The settings of secrets.
        mcp_servers: The settings of the user's MCP servers.
        search_model: Makes the model for search by meaning.
    """

    def __init__(
        self,
        access: Access,
        endpoint: Endpoint,
        *,
        profiles: Profiles,
        clients: Clients,
        gateway: Gateway,
        browsers: Browsers,
        credentials: Credentials,
        search: Search,
        places: Places,
        dav: DavSettings,
        private: PrivateOriginSettings,
        secrets: SecretSettings,
        mcp_servers: McpServerSettings,
        search_model: SearchModelSettings,
    ) -> None:
        self._credentials = credentials
        self._browsers = browsers
        self._access = access
        self._endpoint, self._profiles = endpoint, profiles
        self._clients = clients
        self._models = ModelSettings(gateway)
        self._search = SearchSettings(search)
        self._places = PlaceSettings(places)
        self._dav = dav
        self._private = private
        self._secrets = secrets
        self._mcp_servers = mcp_servers
        self._search_model = search_model
        self._listeners: set[Callable[[Params], None]] = set()
        self._notifying = Delayed(self._notify, NOTIFY_EVERY_S)
        self._git_changes = 0
        self._server_changes = 0
        clients.on_change(self.changed)
        credentials.on_change(self._credentials_changed)
        private.private.on_change(self._credentials_changed)
        secrets.secrets.on_change(self._credentials_changed)
        mcp_servers.servers.watch(self._servers_changed)

    @property
    def mcp_is_on(self) -> bool:
        """True while MCP is on."""
        return self._endpoint.is_on

    def handlers(self, host: Callable[[], Row], browser: str, questions: Questions) -> Mapping[str, Handler]:
        """Return the request methods of one page, for `gemini.core.protocol.Connection`.

        Args:
            host: Returns the row of the page's access to this machine.
            browser: The `id` of the page's browser.
            questions: Asks the user at the page.
        """
        return {
            "settings/status": validated(NoParams, lambda _: self._status(host(), browser)),
            "settings/forget_browsers": validated(NoParams, lambda _: self._forget(browser)),
            "settings/mcp": validated(TurnParams, self._turn),
            "settings/mcp_tools": validated(ToolsParams, self._choose_tools),
            "settings/move_port": validated(PortParams, self._move),
            "settings/save_client": validated(ClientParams, self._save_client),
            "settings/revoke_client": validated(ClientParams, self._revoke_client),
            "settings/test_mcp": validated(NoParams, self._test_mcp),
            "settings/git_credentials": validated(NoParams, self._git_credentials),
            "settings/delete_git_credential": validated(OriginParams, self._delete_git_credential),
            **self._models.handlers(),
            **self._search_model.handlers(),
            **self._search.handlers(),
            **self._places.handlers(),
            **self._dav.handlers(),
            **self._private.handlers(),
            **self._secrets.handlers(),
            **self._mcp_servers.handlers(questions),
        }

    def watch(self, listener: Callable[[Params], None]) -> Callable[[], None]:
        """Call `listener` after changes, at most a few times a second; return a function that stops it."""
        self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)

    def changed(self) -> None:
        """Notify the listeners soon that the status has changed."""
        if self._listeners:
            self._notifying.request()

    def _credentials_changed(self) -> None:
        self._git_changes += 1
        self.changed()

    def _servers_changed(self) -> None:
        self._server_changes += 1
        self.changed()

    def _notify(self) -> None:
        changes = {"git": self._git_changes, "servers": self._server_changes}
        for listener in list(self._listeners):
            listener({"on": self.mcp_is_on, **changes})

    async def _forget(self, browser: str) -> Row:
        return {"forgotten": self._browsers.forget(spared=browser)}

    async def _status(self, host: Row, browser: str) -> Row:
        access = self._access
        return {
            "mcp": {
                "on": self.mcp_is_on,
                "tools": self._profiles.chosen,
                "url": access.url,
                "port": access.port,
                "former": list(access.former),
                "movable": access.move is not None,
            },
            "clients": self._clients.rows(),
            "configurations": self._configurations(),
            "saved": access.keys.rows(),
            "browsers": {"known": self._browsers.rows(), "here": browser},
            "host": host,
        }

    def _configurations(self) -> list[Row]:
        access = self._access
        passing = partial(passing_command, port=access.port)
        return configurations(access.url, access.keys.of, access.command, passing)

    async def _save_client(self, params: ClientParams) -> Row:
        if params.client not in {row["client"] for row in self._configurations()}:
            raise InvalidArguments(f"{params.client!r} has no configuration")
        self._access.keys.save(params.client)
        self.changed()
        return {}

    async def _revoke_client(self, params: ClientParams) -> Row:
        revoked = self._access.keys.revoke(params.client)
        self.changed()
        return {"revoked": revoked}

    async def _move(self, params: PortParams) -> Row:
        if self._access.move is None:
            raise InvalidArguments(
                "this companion's port doesn't change while it runs",
                hint="Its command sets the port: start it with --port.",
            )
        return {"url": await self._access.move(params.port)}

    async def _turn(self, params: TurnParams) -> Row:
        await self._endpoint.turn(params.on)
        return {"on": self.mcp_is_on}

    async def _choose_tools(self, params: ToolsParams) -> Row:
        self._profiles.choose(params.tools)
        self.changed()
        return {"tools": self._profiles.chosen}

    async def _test_mcp(self, _: NoParams) -> Row:
        return await probe(self._access.url, self._access.keys.of(PROBE))

    async def _git_credentials(self, _: NoParams) -> Row:
        keyring = await asyncio.to_thread(keyring_name)
        with _keyring_problems():
            return {"keyring": keyring, "credentials": await self._credentials.rows()}

    async def _delete_git_credential(self, params: OriginParams) -> Row:
        with _keyring_problems():
            return {"deleted": await self._credentials.delete(params.origin)}


@contextlib.contextmanager
def _keyring_problems() -> Generator[None]:
    try:
        yield
    except KeyringFailed as problem:
        raise KeyringUnavailable(str(problem), hint="Unlock the keyring, and try again.") from None
