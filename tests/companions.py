"""What tests of the companion share: one that runs, the page that its address opens, and clients of MCP."""

from __future__ import annotations

import base64
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from gemini_companion.app import Companion
from gemini_companion.host.policy import HostPolicy
from gemini_companion.network import Fetcher
from gemini_companion.server import Server, running
from gemini_testing import Surface
from gemini_testing.browser import launch

CONNECTED = "document.querySelector('#status-companion').innerText === 'Companion'"
# Longer than any test waits for an answer: what is lost is to show as that, and not as the transport's end.
TIMEOUT_S = 120


@contextmanager
def companion_of(
    folder: Path, host: HostPolicy | None = None, network: Fetcher | None = None
) -> Generator[Companion]:
    """A companion on free ports that serves a built surface while the block runs, on a thread of its own."""
    server = Server(0)
    companion = Companion(folder, server, host, network=network)
    with running(server, companion.app(), **companion.beside()):
        yield companion


@contextmanager
def opened_by(companion: Companion) -> Generator[Surface]:
    """The page, opened by the companion's address and connected to it."""
    surface = Surface(launch(), companion.entrance.address())
    try:
        surface.load()
        surface.wait_for(CONNECTED)
        yield surface
    finally:
        surface.driver.quit()


class Browser:
    """A browser's part in being let in, as its page plays it.

    Args:
        companion: Who lets it in.
    """

    def __init__(self, companion: Companion) -> None:
        self._companion = companion
        self._private = ec.generate_private_key(ec.SECP256R1())
        self.key = _base64url(
            self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        )
        self.origin = companion.url.rstrip("/")

    async def post(self, name: str, told: Any, **headers: str) -> httpx2.Response:
        """What the entrance answers; underscores in names of headers are hyphens."""
        named = {"Origin": self.origin, **{each.replace("_", "-"): value for each, value in headers.items()}}
        async with httpx2.AsyncClient(timeout=TIMEOUT_S, trust_env=False) as http:
            return await http.post(f"{self._companion.url}entrance/{name}", json=told, headers=named)

    async def open(self, address: str | None = None) -> httpx2.Response:
        """Bring the code of an address, or of a new one."""
        code = (address or self._companion.entrance.address()).partition("#companion=")[2]
        return await self.post("open", {"code": code, "key": self.key})

    def sign(self, challenge: str, origin: str | None = None) -> str:
        said = f"control-surface page\n{origin or self.origin}\n{challenge}".encode()
        numbers = decode_dss_signature(self._private.sign(said, ec.ECDSA(SHA256())))
        return _base64url(b"".join(each.to_bytes(32, "big") for each in numbers))

    async def challenge(self) -> str:
        return (await self.post("challenge", {})).json()["challenge"]

    async def come_back(self) -> httpx2.Response:
        """Sign a challenge instead."""
        challenge = await self.challenge()
        return await self.post(
            "return", {"key": self.key, "challenge": challenge, "signature": self.sign(challenge)}
        )


async def page_token(companion: Companion, *, attended: bool = True) -> str:
    """What opens one WebSocket, for a page of a browser that comes first."""
    answer = await Browser(companion).open(companion.entrance.address(attended=attended))
    return answer.json()["token"]


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@asynccontextmanager
async def client_of(
    companion: Companion, mode: Any = "auto", *, token: str | None = None, **options: Any
) -> AsyncGenerator[Client]:
    """A client of MCP by HTTP, with the token that is printed unless it has another one.

    `mode` is `legacy` for the protocol's versions before 2026-07-28.
    """
    headers = {"Authorization": f"Bearer {token or companion.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=TIMEOUT_S, trust_env=False) as http,
        Client(streamable_http_client(companion.mcp_url, http_client=http), mode=mode, **options) as client,
    ):
        yield client
