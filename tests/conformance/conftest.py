"""The page, opened by a companion's address."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from gemini_companion.serving.app import Companion
from gemini_companion.serving.server import running
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import server_on_used_ports

FIXTURES = Path(__file__).parent / "page.py"


def trusting(app: ASGIApp, token: str) -> ASGIApp:
    """Return the application for clients that can't send a token; all other checks stay."""
    header = (b"authorization", f"Bearer {token}".encode())

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and header[0] not in dict(scope["headers"]):
            scope = {**scope, "headers": [*scope["headers"], header]}
        await app(scope, receive, send)

    return answer


@pytest.fixture(scope="module")
def companion(surface_dist: Path) -> Iterator[Companion]:
    server = server_on_used_ports()
    companion = Companion(surface_dist, server)
    with running(server, trusting(companion.app(), companion.token), **companion.other_apps()):
        yield companion


@pytest.fixture(scope="module")
def surface_of_module(companion: Companion, browsers: BrowserPool) -> Iterator[Surface]:
    """The page with what these tests' clients expect."""
    surface = Surface(browsers.take(companion.url), companion.entrance.address())
    surface.load()
    surface.wait_for("document.querySelector('#status-companion').innerText === 'Companion'")
    surface.python(FIXTURES.read_text(encoding="utf-8"))
    yield surface
    browsers.give_back(surface.driver)
