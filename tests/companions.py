"""Helpers for tests of the companion: a running companion, its page and MCP clients."""

from __future__ import annotations

import base64
import random
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from gemini_companion.browser.tabs import TabBrowser
from gemini_companion.host.policy import HostPolicy
from gemini_companion.mcp.keys import Keys
from gemini_companion.network import Fetcher
from gemini_companion.serving.app import Companion
from gemini_companion.serving.server import PortUnavailable, Server, running
from gemini_companion.web import Search
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool

CONNECTED = "document.querySelector('#status-companion').innerText === 'Companion'"
# Longer than any test waits, so that a lost answer doesn't look like a transport error.
TIMEOUT_S = 120


_used: list[int] = []


def server_on_used_ports() -> Server:
    """Open ports that this process has used before, where browsers find what they have cached, or any free ones."""
    for port in _used:
        with suppress(PortUnavailable):
            return Server(port)
    server = server_to_reopen()
    _used.append(server.main.number)
    return server


def server_to_reopen() -> Server:
    """Open ports that systems give no program at random, so that they are free again when the server has ended."""
    while True:
        with suppress(PortUnavailable):
            return Server(random.randrange(20_000, 30_000))


@contextmanager
def companion_of(
    folder: Path,
    host: HostPolicy | None = None,
    network: Fetcher | None = None,
    keys: Keys | None = None,
    browser: TabBrowser | None = None,
    search: Search | None = None,
) -> Generator[Companion]:
    """Run a companion that serves a built surface, on its own thread."""
    server = server_on_used_ports()
    companion = Companion(
        folder, server, host=host, network=network, keys=keys, browser=browser, search=search
    )
    with running(server, companion.app(), **companion.other_apps()):
        yield companion


@contextmanager
def opened_by(companion: Companion, browsers: BrowserPool, **options: Any) -> Generator[Surface]:
    """Open the page at the companion's address, in a browser with options, and wait until it is connected."""
    surface = Surface(browsers.take(companion.url, **options), companion.entrance.address())
    try:
        surface.load()
        surface.wait_for(CONNECTED)
        yield surface
    finally:
        browsers.give_back(surface.driver)


class Browser:
    """The browser's side of the companion's login, as its page implements it.

    Args:
        companion: The companion to log in to.
    """

    def __init__(self, companion: Companion) -> None:
        self._companion = companion
        self._private = ec.generate_private_key(ec.SECP256R1())
        self.key = _base64url(
            self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        )
        self.origin = companion.url.rstrip("/")

    async def post(self, name: str, body: Any, **headers: str) -> httpx2.Response:
        """Send a request to the login; underscores in header names become hyphens."""
        named = {"Origin": self.origin, **{each.replace("_", "-"): value for each, value in headers.items()}}
        async with httpx2.AsyncClient(timeout=TIMEOUT_S, trust_env=False) as http:
            return await http.post(f"{self._companion.url}entrance/{name}", json=body, headers=named)

    async def open(self, address: str | None = None) -> httpx2.Response:
        """Log in with the code of an address, by default a new one."""
        code = (address or self._companion.entrance.address()).partition("#companion=")[2]
        return await self.post("open", {"code": code, "key": self.key})

    def sign(self, challenge: str, origin: str | None = None) -> str:
        message = f"control-surface page\n{origin or self.origin}\n{challenge}".encode()
        numbers = decode_dss_signature(self._private.sign(message, ec.ECDSA(SHA256())))
        return _base64url(b"".join(each.to_bytes(32, "big") for each in numbers))

    async def challenge(self) -> str:
        return (await self.post("challenge", {})).json()["challenge"]

    async def log_in_with_key(self) -> httpx2.Response:
        """Log in by signing a challenge."""
        challenge = await self.challenge()
        return await self.post(
            "return", {"key": self.key, "challenge": challenge, "signature": self.sign(challenge)}
        )


async def page_token(companion: Companion, *, attended: bool = True) -> str:
    """Return a token that opens one WebSocket, for a page of a new browser."""
    answer = await Browser(companion).open(companion.entrance.address(attended=attended))
    return answer.json()["token"]


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@asynccontextmanager
async def client_of(
    companion: Companion, mode: Any = "auto", *, token: str | None = None, **options: Any
) -> AsyncGenerator[Client]:
    """Connect an MCP client over HTTP, by default with the companion's printed token.

    `mode` is `legacy` for the protocol's versions before 2026-07-28.
    """
    headers = {"Authorization": f"Bearer {token or companion.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=TIMEOUT_S, trust_env=False) as http,
        Client(streamable_http_client(companion.mcp_url, http_client=http), mode=mode, **options) as client,
    ):
        yield client
