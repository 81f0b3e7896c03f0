"""The composition root: files, the page's WebSocket, MCP and models as one ASGI application, behind one guard."""

import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp

from gemini.endpoint import installed_version
from gemini_companion.gateway import Gateway, ModelAccess, load_providers
from gemini_companion.guard import Guard, new_token
from gemini_companion.host.policy import HostPolicy
from gemini_companion.identity import Identity
from gemini_companion.mcp.endpoint import Endpoint
from gemini_companion.mcp.server import McpServer
from gemini_companion.openings import Openings
from gemini_companion.pages import Pages
from gemini_companion.policy import Policies, surface_headers
from gemini_companion.relay import Relay
from gemini_companion.server import Server
from gemini_companion.settings import Access, Settings, own_command
from gemini_companion.site import CATALOGUE
from gemini_companion.static_files import HEADERS, Folder, StaticFiles, framed_by

MCP = "/mcp"
MODELS = "/models"
# What a page finds in its address (web/ui/companion/token.js).
FRAGMENT = "companion"
NOBODY = "nobody"


class Companion:
    """What a start of the companion has: its pages, its MCP server, and the token for both.

    Args:
        folder: The built surface, `dist/`.
        server: Whose ports it answers on.
        host: What pages may have of this machine; nothing, unless told otherwise.

    Raises:
        ConfigurationProblem: The file of providers can't be read.
    """

    def __init__(self, folder: Path, server: Server, host: HostPolicy | None = None) -> None:
        self.token = new_token()
        self._folder = Folder(folder)
        self._folder.sites = server.sites.url
        self._server = server
        self.pages = Pages(lambda: self.url)
        self.mcp = McpServer(self.pages, folder / CATALOGUE, installed_version())
        self._endpoint = Endpoint(self.mcp)
        self._gateway = Gateway(load_providers())
        self._openings = Openings(lambda: self.url)
        access = Access(self.mcp_url, server.main.number, self.token, own_command(folder))
        self._settings = Settings(access, self._endpoint, self.mcp.clients, self._gateway)
        # Python in a page gets it, and must come no further with it.
        self._models_token = new_token()
        models = ModelAccess(self._gateway, self._models_token)
        self._relay = Relay(self.pages, self.mcp.told, host or HostPolicy(), self._settings, models)

    @property
    def url(self) -> str:
        """Where the surface is opened; who has it may use the companion."""
        return f"{self._server.url}#{urlencode({FRAGMENT: self.token})}"

    @property
    def url_for_nobody(self) -> str:
        """The same for a page without a person, where what needs consent is refused instead of asked."""
        return f"{self._server.url}#{urlencode({FRAGMENT: self.token, NOBODY: ''})}"

    def url_for_once(self) -> str:
        """An address that leads to `url` once, within a minute, for whatever others can read."""
        return self._server.url.rstrip("/") + self._openings.path()

    @property
    def mcp_url(self) -> str:
        return f"{self._server.url.rstrip('/')}{MCP}"

    def app(self) -> ASGIApp:
        """What answers on the surface's port."""

        @contextlib.asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncGenerator[None]:
            async with self._endpoint.serving(), contextlib.aclosing(self._gateway):
                yield

        sockets = [f"ws://{host}" for host in self._server.main.hosts]
        routes = [
            WebSocketRoute("/page", self._relay.connect),
            Route(MCP, self._endpoint),
            *self._gateway.routes,
            self._openings.route,
            Mount("/", StaticFiles(self._folder, Policies(sockets))),
        ]
        return Guard(
            Identity(Starlette(routes=routes, lifespan=lifespan)),
            hosts=self._server.main.hosts,
            token=self.token,
            guarded=[MCP, MODELS],
            narrow={MODELS: self._models_token},
            headers=surface_headers(sockets),
        )

    def sites(self) -> ASGIApp:
        """What answers on the sites' port: the frame that shows files as pages of an origin of their own."""
        headers = HEADERS | framed_by(self._server.main.number)
        return Guard(
            StaticFiles(Folder(self._folder.path / "site")),
            hosts=self._server.sites.hosts,
            token=self.token,
            headers=headers,
        )
