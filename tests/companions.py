"""What tests of the companion share: one that runs, the page that its address opens, and clients of MCP."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from gemini_companion.app import Companion
from gemini_companion.host.policy import HostPolicy
from gemini_companion.server import Server, running
from gemini_testing import Surface
from gemini_testing.browser import launch

CONNECTED = "document.querySelector('#status-companion').innerText === 'Companion'"
# Longer than any test waits for an answer: what is lost is to show as that, and not as the transport's end.
TIMEOUT_S = 120


@contextmanager
def companion_of(folder: Path, host: HostPolicy | None = None) -> Generator[Companion]:
    """A companion on free ports that serves a built surface while the block runs, on a thread of its own."""
    server = Server(0)
    companion = Companion(folder, server, host)
    with running(server, companion.app(), sites=companion.sites()):
        yield companion


@contextmanager
def opened_by(companion: Companion) -> Generator[Surface]:
    """The page, opened by the companion's address and connected to it."""
    surface = Surface(launch(), companion.url)
    try:
        surface.load()
        surface.wait_for(CONNECTED)
        yield surface
    finally:
        surface.driver.quit()


@asynccontextmanager
async def client_of(companion: Companion, mode: Any = "auto", **options: Any) -> AsyncGenerator[Client]:
    """A client of MCP by HTTP; `mode` is `legacy` for the protocol's versions before 2026-07-28."""
    headers = {"Authorization": f"Bearer {companion.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=TIMEOUT_S, trust_env=False) as http,
        Client(streamable_http_client(companion.mcp_url, http_client=http), mode=mode, **options) as client,
    ):
        yield client
