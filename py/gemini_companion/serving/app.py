"""The composition root: one ASGI application for files, the page's WebSocket, MCP and models, behind one guard."""

import contextlib
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp
from typing_extensions import TypedDict

from gemini.kernel.endpoint import installed_version
from gemini_companion.admission.admission import PATH as ENTRANCE
from gemini_companion.admission.admission import Entrance
from gemini_companion.admission.extension import ORIGIN as EXTENSION
from gemini_companion.admission.guard import Guard, admit_only, new_token
from gemini_companion.admission.identity import Identity
from gemini_companion.admission.known_browsers import Browsers
from gemini_companion.admission.pairing import Pairings, ask_pages
from gemini_companion.admission.pairing_requests import PairingRequests
from gemini_companion.browser.tabs import BrowserTabs, TabBrowser
from gemini_companion.browser.wake import Waking
from gemini_companion.host.policy import HostPolicy
from gemini_companion.mcp.endpoint import Endpoint
from gemini_companion.mcp.keys import Keys
from gemini_companion.mcp.profile import Profiles
from gemini_companion.mcp.server import McpServer
from gemini_companion.models import Gateway, ModelAccess, load_providers
from gemini_companion.named_command import named_program
from gemini_companion.network import Door, Fetcher
from gemini_companion.pages.pages import Pages
from gemini_companion.serving.moved import Moved
from gemini_companion.serving.outside import Outside
from gemini_companion.serving.policy import Policies, surface_headers
from gemini_companion.serving.relay import Powers, Relay
from gemini_companion.serving.relocation import Relocation
from gemini_companion.serving.server import Port, Server
from gemini_companion.serving.site_relay import SiteRelay, SiteRequests
from gemini_companion.serving.static_files import (
    HEADERS,
    KERNEL_FILES,
    SERVING,
    Folder,
    StaticFiles,
    framed_by,
    kernel_file_headers,
    kernel_headers,
    sites_url,
)
from gemini_companion.settings import Access, Settings, own_command
from gemini_companion.settings.dav import DavSettings
from gemini_companion.settings.mcp_servers import McpServerSettings
from gemini_companion.settings.private_origins import PrivateOriginSettings
from gemini_companion.settings.search_model import SearchModelSettings, command_for
from gemini_companion.settings.secrets import SecretSettings
from gemini_companion.site import CATALOGUE
from gemini_companion.web import Search

PAGE = "/page"
MCP = "/mcp"
MODELS = "/models"


def _folder(path: Path, server: Server) -> Folder:
    folder = Folder(path)
    folder.sites = sites_url(server.sites.number)
    folder.kernel = server.kernel.url
    folder.network = True
    folder.program = named_program()
    return folder


class OtherApps(TypedDict):
    """The applications for additional ports."""

    kernel: ASGIApp
    sites: ASGIApp
    former: Callable[[Port], ASGIApp]


