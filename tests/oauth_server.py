"""An MCP server on loopback that needs a sign-in by OAuth, with its own authorization server."""

from __future__ import annotations

import contextlib
import secrets
import socket
import threading
import time
from collections.abc import Generator

import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    TokenError,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl
from starlette.applications import Starlette

LIFE_S = 3600


class Authority(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """Registers every client, and signs in every user who opens its page.

    Attributes:
        address: The server's address.
        tokens: The tokens that it has issued.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.tokens: dict[str, AccessToken] = {}
        self._clients: dict[str, OAuthClientInformationFull] = {}
        self._codes: dict[str, AuthorizationCode] = {}

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self._clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        assert client_info.client_id is not None
        self._clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        assert client.client_id is not None
        code = secrets.token_urlsafe(32)
        self._codes[code] = AuthorizationCode(
            code=code,
            scopes=params.scopes or [],
            expires_at=time.time() + LIFE_S,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        return self._codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        del self._codes[authorization_code.code]
        token = secrets.token_urlsafe(32)
        self.tokens[token] = AccessToken(
            token=token,
            client_id=authorization_code.client_id,
            scopes=authorization_code.scopes,
            resource=authorization_code.resource,
        )
        return OAuthToken(access_token=token, expires_in=LIFE_S)

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        return None

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        raise TokenError("invalid_grant")

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self.tokens.get(token)


@contextlib.contextmanager
def served() -> Generator[Authority]:
    """Serve a server with the tool `who` on its own thread."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        authority = Authority(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp")
        server = uvicorn.Server(
            uvicorn.Config(_application(authority), log_config=None, timeout_graceful_shutdown=1)
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield authority
        finally:
            server.should_exit = True
            thread.join()


def _application(authority: Authority) -> Starlette:
    settings = AuthSettings(
        issuer_url=AnyHttpUrl(authority.address.removesuffix("/mcp")),
        resource_server_url=AnyHttpUrl(authority.address),
        client_registration_options=ClientRegistrationOptions(enabled=True),
        validate_token_resource=True,
    )
    server = MCPServer("signed", auth=settings, auth_server_provider=authority)

    @server.tool()
    def who() -> str:
        """Return who is signed in."""
        return "ada"

    return server.streamable_http_app()
