"""The companion's access to other hosts: fetching, the web, calendars, MCP servers, and the secrets for them."""

from collections.abc import Sequence
from pathlib import Path

from gemini_companion.dav import DavAccess, DavServers
from gemini_companion.mcp_servers.access import McpAccess
from gemini_companion.mcp_servers.servers import McpServers
from gemini_companion.network import Credentials, Fetcher, Framing, PrivateOrigins, secret_origin
from gemini_companion.secrets import SecretAccess, Secrets, Visits
from gemini_companion.web import Places, Search, WebAccess


class Outside:
    """The parts that reach other hosts, for one run of the companion.

    Args:
        network: Fetches what kernels request from other origins.
        search: Searches the web.
        private_origins: The file that saves the origins at private addresses that the user allows; None holds them
            in memory.
        own_ports: The companion's ports, which no page may reach this way.
    """

    def __init__(
        self, network: Fetcher, search: Search, private_origins: Path | None, own_ports: Sequence[int]
    ) -> None:
        self.credentials = Credentials()
        self.secrets = Secrets(origin=secret_origin)
        visits = Visits()
        self.secret_access = SecretAccess(self.secrets, visits)
        # No answer has a secret, whatever of the companion asked for it.
        self.fetcher = network.varied(secrets=self.secrets)
        self.framing = Framing(self.fetcher)
        self.private = PrivateOrigins(private_origins, own_ports)
        self.search = search
        self.places = Places()
        self.web = WebAccess(self.fetcher, search, places=self.places)
        self.dav_servers = DavServers()
        self.dav = DavAccess(self.fetcher, self.dav_servers)
        self.mcp_servers = McpServers(secrets=self.secrets)
        self.mcp = McpAccess(self.mcp_servers, visits=visits)

    async def aclose(self) -> None:
        """Close the connections."""
        try:
            await self.mcp_servers.aclose()
        finally:
            await self.web.aclose()