class Companion:
    """One run of the companion: its pages, the check that admits them, its MCP server and that server's tokens.

    Args:
        folder: The built surface, `dist/`.
        server: The server whose ports it answers on.
        host: What pages may use of this machine; nothing by default.
        browsers: The browsers that may return without a code; by default only this run's.
        network: Fetches what kernels request from other origins.
        keys: The tokens of MCP clients; by default only this run's.
        browser: The browser in which pages may open tabs; by default they may not.
        sites: The origins that may be opened there without a question; `*` for all public ones.
        search: Searches the web.
        waking: The file that saves when the page should be woken; None holds it in memory.
        relocation: Moves the surface to another port; None if that isn't possible.
        private_origins: The file that saves the origins at private addresses that the user allows; None holds them
            in memory.
        profiles: The tools that each MCP client lists; by default all.

    Raises:
        ConfigurationProblem: The providers file can't be read.
    """

    def __init__(
        self,
        folder: Path,
        server: Server,
        *,
        host: HostPolicy | None = None,
        browsers: Browsers | None = None,
        network: Fetcher | None = None,
        keys: Keys | None = None,
        browser: TabBrowser | None = None,
        sites: Sequence[str] = (),
        search: Search | None = None,
        waking: Path | None = None,
        relocation: Relocation | None = None,
        private_origins: Path | None = None,
        profiles: Profiles | None = None,
    ) -> None:
        self.keys = keys or Keys()
        self._folder = _folder(folder, server)
        self._server = server
        self.pages = Pages(lambda: self.url)
        self.mcp = McpServer(self.pages, folder / CATALOGUE, installed_version(), self.keys, profiles)
        self._endpoint = Endpoint(self.mcp)
        self._gateway = Gateway(load_providers())
        own_ports = (server.main, server.kernel, server.sites, *server.former)
        numbers = [port.number for port in own_ports]
        self.outside = Outside(network or Fetcher(), search or Search(), private_origins, numbers)
        self._network = self._door()
        origins = frozenset((*(f"http://{name}" for name in server.main.hosts), EXTENSION))
        self.entrance = Entrance(lambda: self.url, origins, browsers or Browsers(), self.keys.lend)
        self.pairings = Pairings(partial(self.entrance.browsers.add, attended=True), self._ask_pages)
        # Python in a page gets this token, which must open nothing else.
        self._models_token = new_token()
        self._browser = browser
        own = frozenset(name for port in own_ports for name in port.hosts)
        self.waking = Waking(self.pages, waking)
        self._site_relay = SiteRelay()
        former = tuple(port.number for port in server.former)
        move = None if relocation is None else relocation.move
        powers = Powers(
            pages=self.pages,
            notify_clients=self.mcp.notify_clients,
            host=host or HostPolicy(),
            settings=self._settings(
                Access(self.mcp_url, server.main.number, self.keys, own_command(folder), former, move)
            ),
            models=ModelAccess(self._gateway, self._models_token),
            tabs=lambda notify: BrowserTabs(browser, own, sites, notify),
            framing=self.outside.framing,
            web=self.outside.web,
            dav=self.outside.dav,
            secrets=self.outside.secret_access,
            waking=self.waking,
            sites=self._site_relay,
            mcp=self.outside.mcp,
        )
        self._relay = Relay(powers)

    def _door(self) -> Door:
        outside = self.outside
        of_kernel = frozenset(f"http://{name}" for name in self._server.kernel.hosts)
        return Door(
            self.pages.by_key,
            of_kernel,
            outside.fetcher,
            outside.credentials,
            outside.private,
            outside.secret_access,
        )

    def _settings(self, access: Access) -> Settings:
        outside = self.outside
        return Settings(
            access,
            self._endpoint,
            profiles=self.mcp.profiles,
            clients=self.mcp.clients,
            gateway=self._gateway,
            browsers=self.entrance.browsers,
            credentials=outside.credentials,
            search=outside.search,
            places=outside.places,
            dav=DavSettings(outside.dav_servers, outside.dav),
            private=PrivateOriginSettings(outside.private),
            secrets=SecretSettings(outside.secrets),
            mcp_servers=McpServerSettings(outside.mcp_servers),
            search_model=SearchModelSettings(command_for(self._folder.path)),
        )

    @property
    def url(self) -> str:
        """The surface's address. It alone admits nobody; `entrance.address()` returns one that does."""
        return self._server.url

    @property
    def token(self) -> str:
        """The token that the command prints, for MCP clients without a configuration from the settings."""
        return self.keys.printed

    @property
    def mcp_url(self) -> str:
        """The address of MCP over HTTP."""
        return f"{self._server.url.rstrip('/')}{MCP}"

    def app(self) -> ASGIApp:
        """Return the application for the surface's port."""

        @contextlib.asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncGenerator[None]:
            async with (
                self._endpoint.serving(),
                contextlib.aclosing(self._gateway),
                contextlib.aclosing(self._network),
                contextlib.aclosing(self.outside),
                contextlib.AsyncExitStack() as stack,
            ):
                if self._browser is not None:
                    stack.push_async_callback(self._browser.aclose)
                yield

        sockets = [f"ws://{host}" for host in self._server.main.hosts]
        routes = [
            WebSocketRoute(PAGE, self._relay.connect),
            Route(MCP, self._endpoint),
            *self.entrance.routes,
            *PairingRequests(self.pairings, self.entrance).routes,
            # For the extension, whose page has no other port. Pages of this port have none of these tokens.
            *self._gateway.routes,
            Mount("/", StaticFiles(self._folder, Policies(sockets))),
        ]
        only_models = admit_only(self._models_token)
        return Guard(
            Identity(Starlette(routes=routes, lifespan=lifespan)),
            hosts=self._server.main.hosts,
            guests={EXTENSION: (ENTRANCE, PAGE, MODELS, SERVING)},
            protected={PAGE: self.entrance.admit, MCP: self.keys.admit, MODELS: only_models},
            json_rpc=MCP,
            headers=surface_headers(sockets),
        )

    async def _ask_pages(self, facts: Mapping[str, Any]) -> bool:
        """Ask at all connected pages whether another browser may connect, and return whether the user agrees."""
        return await ask_pages(
            [page.questions.ask("browser", facts, answers=("once",)) for page in self.pages]
        )

    def other_apps(self) -> OtherApps:
        """Return the applications for the other ports, by their names in `Server.serving`."""
        return {"kernel": self._kernel(), "sites": self._sites(), "former": self._former}

    def _former(self, port: Port) -> ASGIApp:
        """Return the application for a port that the surface had before."""
        return Moved(port, self.entrance, self.url, MCP).app()

    def _kernel(self) -> ASGIApp:
        """Return the application for the kernel's port: its files, models and the network."""
        files = StaticFiles(Folder(self._folder.path, KERNEL_FILES), kernel_file_headers)
        return Guard(
            # All ports report a companion, so that another one reaches none of them for its pages.
            Identity(Starlette(routes=[*self._gateway.routes, self._network.route, Mount("/", files)])),
            hosts=self._server.kernel.hosts,
            protected={MODELS: admit_only(self._models_token)},
            headers=kernel_headers(self._server.main.number),
        )

    def _sites(self) -> ASGIApp:
        """Return the application for the sites' port: the frames that show files as pages with their own origins."""
        headers = HEADERS | framed_by(self._server.main.number)
        return Guard(
            Identity(SiteRequests(self._site_relay, StaticFiles(Folder(self._folder.path / "site")))),
            hosts=self._server.sites.hosts,
            labels_of=[f"localhost:{self._server.sites.number}"],
            headers=headers,
        )
