"""Sign-in to a server by OAuth, with the SDK's client of it (https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization).

The user agrees at a page before their browser opens the server's page for it. The answer comes to a port of this
machine that is open meanwhile. Tokens are stored like the values of headers, and reach only the server's origin.
"""

from __future__ import annotations

import asyncio
import contextlib
import webbrowser
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl, ValidationError

from gemini_companion.mcp_servers.errors import McpServerDown
from gemini_companion.mcp_servers.setups import ServerSetup, is_own
from gemini_companion.mcp_servers.store import ServerStore
from gemini_companion.models.errors import KeyringUnavailable

# For the user to sign in.
PATIENCE_S = 300.0
PATH = "/callback"
LONGEST_REQUEST = 16 * 1024
ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
    b"Referrer-Policy: no-referrer\r\n\r\nYou can close this tab and return to Control Surface.\n"
)
MISSING = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
AskSignIn = Callable[[str], Awaitable[None]]
"""Asks the user before their browser opens an address; raises Refused."""


class Tokens:
    """The tokens of one server, in the form that the SDK stores them in.

    Args:
        store: Stores them.
        name: The server's name.
        in_file: Whether the user agreed to a file if there is no keyring.
    """

    def __init__(self, store: ServerStore, name: str, *, in_file: bool) -> None:
        self._store = store
        self._name = name
        self._in_file = in_file
        # Where there is neither a keyring nor a file, tokens last until the companion ends.
        self._memory: dict[str, Any] = {}

    async def get_tokens(self) -> OAuthToken | None:
        """Return the saved tokens."""
        return self._parse(OAuthToken, await self._get("tokens"))

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Save tokens."""
        await self._set("tokens", tokens.model_dump(mode="json", exclude_none=True))

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """Return the saved registration of this client."""
        return self._parse(OAuthClientInformationFull, await self._get("client"))

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Save the registration of this client."""
        await self._set("client", client_info.model_dump(mode="json", exclude_none=True))

    async def forget_client(self) -> None:
        """Delete the registration of this client, and its tokens."""
        self._memory.clear()
        secret = await self._store.secret(self._name)
        if secret.keys() & {"client", "tokens"}:
            left = {name: value for name, value in secret.items() if name not in ("client", "tokens")}
            await self._store.set_secret(self._name, left, in_file=self._in_file)

    async def _get(self, member: str) -> Any:
        return self._memory.get(member) or (await self._store.secret(self._name)).get(member)

    async def _set(self, member: str, value: Any) -> None:
        secret = await self._store.secret(self._name)
        try:
            await self._store.set_secret(self._name, {**secret, member: value}, in_file=self._in_file)
        except KeyringUnavailable:
            self._memory[member] = value

    @staticmethod
    def _parse(kind: Any, value: Any) -> Any:
        try:
            return None if value is None else kind.model_validate(value)
        except ValidationError:
            return None


class SignIn:
    """One server's sign-in: a port for the answer, and the page that the user's browser opens.

    Args:
        setup: The server.
        tokens: Stores its tokens.
        ask: Asks the user first.
        open_page: Opens an address in the user's browser.
    """

    def __init__(
        self,
        setup: ServerSetup,
        tokens: Tokens,
        ask: AskSignIn,
        open_page: Callable[[str], Any] = webbrowser.open,
    ) -> None:
        self._setup = setup
        self._tokens = tokens
        self._ask = ask
        self._open_page = open_page
        self._answer: asyncio.Future[AuthorizationCodeResult] | None = None

    @contextlib.asynccontextmanager
    async def provided(self) -> AsyncGenerator[OAuthClientProvider]:
        """Yield the SDK's authentication, with a port for its answers while the block runs."""
        server = await self._open_port()
        port = server.sockets[0].getsockname()[1]
        metadata = OAuthClientMetadata(
            client_name="Control Surface",
            redirect_uris=[AnyUrl(f"http://127.0.0.1:{port}{PATH}")],
            token_endpoint_auth_method="none",  # noqa: S106 - a public client has no secret
        )
        try:
            yield OAuthClientProvider(self._setup.url, metadata, self._tokens, self._redirect, self._wait)
        finally:
            server.close()

    async def _open_port(self) -> asyncio.Server:
        """Listen on the port of the saved registration, which names it, or on any and register again."""
        known = await self._tokens.get_client_info()
        uris = (known.redirect_uris or []) if known else []
        ports = [uri.port for uri in uris if uri.port]
        try:
            return await self._listen(ports[0] if ports else 0)
        except OSError:
            await self._tokens.forget_client()
            return await self._listen(0)

    async def _listen(self, port: int) -> asyncio.Server:
        return await asyncio.start_server(self._receive, "127.0.0.1", port, limit=LONGEST_REQUEST)

    async def _redirect(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme != "https" and not (parts.scheme == "http" and is_own(parts.hostname or "")):
            raise McpServerDown(f"{self._setup.name} names a page to sign in that isn't an https address")
        await self._ask(address)
        self._answer = asyncio.get_running_loop().create_future()
        await asyncio.to_thread(self._open_page, address)

    async def _wait(self) -> AuthorizationCodeResult:
        assert self._answer is not None
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await self._answer
        except TimeoutError:
            raise McpServerDown(
                f"nobody signed in to {self._setup.name} within {PATIENCE_S / 60:.0f} minutes"
            ) from None

    async def _receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, ValueError):
            line = (await reader.readline()).decode(errors="replace").split(" ")
            found = self._code(line[1]) if len(line) == 3 and line[0] == "GET" else None
            writer.write(MISSING if found is None else ANSWER)
            await writer.drain()
            if found is not None and self._answer is not None and not self._answer.done():
                self._answer.set_result(found)
        writer.close()

    @staticmethod
    def _code(target: str) -> AuthorizationCodeResult | None:
        parts = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        # The SDK checks the state, so another program's answer ends the sign-in at most.
        if parts.path != PATH or not query.get("code") or not query.get("state"):
            return None
        return AuthorizationCodeResult(code=query["code"], state=query["state"], iss=query.get("iss"))
